// SPDX-License-Identifier: LGPL-2.1-or-later
#include "party.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "../io/io.h"

#define BUTTONS " buttons"

/* The light "LABEL:..." */
static bool is_its_light(struct udev_device *device, const void *what)
{
	const char *name = udev_device_get_sysname(device);
	size_t length = strlen(what);

	return strncmp(name, what, length) == 0 && name[length] == ':';
}

static bool are_its_buttons(struct udev_device *device, const void *what)
{
	const char *name = udev_device_get_sysattr_value(device, "name");
	size_t length = strlen(what);

	return name && strncmp(name, what, length) == 0 && strcmp(name + length, BUTTONS) == 0;
}

static int above(int dir)
{
	int parent = openat(dir, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (parent >= 0)
		return parent;
	return errno == ENOENT ? -ENODEV : -errno;
}

/* A board that senses nothing has no IIO device; then its lights tell, or its buttons. */
int party_open(const struct naohw_robot *robot, const struct unit *unit, const char *label)
{
	const struct find light = {
		.subsystem = "leds", .fits = is_its_light, .what = label, .above = "dxl",
	};
	const struct find buttons = {
		.subsystem = "input", .fits = are_its_buttons, .what = label, .above = "dxl",
	};
	int dir;

	if (!context_is_local(robot->context))
		return -EOPNOTSUPP;
	if (unit && unit->device.dir >= 0)
		return above(unit->device.dir);
	dir = find_directory(&light);
	return dir == -ENODEV ? find_directory(&buttons) : dir;
}
