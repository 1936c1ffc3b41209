// SPDX-License-Identifier: GPL-2.0-or-later
#include "resting.h"

#include <string.h>

#include "cli.h"
#include "interrupt.h"
#include "monotonic.h"

/* A host that has stopped, or is gone */
#define PATIENCE_MS 5000
#define NS_PER_MS   1000000

void read_text(const struct naohw_dcm *dcm, const char *key, struct naohw_value *value)
{
	const struct naohw_store *store = naohw_dcm_store(dcm);
	size_t slot;

	if (naohw_store_find(store, key, &slot) < 0 || naohw_store_read(store, slot, value) < 0)
		*value->text = '\0';
}

bool rest_is(const struct naohw_dcm *dcm, const char *state)
{
	struct naohw_value value;

	read_text(dcm, "DCM/Rest", &value);
	return strcmp(value.text, state) == 0;
}

static int await_cycle(struct naohw_dcm *dcm, const char *interrupted)
{
	struct naohw_error err;
	uint64_t cycle = 0;
	int ret;

	if (is_interrupted()) {
		complain("%s", interrupted);
		return STATUS_INTERRUPTED;
	}
	/* The first tells the number of the last one. */
	ret = naohw_dcm_wait(dcm, &cycle, PATIENCE_MS, &err);
	if (ret == 0)
		ret = naohw_dcm_wait(dcm, &cycle, PATIENCE_MS, &err);
	return ret < 0 ? complain("%s", err.message) : STATUS_OK;
}

int wait_ms(struct naohw_dcm *dcm, int ms)
{
	int64_t end = monotonic_ns() + (int64_t)ms * NS_PER_MS;
	int status = STATUS_OK;

	while (status == STATUS_OK && monotonic_ns() < end)
		status = await_cycle(dcm, "interrupted");
	return status;
}

/* The host gives each way its time, and an end. */
int await_rest(struct naohw_dcm *dcm)
{
	int status = STATUS_OK;

	while (status == STATUS_OK && rest_is(dcm, "going to rest"))
		status = await_cycle(dcm, "interrupted: the robot may stand stiff between two postures");
	return status;
}
