// SPDX-License-Identifier: LGPL-2.1-or-later
#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/input.h>

#include "find.h"

#define NAME_SIZE 256

/* The name is that of the input device, and what has a node is below it. */
static bool is_named(struct udev_device *device, const void *what)
{
	struct udev_device *input = udev_device_get_parent(device);
	const char *name = input ? udev_device_get_sysattr_value(input, "name") : NULL;

	return name && strcmp(name, what) == 0;
}

/* It may be gone by now, and its number another one's. */
static int check_name(int fd, const char *name)
{
	char found[NAME_SIZE] = "";

	if (ioctl(fd, EVIOCGNAME(sizeof(found) - 1), found) < 0)
		return -errno;
	return strcmp(found, name) == 0 ? 0 : -ENODEV;
}

static int open_node(const char *path, const char *name, int flags)
{
	int fd = open(path, flags | O_NONBLOCK | O_CLOEXEC);
	int ret;

	if (fd < 0)
		return errno == ENOENT || errno == ENXIO ? -ENODEV : -errno;
	ret = check_name(fd, name);
	if (ret == 0)
		return fd;
	close(fd);
	return ret;
}

int input_open(const char *label, const char *what, int flags)
{
	char name[NAME_SIZE], path[FIND_PATH_SIZE];
	const struct find find = {
		.subsystem = "input",
		.name = "event*",
		.fits = is_named,
		.what = name,
	};
	int length = snprintf(name, sizeof(name), "%s %s", label, what);
	int ret;

	/* The kernel tells no longer one. */
	if (length < 0 || (size_t)length >= sizeof(name))
		return -ENODEV;
	ret = find_node(&find, path, sizeof(path));
	return ret < 0 ? ret : open_node(path, name, flags);
}
