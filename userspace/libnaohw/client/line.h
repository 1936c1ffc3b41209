/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lines through a socket, and descriptors with them. */
#ifndef NAOHW_CLIENT_LINE_H
#define NAOHW_CLIENT_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LINE_MAX_SIZE (1u << 20) /* with its end */

struct lines {
	int fd;	    /* -1: closed */
	int passed; /* a descriptor that has come, or -1 */
	char *in;   /* what has come */
	size_t used;
	size_t room;
	size_t line; /* of that the line that was read last, with its end */
};

void lines_init(struct lines *lines);

/* Deadlines are ns of CLOCK_MONOTONIC. Return: 0 or a negative errno; -ETIMEDOUT. */
int lines_connect(struct lines *lines, const char *path, int64_t deadline);
int lines_send(struct lines *lines, const char *line, size_t length, int64_t deadline);

/*
 * The next line, without its end; it is there until the next call. Return: its length;
 * -ECONNRESET there will be none; -EMSGSIZE; -ETIMEDOUT.
 */
int lines_receive(struct lines *lines, const char **line, int64_t deadline);

/* Has the other end gone? */
bool lines_have_ended(const struct lines *lines);

/* The descriptor that has come, which is the caller's now, or -1. */
int lines_take_passed(struct lines *lines);

/* May be closed already. */
void lines_close(struct lines *lines);

#endif
