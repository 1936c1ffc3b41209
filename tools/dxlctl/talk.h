/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The simulator's control socket, or a guest's port to it: a line there, lines back. */
#ifndef DXLCTL_TALK_H
#define DXLCTL_TALK_H

#include <stdio.h>

enum {
	EXIT_REFUSED = 1,
	EXIT_NO_ANSWER = 2,
};

/* The reason, as errno has it; -1. */
int complain(const char *what);

/*
 * A connection to the socket or port, or -1 after saying what is wrong. A port that another program
 * has is waited for, five seconds at the most.
 */
int talk_connect(const char *path);

/*
 * Send a line and write the answer, which ends in a line that begins with "ok" or "error";
 * an exit status, EXIT_NO_ANSWER after saying so.
 */
int talk(int fd, const char *line, FILE *out);

#endif
