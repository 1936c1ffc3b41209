// SPDX-License-Identifier: LGPL-2.1-or-later
#include "joints.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"

/* A joint that has not answered for so long may be where its goals did not send it. */
#define SILENT_MS	200
#define SILENT_PERIODS	4
/* Farther than that from where its goals would have it, with normal lag, it has been moved ... */
#define ASTRAY_RAD	0.1
#define LAG_MS		200
/* ... and goes back so fast, rad/s */
#define RETURN_SPEED	1
/* Nearer than this a goal is where it was, for how fast the servo may go. */
#define STAY_RAD	0.05
/* As long as NAO's hardness takes to come back, and the kernel's torque */
#define SOFT_MS		2000
/* A hair above a whole number is that number: doubles are not exact. */
#define ROUNDING	1e-9
#define NS_PER_MS	1000000
#define MS_PER_S	1000.0
#define CALIBRATION	"jointZeroPosition"

/* ---- finding ---- */

/* @speed: that its servo has, as a pose has it */
static void take_speed(struct joint_guard *joint, const struct servo_axis *axis, double rad_s,
		       int speed)
{
	double gear = fabs(axis->scale / axis->servo_scale);
	double fastest = axis->speed_max * axis->speed_scale * gear;

	joint->levels_per_rad = 1 / fabs(axis->scale);
	joint->levels_per_ms = rad_s * joint->levels_per_rad / MS_PER_S;
	joint->servo_per_ms = fastest * joint->levels_per_rad / MS_PER_S;
	joint->speed_max = axis->speed_max;
	/* Until its goal moves, one that is on its way, or held back, goes no faster than before. */
	joint->rate = fmin(joint->levels_per_ms, joint->servo_per_ms * speed / axis->speed_max);
}

static double speed_max_of(const struct joint_guard *joint, const struct naohw_robot *robot,
			   const struct dcm_preferences *preferences)
{
	if (!joint->position)
		return preferences->speed_max;
	return preferences_speed_max(preferences, robot->description,
				     joint->position->subdevice->name);
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
	else if (actuator->kind == ACTUATOR_WHEEL)
		joint->wheel = actuator;
	else
		joint->hardness = actuator;
}

static bool is_of_joint(const struct actuator *actuator, size_t axis)
{
	return !actuator->leader && actuator->axis == axis && actuator_is_of_pose(actuator);
}

static void find_reason(struct joint_guard *joint, const char *label,
			const struct naohw_store *store)
{
	char name[REASON_KEY_SIZE];

	joint->has_reason_slot = reason_key(label, name) &&
				 naohw_store_find(store, name, &joint->reason_slot) == 0;
}

/* A level that is not known yet is NAN; so is what the DCM computes from it. */
static void begin_at(struct actuator *actuator, double level)
{
	actuator->sent = actuator->next = actuator->line = level;
	actuator->queue.from.level = level;
	actuator->is_known = !isnan(level);
}

static void be_at(struct joint_guard *joint, double level)
{
	joint->at = joint->low = joint->high = level;
}

static double known(int stiffness)
{
	return stiffness == POSE_LEFT_ALONE ? (double)NAN : stiffness;
}

/* One that turns comes to a stop: it goes on from there if somebody says so. */
static void take_wheel(struct joint_guard *joint, const struct naohw_robot *robot,
		       const struct dcm_preferences *preferences)
{
	struct actuator *wheel = joint->wheel;
	const char *name = wheel->subdevice->name;
	double levels = 1 / fabs(wheel->scale);

	joint->wheel_max = levels * preferences_speed_max(preferences, robot->description, name);
	joint->wheel_per_ms = levels / MS_PER_S *
			      preferences_acceleration_max(preferences, robot->description, name);
	begin_at(wheel, 0);
	wheel->sent = joint->at;
	joint->is_placed = true;
}

