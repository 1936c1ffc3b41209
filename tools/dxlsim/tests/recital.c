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
	int goals[LINKS_MAX];
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

/* Rounded up, so that it arrives in time; to a servo 0 is no limit. */
static int speed_for(const struct servo_axis *axis, int travel, double seconds)
{
	double speed = ceil(timing_travel(axis, 0, travel) / seconds / axis->speed_scale);

	return fmin(fmax(speed, 1), axis->speed_max);
}

static void send(struct stage *stage, size_t axis, int from, double seconds)
{
	struct device *servo = stage->servos[axis];

	mannequin_put(stage->rig, servo, speed_item(servo),
		      speed_for(&stage->axes[axis], stage->goals[axis] - from, seconds));
	mannequin_put(stage->rig, servo, "goal_position", stage->goals[axis]);
}

static void stage_set(void *data, size_t axis, int goal)
{
	struct stage *stage = data;

	stage->goals[axis] = goal;
}

/* Each servo that is to go elsewhere goes there by itself, as fast as the step is long. */
static int stage_push(void *data, int64_t begin, int64_t end, struct naohw_error *err)
{
	struct stage *stage = data;
	size_t i;

	(void)err;
	for (i = 0; i < stage->count; i++) {
		int from = stage_goal(stage, i);

		if (stage->goals[i] != from)
			send(stage, i, from, (double)(end - begin) / NSEC_PER_SEC);
	}

	return 0;
}

static const struct player_sink sink = {
	.now = stage_now,
	.sleep = stage_sleep,
	.present = stage_present,
	.goal = stage_goal,
	.set = stage_set,
	.push = stage_push,
};

/* No robot of libnaohw's is here, and so none of its poses. */
const struct naohw_robot *pose_robot(const struct naohw_pose *pose)
{
	(void)pose;

	return NULL;
}

size_t pose_axis_count(const struct naohw_pose *pose)
{
	(void)pose;

	return 0;
}

size_t player_take_axes(const struct naohw_pose *pose, struct servo_axis *axes)
{
	(void)pose;
	(void)axes;

	return 0;
}

void player_know_head(struct naohw_player *player, const struct naohw_robot *robot)
{
	(void)player;
	(void)robot;
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
		stage->axes[stage->count] = axis_of(&bus->devices[i]);
		stage->goals[stage->count] = stage_goal(stage, stage->count);
		stage->count++;
	}
}

/* As slowly as comes to a second for where it is not. */
static void take_first_pose(struct stage *stage, const struct motion_step *step)
{
	size_t i;

	for (i = 0; i < stage->count; i++) {
		const struct servo_axis *axis = &stage->axes[i];
		uint16_t position = step->position[axis->id];
		int present;

		if (!timing_has_goal(position))
			continue;
		stage->goals[i] = fmin(fmax(timing_goal(axis, position), axis->min), axis->max);
		stage_present(stage, i, &present, NULL);
		send(stage, i, present, 1);
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
