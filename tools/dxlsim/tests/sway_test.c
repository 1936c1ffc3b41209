// SPDX-License-Identifier: GPL-2.0-or-later
/* What a push does to the robot, and what its boards feel of it. */
#include "cmocka_all.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

#define CM730		200
#define RIGHT_FOOT	111
#define LEFT_FOOT	112

#define WEIGHT		28.439	/* N */
#define HEIGHT		0.2	/* m */
#define TO_THE_TOES	0.045
#define TO_THE_SIDE	0.065
#define FREQUENCY	7.0024	/* of the pendulum, 1/s */

static int set_up(void **state)
{
	struct rig *rig = rig_new();

	rig_add(rig, &model_cm730, CM730);
	rig_add(rig, &model_fsr, RIGHT_FOOT);
	rig_add(rig, &model_fsr, LEFT_FOOT);
	rig_write8(rig, CM730, 24, 1);
	rig_wait(rig, 1);
	order(rig, "upright");
	*state = rig;

	return 0;
}

static int tear_down(void **state)
{
	rig_free(*state);

	return 0;
}

static unsigned int load(struct rig *rig, u8 foot)
{
	unsigned int sum = 0, i;

	for (i = 0; i < 4; i++)
		sum += rig_read16(rig, foot, 26 + 2 * i);

	return sum;
}

static struct pose pose(struct rig *rig)
{
	body_advance(&rig->bus.body, rig->now);

	return body_pose(&rig->bus.body, rig->now);
}

/* --- whether it falls --- */

/* Where it comes to rest, degrees, after a push about one axis. */
static double rest_after(enum axis about, double newtons, double seconds)
{
	struct body body;
	struct pose pose;

	body_init(&body);
	assert_true(body_push(&body, about, newtons, seconds * NSEC_PER_SEC, 0));
	body_advance(&body, 100 * NSEC_PER_SEC);
	pose = body_pose(&body, 100 * NSEC_PER_SEC);

	return about == AXIS_X ? pose.roll : pose.pitch;
}

/*
 * A blow gives it its speed at once. It falls if that is enough to lift the centre
 * of mass over the edge of the feet.
 */
static void a_blow_has_to_lift_it_over_the_edge(void **state)
{
	static const struct { enum axis about; double edge; } ways[] = {
		{ AXIS_Y, TO_THE_TOES }, { AXIS_X, TO_THE_SIDE },
	};
	const double blow = 0.001;
	int i, sign;

	(void)state;
	for (i = 0; i < 2; i++)
		for (sign = -1; sign <= 1; sign += 2) {
			double lift = hypot(HEIGHT, ways[i].edge) - HEIGHT;
			double speed = sqrt(2 * 9.80665 * lift);
			double force = sign * 2.9 * speed / blow;

			assert_true(rest_after(ways[i].about, 0.995 * force,
					       blow) == 0);
			assert_true(rest_after(ways[i].about, 1.005 * force,
					       blow) == sign * 90);
		}
}

/*
 * One that lasts works against the weight meanwhile, so it takes more than a blow
 * of the same momentum; and less than if the weight were on the toes at once.
 */
static void a_push_that_lasts(void **state)
{
	static const double seconds[] = { 0.01, 0.05, 0.1, 0.2 };
	const double blow = 2.9 * FREQUENCY * TO_THE_TOES * 0.99;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(seconds) / sizeof(seconds[0]); i++) {
		double force = WEIGHT * TO_THE_TOES / HEIGHT /
			       (1 - exp(-FREQUENCY * seconds[i]));

		assert_true(rest_after(AXIS_Y, blow / seconds[i], seconds[i]) == 0);
		assert_true(rest_after(AXIS_Y, 1.01 * force, seconds[i]) == 90);
	}
}

/* As the manual has it. */
static void a_push_of_the_usual_length(void **state)
{
	(void)state;
	assert_true(rest_after(AXIS_Y, 10, 0.1) == 0);
	assert_true(rest_after(AXIS_Y, 10.2, 0.1) == 90);
	assert_true(rest_after(AXIS_X, -14.4, 0.1) == 0);
	assert_true(rest_after(AXIS_X, -14.6, 0.1) == -90);
}

