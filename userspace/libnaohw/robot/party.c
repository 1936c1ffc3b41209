// SPDX-License-Identifier: LGPL-2.1-or-later
#include "party.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "../io/io.h"

#define BUTTONS " buttons"

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

/* What a light "LABEL:..." is of */
static int find_by_light(const char *label)
{
	char pattern[FIND_PATH_SIZE] = "";
	const struct find light = { .subsystem = "leds", .name = pattern, .above = "dxl" };

	if (find_quote(pattern, sizeof(pattern), label, ":*") < 0)
		return -ENODEV;
	return find_directory(&light);
}

/* A board that senses nothing has no IIO device; then its lights tell, or its buttons. */
int party_open(const struct naohw_robot *robot, const struct unit *unit, const char *label)
{
	const struct find buttons = {
		.subsystem = "input",
		.name = "input*",
		.fits = are_its_buttons,
		.what = label,
		.above = "dxl",
	};
	int dir;

	if (!context_is_local(robot->context))
		return -EOPNOTSUPP;
	if (unit && unit->device.dir >= 0)
		return above(unit->device.dir);
	dir = find_by_light(label);
	return dir == -ENODEV ? find_directory(&buttons) : dir;
}
