/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How a text begins and ends, for library, command and daemon. */
#ifndef NAOHW_ENDS_H
#define NAOHW_ENDS_H

#include <stdbool.h>
#include <string.h>

static inline bool text_begins_with(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

static inline bool text_ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), tail = strlen(end);

	return length >= tail && strcmp(text + length - tail, end) == 0;
}

#endif
