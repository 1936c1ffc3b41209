// SPDX-License-Identifier: GPL-2.0-or-later
/* The robot's body, and what the boards feel of it. */
#include "cmocka_all.h"

#include <math.h>

#include "harness.h"

#define CM730		200
#define OPENCR		202
#define CM510		210
#define NAO_INERTIAL	201
#define RIGHT_FOOT	111
#define LEFT_FOOT	112

#define WEIGHT		28439	/* 0.001 N */
#define NAO_WEIGHT	48994

static int set_up(void **state)
{
	struct rig *rig = rig_new();

	rig_add(rig, &model_cm730, CM730);
	rig_add(rig, &model_opencr, OPENCR);
	rig_add(rig, &model_cm510, CM510);
	rig_add(rig, &model_fsr, RIGHT_FOOT);
	rig_add(rig, &model_fsr, LEFT_FOOT);
	rig_write8(rig, CM730, 24, 1);
	rig_wait(rig, 1);
	*state = rig;

	return 0;
}

static int tear_down(void **state)
{
	rig_free(*state);

	return 0;
}

static int opencr(struct rig *rig, u16 addr)
{
	return (int16_t)rig_value2(rig, OPENCR, addr, 2);
}

/* Eight corners share the weight; nothing else carries it. */
static unsigned int load(struct rig *rig, u8 foot)
{
	unsigned int sum = 0, i;

	for (i = 0; i < 4; i++)
		sum += rig_read16(rig, foot, 26 + 2 * i);

	return sum;
}

/* --- the body alone --- */

static void a_motion_takes_its_time(void **state)
{
	struct body body;
	struct pose pose;
	struct feeling feeling;

	(void)state;
	body_init(&body);
	body_lean(&body, (struct pose){ 10, -20 }, NSEC_PER_SEC, NSEC_PER_SEC);
	pose = body_pose(&body, NSEC_PER_SEC / 2);
	assert_true(pose.roll == 0 && pose.pitch == 0);
	pose = body_pose(&body, 1.25 * NSEC_PER_SEC);
	assert_true(fabs(pose.roll - 2.5) < 1e-6);
	assert_true(fabs(pose.pitch + 5) < 1e-6);
	body_feel(&body, 1.25 * NSEC_PER_SEC, &feeling);
	assert_true(fabs(feeling.rate[AXIS_X] - 10) < 1e-6);
	assert_true(feeling.rate[AXIS_Y] < -19.9);
	/* Another one begins where this one is. */
	body_lean(&body, (struct pose){ 2.5, -5 }, NSEC_PER_SEC,
		  1.25 * NSEC_PER_SEC);
	pose = body_pose(&body, 2 * NSEC_PER_SEC);
	assert_true(fabs(pose.roll - 2.5) < 1e-6);
	body_feel(&body, 2 * NSEC_PER_SEC, &feeling);
	assert_true(fabs(feeling.rate[AXIS_X]) < 1e-6);
	body_feel(&body, 9 * NSEC_PER_SEC, &feeling);
	assert_true(feeling.rate[AXIS_Y] == 0);
}

/* What is pitch to the level is yaw to a body that lies on its side. */
static void rates_are_the_bodys_own(void **state)
{
	struct body body;
	struct feeling f;

	(void)state;
	body_init(&body);
	body_lean(&body, (struct pose){ 90, 0 }, 0, 0);
	body_lean(&body, (struct pose){ 90, 30 }, NSEC_PER_SEC, 0);
	body_feel(&body, NSEC_PER_SEC / 2, &f);
	assert_true(fabs(f.rate[AXIS_X]) < 1e-9);
	assert_true(fabs(f.rate[AXIS_Y]) < 1e-9);
	assert_true(fabs(f.rate[AXIS_Z] + 30) < 1e-9);
	assert_true(f.angle[AXIS_X] == 90 && f.angle[AXIS_Y] == 15);
}

static void gravity_is_always_one_g(void **state)
{
	struct feeling f;
	struct body body;
	int roll, pitch;

	(void)state;
	body_init(&body);
	for (roll = -180; roll <= 180; roll += 15)
		for (pitch = -180; pitch <= 180; pitch += 15) {
			body_lean(&body, (struct pose){ roll, pitch }, 0, 0);
			body_feel(&body, 1, &f);
			assert_true(fabs(f.acceleration[0] * f.acceleration[0] +
					 f.acceleration[1] * f.acceleration[1] +
					 f.acceleration[2] * f.acceleration[2] -
					 1) < 1e-9);
		}
}

