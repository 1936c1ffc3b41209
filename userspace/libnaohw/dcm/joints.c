// SPDX-License-Identifier: LGPL-2.1-or-later
#include "joints.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"
#include "../pose/pose.h"

/* One that has not answered for so long may have been without power, see cycle.rst. */
#define LOST_MS	      200
#define LOST_PERIODS  4
/* And one that nobody looked at for so long */
#define UNSEEN_MS     500
#define NS_PER_MS     1000000
/* As long as NAO's hardness takes to come back, and the kernel's torque */
#define SOFT_MS	      2000
#define MS_PER_S      1000.0
#define SPEED_NAME    "SpeedMax"
#define CALIBRATION   "jointZeroPosition"

/* ---- finding ---- */

static double speed_of(const struct naohw_robot *robot, const struct actuator *position,
		       const struct dcm_preferences *preferences)
{
	const struct preference *own =
		description_find(robot->description, position->subdevice->name, SPEED_NAME);

	return own && own->type != NAOHW_KEY_STRING && own->number > 0 ? own->number :
									   preferences->speed_max;
}

static void take_speed(struct joint_guard *joint, const struct servo_axis *axis, double rad_s)
{
	double gear = fabs(axis->scale / axis->servo_scale);
	double counts = ceil(rad_s / (axis->speed_scale * gear));

	joint->levels_per_ms = rad_s / fabs(axis->scale) / MS_PER_S;
	joint->speed = (int)fmin(fmax(counts, 1), axis->speed_max);
}

static void take_zero(struct joint_guard *joint, const struct naohw_robot *robot,
		      const char *label, const struct naohw_store *store)
{
	const struct subdevice *sensor = subdevice_position_of(robot, label, false);
	char name[256];

	if (!sensor)
		return;
	snprintf(name, sizeof(name), "%s/%s", sensor->name, CALIBRATION);
	joint->has_zero = naohw_store_find(store, name, &joint->zero_slot) == 0;
}

static void take_actuator(struct joint_guard *joint, struct actuator *actuator)
{
	if (actuator->kind == ACTUATOR_POSITION)
		joint->position = actuator;
	else
		joint->hardness = actuator;
}

static bool is_of_joint(const struct actuator *actuator, size_t axis)
{
	return !actuator->leader && actuator->axis == axis &&
	       (actuator->kind == ACTUATOR_POSITION || actuator->kind == ACTUATOR_HARDNESS);
}

static void begin_at(struct actuator *actuator, double level)
{
	actuator->sent = actuator->next = actuator->line = level;
	actuator->queue.from.level = level;
	actuator->is_known = true;
}

static int take_joint(struct joint_guard *joint, const struct actuators *actuators,
		      const struct naohw_robot *robot, const struct naohw_pose *pose,
		      const struct naohw_store *store, const struct dcm_preferences *preferences)
{
	struct servo_axis axis;
	int ret = pose_get_axis(pose, joint->axis, &axis);

	if (ret < 0)
		return ret;
	for (size_t i = 0; i < actuators->count; i++)
		if (is_of_joint(&actuators->list[i], joint->axis))
			take_actuator(joint, &actuators->list[i]);
	take_zero(joint, robot, axis.label, store);
	take_speed(joint, &axis,
		   joint->position ? speed_of(robot, joint->position, preferences) :
				     preferences->speed_max);
	joint->at = joint->next_at = pose_get_counts(pose, joint->axis);
	if (joint->position)
		begin_at(joint->position, joint->at);
	if (joint->hardness)
		begin_at(joint->hardness, pose_get_stiffness(pose, joint->axis));
	return 0;
}

int joints_find(struct joints *joints, const struct actuators *actuators,
		const struct naohw_robot *robot, const struct naohw_pose *pose,
		const struct naohw_store *store, const struct dcm_preferences *preferences,
		struct naohw_error *err)
{
	size_t count = pose_axis_count(pose);

	joints->list = calloc(count + 1, sizeof(*joints->list));
	if (!joints->list)
		return fail(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < count; i++) {
		struct joint_guard *joint = &joints->list[joints->count++];

		joint->axis = i;
		(void)take_joint(joint, actuators, robot, pose, store, preferences);
	}
	return 0;
}

void joints_free(struct joints *joints)
{
	free(joints->list);
}

/* ---- looking ---- */

static void begin_softly(struct joint_guard *joint, int64_t now)
{
	joint->is_soft = true;
	joint->soft_at = now;
}

/* Whatever was planned begins where it is now. */
static void begin_here(struct joint_guard *joint, int64_t now)
{
	const struct point here = { .time = now, .level = joint->present };

	begin_softly(joint, now);
	joint->at = joint->present;
	if (!joint->position)
		return;
	joint->position->line = joint->present;
	queue_restart(&joint->position->queue, &here);
}

static bool is_unseen_for(const struct joint_guard *joint, int64_t now, int64_t ms)
{
	return joint->is_seen && now - joint->seen_at > ms;
}

