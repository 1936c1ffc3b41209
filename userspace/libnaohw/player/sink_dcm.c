// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The sink with a DCM behind it, be it of this program or of naohwd: a step is one call for all of
 * its joints, with the times at which they leave and arrive, and the way between is the DCM's. It
 * repeats poses by itself, and has limits and rules of its own for what a joint may do.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "../base/base.h"
#include "../dcm/dcm.h"
#include "../pose/pose.h"
#include "../robot/robot.h"
#include "monotonic.h"
#include "player.h"

#define NS_PER_S  1000000000
/* For so long a kernel's watchdog that nobody has set waits, too. */
#define LATELY_NS ((int64_t)500 * PLAYER_NS_PER_MS)

/* A joint, as the DCM has it */
struct seat {
	struct naohw_dcm_joint joint;
	double approach_speed; /* rad/s of its servo */
	int goal;
	bool is_set; /* since the last push */
};

struct sink {
	const struct naohw_robot *robot;
	struct naohw_dcm *dcm;
	struct naohw_pose *described; /* NULL: its servos are those of the DCM's own pose */
	/* Of the present step: room for all */
	const char **names;
	double *goals; /* in their keys' unit */
	size_t count;
	struct seat seat[];
};

/* ---- what the DCM has of a joint ---- */

static int take_seat(const struct sink *sink, struct seat *seat, const struct servo_axis *info,
		     const struct naohw_robot *robot, struct naohw_error *err)
{
	int ret = dcm_joint_find(sink->dcm, robot, info, &seat->joint, err);

	if (ret < 0)
		return ret;
	seat->approach_speed = seat->joint.speed_max * fabs(info->servo_scale / info->scale);
	/* Nothing has to be known of a joint that was sent nowhere yet. */
	seat->goal = (info->min + info->max + 1) / 2;
	return 0;
}

/* ---- a play's beginning ---- */

/* Whatever was before it */
static void dcm_begin(void *data)
{
	struct sink *sink = data;

	for (size_t i = 0; i < sink->count; i++)
		sink->seat[i].is_set = false;
}

/* ---- torque ---- */

/* Better to end than to go on. */
static int dcm_check(void *data, struct naohw_error *err)
{
	const struct sink *sink = data;

	return naohw_dcm_check_stream(sink->dcm, err);
}

static bool dcm_is_limp(void *data, size_t axis)
{
	const struct sink *sink = data;

	return dcm_joint_is_limp(&sink->seat[axis].joint);
}

static enum guard_reason dcm_why(void *data, size_t axis)
{
	const struct sink *sink = data;

	return dcm_joint_guard(&sink->seat[axis].joint);
}

static enum guard_reason dcm_why_still(void *data, size_t joint)
{
	const struct sink *sink = data;

	return dcm_joint_reason(sink->dcm, sink->robot, &sink->robot->joint[joint]);
}

static int dcm_stiffen(void *data, size_t axis, int64_t end, struct naohw_error *err)
{
	const struct naohw_command all = { .value = 1, .time = end / PLAYER_NS_PER_MS };
	const struct sink *sink = data;
	const struct seat *seat = &sink->seat[axis];
	int ret = dcm_check(data, err);

	if (ret < 0 || !dcm_joint_wants_torque(&seat->joint))
		return ret;
	ret = naohw_dcm_set(sink->dcm, seat->joint.hardness, NAOHW_UPDATE_CLEAR_ALL, &all, 1, err);
	/* As in a pose, a servo that is not there keeps no other one from moving. */
	if (ret == -ENODEV)
		return 0;
	return ret < 0 ? ret : 1;
}

static void dcm_stop_stiffening(void *data, size_t axis)
{
	const struct sink *sink = data;

	(void)naohw_dcm_set(sink->dcm, sink->seat[axis].joint.hardness, NAOHW_UPDATE_CLEAR_ALL, NULL, 0,
			    NULL);
}

/* ---- commands ---- */

/* Those that were set since the last push. */
static size_t take_goals(struct sink *sink)
{
	size_t count = 0;

	for (size_t i = 0; i < sink->count; i++) {
		struct seat *seat = &sink->seat[i];

		if (!seat->is_set)
			continue;
		sink->names[count] = seat->joint.position;
		sink->goals[count++] = dcm_joint_rad(&seat->joint.axis, seat->goal);
		seat->is_set = false;
	}
	return count;
}

static int dcm_push(void *data, int64_t begin, int64_t end, struct naohw_error *err)
{
	struct sink *sink = data;
	int ret = dcm_check(sink, err);
	int64_t from = begin / PLAYER_NS_PER_MS, to = end / PLAYER_NS_PER_MS;
	size_t count;

	if (ret < 0)
		return ret;
	count = take_goals(sink);
	/* At a fast tempo a movement may be shorter than that. */
	to = to > from ? to : from + 1;
	return count ? naohw_dcm_set_step(sink->dcm, sink->names, sink->goals, count, from, to,
					  err) : 0;
}

/* ---- the sink ---- */

static int64_t dcm_now(void *data)
{
	(void)data;
	return monotonic_ns();
}

