// SPDX-License-Identifier: GPL-2.0-or-later
#include "unread.h"

#include <linux/sockios.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* The kernel counts what waits at the other end, too. */
static bool is_read(int fd)
{
	int left = 0;

	return ioctl(fd, SIOCOUTQ, &left) < 0 || left == 0;
}

/* What he has sent, among which his own end may be, which would never be closed. */
static void drop_sent(int fd)
{
	char bytes[4096];

	while (recv(fd, bytes, sizeof(bytes), MSG_DONTWAIT) > 0)
		;
}

void unread_take(struct unread *unread, int fd, pid_t pid)
{
	(void)shutdown(fd, SHUT_RDWR);
	drop_sent(fd);
	if (is_read(fd) || unread->count == UNREAD_MAX) {
		close(fd);
		return;
	}
	unread->list[unread->count].fd = fd;
	unread->list[unread->count++].pid = pid;
}

void unread_look(struct unread *unread)
{
	size_t kept = 0;

	for (size_t i = 0; i < unread->count; i++) {
		if (is_read(unread->list[i].fd))
			close(unread->list[i].fd);
		else
			unread->list[kept++] = unread->list[i];
	}
	unread->count = kept;
}

size_t unread_of(const struct unread *unread, pid_t pid)
{
	size_t count = 0;

	for (size_t i = 0; i < unread->count; i++)
		count += unread->list[i].pid == pid;
	return count;
}

void unread_close(struct unread *unread)
{
	for (size_t i = 0; i < unread->count; i++)
		close(unread->list[i].fd);
	unread->count = 0;
}