static int take_joint(struct joint_guard *joint, const struct actuators *actuators,
		      const struct naohw_robot *robot, const struct naohw_pose *pose,
		      const struct naohw_store *store, const struct dcm_preferences *preferences,
		      const struct body *body)
{
	struct servo_axis axis;
	int ret = pose_get_axis(pose, joint->axis, &axis);

	if (ret < 0)
		return ret;
	for (size_t i = 0; i < actuators->count; i++)
		if (is_of_joint(&actuators->list[i], joint->axis))
			take_actuator(joint, &actuators->list[i]);
	take_zero(joint, robot, axis.label, store);
	find_reason(joint, axis.label, store);
	if (!axis.is_wheel)
		take_speed(joint, &axis, speed_max_of(joint, robot, preferences),
			   pose_speed(pose, joint->axis));
	joint->stall.steps = axis.stiffness_max;
	if (joint->position)
		preferences_stall(preferences, robot->description, joint->position->subdevice->name,
				  body->joint[joint->joint].group == GROUP_LEGS, &joint->stall);
	be_at(joint, pose_get_counts(pose, joint->axis));
	joint->next_at = joint->at;
	joint->is_placed = !pose_is_guessed(pose, joint->axis);
	atomic_init(&joint->stiffness, pose_get_stiffness(pose, joint->axis));
	if (joint->position)
		begin_at(joint->position, joint->is_placed ? joint->at : (double)NAN);
	if (joint->wheel)
		take_wheel(joint, robot, preferences);
	if (joint->hardness)
		begin_at(joint->hardness, known(atomic_load(&joint->stiffness)));
	return 0;
}

/* Of joints with the same label the first has the key. */
static void find_still(struct joints *joints, const struct naohw_robot *robot,
		       const struct naohw_pose *pose, const struct naohw_store *store)
{
	for (size_t i = 0; i < robot->joint_count; i++) {
		struct still_joint *still = &joints->still[joints->still_count];
		const char *label = robot->joint[i].unit->label;
		char name[REASON_KEY_SIZE];
		size_t axis;

		if (pose_find_axis(pose, label, &axis) == 0 || !reason_key(label, name) ||
		    naohw_store_find(store, name, &still->slot) < 0)
			continue;
		still->joint = i;
		joints->still_count++;
	}
}

int joints_find(struct joints *joints, const struct actuators *actuators,
		const struct naohw_robot *robot, const struct naohw_pose *pose,
		const struct naohw_store *store, const struct dcm_preferences *preferences,
		const struct body *body, struct naohw_error *err)
{
	size_t count = pose_axis_count(pose);

	joints->list = calloc(count + 1, sizeof(*joints->list));
	joints->still = calloc(robot->joint_count + 1, sizeof(*joints->still));
	if (!joints->list || !joints->still)
		return fail(err, -ENOMEM, "out of memory");
	joints->stall_limits = &preferences->stall;
	for (size_t i = 0; i < count; i++) {
		struct joint_guard *joint = &joints->list[joints->count++];

		joint->axis = i;
		joint->part = 1;
		joint->joint = pose_joint(pose, i);
		(void)take_joint(joint, actuators, robot, pose, store, preferences, body);
	}
	find_still(joints, robot, pose, store);
	return 0;
}

void joints_find_trip(struct joints *joints)
{
	joints->has_tripped = joints->found_trip = joints->is_found = true;
}

void joints_free(struct joints *joints)
{
	free(joints->still);
	free(joints->list);
}

/* ---- looking ---- */

/* If the level of the actuator was unknown, it is this one. */
static void learn(struct actuator *actuator, double level)
{
	if (!actuator)
		return;
	if (isnan(actuator->line))
		actuator->line = level;
	if (isnan(actuator->queue.from.level))
		actuator->queue.from.level = level;
}

/* A wheel stands, and goes on from there. */
static void stand_still(struct joint_guard *joint, int64_t now)
{
	const struct point still = { .time = now, .level = 0 };

	joint->at = 0;
	joint->wheel->line = 0;
	queue_restart(&joint->wheel->queue, &still);
}

/* What was commanded of a wheel before it lost its torque never turns it again. */
static void forget_speeds(struct joint_guard *joint, int64_t now)
{
	const struct point still = { .time = now, .level = 0 };

	(void)queue_update(&joint->wheel->queue, NAOHW_UPDATE_CLEAR_ALL, NULL, 0, &still);
	stand_still(joint, now);
}

/* Its goals go on from where it is now. */
static void begin_here(struct joint_guard *joint, int64_t now)
{
	const struct point here = { .time = now, .level = joint->present };

	if (joint->wheel)
		forget_speeds(joint, now);
	if (!joint->is_seen)
		return;
	be_at(joint, joint->present);
	joint->returns = false;
	if (!joint->position)
		return;
	joint->position->line = joint->present;
	queue_restart(&joint->position->queue, &here);
}

/* Its goal goes from where it is now to where the commands have it. */
static void return_from_here(struct joint_guard *joint)
{
	be_at(joint, joint->present);
	joint->returns = joint->position;
}

bool joint_is_astray(const struct joint_guard *joint, double rad)
{
	double most = rad * joint->levels_per_rad;

	return joint->present < joint->low - most || joint->present > joint->high + most;
}

