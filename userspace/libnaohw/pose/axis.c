// SPDX-License-Identifier: LGPL-2.1-or-later
/* The servo behind an axis: where it is, and what it starts from and goes back to. */
#include <errno.h>
#include <math.h>

#include "../base/base.h"
#include "../frame/frame.h"
#include "../io/io.h"
#include "../robot/robot.h"
#include "inside.h"

/* One lost packet must not decide where a joint starts from. */
#define TRIES 3

static int bounded(int value, int min, int max)
{
	if (value < min)
		return min;
	return value > max ? max : value;
}

static void set_goal(struct pose_axis *axis, int counts)
{
	axis->goal = bounded(counts, axis->info.min, axis->info.max);
}

/* Its goal, if the torque holds it there; else where it is. */
static int first_goal(const struct joint *joint, int *goal)
{
	double on;
	int ret = channel_read_attribute(&joint->goal, "en", &on);

	if (ret < 0)
		return ret;
	return channel_read_raw(on != 0 ? &joint->goal : &joint->position, goal);
}

static int ask_first_goal(const struct joint *joint, int *goal)
{
	int ret = 0;

	for (int i = 0; i < TRIES; i++) {
		ret = first_goal(joint, goal);
		if (ret >= 0)
			break;
	}
	return ret;
}

static int ask(const struct channel *channel, int *raw)
{
	int ret = 0;

	for (int i = 0; i < TRIES; i++) {
		ret = channel_read_raw(channel, raw);
		if (ret >= 0)
			break;
	}
	return ret;
}

/* A speed of 0 is "no limit" to the servo; a pose never says that. */
static int first_speed(const struct pose_axis *axis, int *speed)
{
	int ret;

	*speed = 0;
	if (!axis->joint->goal_speed.iio)
		ret = 0;
	else
		ret = ask(&axis->joint->goal_speed, speed);
	if (*speed == 0)
		*speed = axis->info.speed_max;
	return ret;
}

/* A motor that has a brake says whether it is free of that, too. */
int pose_read_stiffness(const struct naohw_pose *pose, size_t index, int *steps)
{
	const struct pose_axis *axis = &pose->axis[index];
	const struct channel *goal = &axis->joint->goal;
	double on, percent, brake;
	int ret = channel_read_attribute(goal, "en", &on);

	if (ret < 0)
		return ret;
	if (on != 0) {
		ret = channel_read_attribute(goal, "torque_limit", &percent);
		if (ret == 0)
			*steps = bounded(number_to_int(percent / axis->info.stiffness_scale), 0,
					 axis->info.stiffness_max);
		return ret;
	}
	ret = channel_read_attribute(goal, "brake", &brake);
	*steps = ret == 0 && brake == 0 ? -axis->info.stiffness_max : 0;
	return ret == -ENOENT ? 0 : ret;
}

size_t pose_joint(const struct naohw_pose *pose, size_t index)
{
	return (size_t)(pose->axis[index].joint - pose->robot->joint);
}

enum guard_reason pose_read_reason(const struct naohw_pose *pose, size_t index)
{
	return joint_reason(pose->robot, pose->axis[index].joint, false);
}

/* While its torque is gone, or comes back, a servo does not tell how stiff it was. */
static bool tells_stiffness(const struct naohw_pose *pose, size_t index)
{
	enum guard_reason reason = pose_read_reason(pose, index);

	return reason != GUARD_TRIPPED && reason != GUARD_SHUT_DOWN && reason != GUARD_RECOVERING;
}

/* A joint that holds a robot up may be silent for a moment: what is not known is left alone. */
static int first_stiffness(const struct naohw_pose *pose, size_t index)
{
	int steps;

	if (!tells_stiffness(pose, index))
		return POSE_LEFT_ALONE;
	for (int i = 0; i < TRIES; i++)
		if (pose_read_stiffness(pose, index, &steps) == 0)
			return steps;
	return POSE_LEFT_ALONE;
}

static bool can_be_asked(const struct joint *joint)
{
	return joint->goal.iio && joint->position.iio;
}

/*
 * A servo that does not answer now may hear the pose all the same: it gets the goal it
 * was last sent, or the middle of its range at the lowest speed.
 */
