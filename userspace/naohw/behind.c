// SPDX-License-Identifier: GPL-2.0-or-later
#include "behind.h"

#include <stdlib.h>

#include "cli.h"

void behind_add(struct behind *behind, const char *label, const struct naohw_reason *reason)
{
	char **labels = &behind->labels[guard_reason(reason->word)], *more;

	if (asprintf(&more, "%s%s%s", *labels ? *labels : "", *labels ? " " : "", label) < 0) {
		complain("%s: %s: out of memory", label, reason->word);
		return;
	}
	free(*labels);
	*labels = more;
}

void behind_tell(struct behind *behind, FILE *to)
{
	for (int i = GUARD_NONE; i < GUARD_REASONS; i++) {
		const struct naohw_reason *reason = &guard_words[i];

		if (i != GUARD_NONE && behind->labels[i])
			fprintf(to, "%s: %s: %s%s%s\n", reason->word, behind->labels[i],
				reason->what, reason->remedy ? "; " : "",
				reason->remedy ? reason->remedy : "");
		free(behind->labels[i]);
		behind->labels[i] = NULL;
	}
}