/* What it can lean against for ever, and what it cannot. */
static void a_push_without_end(void **state)
{
	double force = WEIGHT * TO_THE_TOES / HEIGHT;

	(void)state;
	assert_true(rest_after(AXIS_Y, 0.5 * force, 60) == 0);
	assert_true(rest_after(AXIS_Y, 1.01 * force, 60) == 90);
	assert_true(rest_after(AXIS_Y, 0, 60) == 0);
}

/* It is the same however often it is looked at. */
static void looking_changes_nothing(void **state)
{
	struct body seen, unseen;
	struct pose a, b;
	nsec_t now;

	(void)state;
	body_init(&seen);
	body_init(&unseen);
	body_push(&seen, AXIS_Y, 8, NSEC_PER_SEC / 10, 12345);
	body_push(&unseen, AXIS_Y, 8, NSEC_PER_SEC / 10, 12345);
	for (now = 0; now < NSEC_PER_SEC / 2; now += 33333)
		body_advance(&seen, now);
	body_advance(&unseen, now - 33333);
	a = body_pose(&seen, now);
	b = body_pose(&unseen, now);
	assert_true(a.pitch == b.pitch && a.pitch != 0);
}

/* --- what is felt of it --- */

static void it_sways_and_comes_back(void **state)
{
	struct rig *rig = *state;
	double furthest = 0, back = 0;
	int i;

	order(rig, "push forward 5N");
	rig_wait(rig, 0.09);
	/* It turns forward, and the weight is on the toes. */
	assert_in_range(rig_read16(rig, CM730, 40), 512 + 5, 512 + 20);
	assert_true(pose(rig).pitch > 1 && pose(rig).roll == 0);
	assert_in_range(rig_read8(rig, LEFT_FOOT, 35), 220, 254);
	assert_in_range(rig_read8(rig, RIGHT_FOOT, 35), 220, 254);
	assert_int_equal(rig_read8(rig, LEFT_FOOT, 34), 127);
	assert_in_range(load(rig, LEFT_FOOT), 14200, 14240);
	assert_true(rig_read16(rig, CM730, 46) < 512);
	for (i = 0; i < 300; i++) {
		furthest = fmax(furthest, pose(rig).pitch);
		back = fmin(back, pose(rig).pitch);
		rig_wait(rig, 0.01);
	}
	assert_true(furthest > 2 && furthest < 7);
	/* It swings through, and less each time. */
	assert_true(back < 0 && -back < furthest / 2);
	told(rig, "pose", "0 0\nok\n");
	assert_int_equal(rig_read16(rig, CM730, 40), 512);
	assert_int_equal(rig_read16(rig, CM730, 46), 512);
	assert_int_equal(rig_read8(rig, LEFT_FOOT, 35), 127);
}

/* The rate is what the angle changes by. */
static void the_gyro_agrees_with_the_angle(void **state)
{
	struct rig *rig = *state;
	double turned = 0;
	int i;

	order(rig, "push right 25N");
	for (i = 0; i < 200; i++) {
		double before = pose(rig).roll;
		struct feeling feeling;

		body_feel(&rig->bus.body, rig->now, &feeling);
		turned += feeling.rate[AXIS_X] / 1000;
		rig_wait(rig, 0.001);
		assert_true(fabs(pose(rig).roll - before -
				 feeling.rate[AXIS_X] / 1000) < 0.05);
	}
	assert_true(turned > 10);
	assert_true(fabs(turned - pose(rig).roll) < 0.5);
}

static void it_falls_and_lies(void **state)
{
	struct rig *rig = *state;

	order(rig, "push left 30N for 0.1");
	rig_wait(rig, 0.1);
	assert_int_equal(load(rig, RIGHT_FOOT), 0);
	assert_int_equal(rig_read8(rig, LEFT_FOOT, 34), 0);
	rig_wait(rig, 3);
	told(rig, "pose", "-90 0\nok\n");
	assert_int_equal(load(rig, LEFT_FOOT), 0);
	assert_int_equal(rig_read16(rig, CM730, 44), 640);
	assert_int_equal(rig_read16(rig, CM730, 42), 512);
	told(rig, "push left 30N",
	     "error: the robot neither stands upright nor sways along that line\n");
	order(rig, "upright");
	order(rig, "push left 30N");
}

