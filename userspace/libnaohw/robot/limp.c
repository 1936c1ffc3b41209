// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * All joints let go by a person, which is the kernel's matter: it holds whoever moves them.
 *
 * The kernel registers the device of a bus anew now and then, as when a program begins or ends to
 * move the robot. The robot has seen the one before, or none.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "../base/base.h"
#include "inside.h"
#include "monotonic.h"

#define LIMP	    "limp"
/* What the kernel is given to register it, and udev to let this program write to it */
#define PATIENCE_MS 2000
#define LOOK_MS	    10
#define NS_PER_MS   1000000
#define NAME_SIZE   32
#define NAMES_SIZE  128

/* A bus with joints of this robot, and so with the device dxlN-goal, now or in a moment */
struct limp_bus {
	unsigned int number;
	const struct device *seen; /* with the robot; NULL: it was not there */
	int ret;
	bool is_to_come; /* then it is to be told again */
};

static void name_of(unsigned int bus, char name[NAME_SIZE])
{
	snprintf(name, NAME_SIZE, "dxl%u-goal", bus);
}

/* NULL: it was not there. */
static const struct device *seen_of(const struct naohw_robot *robot, unsigned int bus)
{
	for (size_t i = 0; i < robot->goals.count; i++)
		if (robot->goals.list[i].number == bus && robot->goals.list[i].held.iio)
			return &robot->goals.list[i].held;
	return NULL;
}

/* ---- which buses there are ---- */

static void add(const struct naohw_robot *robot, struct limp_bus *list, size_t *count,
		unsigned int bus)
{
	for (size_t i = 0; i < *count; i++)
		if (list[i].number == bus)
			return;
	list[(*count)++] = (struct limp_bus){ .number = bus, .seen = seen_of(robot, bus) };
}

/* A bus without the device has it soon if a driver has a servo there. NULL: no memory. */
static struct limp_bus *find_buses(const struct naohw_robot *robot, size_t *count)
{
	struct limp_bus *list = calloc(robot->goals.count + robot->joint_count + 1, sizeof(*list));

	*count = 0;
	for (size_t i = 0; list && i < robot->goals.count; i++)
		add(robot, list, count, robot->goals.list[i].number);
	for (size_t i = 0; list && i < robot->joint_count; i++)
		if (robot->joint[i].bus != JOINT_UNKNOWN && robot->joint[i].unit->device.iio)
			add(robot, list, count, (unsigned int)robot->joint[i].bus);
	return list;
}

/* ---- letting go ---- */

static int write_limp(const struct naohw_robot *robot, const struct limp_bus *bus)
{
	char name[NAME_SIZE];
	int ret = -ENODEV;

	if (bus->seen && !device_has(bus->seen, LIMP))
		return -EOPNOTSUPP;
	if (bus->seen)
		ret = device_write(bus->seen, LIMP, "1");
	if (ret != -ENODEV || !robot_is_here(robot))
		return ret;
	name_of(bus->number, name);
	return anew_write(name, LIMP, "1");
}

static void let_go(const struct naohw_robot *robot, struct limp_bus *bus)
{
	bool is_seen = bus->seen && device_is_there(bus->seen);

	bus->ret = write_limp(robot, bus);
	bus->is_to_come = robot_is_here(robot) &&
			  (bus->ret == -ENODEV || (bus->ret == -EACCES && !is_seen));
}

static bool any_is_to_come(const struct limp_bus *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (list[i].is_to_come)
			return true;
	return false;
}

/* First all that can be let go at once: one that is to come keeps no other joint stiff. */
static void let_all_go(const struct naohw_robot *robot, struct limp_bus *list, size_t count)
{
	int64_t deadline = monotonic_ns() + (int64_t)PATIENCE_MS * NS_PER_MS;

	for (size_t i = 0; i < count; i++)
		let_go(robot, &list[i]);
	while (any_is_to_come(list, count) && monotonic_ns() < deadline) {
		monotonic_sleep_ms(LOOK_MS);
		for (size_t i = 0; i < count; i++)
			if (list[i].is_to_come)
				let_go(robot, &list[i]);
	}
}

/* ---- what is told ---- */

static const char *text_of(int ret)
{
	return ret == -EOPNOTSUPP ? "this kernel's driver has no such attribute" : error_text(ret);
}

/* All that have failed, for the reason of the first of them. */
static int tell_failed(const struct limp_bus *list, size_t count, struct naohw_error *err)
{
	char names[NAMES_SIZE] = "", name[NAME_SIZE];
	size_t used = 0;
	int ret = 0;

	for (size_t i = 0; i < count; i++) {
		if (list[i].ret >= 0)
			continue;
		name_of(list[i].number, name);
		if (used < sizeof(names))
			used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s",
						 used ? ", " : "", name);
		ret = ret ? ret : list[i].ret;
	}
	if (ret == 0)
		return 0;
	return fail(err, ret, "%s: " LIMP ": %s; joints there may be stiff", names, text_of(ret));
}

int naohw_robot_limp(struct naohw_robot *robot, struct naohw_error *err)
{
	struct limp_bus *list;
	size_t count;
	int ret;

	list = find_buses(robot, &count);
	if (!list)
		return fail(err, -ENOMEM, "out of memory");
	let_all_go(robot, list, count);
	ret = tell_failed(list, count, err);
	free(list);
	if (!count)
		return fail(err, -ENODEV, "found no bus with joints of this robot, expected a device "
			    "dxlN-goal");
	return ret;
}

int bus_let_go(const struct bus_device *bus, struct naohw_error *err)
{
	struct limp_bus one = { .number = bus->number, .ret = -EOPNOTSUPP };

	if (device_has(&bus->held, LIMP))
		one.ret = device_write(&bus->held, LIMP, "1");
	return tell_failed(&one, 1, err);
}

/* ---- whether they are ---- */

static bool is_limp(const struct device *device)
{
	char text[8];

	return device_has(device, LIMP) && device_read(device, LIMP, text, sizeof(text)) == 0 &&
	       *text == '1';
}

bool bus_is_limp(const struct bus_device *bus)
{
	return bus->held.iio && is_limp(&bus->held);
}

bool joint_is_limp(const struct naohw_robot *robot, const struct joint *joint)
{
	const struct device *seen;
	char name[NAME_SIZE], text[8];

	if (joint->bus == JOINT_UNKNOWN)
		return false;
	seen = seen_of(robot, (unsigned int)joint->bus);
	if (seen && device_is_there(seen))
		return is_limp(seen);
	if (!robot_is_here(robot))
		return false;
	name_of((unsigned int)joint->bus, name);
	return anew_read(name, LIMP, text, sizeof(text)) == 0 && *text == '1';
}
