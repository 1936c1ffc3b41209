/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What comes from a client, as lines: in pieces, or several at once. */
#ifndef NAOHWD_RPC_LINES_H
#define NAOHWD_RPC_LINES_H

#include <stdbool.h>
#include <stddef.h>

/* The longest line, without its end */
#define LINES_LONGEST (1024 * 1024)
/* As much is read at once. */
#define LINES_CHUNK (16 * 1024)
/* As much has each client; who needs more has a long line. */
#define LINES_ROOM (2 * LINES_CHUNK)

struct lines {
	char *at;
	size_t size;
	size_t begin; /* of what has not been taken */
	size_t end;
	size_t looked_at; /* up to where there is no end of a line */
};

/* Room for the next LINES_CHUNK bytes; NULL: out of memory. What was taken is no longer there. */
char *lines_room(struct lines *lines);
/* So many have come. */
void lines_add(struct lines *lines, size_t count);

/* No more will come, which ends the last line. There is room for that by lines_room(). */
void lines_end(struct lines *lines);

enum lines_next { LINES_NONE, LINES_ONE, LINES_TOO_LONG };

/*
 * The next line as a text, without its end. It may have a NUL in it, by which it is longer than the
 * text. It lives until lines_room().
 */
enum lines_next lines_next(struct lines *lines, const char **line, size_t *length);

/* This one, which was the next, is the next again. */
void lines_again(struct lines *lines, const char *line);

/* Is there a whole one that has not been taken? */
bool lines_are_waiting(const struct lines *lines);

/* Room for a long one is no longer needed when that has been taken. */
void lines_shrink(struct lines *lines);
void lines_free(struct lines *lines);

#endif
