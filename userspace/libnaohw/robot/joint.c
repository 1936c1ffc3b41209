// SPDX-License-Identifier: LGPL-2.1-or-later
/* The joints: which there are, where they are on the wire, and what is known of their servos. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/base.h"
#include "../io/io.h"
#include "inside.h"

/* What makes a label of the description one of a joint, be that there or not */
#define POSITION "/Position/"
#define SPEED	 "/Speed/"

#define TORQUE_STATE "torque_state"

const struct joint *joint_find(const struct naohw_robot *robot, const char *label)
{
	for (size_t i = 0; i < robot->joint_count; i++)
		if (strcmp(robot->joint[i].unit->label, label) == 0)
			return &robot->joint[i];
	return NULL;
}

/* ---- which there are ---- */

static bool is_described(const struct naohw_robot *robot, const struct unit *unit)
{
	for (size_t i = 0; i < robot->subdevice_count; i++) {
		const struct subdevice *s = &robot->subdevice[i];

		if (s->unit == unit && (strstr(s->name, POSITION) || strstr(s->name, SPEED)))
			return true;
	}
	return false;
}

/* A channel of its servo, whose number is the ID; NULL: none. */
static const struct bus_channel *servo_on(const struct bus_devices *devices,
					  const struct unit *unit, unsigned int *bus)
{
	for (size_t i = 0; i < devices->count; i++) {
		const struct bus_device *device = &devices->list[i];

		for (size_t c = 0; c < device->channel_count; c++) {
			if (!bus_channel_is_of_servo(&device->channel[c]) ||
			    strcmp(device->channel[c].label, unit->label) != 0)
				continue;
			*bus = device->number;
			return &device->channel[c];
		}
	}
	return NULL;
}

/* The IIO device's parent is the bus's device. */
static int read_parent(const struct unit *unit, const char *attribute)
{
	char file[32], text[32];
	int value;

	snprintf(file, sizeof(file), "../%s", attribute);
	if (unit->device.dir < 0 ||
	    device_read(&unit->device, file, text, sizeof(text)) < 0 ||
	    sscanf(text, "%i", &value) != 1)
		return JOINT_UNKNOWN;
	return value;
}

static int read_number(int dir, const char *attribute)
{
	unsigned int value;

	return attribute_read_count(dir, attribute, &value) == 0 ? (int)value : JOINT_UNKNOWN;
}

/* A servo that no driver has taken, as it is another model than the overlay says, has no IIO device. */
static void find_driverless(struct joint *joint)
{
	const struct find servo = {
		.subsystem = "dxl", .name = "*", .label = joint->unit->label,
	};
	int dir = find_directory(&servo);
	unsigned int bus;

	if (dir < 0)
		return;
	if (sysfs_bus(dir, &bus) == 0)
		joint->bus = (int)bus;
	joint->id = read_number(dir, "id");
	joint->model_number = read_number(dir, "model_number");
	joint->firmware = read_number(dir, "firmware_version");
	close(dir);
}

/* Over the network there is no parent to ask. */
static bool find_place(const struct naohw_robot *robot, struct joint *joint)
{
	const struct bus_channel *found;
	unsigned int bus;

	joint->bus = joint->id = JOINT_UNKNOWN;
	found = servo_on(&robot->states, joint->unit, &bus);
	if (!found)
		found = servo_on(&robot->goals, joint->unit, &bus);
	if (found) {
		joint->bus = (int)bus;
		joint->id = (int)found->id.number;
		return true;
	}
	if (joint->unit->device.dir >= 0 && sysfs_bus(joint->unit->device.dir, &bus) == 0)
		joint->bus = (int)bus;
	joint->id = read_parent(joint->unit, "id");
	return false;
}

/* A channel that is missing keeps iio == NULL, and reading it says so. */
static void open_channels(struct naohw_robot *robot, struct joint *joint)
{
	(void)unit_open_channel(robot, joint->unit, "in_angl0", &joint->position);
	(void)unit_open_channel(robot, joint->unit, JOINT_GOAL, &joint->goal);
	(void)unit_open_channel(robot, joint->unit, "in_anglvel0", &joint->speed);
	(void)unit_open_channel(robot, joint->unit, JOINT_SPEED, &joint->goal_speed);
	(void)unit_open_channel(robot, joint->unit, "in_current0", &joint->current);
	(void)unit_open_channel(robot, joint->unit, "in_voltage0", &joint->voltage);
	(void)unit_open_channel(robot, joint->unit, "in_temp0", &joint->temperature);
}

