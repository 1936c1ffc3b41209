/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The control socket: lines from several clients. */
#ifndef DXLSIM_CONSOLE_H
#define DXLSIM_CONSOLE_H

#include <poll.h>

#include "../io/io.h"
#include "command.h"

#define CONSOLE_CLIENTS	16
#define CONSOLE_POLLS	(CONSOLE_CLIENTS + 1)

struct console_client {
	int fd;			/* -1: free */
	char line[CONTROL_LINE_MAX];
	size_t len;
	bool too_long;		/* the rest of the line is to be thrown away */
	struct outbuf pending;
};

struct console {
	const char *path;
	int listener;
	struct console_client clients[CONSOLE_CLIENTS];
};

int console_open(struct console *console, const char *path);
void console_close(struct console *console);
int console_prepare(struct console *console, struct pollfd *polls);
void console_serve(struct console *console, struct control *control,
		   const struct pollfd *polls, int count, nsec_t now);

#endif
