// SPDX-License-Identifier: LGPL-2.1-or-later
#include "reasons.h"

#include <stdio.h>
#include <string.h>

#include "../base/base.h"

static const char *const words[] = {
	[REASON_NONE] = "",
	[REASON_BATTERY] = "battery",
	[REASON_SOFT] = "soft",
	[REASON_RETURNS] = "returns",
	[REASON_NOT_CALIBRATED] = "not-calibrated",
	[REASON_UNKNOWN] = "unknown",
	[REASON_FREE] = "free",
	[REASON_WATCHDOG] = "watchdog",
	[REASON_RECOVERING] = "recovering",
	[REASON_TRIPPED] = "tripped",
	[REASON_SHUT_DOWN] = "shut-down",
};

bool reason_key(const char *label, char name[REASON_KEY_SIZE])
{
	int length = snprintf(name, REASON_KEY_SIZE, "DCM/Guard/%s", label);

	return length < REASON_KEY_SIZE && text_is_plain(name);
}

void reason_tell(enum reason reason, struct naohw_store *store, size_t slot, int64_t time)
{
	struct naohw_value value = { .state = NAOHW_STATE_FRESH, .time = time };

	memcpy(value.text, words[reason], strlen(words[reason]));
	store_put(store, slot, &value);
}
