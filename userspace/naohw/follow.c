// SPDX-License-Identifier: GPL-2.0-or-later
#include "follow.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli.h"
#include "interrupt.h"
#include "output.h"

/* @last has each key's last reading, of which key is NULL before the first one. */
static void read_all(const struct follow *follow, struct reading *last)
{
	for (size_t i = 0; i < follow->keys->count; i++) {
		struct reading now;

		reading_take(&now, follow->keys->at[i].key);
		if (follow->changes && last[i].key && reading_is_same(&now, &last[i]))
			continue;
		(void)reading_print(&now, &follow->format);
		last[i] = now;
	}
}

int follow(const struct follow *follow)
{
	struct reading *last = calloc(follow->keys->count, sizeof(*last));

	if (!last)
		return complain("out of memory");
	setlinebuf(stdout);
	for (long i = 1; !is_interrupted() && !ferror(stdout); i++) {
		read_all(follow, last);
		if (i == follow->count || !output_wait(follow->interval))
			break;
	}
	free(last);
	return STATUS_OK;
}
