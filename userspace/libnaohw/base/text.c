// SPDX-License-Identifier: LGPL-2.1-or-later
#include <string.h>

#include "base.h"

bool text_begins_with(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

bool text_ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), tail = strlen(end);

	return length >= tail && strcmp(text + length - tail, end) == 0;
}
