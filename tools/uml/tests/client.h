/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What victim.c and hostile.c have in common: clients of naohwd's sockets, and their user. */
#ifndef CLIENT_H
#define CLIENT_H

#include <err.h>
#include <grp.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* A user who is in no group of the robot's, and may only read */
#define OTHER_USER 1001

static inline void become_other_user(void)
{
	if (setgroups(0, NULL) || setgid(OTHER_USER) || setuid(OTHER_USER))
		err(2, "user %d", OTHER_USER);
}

/* Return: a descriptor; or -1, with errno. @type: of socket() */
static inline int connect_to(const char *path, int type)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, type, 0);

	if (fd < 0)
		err(2, "socket");
	strncpy(address.sun_path, path, sizeof(address.sun_path) - 1);
	if (connect(fd, (const struct sockaddr *)&address, sizeof(address)) ==
	    0)
		return fd;
	close(fd);
	return -1;
}

#endif
