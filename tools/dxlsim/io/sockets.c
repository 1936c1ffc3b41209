// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "sockets.h"

#define BACKLOG	8

static int set_address(struct sockaddr_un *addr, const char *path)
{
	memset(addr, 0, sizeof(*addr));
	addr->sun_family = AF_UNIX;
	if (strlen(path) >= sizeof(addr->sun_path)) {
		fprintf(stderr, "dxlsim: %s: path has %zu characters, a socket's can have %zu\n",
			path, strlen(path), sizeof(addr->sun_path) - 1);
		return -1;
	}
	strcpy(addr->sun_path, path);

	return 0;
}

/* A socket file whose program has ended only stands in the way. */
static int remove_stale(const struct sockaddr_un *addr)
{
	struct stat st;
	int fd, busy;

	if (lstat(addr->sun_path, &st))
		return 0;
	if (!S_ISSOCK(st.st_mode)) {
		fprintf(stderr, "dxlsim: %s: exists and is no socket\n",
			addr->sun_path);
		return -1;
	}

	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return -1;
	busy = !connect(fd, (const struct sockaddr *)addr, sizeof(*addr)) ||
	       errno != ECONNREFUSED;
	close(fd);
	if (busy) {
		fprintf(stderr, "dxlsim: %s: another program listens there\n",
			addr->sun_path);
		return -1;
	}

	return unlink(addr->sun_path);
}

/* A listening socket, or -1 after saying why not. */
int socket_listen(const char *path)
{
	struct sockaddr_un addr;
	int fd;

	if (set_address(&addr, path) || remove_stale(&addr))
		return -1;

	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0 || bind(fd, (struct sockaddr *)&addr, sizeof(addr)) ||
	    listen(fd, BACKLOG)) {
		fprintf(stderr, "dxlsim: %s: %s\n", path, strerror(errno));
		if (fd >= 0)
			close(fd);
		return -1;
	}

	return fd;
}

int socket_accept(int listener)
{
	return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}