static void feet_carry_the_weight(void **state)
{
	static const struct corner corners[] = {
		{ true, false }, { true, true }, { false, true }, { false, false },
	};
	struct body body;
	int roll, pitch, i;

	(void)state;
	body_init(&body);
	for (roll = -45; roll <= 45; roll += 3)
		for (pitch = -45; pitch <= 45; pitch += 3) {
			double sum = 0;

			body_lean(&body, (struct pose){ roll, pitch }, 0, 0);
			for (i = 0; i < 4; i++) {
				double left = body_force(&body, FOOT_LEFT,
							 corners[i], 1);
				double right = body_force(&body, FOOT_RIGHT,
							  corners[i], 1);

				assert_true(left >= 0 && right >= 0);
				sum += left + right;
			}
			assert_true(fabs(sum - 2.9 * 9.80665) < 1e-9);
		}
}

/* It is heavier, wider, and its ankles are nearer to the heels and to the inner sides. */
static void a_nao_is_another_robot(void **state)
{
	const double weight = 4.996 * 9.80665, foot = weight / 2;
	const double front = 0.02995 / (0.07025 + 0.02995);
	const double inner = 0.0299 / (0.0299 + 0.0211);
	static const struct corner corner = { .front = true };
	struct rig *rig = rig_new();
	struct body *body = &rig->bus.body;

	(void)state;
	rig_add(rig, &model_nao_foot, RIGHT_FOOT);
	rig_add(rig, &model_nao_foot, LEFT_FOOT);
	order(rig, "upright");
	assert_true(fabs(body_force(body, FOOT_RIGHT, corner, 1) -
			 foot * front * inner) < 1e-9);
	assert_true(fabs(body_force(body, FOOT_LEFT, corner, 1) -
			 foot * front * (1 - inner)) < 1e-9);
	assert_in_range(rig_value2(rig, RIGHT_FOOT, 26, 2),
			1000 * foot * front * inner - 1,
			1000 * foot * front * inner + 1);
	/* All of it is over the toes, and then over the heels. */
	body_lean(body, (struct pose){ .pitch = 16 }, 0, 0);
	assert_true(fabs(body_force(body, FOOT_LEFT, corner, 1) -
			 foot * (1 - inner)) < 1e-9);
	body_lean(body, (struct pose){ .pitch = -7 }, 0, 0);
	assert_true(body_force(body, FOOT_LEFT, corner, 1) == 0);
	rig_free(rig);
}

/* --- what the boards make of it --- */

/* What was set by hand stays until the body moves. */
static void nobody_feels_a_body_that_has_not_moved(void **state)
{
	struct rig *rig = *state;

	order(rig, "set 200 gyro_x 90");
	order(rig, "set 111 fsr_1 5");
	rig_wait(rig, 10);
	assert_int_equal(rig_read16(rig, CM730, 42), 537);
	assert_int_equal(rig_read16(rig, RIGHT_FOOT, 26), 5000);
	assert_int_equal(load(rig, LEFT_FOOT), 0);
	order(rig, "upright");
	assert_int_equal(rig_read16(rig, CM730, 42), 512);
	assert_int_equal(rig_read16(rig, CM730, 48), 640);
	assert_in_range(load(rig, LEFT_FOOT), WEIGHT / 2 - 4, WEIGHT / 2 + 4);
	assert_in_range(load(rig, RIGHT_FOOT), WEIGHT / 2 - 4, WEIGHT / 2 + 4);
	assert_int_equal(rig_read8(rig, LEFT_FOOT, 34), 127);
	assert_int_equal(rig_read8(rig, LEFT_FOOT, 35), 127);
	told(rig, "senses 202",
	     "present_voltage 11.1 V\n"
	     "gyro_x 0 degrees/s\ngyro_y 0 degrees/s\ngyro_z 0 degrees/s\n"
	     "acc_x 0 g\nacc_y 0 g\nacc_z 1 g\n"
	     "roll 0 degrees\npitch 0 degrees\nyaw 0 degrees\nok\n");
	/* And then until it moves again. */
	order(rig, "set 200 gyro_x 90");
	rig_wait(rig, 10);
	assert_int_equal(rig_read16(rig, CM730, 42), 537);
	order(rig, "lean 0 0");
	assert_int_equal(rig_read16(rig, CM730, 42), 512);
}

