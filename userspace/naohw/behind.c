// SPDX-License-Identifier: GPL-2.0-or-later
#include "behind.h"

#include <string.h>

void behind_add(struct behind *behind, const char *label, const struct naohw_reason *reason)
{
	char *labels = behind->labels[guard_reason(reason->word)];
	size_t used = strlen(labels);

	snprintf(labels + used, sizeof(behind->labels[0]) - used, "%s%s", used ? " " : "", label);
}

void behind_tell(const struct behind *behind, FILE *to)
{
	for (int i = GUARD_NONE + 1; i < GUARD_REASONS; i++) {
		const struct naohw_reason *reason = &guard_words[i];

		if (!*behind->labels[i])
			continue;
		fprintf(to, "%s: %s: %s%s%s\n", reason->word, behind->labels[i], reason->what,
			reason->remedy ? "; " : "", reason->remedy ? reason->remedy : "");
	}
}
