// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmocka_all.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../../userspace/libnaohw/player/player.h"
#include "recital.h"

#define DEGREE		(M_PI / 180)

/* Leaning further than this, degrees, it has fallen: a deep bow is 30. */
#define FALLEN		40

/* How often one looks. */
#define LOOK		(20 * NSEC_PER_MSEC)

/* For how long somebody holds it at most, until it is calm in the first step's pose. */
#define HELD		5

/* Who plays: the robot's servos, each an axis of the player's. */
struct stage {
	struct rig *rig;
	struct device *servos[LINKS_MAX];
	struct servo_axis axes[LINKS_MAX];
	size_t count;
	struct naohw_player *player;
	double begin;		/* of bus time, s */
	struct recital recital;
};

static double time_of(const struct stage *stage)
{
	return (double)stage->rig->now / NSEC_PER_SEC;
}

/* --- watching it --- */

static void look(struct stage *stage)
{
	struct pose pose = body_pose(&stage->rig->bus.body, stage->rig->now);
	struct recital *recital = &stage->recital;

	recital->lean = fmax(recital->lean, fmax(fabs(pose.roll), fabs(pose.pitch)));
	recital->stood = recital->lean < FALLEN;
	recital->seconds = time_of(stage) - stage->begin;
}

static void watch(struct stage *stage, nsec_t until)
{
	struct rig *rig = stage->rig;

	while (rig->now < until && stage->recital.stood) {
		mannequin_wait_until(rig, rig->now + LOOK < until ? rig->now + LOOK : until);
		look(stage);
	}
}

static void watch_on(struct stage *stage)
{
	watch(stage, stage->rig->now + NSEC_PER_SEC);
}

/* --- where the player's poses go --- */

static int64_t stage_now(void *data)
{
	const struct stage *stage = data;

	return stage->rig->now;
}

/* Who has fallen plays no more; but time goes on. */
static void stage_sleep(void *data, int64_t deadline)
{
	struct stage *stage = data;

	watch(stage, deadline);
	if (stage->recital.stood)
		return;
	naohw_player_halt(stage->player);
	mannequin_wait_until(stage->rig, deadline);
}

static int stage_present(void *data, size_t axis, int *counts, struct naohw_error *err)
{
	struct stage *stage = data;

	(void)err;
	*counts = mannequin_item(stage->rig, stage->servos[axis], "present_position");

	return 0;
}

static int stage_goal(void *data, size_t axis)
{
	struct stage *stage = data;

	return mannequin_item(stage->rig, stage->servos[axis], "goal_position");
}

static const char *speed_item(const struct device *dev)
{
	return model_item_named(dev->model, "moving_speed") ? "moving_speed" : "profile_velocity";
}

static int stage_speed(void *data, size_t axis)
{
	struct stage *stage = data;

	return mannequin_item(stage->rig, stage->servos[axis],
			      speed_item(stage->servos[axis]));
}

static int stage_set(void *data, size_t axis, int goal, int speed)
{
	struct stage *stage = data;

	mannequin_put(stage->rig, stage->servos[axis], speed_item(stage->servos[axis]), speed);
	mannequin_put(stage->rig, stage->servos[axis], "goal_position", goal);

	return 0;
}

/* All are there as soon as they are set. */
static int stage_push(void *data, int64_t begin, int64_t end, struct naohw_error *err)
{
	(void)data;
	(void)begin;
	(void)end;
	(void)err;

	return 0;
}

static void stage_restore(void *data, size_t axis)
{
	(void)data;
	(void)axis;
}

static const struct player_sink sink = {
	.now = stage_now,
	.sleep = stage_sleep,
	.present = stage_present,
	.goal = stage_goal,
	.speed = stage_speed,
	.set = stage_set,
	.push = stage_push,
	.restore = stage_restore,
};

/* No robot of libnaohw's is here, and so none of its poses. */
const struct naohw_robot *pose_robot(const struct naohw_pose *pose)
{
	(void)pose;

	return NULL;
}

void player_know_head(struct naohw_player *player, const struct naohw_robot *robot)
{
	(void)player;
	(void)robot;
}

size_t pose_axis_count(const struct naohw_pose *pose)
{
	(void)pose;

	return 0;
}

int pose_get_axis(const struct naohw_pose *pose, size_t index, struct servo_axis *axis)
{
	(void)pose;
	(void)index;
	(void)axis;

	return -EINVAL;
}

/* --- setting it up --- */

static struct servo_axis axis_of(const struct device *dev)
{
	const struct servo_spec *spec = dev->model->servo;

	return (struct servo_axis){
		.label = dev->label,
		.id = device_id(dev),
		.max = spec->max_position,
		.servo_scale = spec->count_deg * DEGREE,
		.servo_offset = -(spec->max_position + 1) / 2,
		.speed_max = 1023,
		.speed_scale = spec->speed_unit_rpm * 2 * M_PI / 60,
	};
}

static void find_servos(struct stage *stage)
{
	struct bus *bus = &stage->rig->bus;
	size_t i;

	for (i = 0; i < bus->device_count; i++) {
		if (!bus->devices[i].model->servo)
			continue;
		stage->servos[stage->count] = &bus->devices[i];
		stage->axes[stage->count++] = axis_of(&bus->devices[i]);
	}
}

/* As slowly as comes to a second for where it is not. */
static void take_first_pose(struct stage *stage, const struct motion_step *step)
{
	size_t i;

	for (i = 0; i < stage->count; i++) {
		const struct servo_axis *axis = &stage->axes[i];
		uint16_t position = step->position[axis->id];
		int goal, present, too_fast;

		if (!timing_has_goal(position))
			continue;
		goal = fmin(fmax(timing_goal(axis, position), axis->min), axis->max);
		stage_present(stage, i, &present, NULL);
		stage_set(stage, i, goal,
			  timing_speed(axis, abs(goal - present), NSEC_PER_SEC, &too_fast));
	}
}

/* Somebody has it take the first step's pose, and lets go when its legs are calm. */
static void take_place(struct stage *stage, const struct naohw_page *page)
{
	struct world *world = mannequin_world(stage->rig);
	size_t i;

	mannequin_stiffen(stage->rig);
	take_first_pose(stage, &page->step[0]);
	for (i = 0; i < HELD && world_held(world); i++)
		mannequin_wait(stage->rig, 1);
	world_release(world);
	watch_on(stage);
	stage->recital.began = stage->recital.stood;
	stage->recital.seconds = 0;
}

static void play(struct stage *stage, unsigned int first, double most)
{
	struct naohw_error *refusal = &stage->recital.refusal;

	stage->begin = time_of(stage);
	stage->recital.lean = 0;
	naohw_player_set_max_ms(stage->player, most * 1000);
	/* A halt is ours. */
	if (naohw_player_play(stage->player, first, refusal) == -ECANCELED)
		*refusal->message = '\0';
	watch_on(stage);
}

struct recital recite(const char *robot, const struct naohw_motion *motion,
		      unsigned int first, double most)
{
	struct stage stage = { .rig = mannequin_new(robot), .recital = { .stood = true } };
	const struct naohw_page *page = motion_playable(motion, first);
	struct naohw_error error;

	assert_non_null(page);
	find_servos(&stage);
	if (player_create(motion, stage.axes, stage.count, &sink, &stage, &stage.player,
			  &error) < 0)
		fail_msg("%s", error.message);
	naohw_player_ignore_checksum(stage.player);
	take_place(&stage, page);
	if (stage.recital.began)
		play(&stage, first, most);
	naohw_player_free(stage.player);
	mannequin_free(stage.rig);

	return stage.recital;
}