static void has_answered(struct joint_guard *joint, int counts, int64_t now, int64_t silent_ms)
{
	bool was_silent = now - joint->seen_at > silent_ms;

	joint->present = counts;
	joint->seen_at = now;
	joint->is_seen = true;
	if (joint->is_placed && !(was_silent && joint_is_astray(joint, ASTRAY_RAD)))
		return;
	joint->is_placed = true;
	learn(joint->position, counts);
	return_from_here(joint);
}

static int64_t silent_after(const struct naohw_frame *frame)
{
	int64_t some = SILENT_PERIODS * naohw_frame_period(frame) / NS_PER_MS;

	return some > SILENT_MS ? some : SILENT_MS;
}

static void look_for_stall(const struct joints *joints, struct joint_guard *joint,
			   const struct naohw_frame *frame, int64_t now)
{
	/*
	 * On its way to rest, or in its test, a joint has its own time. With the little torque that it has at first
	 * when it becomes stiff, friction holds it.
	 */
	if (joint->resting == REST_AWAKE && joint->found == GUARD_NONE && !joint->is_soft)
		stall_look(joint, joints->stall_limits, frame, now);
	else
		stall_forget(&joint->stall);
}

void joints_look(struct joints *joints, const struct naohw_pose *pose,
		 const struct naohw_frame *frame, int64_t now)
{
	int64_t silent_ms = silent_after(frame);

	for (size_t i = 0; i < joints->count; i++) {
		struct joint_guard *joint = &joints->list[i];
		int counts;

		/* This is the first frame that the DCM looks at. */
		if (!joint->seen_at)
			joint->seen_at = now;
		if (joint->wheel || pose_present_in(pose, joint->axis, frame, &counts) < 0)
			continue;
		has_answered(joint, counts, now, silent_ms);
		look_for_stall(joints, joint, frame, now);
	}
}

/* ---- what others have found out ---- */

static bool is_held(const struct naohw_pose *pose, const struct joint_guard *joint)
{
	enum guard_reason reason = pose_read_reason(pose, joint->axis);

	return !reason_lets_go(reason) && reason != GUARD_RECOVERING;
}

/* While its torque is gone, or comes back, a servo does not tell how stiff it was. */
static void ask(struct joint_guard *joint, const struct naohw_pose *pose)
{
	int steps;

	if (is_held(pose, joint) && pose_read_stiffness(pose, joint->axis, &steps) == 0 &&
	    is_held(pose, joint))
		atomic_store(&joint->stiffness, steps);
}

void joints_ask(struct joints *joints, const struct naohw_pose *pose)
{
	for (size_t i = 0; i < joints->count; i++)
		if (atomic_load(&joints->list[i].stiffness) == POSE_LEFT_ALONE)
			ask(&joints->list[i], pose);
}

static bool is_gone(const struct joint_guard *joint)
{
	return joint->found == GUARD_TRIPPED || joint->found == GUARD_SHUT_DOWN;
}

/* A joint that recovers begins where it is. Its goals from before the loss would pull it away. */
static void take_found(struct joint_guard *joint, enum guard_reason found, int64_t now)
{
	if (found == GUARD_RECOVERING && joint->found != found)
		begin_here(joint, now);
	joint->found = found;
}

/* It is known by another thread, and to be told. */
static void learn_hardness(struct joint_guard *joint)
{
	struct actuator *hardness = joint->hardness;
	double level = known(atomic_load(&joint->stiffness));

	learn(hardness, level);
	if (!hardness || hardness->is_known || isnan(level))
		return;
	hardness->sent = level;
	hardness->is_known = true;
}

/* The kernel brings back the joints of the bus that has tripped. Here are those of the others. */
static void begin_softly(const struct joints *joints, struct joint_guard *joint, int64_t now)
{
	bool is_stiff = atomic_load(&joint->stiffness) > 0;

	if (is_gone(joint) || joint->found == GUARD_RECOVERING)
		return;
	/* It has been stiff all the time. */
	if (joints->is_found && is_stiff)
		return;
	joint->is_soft = true;
	joint->soft_at = now;
}

/*
 * What was commanded while a trip from before lasted has lost its time meanwhile: those that were stiff
 * all the time go there slowly.
 */
static void begin_what_is_late(struct joints *joints)
{
	for (size_t i = 0; i < joints->count; i++)
		if (!is_gone(&joints->list[i]))
			joints->list[i].returns = joints->list[i].position;
}

