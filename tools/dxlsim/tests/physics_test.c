// SPDX-License-Identifier: GPL-2.0-or-later
/* What rigid bodies do, against what can be reckoned on paper. */
#include "cmocka_all.h"

#include <math.h>
#include <string.h>

#include "../physics/physics.h"

#define START	(1 * NSEC_PER_SEC)

static void assert_near(double value, double expected, double share)
{
	if (!(fabs(value - expected) <= fabs(expected) * share))
		fail_msg("%g, expected %g", value, expected);
}

/* A torso with two feet, and high above it an arm that turns about y. */
static struct physique rod(double mass, double length, double thick)
{
	struct physique physique = { .count = 4, .feet = { { .link = 1 }, { .link = 2 } } };
	static const char *const names[] = { "Torso", "LFoot", "RFoot", "Arm" };
	int i, j;

	for (i = 0; i < 4; i++) {
		struct part *part = &physique.links[i];

		strcpy(part->name, names[i]);
		part->axis[1] = 1;
		part->least = -10;
		part->most = 10;
		part->gain = 1;
		part->mass = 1;
		for (j = 0; j < 3; j++) {
			part->inertia[j] = 1e-3;
			part->low[j] = -0.02;
			part->high[j] = 0.02;
		}
	}
	physique.links[1].at[1] = 0.1;
	physique.links[2].at[1] = -0.1;
	physique.links[3].at[2] = 1;
	physique.links[3].mass = mass;
	physique.links[3].centre[2] = -length;
	physique.links[3].inertia[1] = mass * thick * thick;

	return physique;
}

static void let_loose(void *owner, const struct turning *turning, struct effort *effort)
{
	(void)owner;
	(void)turning;
	*effort = (struct effort){ 0 };
}

static struct world *new_rod(double mass, double length, double thick, double angle)
{
	const struct physique physique = rod(mass, length, thick);
	struct world *world = world_new(&physique, START);

	world_attach(world, 3, &(struct actuator){ .drive = let_loose });
	world_place(world, (double [LINKS_MAX]){ [3] = angle });

	return world;
}

/* Seconds between two passages through the middle to the same side. */
static double period(struct world *world)
{
	double passed[2] = { 0 }, before = world_turning(world, 3).angle;
	int found = 0;
	nsec_t now;

	for (now = world_time(world); found < 2; now += WORLD_STEP) {
		double angle, share;

		world_advance(world, now);
		angle = world_turning(world, 3).angle;
		share = angle / (angle - before);
		if (before > 0 && angle <= 0)
			passed[found++] = (now - share * WORLD_STEP) / NSEC_PER_SEC;
		before = angle;
	}

	return passed[1] - passed[0];
}

static void a_pendulum_swings_in_its_period(void **state)
{
	static const double lengths[] = { 0.05, 0.1, 0.2 };
	const double thick = 0.02;
	size_t i;

	(void)state;
	for (i = 0; i < 3; i++) {
		double length = lengths[i];
		struct world *world = new_rod(0.2, length, thick, 0.05);
		double still = (length * length + thick * thick) / (WORLD_GRAVITY * length);

		assert_near(period(world), 2 * M_PI * sqrt(still), 0.005);
		world_free(world);
	}
}

static void a_free_joint_never_gains_energy(void **state)
{
	struct world *world = new_rod(0.2, 0.1, 0.02, 2.5);
	double before = world_energy(world);
	nsec_t now = world_time(world);
	int i;

	(void)state;
	for (i = 0; i < 2000; i++) {
		world_advance(world, now += WORLD_STEP);
		/* A step of 2 ms keeps it to a part of what it swings by. */
		if (world_energy(world) > before + 0.02 * 0.2 * WORLD_GRAVITY * 0.2)
			fail_msg("step %d: %g J, %g J before", i, world_energy(world), before);
	}
	world_free(world);
}

static void what_is_let_go_falls_as_all_do(void **state)
{
	struct world *world = new_rod(0.2, 0.1, 0.02, 0);
	double from[3], to[3];
	struct inertial inertial;

	(void)state;
	world_hold(world, 0.5);
	world_advance(world, START + 6 * NSEC_PER_SEC);
	world_centre(world, from);
	world_release(world);
	world_advance(world, START + 6200 * NSEC_PER_MSEC);
	world_centre(world, to);
	assert_near(from[2] - to[2], WORLD_GRAVITY / 2 * 0.2 * 0.2, 0.02);
	world_inertial(world, &inertial);
	assert_true(fabs(inertial.acceleration[2]) < 0.1);
	world_free(world);
}

