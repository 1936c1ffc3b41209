// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Device nodes.
 *
 * Is a buffer in use? libiio 0.24 switches a buffer off (buffer/enable) before it opens the
 * character device, so that the one who comes second ends what the first is doing and only
 * then learns that the device is busy. The attribute tells nothing: a program that died
 * leaves it at 1. So try the character device first, which has one user at a time.
 */
#include "node.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

static void path_of(const char *iio_id, char *path, size_t size)
{
	snprintf(path, size, "/dev/%s", iio_id);
}

int node_probe(const char *iio_id)
{
	char path[64];
	int fd;

	path_of(iio_id, path, sizeof(path));
	fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		/* What else is wrong is libiio's to tell. */
		return errno == EBUSY ? -EBUSY : 0;
	close(fd);
	return 0;
}

bool node_may_be_used(const char *iio_id)
{
	char path[64];

	path_of(iio_id, path, sizeof(path));
	return faccessat(AT_FDCWD, path, R_OK | W_OK, AT_EACCESS) == 0;
}

int node_lease(unsigned int bus)
{
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "/dev/dxl%u", bus);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	/* For those who are refused, and would know by whom: holder.h */
	(void)flock(fd, LOCK_EX | LOCK_NB);
	return fd;
}

int node_sign(int lease)
{
	return write(lease, "\n", 1) < 0 ? -errno : 0;
}