/* A signal ends it early; the player looks at its requests and comes again. */
static void dcm_sleep(void *data, int64_t deadline)
{
	const struct timespec until = {
		.tv_sec = deadline / NS_PER_S,
		.tv_nsec = deadline % NS_PER_S,
	};

	(void)data;
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

/* A cycle without a frame, or a packet that was lost, is no joint that is silent. */
static bool was_seen_lately(const struct sink *sink, size_t slot)
{
	struct naohw_value value;

	return naohw_store_read(naohw_dcm_store(sink->dcm), slot, &value) == 0 &&
	       monotonic_ns() - value.time < LATELY_NS;
}

static int dcm_present(void *data, size_t axis, int *counts, struct naohw_error *err)
{
	const struct sink *sink = data;
	const struct seat *seat = &sink->seat[axis];
	int ret = dcm_joint_present(&seat->joint, counts);

	if (ret == -ETIMEDOUT && was_seen_lately(sink, seat->joint.present_slot))
		return 1;
	return ret < 0 ? fail(err, ret, "%s: %s", seat->joint.axis.label, error_text(ret)) : 0;
}

static int dcm_goal(void *data, size_t axis)
{
	const struct sink *sink = data;
	const struct seat *seat = &sink->seat[axis];
	double rad;

	if (!dcm_joint_sent(&seat->joint, &rad))
		return seat->goal;
	return number_to_int(rad / seat->joint.axis.scale - seat->joint.axis.offset);
}

static double dcm_approach_speed(void *data, size_t axis)
{
	const struct sink *sink = data;

	return sink->seat[axis].approach_speed;
}

static double dcm_need(void *data)
{
	const struct sink *sink = data;

	return dcm_needed_ms(sink->dcm, sink->robot);
}

static void dcm_set(void *data, size_t axis, int goal)
{
	struct sink *sink = data;

	sink->seat[axis].goal = goal;
	sink->seat[axis].is_set = true;
}

static void dcm_free(void *data)
{
	struct sink *sink = data;

	naohw_pose_close(sink->described);
	free(sink->goals);
	free(sink->names);
	free(sink);
}

static const struct player_sink dcm_sink = {
	.now = dcm_now,
	.begin = dcm_begin,
	.sleep = dcm_sleep,
	.present = dcm_present,
	.goal = dcm_goal,
	.is_limp = dcm_is_limp,
	.why = dcm_why,
	.why_still = dcm_why_still,
	.stiffen = dcm_stiffen,
	.stop_stiffening = dcm_stop_stiffening,
	.approach_speed = dcm_approach_speed,
	.needed_ms = dcm_need,
	.set = dcm_set,
	.push = dcm_push,
	.check = dcm_check,
	.free = dcm_free,
};

/* @most: joints that there may be */
static struct sink *sink_new(size_t most, struct naohw_dcm *dcm)
{
	struct sink *sink = calloc(1, sizeof(*sink) + most * sizeof(sink->seat[0]));

	if (!sink)
		return NULL;
	sink->goals = calloc(most + 1, sizeof(*sink->goals));
	sink->names = calloc(most + 1, sizeof(*sink->names));
	if (!sink->goals || !sink->names) {
		dcm_free(sink);
		return NULL;
	}
	sink->dcm = dcm;
	return sink;
}

static int know_robot(struct naohw_player **player, const struct naohw_robot *robot,
		      struct naohw_error *err)
{
	if (player_know_still(*player, robot) < 0) {
		naohw_player_free(*player);
		return fail(err, -ENOMEM, "out of memory");
	}
	player_know_head(*player, robot);
	return 0;
}

static int create(const struct naohw_motion *motion, const struct naohw_robot *robot,
		  const struct naohw_pose *pose, struct sink *sink, struct naohw_player **player,
		  struct naohw_error *err)
{
	struct servo_axis *axes = calloc(pose_axis_count(pose) + 1, sizeof(*axes));
	int ret = axes ? 0 : fail(err, -ENOMEM, "out of memory");

	sink->count = axes ? player_take_axes(pose, axes) : 0;
	for (size_t i = 0; i < sink->count && ret == 0; i++) {
		ret = take_seat(sink, &sink->seat[i], &axes[i], robot, err);
	}
	if (ret < 0) {
		free(axes);
		dcm_free(sink);
		return ret;
	}
	ret = player_create(motion, axes, sink->count, &dcm_sink, sink, player, err);
	free(axes);
	return ret < 0 ? ret : know_robot(player, robot, err);
}

int naohw_player_new(const struct naohw_motion *motion, struct naohw_robot *robot,
		     struct naohw_dcm *dcm, struct naohw_player **player, struct naohw_error *err)
{
	const struct naohw_pose *pose = dcm_pose(dcm);
	struct naohw_pose *described = NULL;
	struct sink *sink;
	int ret;

	/* Describing one may have libiio look at all devices, and a host's clients would wait. */
	if (!pose) {
		ret = naohw_pose_describe(robot, &described, err);
		if (ret < 0)
			return ret;
		pose = described;
	}
	sink = sink_new(pose_axis_count(pose), dcm);
	if (!sink) {
		naohw_pose_close(described);
		return fail(err, -ENOMEM, "out of memory");
	}
	sink->described = described;
	sink->robot = robot;
	return create(motion, robot, pose, sink, player, err);
}
