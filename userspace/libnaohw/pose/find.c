// SPDX-License-Identifier: LGPL-2.1-or-later
/* Which axes a pose has: what the kernel shows, and what the description says of it. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"
#include "../io/io.h"
#include "../robot/robot.h"
#include "inside.h"

/* A pose value that needs no rounding to be the servo's own range. */
#define HALF_COUNT 0.5
#define PERCENT	   100.0
/* Of a servo that does not say how fast it may be told to go */
#define SPEED_MAX  1023
/* A channel whose type is there twice has this beside the ID, see cycle.rst. */
#define TWICE	   1024

/* One more of a servo's channels */
static struct iio_channel *find_channel(const struct pose_axis *axis, const char *type,
					unsigned int number)
{
	char name[32];

	snprintf(name, sizeof(name), "%s%u", type, number + axis->info.id);
	return iio_device_find_channel(axis->bus->device.held.iio, name, true);
}

/*
 * As long as the servo's register, for which what is below 0 is a two's complement; the last one of
 * a sample may have more room, which fills that up.
 */
static bool is_goal(const struct iio_channel *channel)
{
	const struct iio_data_format *format = iio_channel_get_data_format(channel);

	return iio_channel_is_scan_element(channel) && format->shift == 0 &&
	       (format->bits == 16 || format->bits == 32) &&
	       (format->length == format->bits || format->length == 32);
}

/* A fault of the kernel side, so the words are for the people who build that. */
static int not_as_documented(const struct pose_axis *axis, const char *what,
			     struct naohw_error *err)
{
	return fail(err, -EINVAL, "dxl%u-goal, servo %u: %s", axis->info.bus, axis->info.id, what);
}

static int take_scales(struct pose_axis *axis, const struct channel *goal, struct naohw_error *err)
{
	struct channel speed;
	int slowest;

	channel_take(&speed, &axis->bus->device.held, axis->speed_channel);
	if (!channel_read_range(goal, &axis->info.min, &axis->info.max))
		return not_as_documented(axis, "no raw_available of the goal, expected [MIN 1 MAX]",
					 err);
	if (!(fabs(goal->scale) > 0) || !(speed.scale > 0))
		return not_as_documented(axis, "a scale of 0, expected rad and rad/s", err);
	axis->info.scale = axis->info.servo_scale = goal->scale;
	axis->info.offset = axis->info.servo_offset = goal->offset;
	axis->info.speed_scale = speed.scale;
	if (!channel_read_range(&speed, &slowest, &axis->info.speed_max))
		axis->info.speed_max = SPEED_MAX;
	/* Which would leave the goal out, see cycle.rst. */
	if (axis->bus->has_wheels && axis->info.min == INT16_MIN)
		axis->info.min++;
	return 0;
}

static int take_stiffness(struct pose_axis *axis, struct naohw_error *err)
{
	struct channel stiffness;

	axis->stiffness_channel = find_channel(axis, "count", 0);
	if (!axis->stiffness_channel || !is_goal(axis->stiffness_channel))
		return not_as_documented(axis, "has no out_count channel of 16 bits", err);
	channel_take(&stiffness, &axis->bus->device.held, axis->stiffness_channel);
	if (!(stiffness.scale > 0) || stiffness.scale > PERCENT)
		return not_as_documented(axis, "the scale of its stiffness, expected percent", err);
	axis->info.stiffness_scale = stiffness.scale;
	axis->info.stiffness_max = number_to_int(PERCENT / stiffness.scale);
	return 0;
}

/* Min and Max of the description are the body's limits; the servo's are in the kernel. */
static void narrow(struct pose_axis *axis, const struct subdevice *s)
{
	const struct servo_axis *info = &axis->info;
	double a = subdevice_to_device(s, s->min) / info->servo_scale - info->servo_offset;
	double b = subdevice_to_device(s, s->max) / info->servo_scale - info->servo_offset;
	double low = ceil(fmin(a, b) - HALF_COUNT), high = floor(fmax(a, b) + HALF_COUNT);

	if (low > axis->info.min)
		axis->info.min = low > axis->info.max ? axis->info.max : (int)low;
	if (high < axis->info.max)
		axis->info.max = high < axis->info.min ? axis->info.min : (int)high;
}

