/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Texts of others, for library, command and daemon. Is one UTF-8 without control characters, so
 * that a line and a terminal take it as it is? Make it so: each byte that is in their way becomes
 * "?".
 */
#ifndef NAOHW_PLAIN_H
#define NAOHW_PLAIN_H

#include <stdbool.h>
#include <stddef.h>

/* The bytes of the character that @at begins with; 0: it is none of UTF-8, or a control character. */
static inline size_t plain_length(const unsigned char *at)
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

static inline bool text_is_plain(const char *text)
{
	while (*text) {
		size_t length = plain_length((const unsigned char *)text);

		if (!length)
			return false;
		text += length;
	}
	return true;
}

static inline void text_make_plain(char *text)
{
	while (*text) {
		size_t length = plain_length((const unsigned char *)text);

		if (!length)
			*text = '?';
		text += length ? length : 1;
	}
}

#endif