static void leaning_forward(void **state)
{
	struct rig *rig = *state;

	order(rig, "lean 0 30 100");
	rig_wait(rig, 0.05);
	told(rig, "pose", "0 15\nok\n");
	/* 300 degrees/s forward */
	assert_int_equal(rig_read16(rig, CM730, 40), 512 + 84);
	assert_int_equal(rig_read16(rig, CM730, 42), 512);
	assert_int_equal(opencr(rig, 34), -4920);
	assert_int_equal(rig_read16(rig, CM510, 38), 250 + 205);
	assert_int_equal(rig_read16(rig, CM510, 36), 250);
	assert_int_equal(opencr(rig, 46), -150);
	rig_wait(rig, 0.1);
	assert_int_equal(rig_read16(rig, CM730, 40), 512);
	/* -sin 30 degrees, cos 30 degrees */
	assert_int_equal(rig_read16(rig, CM730, 46), 512 - 64);
	assert_int_equal(rig_read16(rig, CM730, 48), 512 + 111);
	assert_int_equal(rig_read16(rig, CM730, 44), 512);
	assert_int_equal(opencr(rig, 34), 0);
	assert_int_equal(opencr(rig, 38), 8192);
	assert_int_equal(opencr(rig, 42), 14189);
	assert_int_equal(opencr(rig, 46), -300);
	assert_int_equal(opencr(rig, 44), 0);
	assert_int_equal(rig_read16(rig, CM510, 38), 250);
	/* All on the toes. */
	assert_int_equal(rig_read8(rig, LEFT_FOOT, 35), 254);
	assert_int_equal(rig_read8(rig, LEFT_FOOT, 34), 127);
	assert_int_equal(rig_read8(rig, RIGHT_FOOT, 35), 254);
	assert_int_equal(rig_read16(rig, RIGHT_FOOT, 30), 0);
}

static void leaning_to_the_right(void **state)
{
	struct rig *rig = *state;

	order(rig, "lean 5 0 50");
	rig_wait(rig, 0.025);
	assert_int_equal(rig_read16(rig, CM730, 42), 512 + 28);
	assert_int_equal(opencr(rig, 32), -1640);
	assert_int_equal(rig_read16(rig, CM510, 36), 250 + 68);
	rig_wait(rig, 1);
	/* Left is up now: the right axis of the CM-730 points down. */
	assert_int_equal(rig_read16(rig, CM730, 44), 512 - 11);
	assert_int_equal(rig_read16(rig, CM510, 36), 250);
	assert_int_equal(opencr(rig, 40), -1428);
	assert_int_equal(opencr(rig, 44), -50);
	assert_in_range(load(rig, RIGHT_FOOT), 20400, 20430);
	assert_in_range(load(rig, LEFT_FOOT), 8000, 8040);
	assert_int_equal(rig_read8(rig, RIGHT_FOOT, 34), 127);
	/* On the right foot alone, and on its right side. */
	order(rig, "lean 15 0");
	assert_int_equal(load(rig, LEFT_FOOT), 0);
	assert_int_equal(rig_read8(rig, LEFT_FOOT, 34), 255);
	assert_in_range(load(rig, RIGHT_FOOT), WEIGHT - 4, WEIGHT + 4);
	assert_in_range(rig_read8(rig, RIGHT_FOOT, 34), 180, 190);
	order(rig, "lean -15 0");
	assert_int_equal(load(rig, RIGHT_FOOT), 0);
	assert_in_range(rig_read8(rig, LEFT_FOOT, 34), 64, 74);
}

