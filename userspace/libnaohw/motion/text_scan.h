/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lines and numbers of a text motion file; locale plays no part. */
#ifndef NAOHW_TEXT_SCAN_H
#define NAOHW_TEXT_SCAN_H

#include <stdbool.h>
#include <stddef.h>

struct text_scan {
	const char *path;
	const char *cursor;   /* the next line begins here */
	const char *end;
	const char *line;     /* the present line, without its line end */
	size_t length;
	unsigned int number;  /* of the present line, from 1 */
};

/* Step to the next line; false at the end of the text. */
bool text_next_line(struct text_scan *scan);

/* Does the present line begin with @key? */
bool text_is(const struct text_scan *scan, const char *key);

/* One of the present line's numbers, counted from @at; each moves @at past it. */
bool text_unsigned(const struct text_scan *scan, size_t *at, unsigned int max, unsigned int *value);
/* "1.234": thousandths, at most @max of them. */
bool text_milli(const struct text_scan *scan, size_t *at, unsigned int max, unsigned int *value);

/* Is nothing but blanks left? */
bool text_at_end(const struct text_scan *scan, size_t at);

#endif
