// SPDX-License-Identifier: GPL-2.0-or-later
#include "lines.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "wrong.h"

/* Some programs begin a text with it to say that it is UTF-8. */
#define MARK "\xef\xbb\xbf"

static int too_long(struct naohw_error *err)
{
	return wrong(err, -EINVAL, "found a line of more than %d bytes, expected a shorter one",
		     ORDER_LINE_MAX);
}

void lines_begin(struct lines *lines, int fd, bool is_stream)
{
	*lines = (struct lines){ .fd = fd, .is_stream = is_stream };
}

/* What it says may be shown on a terminal, which is to do nothing by that. */
static bool is_text(const char *line, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (((unsigned char)line[i] < ' ' && line[i] != '\t') || line[i] == '\x7f')
			return false;
	return true;
}

static int finish(char *line, size_t length, struct naohw_error *err)
{
	if (length && line[length - 1] == '\r')
		length--;
	if (length > ORDER_LINE_MAX)
		return too_long(err);
	if (!is_text(line, length))
		return wrong(err, -EINVAL, "found a control character, expected text");
	line[length] = '\0';
	return 1;
}

/* A line of which no end is there yet. */
static int look_at_rest(struct lines *lines, size_t length, struct naohw_error *err)
{
	bool is_cut = lines->has_ended && length;
	bool is_too_long = length > ORDER_LINE_MAX + strlen("\r");

	if (!is_cut && !is_too_long && !lines->is_passing)
		return 0;
	lines->from = lines->to;
	if (lines->is_passing)
		return 0;
	lines->number++;
	lines->is_passing = true;
	if (is_too_long)
		return too_long(err);
	return wrong(err, -EINVAL, "found a line that does not end, and so may not be whole");
}

int lines_take(struct lines *lines, char **line, struct naohw_error *err)
{
	char *begin = lines->text + lines->from;
	size_t length = lines->to - lines->from;
	char *end = memchr(begin, '\n', length);

	if (!end)
		return look_at_rest(lines, length, err);
	length = (size_t)(end - begin);
	lines->from += length + 1;
	if (lines->is_passing) {
		lines->is_passing = false;
		return lines_take(lines, line, err);
	}
	if (lines->number++ == 0 && length >= strlen(MARK) &&
	    memcmp(begin, MARK, strlen(MARK)) == 0) {
		begin += strlen(MARK);
		length -= strlen(MARK);
	}
	*line = begin;
	return finish(begin, length, err);
}

bool lines_are_over(const struct lines *lines)
{
	return lines->has_ended && lines->from == lines->to;
}

/* The last line of a file may lack its end. */
static void end(struct lines *lines)
{
	lines->has_ended = true;
	if (!lines->is_stream && lines->to)
		lines->text[lines->to++] = '\n';
}

int lines_fill(struct lines *lines)
{
	ssize_t size;

	memmove(lines->text, lines->text + lines->from, lines->to - lines->from);
	lines->to -= lines->from;
	lines->from = 0;
	size = read(lines->fd, lines->text + lines->to, sizeof(lines->text) - 1 - lines->to);
	if (size < 0)
		return -errno;
	if (size == 0)
		end(lines);
	lines->to += (size_t)size;
	lines->total += (size_t)size;
	return 0;
}