static void falling(void **state)
{
	struct rig *rig = *state;

	order(rig, "fall face 300");
	assert_int_equal(rig_read16(rig, CM730, 40), 512);
	rig_wait(rig, 0.1);
	/* A ninth of the way in a third of the time. */
	told(rig, "pose", "0 10\nok\n");
	assert_int_equal(rig_read16(rig, CM730, 40), 512 + 56);
	rig_wait(rig, 0.05);
	told(rig, "pose", "0 22.5\nok\n");
	assert_int_equal(rig_read16(rig, CM730, 40), 512 + 84);
	rig_wait(rig, 0.149);
	assert_int_equal(load(rig, LEFT_FOOT), 0);
	assert_int_equal(rig_read16(rig, CM730, 40), 679);
	rig_wait(rig, 0.002);
	told(rig, "pose", "0 90\nok\n");
	assert_int_equal(rig_read16(rig, CM730, 40), 512);
	/* Lying, it gets up at a steady rate. */
	order(rig, "upright 900");
	rig_wait(rig, 0.3);
	told(rig, "pose", "0 60\nok\n");
	assert_int_equal(rig_read16(rig, CM730, 40), 512 - 28);
	order(rig, "fall right");
	rig_wait(rig, 0.699);
	assert_in_range(rig_read16(rig, CM730, 42), 570, 1023);
	rig_wait(rig, 0.002);
	told(rig, "pose", "90 0\nok\n");
}

static void lying(void **state)
{
	struct rig *rig = *state;

	order(rig, "lie face 200");
	rig_wait(rig, 1);
	told(rig, "pose", "0 90\nok\n");
	assert_int_equal(rig_read16(rig, CM730, 46), 384);
	assert_int_equal(rig_read16(rig, CM730, 48), 512);
	assert_int_equal(load(rig, LEFT_FOOT) + load(rig, RIGHT_FOOT), 0);
	assert_int_equal(rig_read8(rig, LEFT_FOOT, 35), 255);
	order(rig, "lie back");
	assert_int_equal(rig_read16(rig, CM730, 46), 640);
	order(rig, "lie left");
	assert_int_equal(rig_read16(rig, CM730, 44), 640);
	order(rig, "lie right");
	assert_int_equal(rig_read16(rig, CM730, 44), 384);
	order(rig, "upright 1000");
	rig_wait(rig, 2);
	told(rig, "pose", "0 0\nok\n");
	assert_int_equal(rig_read16(rig, CM730, 44), 512);
	assert_in_range(load(rig, LEFT_FOOT), WEIGHT / 2 - 4, WEIGHT / 2 + 4);
}

/* Where a motion decides, nothing else does until it is over. */
static void nothing_is_set_against_a_motion(void **state)
{
	struct rig *rig = *state;

	order(rig, "fall face 1000");
	rig_wait(rig, 0.5);
	told(rig, "set 200 gyro_y 0",
	     "error: the body is moving, which gives gyro_y until it ends\n");
	told(rig, "set 200 acc_z raw 512",
	     "error: the body is moving, which gives acc_z until it ends\n");
	told(rig, "set 202 pitch 0",
	     "error: the body is moving, which gives pitch until it ends\n");
	told(rig, "set 111 fsr_1 1",
	     "error: the body is moving, which gives fsr_1 until it ends\n");
	/* It has no part in these. */
	order(rig, "set 202 yaw 90");
	order(rig, "set 200 voltage 7.4");
	order(rig, "set 210 port_5 200");
	rig_wait(rig, 0.1);
	assert_int_equal(opencr(rig, 48), 900);
	rig_wait(rig, 0.4);
	order(rig, "set 200 gyro_y 90");
	assert_int_equal(rig_read16(rig, CM730, 40), 537);
	/* What comes at once is over at once. */
	order(rig, "lie back");
	order(rig, "set 200 gyro_y 90");
	assert_int_equal(rig_read16(rig, CM730, 40), 537);
}

static void an_fsr_without_a_foot_feels_nothing(void **state)
{
	struct rig *rig = *state;

	rig_add(rig, &model_fsr, 100);
	rig_wait(rig, 1);
	order(rig, "upright");
	assert_int_equal(load(rig, 100), 0);
	assert_int_equal(rig_read8(rig, 100, 34), 255);
	order(rig, "set 100 fsr_1 5");
	order(rig, "lean 0 10 1000");
	order(rig, "set 100 fsr_2 6");
	rig_wait(rig, 2);
	assert_int_equal(load(rig, 100), 11000);
	assert_in_range(load(rig, RIGHT_FOOT), WEIGHT / 2 - 4, WEIGHT / 2 + 4);
}

