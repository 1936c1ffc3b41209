/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines of a text, as they come: of a file, or of a pipe or a terminal that may pause. */
#ifndef NAOHW_LINES_H
#define NAOHW_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include <naohw.h>

#include "order.h"

struct lines {
	int fd;
	bool is_stream; /* from elsewhere: its last line may not be whole without an end */
	bool has_ended;
	bool is_passing; /* over the rest of a line that is too long */
	unsigned long number; /* of the line that was taken last, from 1 */
	size_t total; /* bytes that have been read */
	size_t from, to; /* what has been read and not taken yet */
	char text[2 * (ORDER_LINE_MAX + sizeof("\r\n"))];
};

void lines_begin(struct lines *lines, int fd, bool is_stream);

/*
 * The next line without its end, good until lines_fill(). Return: 1; 0 it is not there yet, or, if
 * the text has ended, there is none; -EINVAL it is no text, or too long, and is passed over.
 */
int lines_take(struct lines *lines, char **line, struct naohw_error *err);

/* Has all been taken that there is? */
bool lines_are_over(const struct lines *lines);

/* Read once, and wait for it if need be. Return: 0, or a negative errno. */
int lines_fill(struct lines *lines);

#endif
