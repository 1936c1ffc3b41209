// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sysfs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

int sysfs_open(const char *iio_id)
{
	char path[128];
	int dir;

	snprintf(path, sizeof(path), "/sys/bus/iio/devices/%s", iio_id);
	dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return dir < 0 ? -errno : dir;
}

/* "dxl0" and nothing behind it */
static bool is_bus(const char *part, unsigned int *number)
{
	int end = 0;

	return sscanf(part, "dxl%u%n", number, &end) == 1 && part[end] == '\0';
}

static int path_of(int dir, char *path, size_t size)
{
	char link[32];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", dir);
	length = readlink(link, path, size - 1);
	if (length < 0)
		return -errno;
	path[length] = '\0';
	return 0;
}

bool sysfs_is_below(int dir, const char *name)
{
	char path[PATH_MAX], *rest = path, *part;

	if (path_of(dir, path, sizeof(path)) < 0)
		return false;
	while ((part = strsep(&rest, "/")))
		if (strcmp(part, name) == 0)
			return true;
	return false;
}

/* ".../dxl0/0-005/iio:device3" is on bus 0. */
int sysfs_bus(int dir, unsigned int *number)
{
	char path[PATH_MAX];
	char *part;
	int ret = path_of(dir, path, sizeof(path));

	if (ret < 0)
		return ret;
	while ((part = strrchr(path, '/'))) {
		if (is_bus(part + 1, number))
			return 0;
		*part = '\0';
	}
	return -ENXIO;
}

/* Only files that have been there are asked for. */
static int open_file(int dir, const char *file, int flags)
{
	int fd = openat(dir, file, flags | O_CLOEXEC);

	if (fd >= 0)
		return fd;
	return errno == ENOENT ? -ENODEV : -errno;
}

int sysfs_read(int dir, const char *file, char *text, size_t size)
{
	int fd = open_file(dir, file, O_RDONLY);
	ssize_t length;
	int ret = 0;

	if (fd < 0)
		return fd;
	length = read(fd, text, size - 1);
	if (length < 0)
		ret = -errno;
	else
		text[length] = '\0';
	close(fd);
	if (ret == 0)
		text[strcspn(text, "\n")] = '\0';
	return ret;
}

int sysfs_write(int dir, const char *file, const char *text)
{
	int fd = open_file(dir, file, O_WRONLY);
	size_t length = strlen(text);
	ssize_t written;
	int ret = 0;

	if (fd < 0)
		return fd;
	written = write(fd, text, length);
	if (written < 0)
		ret = -errno;
	else if ((size_t)written < length)
		ret = -EIO;
	close(fd);
	return ret;
}

/* Whoever may look at the file may lock it, so that somebody has does not say that he is one. */
int sysfs_lock_buffer(int dir)
{
	int fd = open_file(dir, "buffer/enable", O_WRONLY);
	int ret;

	if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) == 0)
		return fd;
	ret = errno == EWOULDBLOCK ? -EBUSY : -errno;
	close(fd);
	return ret;
}
