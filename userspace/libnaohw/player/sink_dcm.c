// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The sink with a DCM behind it, be it of this program or of naohwd: a step is one call for all of
 * its joints, with the times at which they leave and arrive, and the way between is the DCM's. It
 * repeats poses by itself, and has limits and rules of its own for what a joint may do.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"
#include "../dcm/dcm.h"
#include "../pose/pose.h"
#include "../robot/robot.h"
#include "monotonic.h"
#include "player.h"

#define NAME_SIZE 128
#define NO_SLOT	  SIZE_MAX
#define POSITION  "Position/Actuator"
#define HARDNESS  "Hardness/Actuator"

/* A joint, as the DCM has it */
struct seat {
	struct servo_axis info;
	const struct subdevice *sensor;
	const char *position; /* the actuator; NULL: the description has none */
	char hardness[NAME_SIZE];
	size_t sensor_slot; /* in the store, or NO_SLOT */
	size_t hardness_slot;
	double approach_speed; /* rad/s of its servo */
	int goal;
	bool is_set;  /* since the last push */
	bool is_held; /* it was seen to it that it has torque */
};

struct sink {
	struct naohw_dcm *dcm;
	struct naohw_pose *described; /* NULL: its servos are those of the DCM's own pose */
	/* Of the present step: room for all */
	const char **names;
	double *goals; /* in their keys' unit */
	size_t count;
	struct seat seat[];
};

/* ---- what the DCM has of a joint ---- */

static size_t find_slot(const struct sink *sink, const char *subdevice)
{
	char name[NAME_SIZE];
	size_t slot;

	snprintf(name, sizeof(name), "%s/Value", subdevice);
	return naohw_store_find(naohw_dcm_store(sink->dcm), name, &slot) == 0 ? slot : NO_SLOT;
}

/* Return: 0; -ENODEV it has none; -ENODATA nobody knows it; -ETIMEDOUT not any more. */
static int look(const struct sink *sink, size_t slot, double *number)
{
	struct naohw_value value;
	int ret = slot == NO_SLOT ? -ENODEV :
				    naohw_store_read(naohw_dcm_store(sink->dcm), slot, &value);

	if (ret < 0)
		return ret;
	*number = value.number;
	if (value.state == NAOHW_STATE_ABSENT)
		return -ENODATA;
	return value.state == NAOHW_STATE_STALE ? -ETIMEDOUT : 0;
}

static double to_rad(const struct servo_axis *info, int counts)
{
	return (counts + info->offset) * info->scale;
}

/* Where it was sent last; nothing has to be known of a joint that was sent nowhere yet. */
static int first_goal(const struct sink *sink, const struct seat *seat)
{
	const struct servo_axis *info = &seat->info;
	double rad;

	if (seat->position && look(sink, find_slot(sink, seat->position), &rad) == 0)
		return number_to_int(rad / info->scale - info->offset);
	return (info->min + info->max + 1) / 2;
}

/* A joint's position says which sub-device it is, and its hardness is beside that. */
static void name_hardness(struct seat *seat)
{
	size_t length = strlen(seat->position) - strlen(POSITION);

	snprintf(seat->hardness, sizeof(seat->hardness), "%.*s" HARDNESS, (int)length,
		 seat->position);
}

static int take_speed(struct seat *seat, const struct naohw_robot *robot, struct naohw_error *err)
{
	const struct servo_axis *info = &seat->info;
	double rad_s;
	int ret = dcm_speed_max(robot, seat->position, &rad_s, err);

	if (ret < 0)
		return ret;
	seat->approach_speed = fmin(info->speed_max * info->speed_scale,
				    rad_s * fabs(info->servo_scale / info->scale));
	return 0;
}

static int take_seat(const struct sink *sink, struct seat *seat, const struct naohw_robot *robot,
		     struct naohw_error *err)
{
	const struct subdevice *sensor = subdevice_position_of(robot, seat->info.label, false);
	const struct subdevice *actuator = subdevice_position_of(robot, seat->info.label, true);

	seat->sensor_slot = seat->hardness_slot = NO_SLOT;
	if (sensor && !sensor->actuator) {
		seat->sensor = sensor;
		seat->sensor_slot = find_slot(sink, sensor->name);
	}
	if (actuator && actuator->actuator) {
		seat->position = actuator->name;
		name_hardness(seat);
		seat->hardness_slot = find_slot(sink, seat->hardness);
	}
	seat->goal = first_goal(sink, seat);
	/* One that cannot be sent anywhere keeps no other one. */
	seat->approach_speed = HUGE_VAL;
	return seat->position ? take_speed(seat, robot, err) : 0;
}

/* ---- a play's beginning ---- */

/* Whatever was before it */
static void begin_anew(const struct sink *sink, struct seat *seat)
{
	seat->is_set = seat->is_held = false;
	seat->goal = first_goal(sink, seat);
}

static void dcm_begin(void *data)
{
	struct sink *sink = data;

	for (size_t i = 0; i < sink->count; i++)
		begin_anew(sink, &sink->seat[i]);
}

/* ---- commands ---- */

