// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * As libnaohw's player has it, with the same times and speeds: at each step all joints get
 * a goal, and the speed with which they are there when the next one begins.
 */
#include "cmocka_all.h"

#include <math.h>
#include <stdlib.h>

#include "../../../userspace/libnaohw/motion/motion.h"
#include "recital.h"

#define DEGREE		(M_PI / 180)

/* Leaning further than this, degrees, it has fallen: a deep bow is 30. */
#define FALLEN		40

/* How often one looks, s. */
#define LOOK		0.02

/* For how long somebody holds it at most, until it is calm in the first step's pose. */
#define HELD		5

/* The servos of ROBOTIS' humanoids by their IDs, from 1 on; each has as many as it has. */
static const char *const servos[] = {
	"RShoulderPitch", "LShoulderPitch", "RShoulderRoll", "LShoulderRoll", "RElbowRoll",
	"LElbowRoll", "RHipYaw", "LHipYaw", "RHipRoll", "LHipRoll", "RHipPitch", "LHipPitch",
	"RKneePitch", "LKneePitch", "RAnklePitch", "LAnklePitch", "RAnkleRoll", "LAnkleRoll",
	"HeadYaw", "HeadPitch",
};

#define SERVOS		(sizeof(servos) / sizeof(servos[0]))

struct player {
	struct rig *rig;
	double end;		/* of bus time, s */
	double begin;
	int goal[SERVOS];
	struct recital recital;
};

static double time_of(const struct player *player)
{
	return (double)player->rig->now / NSEC_PER_SEC;
}

static struct servo_axis axis_of(const struct device *dev)
{
	const struct servo_spec *spec = dev->model->servo;

	return (struct servo_axis){
		.max = spec->max_position,
		.servo_scale = spec->count_deg * DEGREE,
		.servo_offset = -(spec->max_position + 1) / 2,
		.speed_max = 1023,
		.speed_scale = spec->speed_unit_rpm * 2 * M_PI / 60,
	};
}

/* --- a step --- */

static double travel(const struct player *player, const struct motion_step *step)
{
	double longest = 0;
	size_t i;

	for (i = 0; i < SERVOS; i++) {
		struct device *dev = mannequin_servo(player->rig, servos[i]);
		uint16_t position = step->position[i + 1];
		struct servo_axis axis;

		if (!dev || !timing_has_goal(position))
			continue;
		axis = axis_of(dev);
		longest = fmax(longest, timing_travel(&axis, player->goal[i],
						      timing_goal(&axis, position)));
	}

	return longest;
}

static void send(struct player *player, size_t i, uint16_t position, int64_t ns)
{
	struct device *dev = mannequin_servo(player->rig, servos[i]);
	struct servo_axis axis;
	int goal, too_fast;

	if (!dev || !timing_has_goal(position))
		return;
	axis = axis_of(dev);
	goal = fmin(fmax(timing_goal(&axis, position), axis.min), axis.max);
	mannequin_put(player->rig, dev,
		      model_item_named(dev->model, "moving_speed") ? "moving_speed" :
								     "profile_velocity",
		      timing_speed(&axis, abs(goal - player->goal[i]), ns, &too_fast));
	mannequin_put(player->rig, dev, "goal_position", goal);
	player->goal[i] = goal;
}

static void watch(struct player *player, double seconds)
{
	struct recital *recital = &player->recital;
	double end = time_of(player) + seconds;

	while (time_of(player) < end - 1e-9 && recital->stood) {
		struct pose pose;

		mannequin_wait(player->rig, fmin(LOOK, end - time_of(player)));
		pose = body_pose(&player->rig->bus.body, player->rig->now);
		recital->lean = fmax(recital->lean, fmax(fabs(pose.roll), fabs(pose.pitch)));
		recital->stood = recital->lean < FALLEN;
	}
	recital->seconds = time_of(player) - player->begin;
}

static void do_step(struct player *player, const struct naohw_page *page,
		    const struct motion_step *step)
{
	unsigned int ticks = timing_move_ticks(page, step, travel(player, step));
	int64_t ns = timing_ns(ticks, 1);
	size_t i;

	for (i = 0; i < SERVOS; i++)
		send(player, i, step->position[i + 1], ns);
	ns += timing_ns(timing_pause_ticks(page, step), 1);
	watch(player, (double)ns / NSEC_PER_SEC);
}

/* --- and all of them --- */

static bool goes_on(const struct player *player)
{
	return player->recital.stood && time_of(player) < player->end;
}

static void do_page(struct player *player, const struct naohw_page *page)
{
	unsigned int pass, i;

	for (pass = 0; pass < page->repeat; pass++)
		for (i = 0; i < page->step_count && goes_on(player); i++)
			do_step(player, page, &page->step[i]);
}

/* Somebody has it take the first step's pose, and lets go when its legs are calm. */
static void take_place(struct player *player, const struct naohw_page *page)
{
	struct world *world = mannequin_world(player->rig);
	size_t i;

	mannequin_stiffen(player->rig);
	for (i = 0; i < SERVOS; i++) {
		struct device *dev = mannequin_servo(player->rig, servos[i]);

		if (!dev)
			continue;
		player->goal[i] = mannequin_item(player->rig, dev, "present_position");
		send(player, i, page->step[0].position[i + 1], NSEC_PER_SEC);
	}
	for (i = 0; i < HELD && world_held(world); i++)
		mannequin_wait(player->rig, 1);
	world_release(world);
	watch(player, 1);
	player->recital.began = player->recital.stood;
}

struct recital recite(const char *robot, const struct naohw_motion *motion,
		      unsigned int first, double most)
{
	struct player player = {
		.rig = mannequin_new(robot), .recital = { .stood = true },
	};
	const struct naohw_page *page = motion_playable(motion, first);

	assert_non_null(page);
	take_place(&player, page);
	player.begin = time_of(&player);
	player.end = player.begin + most;
	player.recital.seconds = player.recital.lean = 0;
	for (; page && goes_on(&player); page = motion_playable(motion, page->next))
		do_page(&player, page);
	watch(&player, 1);
	mannequin_free(player.rig);

	return player.recital;
}
