// SPDX-License-Identifier: LGPL-2.1-or-later
/* The servos behind the labels. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"
#include "robot.h"

/* IIO's milli-units, which no one reads from a table. */
#define MILLI 0.001

static const struct iio_device *find_device(const struct iio_context *context, const char *label)
{
	unsigned int count = iio_context_get_devices_count(context);

	for (unsigned int i = 0; i < count; i++) {
		const struct iio_device *device = iio_context_get_device(context, i);
		const char *found = iio_device_get_label(device);

		if (found && strcmp(found, label) == 0)
			return device;
	}
	return NULL;
}

/* The IIO device's parent is the bus's device. */
static int read_parent(const struct naohw_joint *joint, const char *attribute)
{
	char file[32], text[32];
	int value;

	snprintf(file, sizeof(file), "../%s", attribute);
	if (device_read(&joint->device, file, text, sizeof(text)) < 0 ||
	    sscanf(text, "%i", &value) != 1)
		return -1;
	return value;
}

static void open_joint(const struct naohw_robot *robot, struct naohw_joint *joint)
{
	const struct iio_device *iio;

	joint->bus_id = joint->model_number = joint->firmware = -1;
	joint->device.dir = -1;
	iio = find_device(robot->context, joint->label);
	if (!iio || device_hold(&joint->device, iio, context_is_local(robot->context)) < 0)
		return;
	/* A channel that is missing keeps iio == NULL, and reading it says so. */
	(void)channel_open(&joint->position, &joint->device, "in_angl0");
	(void)channel_open(&joint->goal, &joint->device, "out_angl0");
	(void)channel_open(&joint->speed, &joint->device, "in_anglvel0");
	(void)channel_open(&joint->goal_speed, &joint->device, "out_anglvel0");
	(void)channel_open(&joint->voltage, &joint->device, "in_voltage0");
	(void)channel_open(&joint->temperature, &joint->device, "in_temp0");
	if (!context_is_local(robot->context))
		return;
	joint->bus_id = read_parent(joint, "id");
	joint->model_number = read_parent(joint, "model_number");
	joint->firmware = read_parent(joint, "firmware_version");
}

struct naohw_joint *joint_find(const struct naohw_robot *robot, const char *label)
{
	for (size_t i = 0; i < robot->joint_count; i++)
		if (strcmp(robot->joint[i].label, label) == 0)
			return &robot->joint[i];
	return NULL;
}

/* By ID, as they are on the wire; what has none comes last, by label. */
static int compare(const void *a, const void *b)
{
	const struct naohw_joint *left = a, *right = b;
	unsigned int left_id = (unsigned int)left->bus_id, right_id = (unsigned int)right->bus_id;

	if (left_id != right_id)
		return left_id < right_id ? -1 : 1;
	return strcmp(left->label, right->label);
}

int joints_build(struct naohw_robot *robot, struct naohw_error *err)
{
	robot->joint = calloc(robot->subdevice_count + 1, sizeof(*robot->joint));
	robot->lease = calloc(robot->subdevice_count + 1, sizeof(*robot->lease));
	if (!robot->joint || !robot->lease)
		return fail(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < robot->subdevice_count; i++) {
		struct naohw_joint *joint = &robot->joint[robot->joint_count];

		if (joint_find(robot, robot->subdevice[i].label))
			continue;
		joint->robot = robot;
		joint->label = robot->subdevice[i].label;
		open_joint(robot, joint);
		robot->joint_count++;
	}
	qsort(robot->joint, robot->joint_count, sizeof(*robot->joint), compare);
	for (size_t i = 0; i < robot->subdevice_count; i++) {
		struct subdevice *s = &robot->subdevice[i];

		s->joint = joint_find(robot, s->label);
		if (s->joint->device.iio)
			(void)channel_open(&s->channel, &s->joint->device, s->channel_name);
	}
	return 0;
}

size_t naohw_robot_joint_count(const struct naohw_robot *robot)
{
	return robot->joint_count;
}

struct naohw_joint *naohw_robot_joint_at(const struct naohw_robot *robot, size_t index)
{
	return index < robot->joint_count ? &robot->joint[index] : NULL;
}

void naohw_joint_get_info(const struct naohw_joint *joint, struct naohw_joint_info *info)
{
	info->label = joint->label;
	info->model = joint->device.iio ? iio_device_get_name(joint->device.iio) : NULL;
	info->iio_id = joint->device.iio ? iio_device_get_id(joint->device.iio) : NULL;
	info->bus_id = joint->bus_id;
	info->model_number = joint->model_number;
	info->firmware = joint->firmware;
}

static const struct channel *channel_of(const struct naohw_joint *joint,
					enum naohw_quantity quantity)
{
	switch (quantity) {
	case NAOHW_QUANTITY_POSITION:
	case NAOHW_QUANTITY_LOAD:
		return &joint->position;
	case NAOHW_QUANTITY_GOAL:
		return &joint->goal;
	case NAOHW_QUANTITY_SPEED:
		return &joint->speed;
	case NAOHW_QUANTITY_VOLTAGE:
		return &joint->voltage;
	case NAOHW_QUANTITY_TEMPERATURE:
		return &joint->temperature;
	case NAOHW_QUANTITY_CURRENT:
	case NAOHW_QUANTITY_AGE:
	case NAOHW_QUANTITY_ALARM:
		return NULL;
	}
	return NULL;
}

/* What the servo says of itself becomes what the description calls the joint's. */
static double joint_value(const struct naohw_joint *joint, enum naohw_quantity quantity,
			  double value)
{
	const struct subdevice *position =
		subdevice_position_of(joint->robot, joint->label, quantity == NAOHW_QUANTITY_GOAL);
	double scale = 1, offset = 0;

	if (position)
		subdevice_fold(position, quantity, &scale, &offset);
	return (value + offset) * scale;
}

static int read_quantity(const struct channel *channel, enum naohw_quantity quantity, double *value)
{
	int ret;

	if (quantity == NAOHW_QUANTITY_LOAD)
		return channel_read_attribute(channel, "load", value);
	ret = channel_read(channel, value);
	if (ret == 0 && (quantity == NAOHW_QUANTITY_VOLTAGE || quantity == NAOHW_QUANTITY_TEMPERATURE))
		*value *= MILLI;
	return ret;
}

int naohw_joint_read(struct naohw_joint *joint, enum naohw_quantity quantity, double *value,
		     struct naohw_error *err)
{
	const struct channel *channel = channel_of(joint, quantity);
	int ret;

	if (!joint->device.iio)
		return fail(err, -ENODEV, "%s: no IIO device has this label", joint->label);
	if (!channel || !channel->iio)
		return fail(err, -ENOENT, "%s: has no such value", joint->label);
	ret = read_quantity(channel, quantity, value);
	if (ret < 0)
		return fail(err, ret, "%s: %s", joint->label, error_text(ret));
	*value = joint_value(joint, quantity, *value);
	return 0;
}
