// SPDX-License-Identifier: GPL-2.0-or-later
/* The motion alone: never faster or harder than allowed, and always there. */
#include "cmocka_all.h"

#include <math.h>
#include <stdbool.h>

#include "../base/base.h"
#include "../devices/devices.h"

#define STEP	0.001

static double between(uint64_t *seed, double low, double high)
{
	return low + (high - low) * random_below(seed, 1000000) / 1e6;
}

/* A step of a motion: bounds of speed and acceleration. */
static void assert_step(const struct joint *a, const struct joint *b,
			const struct drive *d)
{
	double top = fmax(fabs(a->vel), d->max_vel);

	assert_true(fabs(b->vel - a->vel) <= d->accel * STEP * 1.001 + 0.01);
	assert_true(fabs(b->vel) <= top + 0.01);
	assert_true(fabs(b->pos - a->pos) <= top * STEP * 1.001 + 1e-6);
}

static void seek_in_any_state(void **state)
{
	uint64_t seed = 21;
	int round, i;

	(void)state;
	for (round = 0; round < 500; round++) {
		struct drive d = { between(&seed, 1, 2000),
				   between(&seed, 500, 20000) };
		struct joint joint = { between(&seed, 0, 4095),
				       between(&seed, -2000, 2000) };
		double goal = random_below(&seed, 4096);

		for (i = 0; i < 200; i++) {
			struct joint before = joint;

			joint_seek(&joint, &d, goal, STEP);
			assert_step(&before, &joint, &d);
		}
		/* 4095 and a stop from 2000 take no longer than this. */
		joint_seek(&joint, &d, goal, 20 + 9000 / d.max_vel);
		assert_true(joint.pos == goal);
		assert_true(joint.vel == 0);
	}
}

/* From rest it neither overshoots nor comes back. */
static void seek_from_rest_is_straight(void **state)
{
	uint64_t seed = 22;
	int round;

	(void)state;
	for (round = 0; round < 500; round++) {
		struct drive d = { between(&seed, 1, 2000),
				   between(&seed, 500, 20000) };
		struct joint joint = { 0, 0 };
		double goal = 1 + random_below(&seed, 1000), last = 0;
		int i;

		for (i = 0; i < 1000; i++) {
			joint_seek(&joint, &d, goal, STEP);
			assert_true(joint.pos >= last);
			assert_true(joint.pos <= goal + 1e-5);
			last = joint.pos;
		}
	}
}

static void seek_does_not_depend_on_steps(void **state)
{
	uint64_t seed = 23;
	int round, i;

	(void)state;
	for (round = 0; round < 500; round++) {
		struct drive d = { between(&seed, 10, 2000),
				   between(&seed, 500, 20000) };
		struct joint one = { between(&seed, 0, 1000),
				     between(&seed, -1000, 1000) };
		struct joint many = one;

		joint_seek(&one, &d, 500, 0.25);
		for (i = 0; i < 250; i++)
			joint_seek(&many, &d, 500, STEP);
		assert_true(fabs(one.pos - many.pos) < 0.05);
	}
}

static void seek_takes_the_time_it_should(void **state)
{
	struct drive d = { 100, 1000 };
	struct joint joint = { 0, 0 };

	(void)state;
	/* 0.1 s and 5 counts to gain speed, as much to lose it, the rest at 100 */
	joint_seek(&joint, &d, 110, 0.1);
	assert_true(fabs(joint.vel - 100) < 1e-6);
	assert_true(fabs(joint.pos - 5) < 1e-6);
	joint_seek(&joint, &d, 110, 1.0);
	assert_true(fabs(joint.pos - 105) < 1e-6);
	joint_seek(&joint, &d, 110, 0.0999);
	assert_true(joint.vel > 0);
	joint_seek(&joint, &d, 110, 0.0002);
	assert_true(joint.vel == 0 && joint.pos == 110);
}

static void spin_reaches_its_speed(void **state)
{
	struct joint joint = { 0, -50 };

	(void)state;
	joint_spin(&joint, 100, 1000, 0.05);
	assert_true(fabs(joint.vel) < 1e-9);
	joint_spin(&joint, 100, 1000, 1.1);
	assert_true(joint.vel == 100);
	assert_true(fabs(joint.pos - (-1.25 + 5 + 100)) < 1e-6);
	joint_spin(&joint, 0, 1000, 1);
	assert_true(joint.vel == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(seek_in_any_state),
		cmocka_unit_test(seek_from_rest_is_straight),
		cmocka_unit_test(seek_does_not_depend_on_steps),
		cmocka_unit_test(seek_takes_the_time_it_should),
		cmocka_unit_test(spin_reaches_its_speed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
