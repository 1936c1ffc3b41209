// SPDX-License-Identifier: LGPL-2.1-or-later
#include <ctype.h>
#include <stdint.h>
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

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

size_t text_distance(const char *a, const char *b)
{
	size_t row[TEXT_DISTANCE_MAX + 1], length = strlen(b);

	if (length > TEXT_DISTANCE_MAX || strlen(a) > TEXT_DISTANCE_MAX)
		return SIZE_MAX;
	for (size_t j = 0; j <= length; j++)
		row[j] = j;
	for (; *a; a++) {
		size_t corner = row[0]++;

		for (size_t j = 1; j <= length; j++) {
			size_t changed = corner + (tolower((unsigned char)*a) !=
						   tolower((unsigned char)b[j - 1]));

			corner = row[j];
			row[j] = least(changed, least(row[j], row[j - 1]) + 1);
		}
	}
	return row[length];
}

/* The bytes of the character that @at begins with; 0: it is none of UTF-8, or a control character. */
static size_t plain_length(const unsigned char *at)
{
	static const unsigned int least[] = { 0, 0, 0xa0, 0x800, 0x10000 };
	size_t length = at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : 4;
	unsigned int code = at[0] & (0x7fu >> length);

	if (at[0] < 0x80)
		return at[0] >= ' ' && at[0] < 0x7f;
	if (at[0] < 0xc0 || at[0] >= 0xf8)
		return 0;
	for (size_t i = 1; i < length; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (at[i] & 0x3f);
	}
	if (code < least[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
		return 0;
	return length;
}

bool text_is_plain(const char *text)
{
	while (*text) {
		size_t length = plain_length((const unsigned char *)text);

		if (!length)
			return false;
		text += length;
	}
	return true;
}

void text_make_plain(char *text)
{
	while (*text) {
		size_t length = plain_length((const unsigned char *)text);

		if (!length)
			*text = '?';
		text += length ? length : 1;
	}
}