/* Once: who lets a joint go in the middle of a play is not to be overruled. */
static int hold(const struct sink *sink, struct seat *seat, struct naohw_error *err)
{
	static const struct naohw_command stiff = { .value = 1 };
	double hardness;
	int ret;

	if (seat->is_held)
		return 0;
	seat->is_held = true;
	ret = look(sink, seat->hardness_slot, &hardness);
	/* One that has not said how stiff it is waits in the DCM until it has. */
	if (ret != -ENODATA && (ret < 0 || hardness > 0))
		return 0;
	ret = naohw_dcm_set(sink->dcm, seat->hardness, NAOHW_UPDATE_CLEAR_ALL, &stiff, 1, err);
	/* As in a pose, a servo that is not there keeps no other one from moving. */
	return ret == -ENODEV ? 0 : ret;
}

/* Those that were set since the last push. */
static size_t take_goals(struct sink *sink)
{
	size_t count = 0;

	for (size_t i = 0; i < sink->count; i++) {
		struct seat *seat = &sink->seat[i];

		if (!seat->is_set)
			continue;
		sink->names[count] = seat->position;
		sink->goals[count++] = to_rad(&seat->info, seat->goal);
		seat->is_set = false;
	}
	return count;
}

static int dcm_push(void *data, int64_t begin, int64_t end, struct naohw_error *err)
{
	struct sink *sink = data;
	int ret = player_check_stream(naohw_dcm_get_stream(sink->dcm), err);
	int64_t from = begin / PLAYER_NS_PER_MS, to = end / PLAYER_NS_PER_MS;
	size_t count;

	for (size_t i = 0; i < sink->count && ret == 0; i++)
		if (sink->seat[i].is_set)
			ret = hold(sink, &sink->seat[i], err);
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

static void dcm_sleep(void *data, int64_t deadline)
{
	(void)data;
	player_sleep(deadline);
}

static int dcm_present(void *data, size_t axis, int *counts, struct naohw_error *err)
{
	const struct sink *sink = data;
	const struct seat *seat = &sink->seat[axis];
	double rad;
	int ret = look(sink, seat->sensor_slot, &rad);

	if (ret < 0)
		return fail(err, ret, "%s: %s", seat->info.label, error_text(ret));
	rad = subdevice_to_device(seat->sensor, rad);
	*counts = number_to_int(rad / seat->info.servo_scale - seat->info.servo_offset);
	return 0;
}

static int dcm_goal(void *data, size_t axis)
{
	const struct sink *sink = data;

	return sink->seat[axis].goal;
}

/* A DCM has no speed that would be put back: the way to a goal ends with it. */
static int dcm_speed(void *data, size_t axis)
{
	const struct sink *sink = data;

	return sink->seat[axis].info.speed_max;
}

static double dcm_approach_speed(void *data, size_t axis)
{
	const struct sink *sink = data;

	return sink->seat[axis].approach_speed;
}

static void dcm_restore(void *data, size_t axis)
{
	(void)data;
	(void)axis;
}

static int dcm_set(void *data, size_t axis, int goal, int speed)
{
	struct sink *sink = data;
	struct seat *seat = &sink->seat[axis];
	const struct servo_axis *info = &seat->info;

	if (goal < info->min || goal > info->max || speed < 1 || speed > info->speed_max)
		return -ERANGE;
	if (!seat->position)
		return 0;
	seat->goal = goal;
	seat->is_set = true;
	return 0;
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
	.speed = dcm_speed,
	.approach_speed = dcm_approach_speed,
	.set = dcm_set,
	.push = dcm_push,
	.restore = dcm_restore,
	.free = dcm_free,
};

static struct sink *sink_new(size_t count, struct naohw_dcm *dcm)
{
	struct sink *sink = calloc(1, sizeof(*sink) + count * sizeof(sink->seat[0]));

	if (!sink)
		return NULL;
	sink->goals = calloc(count + 1, sizeof(*sink->goals));
	sink->names = calloc(count + 1, sizeof(*sink->names));
	if (!sink->goals || !sink->names) {
		dcm_free(sink);
		return NULL;
	}
	sink->dcm = dcm;
	sink->count = count;
	return sink;
}

static int create(const struct naohw_motion *motion, const struct naohw_robot *robot,
		  const struct naohw_pose *pose, struct sink *sink, struct naohw_player **player,
		  struct naohw_error *err)
{
	struct servo_axis *axes = calloc(sink->count + 1, sizeof(*axes));
	int ret = axes ? 0 : fail(err, -ENOMEM, "out of memory");

	for (size_t i = 0; i < sink->count && ret == 0; i++) {
		pose_get_axis(pose, i, &axes[i]);
		sink->seat[i].info = axes[i];
		ret = take_seat(sink, &sink->seat[i], robot, err);
	}
	if (ret < 0) {
		free(axes);
		dcm_free(sink);
		return ret;
	}
	ret = player_create(motion, axes, sink->count, &dcm_sink, sink, player, err);
	if (ret == 0)
		player_know_head(*player, robot);
	free(axes);
	return ret;
}

int naohw_player_new_on_dcm(const struct naohw_motion *motion, struct naohw_robot *robot,
			    struct naohw_dcm *dcm, struct naohw_player **player,
			    struct naohw_error *err)
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
	return create(motion, robot, pose, sink, player, err);
}
