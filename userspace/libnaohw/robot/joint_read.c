// SPDX-License-Identifier: LGPL-2.1-or-later
/* To ask a joint's servo itself. */
#include <errno.h>

#include "../base/base.h"
#include "inside.h"

/* IIO's milli-units, which no one reads from a table. */
#define MILLI 0.001

static const struct channel *channel_of(const struct joint *joint,
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
		return &joint->current;
	case NAOHW_QUANTITY_AGE:
	case NAOHW_QUANTITY_ALARM:
		return NULL;
	}
	return NULL;
}

/* What the servo says of itself becomes what the description calls the joint's. */
static double joint_value(const struct naohw_robot *robot, const struct joint *joint,
			  enum naohw_quantity quantity, double value)
{
	const struct subdevice *position = subdevice_position_of(
		robot, joint->unit->label, quantity == NAOHW_QUANTITY_GOAL);
	double scale = 1, offset = 0;

	if (position)
		subdevice_fold(position, quantity, &scale, &offset);
	return (value + offset) * scale;
}

static bool is_in_milli_units(enum naohw_quantity quantity)
{
	return quantity == NAOHW_QUANTITY_VOLTAGE || quantity == NAOHW_QUANTITY_TEMPERATURE ||
	       quantity == NAOHW_QUANTITY_CURRENT;
}

static int read_quantity(const struct channel *channel, enum naohw_quantity quantity, double *value)
{
	int ret;

	if (quantity == NAOHW_QUANTITY_LOAD)
		return channel_read_attribute(channel, "load", value);
	ret = channel_read(channel, value);
	if (ret == 0 && is_in_milli_units(quantity))
		*value *= MILLI;
	return ret;
}

int naohw_joint_read(struct naohw_robot *robot, size_t index, enum naohw_quantity quantity,
		     double *value, struct naohw_error *err)
{
	const struct channel *channel;
	const struct joint *joint;
	double found;
	int ret;

	if (index >= robot->joint_count)
		return fail(err, -EINVAL, "joint %zu: there are %zu", index, robot->joint_count);
	joint = &robot->joint[index];
	if (!joint->unit->device.iio)
		return fail(err, -ENODEV, "%s: no IIO device has this label", joint->unit->label);
	channel = channel_of(joint, quantity);
	if (!channel || !channel->iio)
		return fail(err, -ENOENT, "%s: has no such value", joint->unit->label);
	ret = read_quantity(channel, quantity, &found);
	if (ret < 0)
		return fail(err, ret, "%s: %s", joint->unit->label, error_text(ret));
	*value = joint_value(robot, joint, quantity, found);
	return 0;
}
