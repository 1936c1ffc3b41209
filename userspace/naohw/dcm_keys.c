// SPDX-License-Identifier: GPL-2.0-or-later
#include "dcm_keys.h"

#include <errno.h>
#include <fnmatch.h>

#include "ends.h"

bool is_dcm_key(const char *name)
{
	return text_begins_with(name, "DCM/") || text_begins_with(name, "HAL/");
}

/* The next one of the name from @slot on; NULL: there are no more. */
static const char *next(const struct naohw_store *store, const char *name, size_t *slot)
{
	const char *key;

	while ((key = naohw_store_name(store, *slot)) && fnmatch(name, key, 0) != 0)
		(*slot)++;
	return key;
}

bool dcm_keys_have(const struct naohw_dcm *dcm, const char *name)
{
	size_t slot = 0;

	return next(naohw_dcm_store(dcm), name, &slot);
}

bool dcm_keys_print(const struct naohw_dcm *dcm, const char *name,
		    const struct reading_format *format, struct failures *failures)
{
	const struct naohw_store *store = naohw_dcm_store(dcm);
	struct naohw_value value;
	struct reading reading;
	bool is_whole = true;
	const char *key;

	for (size_t slot = 0; (key = next(store, name, &slot)); slot++) {
		if (naohw_store_read(store, slot, &value) < 0)
			value = (struct naohw_value){ .state = NAOHW_STATE_ABSENT };
		reading_take_value(&reading, key, &value);
		is_whole &= reading_print(&reading, format, failures);
	}
	return is_whole;
}
