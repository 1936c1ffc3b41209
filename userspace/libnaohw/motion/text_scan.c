// SPDX-License-Identifier: LGPL-2.1-or-later
#include "text_scan.h"

#include <string.h>

bool text_next_line(struct text_scan *scan)
{
	const char *stop;
	size_t left = (size_t)(scan->end - scan->cursor);

	if (left == 0)
		return false;
	stop = memchr(scan->cursor, '\n', left);
	scan->line = scan->cursor;
	scan->length = stop ? (size_t)(stop - scan->cursor) : left;
	scan->cursor = stop ? stop + 1 : scan->end;
	if (scan->length && scan->line[scan->length - 1] == '\r')
		scan->length--;
	scan->number++;
	return true;
}

bool text_is(const struct text_scan *scan, const char *key)
{
	size_t length = strlen(key);

	return scan->length >= length && memcmp(scan->line, key, length) == 0;
}

static bool is_digit(const struct text_scan *scan, size_t at)
{
	return at < scan->length && scan->line[at] >= '0' && scan->line[at] <= '9';
}

static bool is_blank(const struct text_scan *scan, size_t at)
{
	return at < scan->length && (scan->line[at] == ' ' || scan->line[at] == '\t');
}

static size_t skip_blanks(const struct text_scan *scan, size_t at)
{
	while (is_blank(scan, at))
		at++;
	return at;
}

/* Digits with a limit, so that nothing can overflow however long they are. */
static bool digits(const struct text_scan *scan, size_t *at, unsigned int max, unsigned int *value)
{
	unsigned int number = 0;

	if (!is_digit(scan, *at))
		return false;
	for (; is_digit(scan, *at); (*at)++) {
		number = number * 10 + (unsigned int)(scan->line[*at] - '0');
		if (number > max)
			return false;
	}
	*value = number;
	return true;
}

static bool ends_here(const struct text_scan *scan, size_t at)
{
	return at >= scan->length || is_blank(scan, at);
}

bool text_unsigned(const struct text_scan *scan, size_t *at, unsigned int max, unsigned int *value)
{
	size_t pos = skip_blanks(scan, *at);

	if (!digits(scan, &pos, max, value) || !ends_here(scan, pos))
		return false;
	*at = pos;
	return true;
}

/* RoboPlus writes the one of the language that its machine has. */
static bool is_point(const struct text_scan *scan, size_t at)
{
	return at < scan->length && (scan->line[at] == '.' || scan->line[at] == ',');
}

bool text_milli(const struct text_scan *scan, size_t *at, unsigned int max, unsigned int *value)
{
	size_t pos = skip_blanks(scan, *at);
	unsigned int whole, weight = 100;

	if (!digits(scan, &pos, max / 1000, &whole))
		return false;
	*value = whole * 1000;
	if (is_point(scan, pos)) {
		for (pos++; is_digit(scan, pos); pos++, weight /= 10)
			*value += weight * (unsigned int)(scan->line[pos] - '0');
	}
	if (*value > max || !ends_here(scan, pos))
		return false;
	*at = pos;
	return true;
}

bool text_at_end(const struct text_scan *scan, size_t at)
{
	return skip_blanks(scan, at) >= scan->length;
}
