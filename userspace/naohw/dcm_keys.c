// SPDX-License-Identifier: GPL-2.0-or-later
#include "dcm_keys.h"

#include <fnmatch.h>

#include "ends.h"

bool is_dcm_key(const char *name)
{
	return text_begins_with(name, "DCM/") || text_begins_with(name, "HAL/") ||
	       text_begins_with(name, "Diagnosis/");
}

const char *dcm_keys_next(const struct naohw_dcm *dcm, const char *name, size_t *slot)
{
	const struct naohw_store *store = naohw_dcm_store(dcm);
	const char *key;

	while ((key = naohw_store_name(store, *slot)) && fnmatch(name, key, 0) != 0)
		(*slot)++;
	return key;
}

void dcm_keys_take(const struct naohw_dcm *dcm, size_t slot, struct reading *reading)
{
	const struct naohw_store *store = naohw_dcm_store(dcm);
	struct naohw_value value;

	if (naohw_store_read(store, slot, &value) < 0)
		value = (struct naohw_value){ .state = NAOHW_STATE_ABSENT };
	reading_take_value(reading, naohw_store_name(store, slot), &value);
}
