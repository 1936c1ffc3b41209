// SPDX-License-Identifier: LGPL-2.1-or-later
/* The IIO devices behind the labels: those of the description, and what else is on the buses. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"
#include "../io/io.h"
#include "inside.h"
#include "source.h"
#include "station.h"

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

static int add_parties_of(struct naohw_robot *robot, const struct station *station)
{
	int ret = 0;

	for (size_t i = 0; i < station->party_count && ret == 0; i++)
		ret = add(robot, station->party[i].label);
	return ret;
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

/* What else there is of that label is none of ours to look at. */
static bool is_of_iio(const struct subdevice *s)
{
	return s->kind == &source_channel || s->kind == &source_attribute ||
	       s->kind == &source_file;
}

static int add_all(struct naohw_robot *robot)
{
	int ret = 0;

	for (size_t i = 0; i < robot->subdevice_count && ret == 0; i++)
		if (is_of_iio(&robot->subdevice[i]))
			ret = add(robot, robot->subdevice[i].label);
	for (size_t i = 0; i < robot->station_count && ret == 0; i++)
		ret = add_parties_of(robot, &robot->station[i]);
	if (ret == 0)
		ret = add_servos_of(robot, &robot->goals);
	return ret < 0 ? ret : add_servos_of(robot, &robot->states);
}

/* ---- devices ---- */

/* What is on one of the robot's buses comes before what is on none, as a sensor of the machine. */
enum rank {
	RANK_FOREIGN,
	RANK_OTHER,
	RANK_OURS,
};

static enum rank rank_of(const struct naohw_robot *robot, const struct device *device)
{
	unsigned int bus;

	if (device->dir < 0 || sysfs_bus(device->dir, &bus) < 0)
		return RANK_OTHER;
	return bus_is_foreign(robot, bus) ? RANK_FOREIGN : RANK_OURS;
}

/* Above 0: it is held now, as it is better than what was; 0: it is as good; below: it is not. */
static int take(const struct naohw_robot *robot, struct unit *unit, const struct iio_device *iio)
{
	enum rank present = unit->device.iio ? rank_of(robot, &unit->device) : RANK_FOREIGN;
	struct device device;
	enum rank rank;

	if (device_hold(&device, iio, context_is_local(robot->context)) < 0)
		return -1;
	rank = rank_of(robot, &device);
	if (rank > present) {
		device_release(&unit->device);
		unit->device = device;
		return 1;
	}
	device_release(&device);
	return rank == present && rank != RANK_FOREIGN ? 0 : -1;
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
	const struct iio_device *other = NULL;

	for (unsigned int i = 0; i < count; i++) {
		const struct iio_device *iio = iio_context_get_device(robot->context, i);
		const char *label = iio_device_get_label(iio);
		int better;

		if (!label || strcmp(label, unit->label) != 0)
			continue;
		better = take(robot, unit, iio);
		if (better >= 0)
			other = better ? NULL : iio;
	}
	return other ? not_unique(robot, unit, other, err) : 0;
}

static size_t count_channels(const struct bus_devices *devices)
{
	size_t count = 0;

	for (size_t i = 0; i < devices->count; i++)
		count += devices->list[i].channel_count;
	return count;
}

static size_t count_parties(const struct naohw_robot *robot)
{
	size_t count = 0;

	for (size_t i = 0; i < robot->station_count; i++)
		count += robot->station[i].party_count;
	return count;
}

int units_build(struct naohw_robot *robot, struct naohw_error *err)
{
	size_t most = robot->subdevice_count + count_parties(robot) +
		      count_channels(&robot->goals) + count_channels(&robot->states);

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