static void has_answered(struct joint_guard *joint, int counts, int64_t now)
{
	bool was_lost = joint->is_lost || is_unseen_for(joint, now, UNSEEN_MS);

	joint->present = counts;
	joint->seen_at = now;
	joint->is_seen = true;
	joint->is_lost = false;
	if (was_lost)
		begin_here(joint, now);
}

static int64_t lost_after(const struct naohw_frame *frame)
{
	int64_t some = LOST_PERIODS * naohw_frame_period(frame) / NS_PER_MS;

	return some > LOST_MS ? some : LOST_MS;
}

void joints_look(struct joints *joints, const struct naohw_pose *pose,
		 const struct naohw_frame *frame, int64_t now)
{
	int64_t lost_ms = lost_after(frame);

	for (size_t i = 0; i < joints->count; i++) {
		struct joint_guard *joint = &joints->list[i];
		int counts, ret = pose_present_in(pose, joint->axis, frame, &counts);

		if (ret == 0)
			has_answered(joint, counts, now);
		else if (is_unseen_for(joint, now, lost_ms) ||
			 (ret == -EAGAIN && !joints->has_frames))
			joint->is_lost = true;
	}
	joints->has_frames = true;
}

void joints_have_stalled(struct joints *joints, int64_t now)
{
	for (size_t i = 0; i < joints->count; i++)
		if (joints->list[i].is_seen)
			begin_here(&joints->list[i], now);
}

void joints_trip(struct joints *joints, bool has_tripped, int64_t now)
{
	bool is_over = joints->has_tripped && !has_tripped;

	joints->has_tripped = has_tripped;
	for (size_t i = 0; is_over && i < joints->count; i++)
		begin_softly(&joints->list[i], now);
}

/* ---- guarding ---- */

/* Unknown is as good as calibrated: the motor's own board looks after it, too. */
static bool is_calibrated(const struct joint_guard *joint, const struct naohw_store *store)
{
	struct naohw_value zero;

	if (!joint->has_zero || naohw_store_read(store, joint->zero_slot, &zero) < 0)
		return true;
	return zero.state == NAOHW_STATE_ABSENT || zero.integer != 0;
}

static double softness(struct joint_guard *joint, int64_t now)
{
	if (!joint->is_soft)
		return 1;
	if (now - joint->soft_at < SOFT_MS)
		return (double)(now - joint->soft_at) / SOFT_MS;
	joint->is_soft = false;
	return 1;
}

static void guard_hardness(const struct joints *joints, struct joint_guard *joint,
			   const struct naohw_store *store, int64_t now, double part)
{
	struct actuator *hardness = joint->hardness;
	double soft = softness(joint, now);

	/* To let go is never kept from anybody. */
	if (!hardness || hardness->next <= 0)
		return;
	if (joints->has_tripped || joint->is_lost || !is_calibrated(joint, store))
		hardness->next = 0;
	else
		hardness->next = actuator_bounded(hardness, hardness->next * soft * part);
}

static bool must_follow(const struct joints *joints, const struct joint_guard *joint)
{
	return joints->has_tripped || joint->is_lost ||
	       (joint->hardness && joint->hardness->next <= 0);
}

/* One that becomes stiff begins where it is now, and not where it was a cycle ago. */
static double begin_of(const struct joint_guard *joint)
{
	bool was_limp = joint->hardness && joint->hardness->sent <= 0;

	return was_limp && joint->is_seen ? joint->present : joint->at;
}

static double slowly(const struct joint_guard *joint, double to, double ms)
{
	double begin = begin_of(joint), most = joint->levels_per_ms * ms;

	return fmin(fmax(to, begin - most), begin + most);
}

/* One that has never been seen stays where it was sent before. */
static double follow(struct joint_guard *joint, int64_t now)
{
	const struct point here = { .time = now, .level = joint->present };

	if (!joint->is_seen)
		return joint->at;
	queue_restart(&joint->position->queue, &here);
	return joint->present;
}

static void guard_position(const struct joints *joints, struct joint_guard *joint, int64_t now,
			   double ms)
{
	struct actuator *position = joint->position;

	if (must_follow(joints, joint))
		joint->next_at = follow(joint, now);
	else
		joint->next_at = slowly(joint, position->next, ms);
	position->next = actuator_bounded(position, joint->next_at);
}

void joints_guard(struct joints *joints, const struct naohw_store *store, int64_t now, double ms,
		  double part)
{
	for (size_t i = 0; i < joints->count; i++) {
		struct joint_guard *joint = &joints->list[i];

		guard_hardness(joints, joint, store, now, part);
		if (joint->position)
			guard_position(joints, joint, now, ms);
	}
}

void joints_put(struct joints *joints, struct naohw_pose *pose)
{
	for (size_t i = 0; i < joints->count; i++) {
		struct joint_guard *joint = &joints->list[i];

		joint->at = joint->next_at;
		if (joint->position)
			(void)pose_set_counts(pose, joint->axis, (int)joint->position->next,
					      joint->speed);
		if (joint->hardness)
			pose_set_stiffness(pose, joint->axis, (int)joint->hardness->next);
	}
}