static void one_push_after_the_other(void **state)
{
	struct rig *rig = *state;
	double alone;

	order(rig, "push forward 9N");
	rig_wait(rig, 0.15);
	alone = pose(rig).pitch;
	told(rig, "push left 1N",
	     "error: the robot neither stands upright nor sways along that line\n");
	/* One that goes on is no longer caught. */
	order(rig, "push forward 9N");
	assert_true(pose(rig).pitch == alone);
	rig_wait(rig, 5);
	told(rig, "pose", "0 90\nok\n");
}

/* From where it is then, whether or not anybody has looked. */
static void another_motion_ends_it(void **state)
{
	struct rig *rig = *state;
	double backward;

	order(rig, "push backward 9N");
	rig_wait(rig, 0.15);
	backward = pose(rig).pitch;
	assert_true(backward < 0);
	order(rig, "upright");
	order(rig, "push backward 9N");
	rig_wait(rig, 0.15);
	order(rig, "lean 0 0 1000");
	assert_true(fabs(pose(rig).pitch - backward) < 1e-9);
	rig_wait(rig, 0.5);
	assert_true(fabs(pose(rig).pitch - backward / 2) < 1e-9);
}

/* Upright for a moment only is not standing. */
static void only_who_stands_is_pushed(void **state)
{
	static const char refused[] =
		"error: the robot neither stands upright nor sways along that line\n";
	struct rig *rig = *state;

	order(rig, "lean 0 10");
	told(rig, "push left 1N", refused);
	order(rig, "lean 0 -10 1000");
	rig_wait(rig, 0.5);
	told(rig, "pose", "0 0\nok\n");
	told(rig, "push left 1N", refused);
	order(rig, "upright");
	order(rig, "push left 1N");
}

static void nothing_is_set_against_it(void **state)
{
	struct rig *rig = *state;

	order(rig, "push right 5N");
	rig_wait(rig, 0.2);
	told(rig, "set 200 gyro_y 0",
	     "error: the body is moving, which gives gyro_y until it ends\n");
	rig_wait(rig, 10);
	order(rig, "set 200 gyro_y 90");
	rig_wait(rig, 10);
	assert_int_equal(rig_read16(rig, CM730, 40), 537);
}

static void nonsense_is_refused(void **state)
{
	struct rig *rig = *state;

	told(rig, "push up 5N",
	     "error: \"up\" is unknown, expected forward, backward, left or right\n");
	told(rig, "push left 5",
	     "error: force is \"5\", expected one from 0N to 1000N\n");
	told(rig, "push left N",
	     "error: force is \"N\", expected one from 0N to 1000N\n");
	told(rig, "push left -5N",
	     "error: force is \"-5N\", expected one from 0N to 1000N\n");
	told(rig, "push left nanN",
	     "error: force is \"nanN\", expected one from 0N to 1000N\n");
	told(rig, "push left 1001N",
	     "error: force is \"1001N\", expected one from 0N to 1000N\n");
	told(rig, "push left 5N 1",
	     "error: expected a direction and a force, or behind them: for SECONDS\n");
	told(rig, "push left 5N in 1",
	     "error: expected a direction and a force, or behind them: for SECONDS\n");
	told(rig, "push left 5N for 61",
	     "error: time is \"61\", expected seconds from 0.002 to 60\n");
	told(rig, "push left 5N for ever",
	     "error: time is \"ever\", expected seconds from 0.002 to 60\n");
	rig_wait(rig, 1);
	told(rig, "pose", "0 0\nok\n");
}

#define SWAY_TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_blow_has_to_lift_it_over_the_edge),
		cmocka_unit_test(a_push_that_lasts),
		cmocka_unit_test(a_push_of_the_usual_length),
		cmocka_unit_test(a_push_without_end),
		cmocka_unit_test(looking_changes_nothing),
		SWAY_TEST(it_sways_and_comes_back),
		SWAY_TEST(the_gyro_agrees_with_the_angle),
		SWAY_TEST(it_falls_and_lies),
		SWAY_TEST(one_push_after_the_other),
		SWAY_TEST(another_motion_ends_it),
		SWAY_TEST(only_who_stands_is_pushed),
		SWAY_TEST(nothing_is_set_against_it),
		SWAY_TEST(nonsense_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
