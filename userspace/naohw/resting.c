// SPDX-License-Identifier: GPL-2.0-or-later
#include "resting.h"

#include <string.h>

#include "cli.h"
#include "interrupt.h"
#include "monotonic.h"

#define LOOK_MS 20

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

int wait_ms(int ms)
{
	for (int waited = 0; waited < ms; waited += LOOK_MS) {
		if (is_interrupted()) {
			complain("interrupted");
			return STATUS_INTERRUPTED;
		}
		monotonic_sleep_ms(LOOK_MS);
	}
	return STATUS_OK;
}

/* The host gives each way its time, and an end. */
int await_rest(const struct naohw_dcm *dcm)
{
	while (rest_is(dcm, "going to rest")) {
		if (is_interrupted()) {
			complain("interrupted: the robot may stand stiff between two postures");
			return STATUS_INTERRUPTED;
		}
		monotonic_sleep_ms(LOOK_MS);
	}
	return STATUS_OK;
}