static void add(struct naohw_robot *robot, const struct unit *unit)
{
	struct joint *joint = &robot->joint[robot->joint_count];

	joint->unit = unit;
	if (!find_place(robot, joint) && !is_described(robot, unit))
		return;
	joint->model_number = read_parent(unit, "model_number");
	joint->firmware = read_parent(unit, "firmware_version");
	if (!unit->device.iio && context_is_local(robot->context))
		find_driverless(joint);
	open_channels(robot, joint);
	robot->joint_count++;
}

static int compare_places(int left, int right)
{
	/* What is not known comes last. */
	return ((unsigned int)left > (unsigned int)right) -
	       ((unsigned int)left < (unsigned int)right);
}

static int compare(const void *a, const void *b)
{
	const struct joint *left = a, *right = b;
	int order = compare_places(left->bus, right->bus);

	if (!order)
		order = compare_places(left->id, right->id);
	return order ? order : strcmp(left->unit->label, right->unit->label);
}

int joints_build(struct naohw_robot *robot, struct naohw_error *err)
{
	robot->joint = calloc(robot->unit_count + 1, sizeof(*robot->joint));
	robot->lease = calloc(robot->unit_count + 1, sizeof(*robot->lease));
	if (!robot->joint || !robot->lease)
		return fail(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < robot->unit_count; i++)
		add(robot, &robot->unit[i]);
	qsort(robot->joint, robot->joint_count, sizeof(*robot->joint), compare);
	return 0;
}

/* ---- what is known of them ---- */

size_t naohw_robot_joint_count(const struct naohw_robot *robot)
{
	return robot->joint_count;
}

int naohw_robot_find_joint(const struct naohw_robot *robot, const char *label, size_t *joint)
{
	const struct joint *found = joint_find(robot, label);

	if (!found)
		return -ENOENT;
	*joint = (size_t)(found - robot->joint);
	return 0;
}

static const struct iio_device *iio_of(const struct naohw_robot *robot, size_t joint)
{
	return joint < robot->joint_count ? robot->joint[joint].unit->device.iio : NULL;
}

const char *naohw_joint_label(const struct naohw_robot *robot, size_t joint)
{
	return joint < robot->joint_count ? robot->joint[joint].unit->label : NULL;
}

const char *naohw_joint_model(const struct naohw_robot *robot, size_t joint)
{
	const struct iio_device *iio = iio_of(robot, joint);

	return iio ? iio_device_get_name(iio) : NULL;
}

const char *naohw_joint_iio_id(const struct naohw_robot *robot, size_t joint)
{
	const struct iio_device *iio = iio_of(robot, joint);

	return iio ? iio_device_get_id(iio) : NULL;
}

static int take_both(int one, int other, unsigned int *first, unsigned int *second)
{
	if (one == JOINT_UNKNOWN || other == JOINT_UNKNOWN)
		return -ENODEV;
	*first = (unsigned int)one;
	*second = (unsigned int)other;
	return 0;
}

int naohw_joint_get_place(const struct naohw_robot *robot, size_t joint, unsigned int *bus,
			  unsigned int *id)
{
	if (joint >= robot->joint_count)
		return -ENODEV;
	return take_both(robot->joint[joint].bus, robot->joint[joint].id, bus, id);
}

int naohw_joint_get_version(const struct naohw_robot *robot, size_t joint,
			    unsigned int *model_number, unsigned int *firmware)
{
	if (joint >= robot->joint_count)
		return -ENODEV;
	return take_both(robot->joint[joint].model_number, robot->joint[joint].firmware,
			 model_number, firmware);
}

int naohw_joint_read_torque(const struct naohw_robot *robot, size_t joint, char *text, size_t size)
{
	const struct device *device;

	if (joint >= robot->joint_count)
		return -EINVAL;
	device = &robot->joint[joint].unit->device;
	if (!device->iio)
		return -ENODEV;
	if (!device_has(device, TORQUE_STATE))
		return -ENOENT;
	return device_read(device, TORQUE_STATE, text, size);
}