/* A joint that is stopped by dry friction alone holds what it can. */
static void damp(void *owner, const struct turning *turning, struct effort *effort)
{
	(void)turning;
	*effort = (struct effort){ .torque = *(double *)owner, .damping = 0.5 };
}

static void a_torque_holds_what_it_is_as_much_as(void **state)
{
	double torque = -0.2 * WORLD_GRAVITY * 0.1 * sin(0.8);
	struct world *world = new_rod(0.2, 0.1, 0.02, 0.8);

	(void)state;
	/* About y the arm's weight turns it back to 0; this is against it. */
	torque = -torque;
	world_attach(world, 3, &(struct actuator){ .drive = damp, .owner = &torque });
	world_advance(world, world_time(world) + 3 * NSEC_PER_SEC);
	assert_near(world_turning(world, 3).angle, 0.8, 0.01);
	assert_near(world_load(world, 3), torque, 0.01);
	world_free(world);
}

static void a_stop_stops(void **state)
{
	struct physique physique = rod(0.2, 0.1, 0.02);
	struct world *world;
	double least = 0;
	nsec_t now;

	(void)state;
	physique.links[3].least = -0.5;
	physique.links[3].most = 2;
	world = world_new(&physique, START);
	world_attach(world, 3, &(struct actuator){ .drive = let_loose });
	world_place(world, (double [LINKS_MAX]){ [3] = 1.5 });
	for (now = world_time(world); now < START + 8 * NSEC_PER_SEC; now += WORLD_STEP) {
		world_advance(world, now);
		least = fmin(least, world_turning(world, 3).angle);
	}
	assert_true(least < -0.5 && least > -0.6);
	world_free(world);
}

/* However it is brought there: in one piece, or a piece at a time. */
static void time_is_all_that_counts(void **state)
{
	struct world *one = new_rod(0.2, 0.1, 0.02, 1), *other = new_rod(0.2, 0.1, 0.02, 1);
	nsec_t now, begin = world_time(one), end = begin + 2 * NSEC_PER_SEC;
	struct turning a, b;

	(void)state;
	world_advance(one, end);
	for (now = begin; now < end; now += 1234567)
		world_advance(other, now);
	world_advance(other, end);
	a = world_turning(one, 3);
	b = world_turning(other, 3);
	assert_memory_equal(&a, &b, sizeof(a));
	world_free(one);
	world_free(other);
}

static void a_thing_slides_where_the_floor_is_steep_enough(void **state)
{
	struct thing thing = {
		.name = "box", .size = { 0.1, 0.1, 0.05 }, .mass = 0.5, .at = { 1, 0, 0 },
	};
	const struct physique physique = rod(0.2, 0.1, 0.02);
	static const double friction = 0.5;
	int steep;

	(void)state;
	for (steep = 0; steep < 2; steep++) {
		struct world *world = world_new(&physique, START);
		double pitch = atan(friction) + (steep ? 0.1 : -0.1);
		struct thing begin, now;

		room_floor(world, &(struct ground){ friction, pitch, 0 });
		room_put(world, &thing, 0);
		world_advance(world, START + 1 * NSEC_PER_SEC);
		assert_true(room_thing(world, 0, &begin));
		world_advance(world, START + 2 * NSEC_PER_SEC);
		assert_true(room_thing(world, 0, &now));
		if (steep)
			assert_true(now.at[0] - begin.at[0] > 0.1);
		else
			assert_true(fabs(now.at[0] - begin.at[0]) < 0.01);
		world_free(world);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pendulum_swings_in_its_period),
		cmocka_unit_test(a_free_joint_never_gains_energy),
		cmocka_unit_test(what_is_let_go_falls_as_all_do),
		cmocka_unit_test(a_torque_holds_what_it_is_as_much_as),
		cmocka_unit_test(a_stop_stops),
		cmocka_unit_test(time_is_all_that_counts),
		cmocka_unit_test(a_thing_slides_where_the_floor_is_steep_enough),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