static struct pose_axis *next_axis(const struct naohw_pose *pose, struct pose_bus *bus,
				   const struct bus_channel *channel)
{
	struct pose_axis *axis = &pose->axis[pose->axis_count];

	axis->bus = bus;
	axis->info.bus = bus->device.number;
	axis->info.id = channel->id.number;
	axis->info.label = channel->label;
	return axis;
}

static int add_axis(struct naohw_pose *pose, struct pose_bus *bus,
		    const struct bus_channel *channel, const struct channel *goal,
		    struct naohw_error *err)
{
	struct pose_axis *axis = next_axis(pose, bus, channel);
	int ret;

	axis->goal_channel = channel->iio;
	axis->speed_channel = find_channel(axis, "anglvel", 0);
	if (!axis->speed_channel)
		return not_as_documented(axis, "has no out_anglvel channel", err);
	if (!is_goal(axis->goal_channel) || !is_goal(axis->speed_channel))
		return not_as_documented(axis, "not a scan element of 16 or 32 bits", err);
	pose->axis_count++;
	ret = take_scales(axis, goal, err);
	return ret == 0 && pose->stiffness ? take_stiffness(axis, err) : ret;
}

/* ---- wheels ---- */

/* In a mode for that its servo's speed has two directions. */
static bool is_turning(const struct subdevice *wheel)
{
	int min, max;

	return wheel->channel.iio && channel_read_range(&wheel->channel, &min, &max) && min < 0;
}

/* The Speed/Actuator of a servo that is a wheel now; NULL: it is none. */
static const struct subdevice *find_wheel(const struct naohw_robot *robot, const char *label)
{
	const struct subdevice *s = subdevice_wheel_of(robot, label);

	return s && is_turning(s) ? s : NULL;
}

static bool has_wheels(const struct naohw_pose *pose, const struct pose_bus *bus)
{
	const struct naohw_robot *robot = pose->robot;

	for (size_t i = 0; i < robot->subdevice_count; i++) {
		const struct subdevice *s = &robot->subdevice[i];
		const struct joint *joint;

		if (!subdevice_is_wheel(s) || !is_turning(s))
			continue;
		joint = joint_find(robot, s->label);
		if (joint && joint->bus == (int)bus->device.number)
			return true;
	}
	return false;
}

void pose_find_wheels(struct naohw_pose *pose)
{
	for (size_t i = 0; i < pose->bus_count; i++)
		pose->bus[i].has_wheels = pose->wheels && has_wheels(pose, &pose->bus[i]);
}

static int add_wheel(struct naohw_pose *pose, struct pose_bus *bus,
		     const struct bus_channel *channel, const struct subdevice *wheel,
		     struct naohw_error *err)
{
	struct pose_axis *axis = next_axis(pose, bus, channel);
	struct channel speed;

	axis->info.is_wheel = true;
	axis->goal_channel = find_channel(axis, "anglvel", TWICE);
	if (!axis->goal_channel || !is_goal(axis->goal_channel))
		return not_as_documented(axis, "has no out_anglvel channel for a wheel of 16 or 32 "
					 "bits", err);
	pose->axis_count++;
	channel_take(&speed, &bus->device.held, axis->goal_channel);
	if (!channel_read_range(&speed, &axis->info.min, &axis->info.max) || !(speed.scale > 0))
		return not_as_documented(axis, "the speed of a wheel: no raw_available, or a scale "
					 "of 0", err);
	axis->info.scale = axis->info.servo_scale = speed.scale;
	narrow(axis, wheel);
	subdevice_fold(wheel, NAOHW_QUANTITY_GOAL, &axis->info.scale, &axis->info.offset);
	return pose->stiffness ? take_stiffness(axis, err) : 0;
}

/* ---- all ---- */

/* One in a mode without goal positions, such as a wheel, has none that it would take. */
static bool is_joint(const struct channel *goal)
{
	int min, max;

	return !channel_read_range(goal, &min, &max) || min < max;
}

/* What else is called so is no joint of the robot. */
static bool is_goal_of_servo(const struct bus_channel *channel)
{
	return bus_channel_is_of_servo(channel) && strcmp(channel->id.type, "angl") == 0 &&
	       iio_channel_is_output(channel->iio);
}

