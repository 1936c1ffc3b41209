/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What comes and goes: devices of the subsystems leds, input, power_supply, nvmem and iio. Where
 * udevd runs it is udevd that tells, after its rules have said who may use a device; else the
 * kernel does. Nothing waits. One thread at a time.
 */
#ifndef NAOHW_HOTPLUG_H
#define NAOHW_HOTPLUG_H

#include <stdbool.h>

#include <libudev.h>

#define HOTPLUG_NAME_SIZE 256

struct hotplug {
	struct udev *udev; /* NULL: closed */
	struct udev_monitor *monitor;
};

struct hotplug_change {
	bool added;			/* else it has gone */
	char subsystem[16];		/* "leds" */
	char name[HOTPLUG_NAME_SIZE];	/* "Chest:rgb:indicator", "event3" */
};

/*
 * What comes from now on is told; so first this, and then look what there is. 0, -ENOMEM, or what
 * the kernel says of a socket.
 */
int hotplug_open(struct hotplug *hotplug);
void hotplug_close(struct hotplug *hotplug);

/* For poll(); it is readable when something has come or gone, or does otherwise. */
int hotplug_descriptor(const struct hotplug *hotplug);

/*
 * 1 with the next one; 0: nothing for now. -ENOBUFS: there was more than the kernel could keep,
 * and all is to be looked through anew.
 */
int hotplug_next(struct hotplug *hotplug, struct hotplug_change *change);

#endif