void joints_take_news(struct joints *joints, const struct torque *torque, int64_t now)
{
	bool has_tripped = torque_stream(torque) == NAOHW_STREAM_TRIPPED;
	bool is_over = joints->has_tripped && !has_tripped;

	joints->has_tripped = has_tripped;
	joints->is_limp = torque_is_limp(torque);
	for (size_t i = 0; i < joints->count; i++) {
		struct joint_guard *joint = &joints->list[i];

		learn_hardness(joint);
		take_found(joint, torque_of(torque, joint->joint), now);
		if (is_over)
			begin_softly(joints, joint, now);
	}
	for (size_t i = 0; i < joints->still_count; i++)
		joints->still[i].reason = reason_of_both(torque_of(torque, joints->still[i].joint),
							 joints->is_limp ? GUARD_LIMP : GUARD_NONE);
	if (joints->is_found && !has_tripped)
		begin_what_is_late(joints);
	joints->is_found = joints->is_found && has_tripped;
}

/* ---- guarding ---- */

static void note(struct joint_guard *joint, enum guard_reason reason)
{
	if (reason > joint->reason)
		joint->reason = reason;
}

/* That a pose has let it go the DCM knows better: of which stiffness the last one was. */
static enum guard_reason found_of(const struct joint_guard *joint)
{
	return joint->found == GUARD_NO_TORQUE ? GUARD_NONE : joint->found;
}

/* A joint that is to be limp is so whatever takes its torque. */
static void note_limp(struct joint_guard *joint)
{
	note(joint, GUARD_NO_TORQUE);
	if (joint->found >= GUARD_MODE)
		note(joint, joint->found);
}

static void note_torque(const struct joints *joints, struct joint_guard *joint)
{
	note(joint, found_of(joint));
	if (joints->has_tripped)
		note(joint, joints->is_limp ? GUARD_LIMP : GUARD_WATCHDOG);
}

static bool must_be_limp(const struct joint_guard *joint)
{
	return joint->hardness && joint->hardness->next <= 0;
}

/* That it is to be sent; NAN: nobody knows it. */
static double stiffness_of(const struct joint_guard *joint)
{
	return joint->hardness ? joint->hardness->next : known(atomic_load(&joint->stiffness));
}

/* To let go needs no knowledge. */
static bool is_unknown(const struct joint_guard *joint)
{
	return isnan(stiffness_of(joint)) || (!joint->is_placed && !must_be_limp(joint));
}

static void leave_alone(struct joint_guard *joint)
{
	joint->is_left_alone = true;
	if (joint->position)
		joint->position->next = NAN;
	if (joint->wheel)
		joint->wheel->next = NAN;
	if (joint->hardness)
		joint->hardness->next = NAN;
}

static bool is_commanded(const struct joint_guard *joint)
{
	return (joint->position && joint->position->is_driven) ||
	       (joint->wheel && joint->wheel->is_driven) ||
	       (joint->hardness && joint->hardness->is_driven);
}

static bool is_told_to_be_limp(const struct joint_guard *joint)
{
	return must_be_limp(joint) && joint->hardness->is_driven;
}

/* Until it is commanded; and while that trip lasts, as commands do nothing then. */
static bool is_as_found(const struct joints *joints, const struct joint_guard *joint)
{
	if (!joints->found_trip || is_told_to_be_limp(joint))
		return false;
	return joints->is_found || !is_commanded(joint);
}

/* Its goal follows one that has no torque, and is told. */
static void leave_as_found(const struct joints *joints, struct joint_guard *joint, int64_t now)
{
	if (is_commanded(joint))
		note_torque(joints, joint);
	else
		note(joint, found_of(joint));
	if (is_gone(joint) || joint->wheel)
		begin_here(joint, now);
	if (joint->position && joint->is_placed)
		joint->position->sent = actuator_bounded(joint->position, joint->at);
	leave_alone(joint);
}

/* Unknown is as good as calibrated: the motor's own board looks after it, too. */
static bool is_calibrated(const struct joint_guard *joint, const struct naohw_store *store)
{
	struct naohw_value zero;

	if (!joint->has_zero || naohw_store_read(store, joint->zero_slot, &zero) < 0)
		return true;
	return zero.state == NAOHW_STATE_ABSENT || zero.type == NAOHW_KEY_STRING ||
	       zero.number != 0;
}