static int add_servo(struct naohw_pose *pose, struct pose_bus *bus,
		     const struct bus_channel *channel, struct naohw_error *err)
{
	const struct subdevice *wheel;
	struct channel goal;

	channel_take(&goal, &bus->device.held, channel->iio);
	if (is_joint(&goal))
		return add_axis(pose, bus, channel, &goal, err);
	wheel = bus->has_wheels ? find_wheel(pose->robot, channel->label) : NULL;
	return wheel ? add_wheel(pose, bus, channel, wheel, err) : 0;
}

static int add_axes_of(struct naohw_pose *pose, struct pose_bus *bus, struct naohw_error *err)
{
	int ret = 0;

	for (size_t i = 0; i < bus->device.channel_count && ret == 0; i++)
		if (is_goal_of_servo(&bus->device.channel[i]))
			ret = add_servo(pose, bus, &bus->device.channel[i], err);
	return ret;
}

static int compare_axes(const void *a, const void *b)
{
	const struct servo_axis *left = a, *right = b;

	if (left->bus != right->bus)
		return left->bus < right->bus ? -1 : 1;
	return left->id < right->id ? -1 : 1;
}

static int make_room(struct naohw_pose *pose, struct naohw_error *err)
{
	size_t channels = 0;

	for (size_t i = 0; i < pose->bus_count; i++)
		channels += pose->bus[i].device.channel_count;
	pose->axis = calloc(channels + 1, sizeof(*pose->axis));
	pose->by_joint = calloc(pose->robot->joint_count + 1, sizeof(*pose->by_joint));
	return pose->axis && pose->by_joint ? 0 : fail(err, -ENOMEM, "out of memory");
}

static int middle(const struct servo_axis *axis)
{
	return (axis->min + axis->max + 1) / 2;
}

/* In the joint's angle, as all that its Position/Actuator says. */
static void take_motion_offset(struct servo_axis *info, const struct subdevice *position)
{
	const struct preference *offset = description_find(position->robot->description,
							   position->name, "MotionOffset");

	info->motion_offset = offset ? offset->number / info->scale : 0;
}

/* What is known of an axis without asking its servo. */
static void describe(const struct naohw_robot *robot, struct pose_axis *axis)
{
	const struct subdevice *position;

	if (axis->info.is_wheel)
		return;
	position = subdevice_position_of(robot, axis->info.label, true);
	if (position && position->actuator)
		narrow(axis, position);
	if (position) {
		subdevice_fold(position, NAOHW_QUANTITY_GOAL, &axis->info.scale, &axis->info.offset);
		take_motion_offset(&axis->info, position);
	}
	axis->info.sag =
		sag_of_model(naohw_joint_model(robot, (size_t)(axis->joint - robot->joint)));
	axis->goal = middle(&axis->info);
	axis->speed = 1;
}

/* All servos of the robot's buses are joints of its, but for those that have come since. */
static int match_joints(struct naohw_pose *pose, struct naohw_error *err)
{
	const struct naohw_robot *robot = pose->robot;

	for (size_t i = 0; i < robot->joint_count; i++)
		pose->by_joint[i] = POSE_NO_AXIS;
	for (size_t i = 0; i < pose->axis_count; i++) {
		struct pose_axis *axis = &pose->axis[i];
		size_t *of;

		axis->joint = joint_find(robot, axis->info.label);
		if (!axis->joint)
			return fail(err, -ENODEV, "dxl%u: \"%s\" has joined it; open the robot "
				    "again", axis->info.bus, axis->info.label);
		of = &pose->by_joint[axis->joint - robot->joint];
		if (*of != POSE_NO_AXIS)
			return fail(err, -ENOTUNIQ, "dxl%u: two servos have the label \"%s\", "
				    "expected one; the overlay says which", axis->info.bus,
				    axis->info.label);
		/* Programs that give a pose angles find no wheel in it. */
		if (!axis->info.is_wheel)
			*of = i;
	}
	return 0;
}

int pose_find_axes(struct naohw_pose *pose, struct naohw_error *err)
{
	int ret = make_room(pose, err);

	for (size_t i = 0; i < pose->bus_count && ret == 0; i++)
		ret = add_axes_of(pose, &pose->bus[i], err);
	if (ret < 0)
		return ret;
	qsort(pose->axis, pose->axis_count, sizeof(*pose->axis), compare_axes);
	ret = match_joints(pose, err);
	for (size_t i = 0; i < pose->axis_count && ret == 0; i++)
		describe(pose->robot, &pose->axis[i]);
	return ret;
}
