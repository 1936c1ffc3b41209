// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The devices of all buses. When a bus appears its servos are found one after the other, and then
 * udev lets us use what they are: who opens the robot before has a part of it.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include <libudev.h>

#include "base.h"

#define LOOK_MS 100
/* So long nothing may be under way: the kernel gathers servos that come for 100 ms. */
#define QUIET_LOOKS 3

/* On a bus, and not the bus itself, which never has a driver */
static bool lacks_driver(struct udev *udev, const char *path)
{
	struct udev_device *device = udev_device_new_from_syspath(udev, path);
	bool lacks = device && strchr(udev_device_get_sysname(device), '-') &&
		     !udev_device_get_driver(device);

	udev_device_unref(device);
	return lacks;
}

/* Return: the first one that has none yet, as its path in /sys, which is @list's; or NULL. */
static const char *first_without_driver(struct udev *udev, struct udev_enumerate *list)
{
	struct udev_list_entry *entry;

	udev_enumerate_add_match_subsystem(list, "dxl");
	udev_enumerate_scan_devices(list);
	udev_list_entry_foreach(entry, udev_enumerate_get_list_entry(list)) {
		if (lacks_driver(udev, udev_list_entry_get_name(entry)))
			return udev_list_entry_get_name(entry);
	}
	return NULL;
}

static bool is_udev_at_work(struct udev *udev)
{
	struct udev_queue *queue = udev_queue_new(udev);
	bool is_at_work = queue && !udev_queue_get_queue_is_empty(queue);

	udev_queue_unref(queue);
	return is_at_work;
}

/* Return: 0 all is there; or -EAGAIN, and what it waits for. */
static int look(struct udev *udev, struct naohw_error *err)
{
	struct udev_enumerate *list = udev_enumerate_new(udev);
	const char *path;
	int ret = 0;

	if (!list)
		return trouble(err, -ENOMEM, "out of memory");
	path = first_without_driver(udev, list);
	if (path)
		ret = trouble(err, -EAGAIN, "%s has no driver", path);
	else if (is_udev_at_work(udev))
		ret = trouble(err, -EAGAIN, "udev is still at work");
	udev_enumerate_unref(list);
	return ret;
}

static bool is_readable(int fd, int timeout_ms)
{
	struct pollfd ready = { .fd = fd, .events = POLLIN };

	return poll(&ready, 1, timeout_ms) > 0;
}

int devices_wait(int end_fd, unsigned int most_ms, struct naohw_error *err)
{
	struct udev *udev = udev_new();
	unsigned int quiet = 0, waited = 0;
	int ret = 0;

	if (!udev)
		return trouble(err, -ENOMEM, "out of memory");
	while (quiet < QUIET_LOOKS && waited < most_ms && !is_readable(end_fd, LOOK_MS)) {
		ret = look(udev, err);
		quiet = ret < 0 ? 0 : quiet + 1;
		waited += LOOK_MS;
	}
	udev_unref(udev);
	return ret == -EAGAIN && waited >= most_ms ? -ETIMEDOUT : 0;
}
