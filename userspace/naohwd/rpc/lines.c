// SPDX-License-Identifier: GPL-2.0-or-later
#include "lines.h"

#include <stdlib.h>
#include <string.h>

/* A long line may have taken more; what is left goes to the beginning. */
static void tidy(struct lines *lines)
{
	size_t left = lines->end - lines->begin;

	if (lines->begin == 0)
		return;
	memmove(lines->at, lines->at + lines->begin, left);
	lines->looked_at -= lines->begin;
	lines->begin = 0;
	lines->end = left;
}

/* Rounded up, so that a line that grows is not moved with each of its chunks. */
static size_t size_for(size_t count)
{
	size_t size = LINES_ROOM;

	while (size < count)
		size *= 2;
	return size;
}

char *lines_room(struct lines *lines)
{
	size_t size;
	char *at;

	tidy(lines);
	size = size_for(lines->end + LINES_CHUNK);
	if (size == lines->size)
		return lines->at + lines->end;
	at = realloc(lines->at, size);
	if (!at)
		return NULL;
	lines->at = at;
	lines->size = size;
	return lines->at + lines->end;
}

void lines_add(struct lines *lines, size_t count)
{
	lines->end += count;
}

void lines_end(struct lines *lines)
{
	if (lines->end > lines->begin)
		lines->at[lines->end++] = '\n';
}

enum lines_next lines_next(struct lines *lines, const char **line, size_t *length)
{
	char *end = NULL;

	if (lines->end > lines->looked_at)
		end = memchr(lines->at + lines->looked_at, '\n', lines->end - lines->looked_at);
	lines->looked_at = end ? (size_t)(end - lines->at) : lines->end;
	if (lines->looked_at - lines->begin > LINES_LONGEST)
		return LINES_TOO_LONG;
	if (!end)
		return LINES_NONE;
	*end = '\0';
	*line = lines->at + lines->begin;
	*length = lines->looked_at - lines->begin;
	lines->begin = ++lines->looked_at;
	return LINES_ONE;
}

void lines_again(struct lines *lines, const char *line)
{
	lines->at[--lines->looked_at] = '\n';
	lines->begin = (size_t)(line - lines->at);
}

bool lines_are_waiting(const struct lines *lines)
{
	size_t left = lines->end - lines->looked_at;

	return left && memchr(lines->at + lines->looked_at, '\n', left);
}

void lines_shrink(struct lines *lines)
{
	if (lines->begin == lines->end && lines->size > LINES_ROOM)
		lines_free(lines);
}

void lines_free(struct lines *lines)
{
	free(lines->at);
	*lines = (struct lines){ 0 };
}