static double softness(struct joint_guard *joint, int64_t now)
{
	if (!joint->is_soft)
		return 1;
	if (now - joint->soft_at < SOFT_MS) {
		note(joint, GUARD_SOFT);
		return (double)(now - joint->soft_at) / SOFT_MS;
	}
	joint->is_soft = false;
	return 1;
}

/* A servo that has no torque is told its hardness all the same: that is what it recovers to. */
static void guard_hardness(const struct joints *joints, struct joint_guard *joint,
			   const struct naohw_store *store, int64_t now, double part)
{
	struct actuator *hardness = joint->hardness;
	double soft;

	/* To let go is never kept from anybody. */
	if (stiffness_of(joint) <= 0)
		note_limp(joint);
	if (must_be_limp(joint))
		return;
	note_torque(joints, joint);
	if (!hardness)
		return;
	soft = softness(joint, now);
	if (part < 1)
		note(joint, GUARD_BATTERY);
	if (joint->part < 1)
		note(joint, GUARD_HOT);
	if (!is_calibrated(joint, store)) {
		note(joint, GUARD_NOT_CALIBRATED);
		hardness->next = 0;
	} else if (joints->has_tripped && !is_gone(joint)) {
		hardness->next = 0;
	} else {
		hardness->next = actuator_bounded(hardness, hardness->next * soft * part * joint->part);
	}
}

static bool is_kept_from_moving(const struct joints *joints, const struct joint_guard *joint)
{
	return joints->has_tripped || reason_lets_go(joint->found);
}

static bool must_follow(const struct joints *joints, const struct joint_guard *joint)
{
	return must_be_limp(joint) || is_kept_from_moving(joints, joint);
}

/* One that becomes stiff begins where it is now, and not where it was a cycle ago. */
static double begin_of(const struct joint_guard *joint)
{
	bool was_limp = joint->hardness && joint->hardness->sent <= 0;

	return was_limp && joint->is_seen ? joint->present : joint->at;
}

/*
 * Pages are made for their servo; for all else the robot has a limit. A joint that becomes stiff in
 * the middle of a page is not where that takes it to be, and catches up as all else moves.
 */
static double fastest(struct joint_guard *joint)
{
	bool is_in_step = joint->position->is_in_step && !joint->is_behind;
	double most = is_in_step ? joint->servo_per_ms : joint->levels_per_ms;

	if (!joint->returns)
		return most;
	note(joint, GUARD_RETURNS);
	return fmin(most, RETURN_SPEED * joint->levels_per_rad / MS_PER_S);
}

/*
 * How fast its goal goes, at the most; 0: it stays. A line is as fast as it is steep, as levels are
 * whole, and in one cycle it may go by none. One that is short and slow is no way: a slow servo would
 * be weak against a push.
 */
static double rate_of(const struct joint_guard *joint, double begin, double most)
{
	const struct queue_line *on = &joint->position->on;
	double way = fmax(on->way, on->slope * LAG_MS);

	if (joint->next_at != joint->position->next)
		return most;
	if (on->slope <= 0)
		return joint->next_at == begin ? 0 : most;
	if (way < STAY_RAD * joint->levels_per_rad && on->slope <= joint->rate)
		return 0;
	return fmin(on->slope, most);
}

static void go_on(struct joint_guard *joint, double to, double ms)
{
	double begin = begin_of(joint), most = fastest(joint);

	joint->next_at = fmin(fmax(to, begin - most * ms), begin + most * ms);
	joint->next_rate = rate_of(joint, begin, most);
	joint->is_behind = joint->is_behind && joint->next_at != to;
}

static void guard_position(const struct joints *joints, struct joint_guard *joint, int64_t now,
			   double ms)
{
	struct actuator *position = joint->position;

	if (must_follow(joints, joint)) {
		/* One that has never been seen stays where it was sent before. */
		begin_here(joint, now);
		stall_forget(&joint->stall);
		joint->next_at = joint->at;
		joint->next_rate = 0;
		joint->is_behind = true;
	} else {
		go_on(joint, stall_bound(&joint->stall, position->next), ms);
		if (joint->stall.way) {
			note(joint, GUARD_STALLED);
			/* When it is free it goes to a step of a page as all else moves. */
			joint->is_behind = true;
		}
	}
	position->next = actuator_bounded(position, joint->next_at);
}

