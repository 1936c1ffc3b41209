// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Which of the machine's buses are this robot's: those that its description names, or else those
 * with a device that it knows. The others may be another robot's, and are left alone.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"
#include "../io/io.h"
#include "inside.h"

static bool has_name(const struct bus_device *bus, const char *name)
{
	char own[16];

	snprintf(own, sizeof(own), "dxl%u", bus->number);
	return strcmp(name, own) == 0 ||
	       (bus->held.dir >= 0 && sysfs_is_below(bus->held.dir, name));
}

static bool is_named(const struct bus_device *bus, const char *names)
{
	size_t length;

	for (; *(names += strspn(names, " ")); names += length) {
		char name[256];

		length = strcspn(names, " ");
		if (length < sizeof(name)) {
			snprintf(name, sizeof(name), "%.*s", (int)length, names);
			if (has_name(bus, name))
				return true;
		}
	}
	return false;
}

static bool knows(const struct naohw_robot *robot, const char *label)
{
	for (size_t i = 0; i < robot->subdevice_count; i++)
		if (strcmp(robot->subdevice[i].label, label) == 0)
			return true;
	return false;
}

static bool has_known_label(const struct naohw_robot *robot, const struct bus_device *bus)
{
	for (size_t i = 0; i < bus->channel_count; i++)
		if (knows(robot, bus->channel[i].label))
			return true;
	return false;
}

static bool is_ours(const struct naohw_robot *robot, const struct bus_device *bus)
{
	const struct preference *names = description_find_key(robot->description, BUSES_KEY);

	return names ? is_named(bus, names->text) : has_known_label(robot, bus);
}

static bool any_is_ours(const struct naohw_robot *robot, const struct bus_devices *devices,
			unsigned int number)
{
	for (size_t i = 0; i < devices->count; i++)
		if (devices->list[i].number == number && is_ours(robot, &devices->list[i]))
			return true;
	return false;
}

const char *buses_wanted(const struct naohw_robot *robot)
{
	if (description_find_key(robot->description, BUSES_KEY))
		return " and on a bus that " BUSES_KEY " names";
	return robot->foreign_count ? " and has what this robot has" : "";
}

bool bus_is_foreign(const struct naohw_robot *robot, unsigned int number)
{
	for (size_t i = 0; i < robot->foreign_count; i++)
		if (robot->foreign[i] == number)
			return true;
	return false;
}

static void sort_out(struct naohw_robot *robot, const struct bus_devices *devices)
{
	for (size_t i = 0; i < devices->count; i++) {
		unsigned int number = devices->list[i].number;

		if (!bus_is_foreign(robot, number) && !any_is_ours(robot, &robot->goals, number) &&
		    !any_is_ours(robot, &robot->states, number))
			robot->foreign[robot->foreign_count++] = number;
	}
}

static void let_go(const struct naohw_robot *robot, struct bus_devices *devices)
{
	size_t kept = 0;

	for (size_t i = 0; i < devices->count; i++) {
		if (bus_is_foreign(robot, devices->list[i].number))
			bus_device_release(&devices->list[i]);
		else
			devices->list[kept++] = devices->list[i];
	}
	devices->count = kept;
}

int buses_check(const struct naohw_robot *robot, struct naohw_error *err)
{
	const struct preference *names = description_find_key(robot->description, BUSES_KEY);

	if (!names || names->type == NAOHW_KEY_STRING)
		return 0;
	return fail(err, -EINVAL, "%s:%ld: %s: value \"%s\", expected a string (type string)",
		    names->path, names->line, BUSES_KEY, names->text);
}

int buses_build(struct naohw_robot *robot, struct naohw_error *err)
{
	int ret = bus_devices_hold(&robot->goals, robot->context, "goal");

	if (ret == 0)
		ret = bus_devices_hold(&robot->states, robot->context, "state");
	if (ret == 0) {
		robot->foreign = calloc(robot->goals.count + robot->states.count + 1,
					sizeof(*robot->foreign));
		ret = robot->foreign ? 0 : -ENOMEM;
	}
	if (ret < 0)
		return fail(err, ret, "out of memory");
	sort_out(robot, &robot->goals);
	sort_out(robot, &robot->states);
	let_go(robot, &robot->goals);
	let_go(robot, &robot->states);
	return 0;
}
