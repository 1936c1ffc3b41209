// SPDX-License-Identifier: LGPL-2.1-or-later
/* All joints let go by a person, which is the kernel's matter: it holds whoever moves them. */
#include <errno.h>

#include "../base/base.h"
#include "inside.h"

#define LIMP "limp"

static int let_go(const struct bus_device *bus, struct naohw_error *err)
{
	int ret;

	if (!device_has(&bus->held, LIMP))
		return fail(err, -EOPNOTSUPP, "dxl%u-goal: this kernel's driver has no attribute " LIMP,
			    bus->number);
	ret = device_write(&bus->held, LIMP, "1");
	return ret < 0 ? fail(err, ret, "dxl%u-goal: " LIMP ": %s", bus->number, error_text(ret)) : 0;
}

/* One bus that is gone keeps no other joint stiff. */
int naohw_robot_limp(struct naohw_robot *robot, struct naohw_error *err)
{
	int ret = 0;

	if (!robot->goals.count)
		return fail(err, -ENODEV, "found no bus with joints of this robot, expected a device "
			    "dxlN-goal");
	for (size_t i = 0; i < robot->goals.count; i++) {
		int one = let_go(&robot->goals.list[i], ret < 0 ? NULL : err);

		if (ret == 0)
			ret = one;
	}
	return ret;
}

bool bus_is_limp(const struct bus_device *bus)
{
	char text[8];

	return device_has(&bus->held, LIMP) &&
	       device_read(&bus->held, LIMP, text, sizeof(text)) == 0 && *text == '1';
}

bool robot_is_limp(const struct naohw_robot *robot)
{
	for (size_t i = 0; i < robot->goals.count; i++)
		if (bus_is_limp(&robot->goals.list[i]))
			return true;
	return false;
}