static void start_unseen(struct pose_axis *axis)
{
	struct channel goal = { .device = axis->bus->device.held, .iio = axis->goal_channel };
	int counts;

	axis->guessed = true;
	if (channel_read_raw(&goal, &counts) == 0)
		set_goal(axis, counts);
}

/* One whose servo does not tell is to stand still. */
static void start_wheel(struct naohw_pose *pose, size_t index)
{
	struct pose_axis *axis = &pose->axis[index];
	int counts;

	if (ask(&axis->joint->goal_speed, &counts) >= 0)
		set_goal(axis, counts);
	if (axis->stiffness_channel)
		axis->stiffness = first_stiffness(pose, index);
}

void pose_start_axis(struct naohw_pose *pose, size_t index)
{
	struct pose_axis *axis = &pose->axis[index];
	int goal, speed;

	axis->stiffness = POSE_LEFT_ALONE;
	if (axis->info.is_wheel) {
		start_wheel(pose, index);
		return;
	}
	if (!can_be_asked(axis->joint) || ask_first_goal(axis->joint, &goal) < 0) {
		start_unseen(axis);
		return;
	}
	set_goal(axis, goal);
	if (axis->stiffness_channel)
		axis->stiffness = first_stiffness(pose, index);
	if (first_speed(axis, &speed) < 0)
		return;
	axis->speed = bounded(speed, 1, axis->info.speed_max);
	axis->speed_before = axis->speed;
}

void pose_stay_here(struct pose_axis *axis)
{
	int counts;

	if (axis->info.is_wheel)
		axis->goal = 0;
	else if (can_be_asked(axis->joint) && ask(&axis->joint->position, &counts) >= 0)
		set_goal(axis, counts);
}

static int read_present(const struct pose_axis *axis, int *counts, struct naohw_error *err)
{
	int ret;

	if (!axis->joint->position.iio)
		return fail(err, -ENODEV, "%s: no IIO device with this label to read from",
			    axis->info.label);
	ret = channel_read_raw(&axis->joint->position, counts);
	if (ret < 0)
		return fail(err, ret, "%s: %s", axis->info.label, error_text(ret));
	return 0;
}

int pose_present_in(const struct naohw_pose *pose, size_t index, const struct naohw_frame *frame,
		    int *counts)
{
	const struct pose_axis *axis = &pose->axis[index];
	size_t joint = pose_joint(pose, index);
	int channel = frame_of_joint(frame, joint, NAOHW_QUANTITY_POSITION);
	int age = frame_of_joint(frame, joint, NAOHW_QUANTITY_AGE);

	if (channel < 0 || naohw_frame_count(frame) == 0)
		return -ENOENT;
	if (age >= 0 && frame_raw(frame, (size_t)age))
		return -EAGAIN;
	*counts = number_to_int(frame_value(frame, (size_t)channel) / axis->info.servo_scale -
			      axis->info.servo_offset);
	return 0;
}

void pose_place(struct naohw_pose *pose, size_t index, int counts)
{
	set_goal(&pose->axis[index], counts);
	pose->axis[index].guessed = false;
}

bool pose_is_guessed(const struct naohw_pose *pose, size_t index)
{
	return pose->axis[index].guessed;
}

int pose_stay(struct naohw_pose *pose, size_t index, const struct naohw_frame *frame,
	      struct naohw_error *err)
{
	int counts, ret = -ENOENT;

	if (frame)
		ret = pose_present_in(pose, index, frame, &counts);
	if (ret < 0)
		ret = read_present(&pose->axis[index], &counts, err);
	if (ret == 0)
		set_goal(&pose->axis[index], counts);
	return ret;
}

int pose_speed(const struct naohw_pose *pose, size_t index)
{
	return pose->axis[index].speed;
}

/*
 * Where the speed before is not known, any other than the one in the pose might make the
 * joint snap. Nor may it go on creeping to a goal that nobody asked for.
 */
void pose_restore_speed(struct pose_axis *axis)
{
	if (axis->speed_before)
		axis->speed = axis->speed_before;
	else if (axis->guessed)
		pose_stay_here(axis);
}
