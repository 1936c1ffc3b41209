// SPDX-License-Identifier: LGPL-2.1-or-later
#include "hotplug.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Other news, as the state of a battery, that are passed over in one call */
#define PASSED_MAX 64

static const char *const subsystems[] = { "leds", "input", "power_supply", "nvmem", "iio" };

/* Asked to tell what udevd does, where there is none, libudev tells nothing. */
static const char *source(void)
{
	return access("/run/udev/control", F_OK) == 0 ? "udev" : "kernel";
}

static int begin(struct hotplug *hotplug)
{
	struct udev_monitor *monitor = hotplug->monitor;

	for (size_t i = 0; i < sizeof(subsystems) / sizeof(*subsystems); i++) {
		int ret = udev_monitor_filter_add_match_subsystem_devtype(monitor, subsystems[i],
									  NULL);
		if (ret < 0)
			return ret;
	}
	return udev_monitor_enable_receiving(monitor);
}

int hotplug_open(struct hotplug *hotplug)
{
	int ret = -ENOMEM;

	hotplug->monitor = NULL;
	hotplug->udev = udev_new();
	if (hotplug->udev)
		hotplug->monitor = udev_monitor_new_from_netlink(hotplug->udev, source());
	if (hotplug->monitor)
		ret = begin(hotplug);
	if (ret < 0)
		hotplug_close(hotplug);
	return ret < 0 ? ret : 0;
}

void hotplug_close(struct hotplug *hotplug)
{
	udev_monitor_unref(hotplug->monitor);
	udev_unref(hotplug->udev);
	hotplug->monitor = NULL;
	hotplug->udev = NULL;
}

int hotplug_descriptor(const struct hotplug *hotplug)
{
	return udev_monitor_get_fd(hotplug->monitor);
}

/* Of a device that has come or gone, what is told. */
static bool describe(struct udev_device *device, struct hotplug_change *change)
{
	const char *action = udev_device_get_action(device);
	const char *subsystem = udev_device_get_subsystem(device);
	const char *name = udev_device_get_sysname(device);

	if (!action || !subsystem || !name)
		return false;
	if (strcmp(action, "add") != 0 && strcmp(action, "remove") != 0)
		return false;
	change->added = strcmp(action, "add") == 0;
	snprintf(change->subsystem, sizeof(change->subsystem), "%s", subsystem);
	snprintf(change->name, sizeof(change->name), "%s", name);
	return true;
}

/* libudev gives NULL and errno for what is no news to us, too. */
static int nothing(void)
{
	return errno == ENOBUFS ? -ENOBUFS : 0;
}

int hotplug_next(struct hotplug *hotplug, struct hotplug_change *change)
{
	for (unsigned int i = 0; i < PASSED_MAX; i++) {
		struct udev_device *device;
		bool told;

		errno = 0;
		device = udev_monitor_receive_device(hotplug->monitor);
		if (!device)
			return nothing();
		told = describe(device, change);
		udev_device_unref(device);
		if (told)
			return 1;
	}
	return 0;
}
