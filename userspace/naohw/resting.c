// SPDX-License-Identifier: GPL-2.0-or-later
#include "resting.h"

#include <string.h>

#include "cli.h"
#include "interrupt.h"
#include "monotonic.h"

/* A host that has stopped, or is gone */
#define PATIENCE_MS 5000
#define LOOK_MS	    20
#define NS_PER_MS   1000000

void read_key(const struct naohw_dcm *dcm, const char *key, struct naohw_value *value)
{
	const struct naohw_store *store = naohw_dcm_store(dcm);
	size_t slot;

	if (naohw_store_find(store, key, &slot) < 0 || naohw_store_read(store, slot, value) < 0)
		*value = (struct naohw_value){ .number = 0, .text = "" };
}

bool rest_is(const struct naohw_dcm *dcm, const char *state)
{
	struct naohw_value value;

	read_key(dcm, "DCM/Rest", &value);
	return strcmp(value.text, state) == 0;
}

/* @cycle: the last one that is known. Its host goes on if there is another one after a while. */
static int await_cycle(struct naohw_dcm *dcm, uint64_t *cycle, const char *interrupted)
{
	struct naohw_error err;

	if (is_interrupted()) {
		complain("%s", interrupted);
		return STATUS_INTERRUPTED;
	}
	monotonic_sleep_ms(LOOK_MS);
	if (naohw_dcm_wait(dcm, cycle, PATIENCE_MS, &err) < 0)
		return complain("%s", err.message);
	return STATUS_OK;
}

int wait_ms(struct naohw_dcm *dcm, int ms)
{
	int64_t end = monotonic_ns() + (int64_t)ms * NS_PER_MS;
	int status = STATUS_OK;
	uint64_t cycle = 0;

	while (status == STATUS_OK && monotonic_ns() < end)
		status = await_cycle(dcm, &cycle, "interrupted");
	return status;
}

/* The host gives each way its time, and an end. */
int await_rest(struct naohw_dcm *dcm)
{
	int status = STATUS_OK;
	uint64_t cycle = 0;

	while (status == STATUS_OK && rest_is(dcm, "going to rest"))
		status = await_cycle(dcm, &cycle, "interrupted: the robot may stand stiff between two postures");
	return status;
}
