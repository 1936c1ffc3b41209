// SPDX-License-Identifier: GPL-2.0-or-later
/* A robot that is let go limp falls, and nothing in it or below it gives it energy. */
#include "cmocka_all.h"

#include <math.h>
#include <string.h>

#include "mannequin.h"

#define STEPS		1000

/*
 * What the ground may give back of the energy that it had: under an impact that is a spring
 * for some steps, and what is in it by then is not counted.
 */
#define SPRING		0.01

static const char *const robots[] = { "bioloid", "darwin-op", "op3", "nao-h25-v33" };

#define ROBOT_COUNT	(sizeof(robots) / sizeof(robots[0]))

/* With straight legs some stand by friction alone. */
static void bend_knees(struct world *world)
{
	const struct physique *physique = world_physique(world);
	double angles[LINKS_MAX] = { 0 };
	size_t i;

	for (i = 1; i < physique->count; i++) {
		const char *joint = physique->links[i].joint + 1;

		if (!strcmp(joint, "KneePitch"))
			angles[i] = 0.9;
		if (!strcmp(joint, "HipPitch") || !strcmp(joint, "AnklePitch"))
			angles[i] = -0.45;
	}
	world_place(world, angles);
}

static double fall(const char *robot, struct rig *rig)
{
	struct world *world = mannequin_world(rig);
	double first, least;
	int i;

	world_release(world);
	first = least = world_energy(world);
	for (i = 0; i < STEPS; i++) {
		double now;

		mannequin_wait(rig, (double)WORLD_STEP / NSEC_PER_SEC);
		now = world_energy(world);
		if (now > least + SPRING * first)
			fail_msg("%s, step %d: %g J, %g J before", robot, i, now, least);
		least = fmin(least, now);
	}

	return least / first;
}

/* By what their motors and gears resist it. */
static void servos_without_torque_give_no_energy(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < ROBOT_COUNT; i++) {
		struct rig *rig = mannequin_new(robots[i]);

		bend_knees(mannequin_world(rig));
		assert_true(fall(robots[i], rig) < 0.7);
		mannequin_free(rig);
	}
}

static void let_loose(void *owner, const struct turning *turning, struct effort *effort)
{
	(void)owner;
	(void)turning;
	*effort = (struct effort){ 0 };
}

/* All that hinges without any friction would swing up by themselves. */
static void free_joints_give_no_energy(void **state)
{
	size_t i, link;

	(void)state;
	for (i = 0; i < ROBOT_COUNT; i++) {
		struct rig *rig = mannequin_new(robots[i]);
		struct world *world = mannequin_world(rig);

		for (link = 1; link < world_physique(world)->count; link++)
			world_attach(world, link, &(struct actuator){ .drive = let_loose });
		bend_knees(world);
		assert_true(fall(robots[i], rig) < 0.7);
		mannequin_free(rig);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(servos_without_torque_give_no_energy),
		cmocka_unit_test(free_joints_give_no_energy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
