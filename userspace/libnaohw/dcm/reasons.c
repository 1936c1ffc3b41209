// SPDX-License-Identifier: LGPL-2.1-or-later
#include "reasons.h"

#include <stdio.h>
#include <string.h>

#include "../base/base.h"

bool reason_key(const char *label, char name[REASON_KEY_SIZE])
{
	int length = snprintf(name, REASON_KEY_SIZE, GUARD_PREFIX "%s", label);

	return length < REASON_KEY_SIZE && text_is_plain(name);
}

void reason_tell(enum guard_reason reason, struct naohw_store *store, size_t slot, int64_t time)
{
	struct naohw_value value = { .state = NAOHW_STATE_FRESH, .time = time };
	const char *word = guard_words[reason].word;

	memcpy(value.text, word, strlen(word));
	store_put(store, slot, &value);
}