/* Its feet are those of the same body, whoever has made them. */
static void naos_feet_carry_it(void **state)
{
	struct rig *rig = rig_new();
	unsigned int sum = 0, addr;

	(void)state;
	rig_add(rig, &model_nao_foot, RIGHT_FOOT);
	rig_add(rig, &model_nao_foot, LEFT_FOOT);
	rig_add(rig, &model_nao_foot, 100);
	order(rig, "lean 0 5");
	for (addr = 26; addr <= 32; addr += 2) {
		sum += rig_value2(rig, RIGHT_FOOT, addr, 2);
		sum += rig_value2(rig, LEFT_FOOT, addr, 2);
		assert_int_equal(rig_value2(rig, 100, addr, 2), 0);
	}
	assert_in_range(sum, NAO_WEIGHT - 4, NAO_WEIGHT + 4);
	/* The sensors in front are the first two. */
	assert_true(rig_value2(rig, LEFT_FOOT, 26, 2) >
		    rig_value2(rig, LEFT_FOOT, 32, 2));
	assert_true(rig_value2(rig, LEFT_FOOT, 28, 2) >
		    rig_value2(rig, LEFT_FOOT, 30, 2));
	rig_free(rig);
}

static int inertial(struct rig *rig, u16 addr)
{
	return (int16_t)rig_value2(rig, NAO_INERTIAL, addr, 2);
}

static void naos_inertial_sensor_turns_with_it(void **state)
{
	struct rig *rig = rig_new();

	(void)state;
	rig_add(rig, &model_nao_inertial, NAO_INERTIAL);
	order(rig, "lean 0 30 100");
	rig_wait(rig, 0.05);
	/* 300 degrees/s forward, half of the way */
	assert_int_equal(inertial(rig, 26), -2000 + 810);
	assert_int_equal(inertial(rig, 24), -2000);
	assert_int_equal(inertial(rig, 38), 2618);
	rig_wait(rig, 1);
	assert_int_equal(inertial(rig, 26), -2000);
	assert_int_equal(inertial(rig, 38), 5236);
	assert_int_equal(inertial(rig, 36), 0);
	/* Its front points down. */
	assert_int_equal(inertial(rig, 30), -28);
	assert_int_equal(inertial(rig, 34), 48);
	order(rig, "lie right");
	assert_int_equal(inertial(rig, 36), 15708);
	assert_int_equal(inertial(rig, 32), 56);
	assert_int_equal(inertial(rig, 34), 0);
	rig_free(rig);
}

static void nonsense_is_refused(void **state)
{
	struct rig *rig = *state;

	told(rig, "lean 181 0",
	     "error: roll is \"181\", expected degrees from -180 to 180\n");
	told(rig, "lean 0 down",
	     "error: pitch is \"down\", expected degrees from -180 to 180\n");
	told(rig, "lean nan 0",
	     "error: roll is \"nan\", expected degrees from -180 to 180\n");
	told(rig, "lean 0", "error: 1 argument, expected: lean ROLL PITCH [MS]\n");
	told(rig, "lean 0 0 soon",
	     "error: time in ms is \"soon\", expected a number of 0 to 3600000\n");
	told(rig, "lie down",
	     "error: \"down\" is unknown, expected face, back, left or right\n");
	told(rig, "fall up",
	     "error: \"up\" is unknown, expected face, back, left or right\n");
	told(rig, "fall back never",
	     "error: time in ms is \"never\", expected a number of 0 to 3600000\n");
	told(rig, "lie face -1",
	     "error: time in ms is \"-1\", expected a number of 0 to 3600000\n");
	told(rig, "pose", "0 0\nok\n");
}

#define BODY_TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_motion_takes_its_time),
		cmocka_unit_test(rates_are_the_bodys_own),
		cmocka_unit_test(gravity_is_always_one_g),
		cmocka_unit_test(feet_carry_the_weight),
		cmocka_unit_test(a_nao_is_another_robot),
		BODY_TEST(nobody_feels_a_body_that_has_not_moved),
		BODY_TEST(leaning_forward),
		BODY_TEST(leaning_to_the_right),
		BODY_TEST(falling),
		BODY_TEST(lying),
		BODY_TEST(nothing_is_set_against_a_motion),
		BODY_TEST(an_fsr_without_a_foot_feels_nothing),
		cmocka_unit_test(naos_feet_carry_it),
		cmocka_unit_test(naos_inertial_sensor_turns_with_it),
		BODY_TEST(nonsense_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
