// SPDX-License-Identifier: LGPL-2.1-or-later
/* A pose as those see it who think in joints: in rad and rad/s, and not in a servo's counts. */
#include <errno.h>
#include <math.h>

#include "../base/base.h"
#include "../robot/robot.h"
#include "inside.h"

/* What a speed may be beyond its limit by: it is reckoned forth and back */
#define NEARLY (1 + 1e-9)

static int find_axis(const struct naohw_pose *pose, size_t joint, const struct pose_axis **axis)
{
	if (joint >= pose->robot->joint_count)
		return -EINVAL;
	if (pose->by_joint[joint] == POSE_NO_AXIS)
		return -ENODEV;
	*axis = &pose->axis[pose->by_joint[joint]];
	return 0;
}

static double to_rad(const struct pose_axis *axis, int counts)
{
	return (counts + axis->info.offset) * axis->info.scale;
}

/* Of the joint; a gear is between it and its servo where they do not turn alike. */
static double speed_scale(const struct pose_axis *axis)
{
	return axis->info.speed_scale * fabs(axis->info.scale / axis->info.servo_scale);
}

int naohw_pose_has(const struct naohw_pose *pose, size_t joint)
{
	const struct pose_axis *axis;

	return find_axis(pose, joint, &axis) == 0;
}

int naohw_pose_get_limits(const struct naohw_pose *pose, size_t joint, double *min, double *max)
{
	const struct pose_axis *axis;
	int ret = find_axis(pose, joint, &axis);
	bool is_turned;

	if (ret < 0)
		return ret;
	is_turned = axis->info.scale < 0;
	*min = to_rad(axis, is_turned ? axis->info.max : axis->info.min);
	*max = to_rad(axis, is_turned ? axis->info.min : axis->info.max);
	return 0;
}

int naohw_pose_get_speed_limit(const struct naohw_pose *pose, size_t joint, double *speed)
{
	const struct pose_axis *axis;
	int ret = find_axis(pose, joint, &axis);

	if (ret == 0)
		*speed = axis->info.speed_max * speed_scale(axis);
	return ret;
}

/* Where it may be sent the pose knows. */
static int take_goal(const struct pose_axis *axis, double rad, int *counts)
{
	if (!isfinite(rad))
		return -EINVAL;
	*counts = number_to_int(rad / axis->info.scale - axis->info.offset);
	return 0;
}

/* No speed is "no limit" to the servo. */
static int take_speed(const struct pose_axis *axis, double rad_s, int *counts)
{
	double exact = rad_s / speed_scale(axis);

	if (!isfinite(rad_s))
		return -EINVAL;
	if (exact <= 0 || exact > axis->info.speed_max * NEARLY)
		return -ERANGE;
	*counts = (int)fmin(ceil(exact / NEARLY), axis->info.speed_max);
	return 0;
}

int naohw_pose_set(struct naohw_pose *pose, size_t joint, double goal, double speed)
{
	const struct pose_axis *axis;
	int goal_counts, speed_counts = 0;
	int ret = find_axis(pose, joint, &axis);

	if (ret == 0)
		ret = take_goal(axis, goal, &goal_counts);
	if (ret == 0)
		ret = take_speed(axis, speed, &speed_counts);
	if (ret < 0)
		return ret;
	return pose_set_counts(pose, pose->by_joint[joint], goal_counts, speed_counts);
}

int naohw_pose_get_goal(const struct naohw_pose *pose, size_t joint, double *goal)
{
	const struct pose_axis *axis;
	int ret = find_axis(pose, joint, &axis);

	if (ret == 0)
		*goal = to_rad(axis, axis->goal);
	return ret;
}

int naohw_pose_stay(struct naohw_pose *pose, size_t joint, const struct naohw_frame *frame,
		    struct naohw_error *err)
{
	const struct pose_axis *axis;
	int ret = find_axis(pose, joint, &axis);

	if (ret == -EINVAL)
		return fail(err, ret, "joint %zu: there are %zu", joint, pose->robot->joint_count);
	if (ret < 0)
		return fail(err, ret, "%s: no pose can move it",
			    naohw_joint_label(pose->robot, joint));
	return pose_stay(pose, pose->by_joint[joint], frame, err);
}

/* What is not 0 stays so, as 0 is something else. */
static int to_steps(const struct pose_axis *axis, double part)
{
	int steps = number_to_int(part * axis->info.stiffness_max);

	if (steps == 0 && part != 0)
		return part > 0 ? 1 : -1;
	return steps;
}

int naohw_pose_set_stiffness(struct naohw_pose *pose, size_t joint, double part)
{
	const struct pose_axis *axis;
	int ret = find_axis(pose, joint, &axis);

	if (ret < 0)
		return ret;
	if (!isfinite(part))
		return -EINVAL;
	if (!axis->stiffness_channel)
		return -EOPNOTSUPP;
	if (part < -1 || part > 1)
		return -ERANGE;
	pose_set_stiffness(pose, pose->by_joint[joint], to_steps(axis, part));
	return 0;
}

int naohw_pose_get_stiffness(const struct naohw_pose *pose, size_t joint, double *part)
{
	const struct pose_axis *axis;
	int ret = find_axis(pose, joint, &axis);

	if (ret < 0)
		return ret;
	if (!axis->stiffness_channel)
		return -EOPNOTSUPP;
	if (axis->stiffness == POSE_LEFT_ALONE)
		return -ENODATA;
	*part = (double)axis->stiffness / axis->info.stiffness_max;
	return 0;
}
