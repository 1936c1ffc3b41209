// SPDX-License-Identifier: LGPL-2.1-or-later
/* The IIO devices behind the labels: those of the description, and what else is on the buses. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"
#include "robot.h"
#include "sysfs.h"

static int compare(const void *a, const void *b)
{
	return strcmp(((const struct unit *)a)->label, ((const struct unit *)b)->label);
}

static int compare_label(const void *label, const void *unit)
{
	return strcmp(label, ((const struct unit *)unit)->label);
}

const struct unit *unit_find(const struct naohw_robot *robot, const char *label)
{
	if (!robot->unit_count)
		return NULL;
	return bsearch(label, robot->unit, robot->unit_count, sizeof(*robot->unit), compare_label);
}

/* ---- labels ---- */

static bool has(const struct naohw_robot *robot, const char *label)
{
	for (size_t i = 0; i < robot->unit_count; i++)
		if (strcmp(robot->unit[i].label, label) == 0)
			return true;
	return false;
}

static int add(struct naohw_robot *robot, const char *label)
{
	struct unit *unit = &robot->unit[robot->unit_count];

	if (has(robot, label))
		return 0;
	unit->label = strdup(label);
	if (!unit->label)
		return -ENOMEM;
	unit->device.dir = -1;
	robot->unit_count++;
	return 0;
}

static int add_servos_of(struct naohw_robot *robot, const struct bus_devices *devices)
{
	for (size_t i = 0; i < devices->count; i++) {
		const struct bus_device *bus = &devices->list[i];

		for (size_t c = 0; c < bus->channel_count; c++)
			if (bus_channel_is_of_servo(&bus->channel[c]) &&
			    add(robot, bus->channel[c].label) < 0)
				return -ENOMEM;
	}
	return 0;
}

static int add_all(struct naohw_robot *robot)
{
	int ret = 0;

	for (size_t i = 0; i < robot->subdevice_count && ret == 0; i++)
		ret = add(robot, robot->subdevice[i].label);
	if (ret == 0)
		ret = add_servos_of(robot, &robot->goals);
	return ret < 0 ? ret : add_servos_of(robot, &robot->states);
}

/* ---- devices ---- */

static bool is_foreign(const struct naohw_robot *robot, const struct device *device)
{
	unsigned int bus;

	return device->dir >= 0 && sysfs_bus(device->dir, &bus) == 0 && bus_is_foreign(robot, bus);
}

/* The first one is held. Is this another one? */
static bool take(const struct naohw_robot *robot, struct unit *unit, const struct iio_device *iio)
{
	struct device device;
	bool is_another;

	if (device_hold(&device, iio, context_is_local(robot->context)) < 0)
		return false;
	is_another = unit->device.iio && !is_foreign(robot, &device);
	if (unit->device.iio || is_foreign(robot, &device))
		device_release(&device);
	else
		unit->device = device;
	return is_another;
}

/* Over the network nobody can tell which bus a device is on. */
static int not_unique(const struct naohw_robot *robot, const struct unit *unit,
		      const struct iio_device *other, struct naohw_error *err)
{
	return fail(err, -ENOTUNIQ, "two devices have the label \"%s\": %s and %s%s", unit->label,
		    iio_device_get_id(unit->device.iio), iio_device_get_id(other),
		    context_is_local(robot->context) ?
			    "; where they are on two buses, " BUSES_KEY " in the description says "
			    "which is this robot's" :
			    ", and over the network they cannot be told apart");
}

static int find_device(const struct naohw_robot *robot, struct unit *unit, struct naohw_error *err)
{
	unsigned int count = iio_context_get_devices_count(robot->context);

	for (unsigned int i = 0; i < count; i++) {
		const struct iio_device *iio = iio_context_get_device(robot->context, i);
		const char *label = iio_device_get_label(iio);

		if (!label || strcmp(label, unit->label) != 0 || !take(robot, unit, iio))
			continue;
		return not_unique(robot, unit, iio, err);
	}
	return 0;
}

static size_t count_channels(const struct bus_devices *devices)
{
	size_t count = 0;

	for (size_t i = 0; i < devices->count; i++)
		count += devices->list[i].channel_count;
	return count;
}

int units_build(struct naohw_robot *robot, struct naohw_error *err)
{
	size_t most = robot->subdevice_count + count_channels(&robot->goals) +
		      count_channels(&robot->states);

	robot->unit = calloc(most + 1, sizeof(*robot->unit));
	if (!robot->unit || add_all(robot) < 0)
		return fail(err, -ENOMEM, "out of memory");
	qsort(robot->unit, robot->unit_count, sizeof(*robot->unit), compare);
	for (size_t i = 0; i < robot->unit_count; i++) {
		int ret = find_device(robot, &robot->unit[i], err);

		if (ret < 0)
			return ret;
	}
	return 0;
}

static const struct channel *find_open(const struct unit *unit, const struct iio_channel *iio)
{
	for (size_t i = 0; i < unit->channel_count; i++)
		if (unit->channel[i].iio == iio)
			return &unit->channel[i];
	return NULL;
}

static const struct channel *open_channel(struct unit *unit, const struct iio_channel *iio)
{
	struct channel *channel;

	if (!unit->channel)
		unit->channel = calloc(iio_device_get_channels_count(unit->device.iio),
				       sizeof(*unit->channel));
	if (!unit->channel)
		return NULL;
	channel = &unit->channel[unit->channel_count++];
	channel_take(channel, &unit->device, iio);
	return channel;
}

int unit_open_channel(struct naohw_robot *robot, const struct unit *unit, const char *name,
		      struct channel *channel)
{
	const struct iio_channel *iio = unit->device.iio ? channel_find(&unit->device, name) : NULL;
	const struct channel *found;

	memset(channel, 0, sizeof(*channel));
	if (!iio)
		return -ENOENT;
	found = find_open(unit, iio);
	if (!found)
		found = open_channel(&robot->unit[unit - robot->unit], iio);
	if (!found)
		return -ENOMEM;
	*channel = *found;
	return 0;
}

void units_free(struct naohw_robot *robot)
{
	for (size_t i = 0; i < robot->unit_count; i++) {
		free(robot->unit[i].channel);
		device_release(&robot->unit[i].device);
		free(robot->unit[i].label);
	}
	free(robot->unit);
}
