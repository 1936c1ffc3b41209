// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Device nodes.
 *
 * Whether a buffer is in use, buffer/enable does not tell: a program that died leaves it at 1. The
 * character device does, as the kernel lets one program have it at a time.
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

int node_open(const char *iio_id)
{
	char path[64];
	int fd;

	path_of(iio_id, path, sizeof(path));
	fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

int node_probe(const char *iio_id)
{
	int fd = node_open(iio_id);

	/* What else is wrong is told when the buffer is opened. */
	if (fd < 0)
		return fd == -EBUSY ? -EBUSY : 0;
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