/* As limp as it was told to be it waits for commands to come; what else stops it ends them. */
static void guard_wheel(const struct joints *joints, struct joint_guard *joint, int64_t now,
			double ms)
{
	struct actuator *wheel = joint->wheel;
	double most = joint->wheel_per_ms * ms;

	if (is_kept_from_moving(joints, joint)) {
		forget_speeds(joint, now);
		joint->next_at = 0;
	} else if (must_be_limp(joint)) {
		stand_still(joint, now);
		joint->next_at = 0;
	} else {
		double to = fmin(fmax(wheel->next, -joint->wheel_max), joint->wheel_max);

		joint->next_at = fmin(fmax(to, joint->at - most), joint->at + most);
	}
	wheel->next = actuator_bounded(wheel, joint->next_at);
}

static void forget_stalls(struct joints *joints)
{
	for (size_t i = 0; i < joints->count; i++)
		stall_forget(&joints->list[i].stall);
}

void joints_guard(struct joints *joints, const struct naohw_store *store, int64_t now, double ms,
		  double part)
{
	if (atomic_exchange(&joints->is_to_forget_stalls, false))
		forget_stalls(joints);
	for (size_t i = 0; i < joints->count; i++) {
		struct joint_guard *joint = &joints->list[i];
		bool was_left_alone = joint->is_left_alone;

		joint->reason = joint->rests_for;
		joint->is_left_alone = false;
		if (is_as_found(joints, joint)) {
			leave_as_found(joints, joint, now);
			continue;
		}
		if (is_unknown(joint)) {
			note(joint, GUARD_UNKNOWN);
			note(joint, found_of(joint));
			leave_alone(joint);
			continue;
		}
		/* The DCM has sent it nowhere meanwhile, and somebody may have moved it. */
		if (was_left_alone && joint->is_seen && joint_is_astray(joint, ASTRAY_RAD))
			return_from_here(joint);
		guard_hardness(joints, joint, store, now, part);
		if (joint->position)
			guard_position(joints, joint, now, ms);
		if (joint->wheel)
			guard_wheel(joints, joint, now, ms);
	}
}

/* ---- out ---- */

static int steps_of(const struct joint_guard *joint)
{
	return joint->is_left_alone ? POSE_LEFT_ALONE : (int)stiffness_of(joint);
}

/*
 * A servo that was held back, and can go on, goes no faster than its goal does, or did a moment ago:
 * with normal lag it is still there. At rest it keeps the speed that brought it there.
 */
static int speed_of_servo(struct joint_guard *joint, double part)
{
	if (joint->next_rate > joint->rate)
		joint->rate = joint->next_rate;
	else if (joint->next_rate > 0)
		joint->rate += (joint->next_rate - joint->rate) * part;
	return (int)fmin(fmax(ceil(joint->rate / joint->servo_per_ms * joint->speed_max - ROUNDING),
			      1), joint->speed_max);
}

/* With normal lag it is where it is sent, or anywhere that it was sent to a moment ago. */
static void put_position(struct joint_guard *joint, struct naohw_pose *pose, double ms)
{
	double part = ms / (LAG_MS + ms);

	joint->at = joint->next_at;
	joint->low = fmin(joint->at, joint->low + (joint->at - joint->low) * part);
	joint->high = fmax(joint->at, joint->high + (joint->at - joint->high) * part);
	joint->returns = joint->returns && joint->at != joint->position->planned;
	(void)pose_set_counts(pose, joint->axis, (int)joint->position->next,
			      speed_of_servo(joint, part));
}

static void put_wheel(struct joint_guard *joint, struct naohw_pose *pose)
{
	joint->at = joint->next_at;
	(void)pose_set_wheel(pose, joint->axis, (int)joint->wheel->next);
}

void joints_put(struct joints *joints, struct naohw_pose *pose, double ms)
{
	for (size_t i = 0; i < joints->count; i++) {
		struct joint_guard *joint = &joints->list[i];
		int steps = steps_of(joint);

		pose_set_stiffness(pose, joint->axis, steps);
		if (!joint->position && joint->is_seen && pose_is_guessed(pose, joint->axis))
			pose_place(pose, joint->axis, (int)joint->present);
		if (joint->position && steps != POSE_LEFT_ALONE)
			put_position(joint, pose, ms);
		if (joint->wheel && steps != POSE_LEFT_ALONE)
			put_wheel(joint, pose);
	}
}

void joints_tell(const struct joints *joints, struct naohw_store *store, int64_t time)
{
	for (size_t i = 0; i < joints->count; i++)
		if (joints->list[i].has_reason_slot)
			reason_tell(joints->list[i].reason, store, joints->list[i].reason_slot,
				    time);
	for (size_t i = 0; i < joints->still_count; i++)
		reason_tell(joints->still[i].reason, store, joints->still[i].slot, time);
}
