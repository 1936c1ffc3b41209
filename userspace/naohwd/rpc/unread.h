/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Connections of clients that have had descriptors and have gone without reading all that they were
 * sent. The kernel counts a descriptor that nobody has read as an open file of naohwd's user, and
 * passes none when there are as many as that may have: so each of these keeps a client's place until
 * all is read, or the other end closed. A naohwd that begins anew does not know of them any more.
 */
#ifndef NAOHWD_RPC_UNREAD_H
#define NAOHWD_RPC_UNREAD_H

#include <stddef.h>
#include <sys/types.h>

#define UNREAD_MAX 128

struct unread {
	struct {
		int fd;
		pid_t pid;
	} list[UNREAD_MAX];
	size_t count;
};

/* The connection ends for the client; the socket is closed, at once or when all is read. */
void unread_take(struct unread *unread, int fd, pid_t pid);

/* What has been read since, or has nobody any more to do so, goes; before one counts them. */
void unread_look(struct unread *unread);

/* How many there are of a process. */
size_t unread_of(const struct unread *unread, pid_t pid);

void unread_close(struct unread *unread);

#endif
