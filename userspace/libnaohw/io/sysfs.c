// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sysfs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEVICES "/sys/bus/iio/devices"

int sysfs_open(const char *iio_id)
{
	char path[128];
	int dir;

	snprintf(path, sizeof(path), DEVICES "/%s", iio_id);
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

int sysfs_read_lines(int dir, const char *file, char *text, size_t size)
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
	return ret;
}

int sysfs_read(int dir, const char *file, char *text, size_t size)
{
	int ret = sysfs_read_lines(dir, file, text, size);

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

/* -ENODEV: it has another name. */
static int open_if_named(const char *iio_id, const char *name)
{
	char text[64];
	int dir = sysfs_open(iio_id);

	if (dir < 0)
		return dir;
	if (sysfs_read(dir, "name", text, sizeof(text)) == 0 && strcmp(text, name) == 0)
		return dir;
	close(dir);
	return -ENODEV;
}

int sysfs_find(const char *name, char *id)
{
	DIR *devices = opendir(DEVICES);
	const struct dirent *entry;
	int found = -ENODEV;

	if (!devices)
		return -ENODEV;
	while (found < 0 && (entry = readdir(devices))) {
		if (strlen(entry->d_name) >= SYSFS_ID_SIZE || *entry->d_name == '.')
			continue;
		strcpy(id, entry->d_name);
		found = open_if_named(id, name);
	}
	closedir(devices);
	return found;
}

static bool may_be_written(int dir, const char *file)
{
	struct stat status;

	if (strcmp(file, "uevent") == 0 || fstatat(dir, file, &status, 0) < 0)
		return true;
	return !S_ISREG(status.st_mode) || !(status.st_mode & S_IWUSR) ||
	       faccessat(dir, file, W_OK, AT_EACCESS) == 0;
}

bool sysfs_may_be_written(int dir, const char *below)
{
	int fd = openat(dir, below, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *files = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	bool all = true;

	if (!files) {
		if (fd >= 0)
			close(fd);
		return false;
	}
	while (all && (entry = readdir(files)))
		all = may_be_written(fd, entry->d_name);
	closedir(files);
	return all;
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
