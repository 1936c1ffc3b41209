// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A wheel and a joint in one DCM: how fast the poses have the wheel turn, what stops it, and that
 * it is never taken for a joint. A count is 0.01 rad/s, the other way round.
 */
#include "dcm_stage.h"

#include "fake_iio.h"

#define WHEEL_POSITION PITCH_POSITION
#define WHEEL_HARDNESS PITCH_HARDNESS

static int setup(void **state)
{
	(void)state;
	stage_open_wheel("", "0", NULL);
	stage_set(YAW_HARDNESS, 1, 0);
	stage_set(WHEEL_HARDNESS, 1, 0);
	stage_cycles(2);
	return 0;
}

#define EVENTUALLY(condition) UNTIL(condition, stage_cycles(1))

/* ---- commands ---- */

static void a_speed_goes_on_a_line_in_time(void **state)
{
	(void)state;
	stage_set(WHEEL_SPEED, 0.5, 100);
	for (int i = 1; i <= 12; i++) {
		stage_cycles(1);
		assert_int_equal(stage_wheel(), i < 10 ? -5 * i : -50);
	}
	assert_near(stage_value(WHEEL_SPEED), 0.5, 1e-9);
	assert_int_equal(stage_goal(YAW), STAGE_START);
}

/* 10 rad/s^2: ten counts a cycle, up and down. */
static void no_speed_changes_too_fast(void **state)
{
	(void)state;
	stage_set(WHEEL_SPEED, -0.35, 0);
	for (int i = 1; i <= 5; i++) {
		stage_cycles(1);
		assert_int_equal(stage_wheel(), i < 4 ? 10 * i : 35);
	}
	stage_set(WHEEL_SPEED, 0.05, 0);
	for (int i = 1; i <= 5; i++) {
		stage_cycles(1);
		assert_int_equal(stage_wheel(), i < 4 ? 35 - 10 * i : -5);
	}
}

static void no_wheel_turns_faster_than_described(void **state)
{
	(void)state;
	stage_set(WHEEL_SPEED, 9, 0);
	stage_cycles(60);
	assert_int_equal(stage_wheel(), -200);
	stage_set(WHEEL_SPEED, -9, 0);
	stage_cycles(60);
	assert_int_equal(stage_wheel(), 300);
}

#define OWN(name, value)                                                                           \
	"<Preference memoryName='Device/SubDeviceList/" WHEEL_SPEED "/" name "' type='float' "    \
	"value='" value "'/>"

static void a_wheel_may_have_limits_of_its_own(void **state)
{
	(void)state;
	stage_open_wheel(OWN("SpeedMax", "0.8") OWN("AccelerationMax", "20"), "0", NULL);
	stage_set(WHEEL_HARDNESS, 1, 0);
	stage_cycles(2);
	stage_set(WHEEL_SPEED, 1.5, 0);
	for (int i = 1; i <= 5; i++) {
		stage_cycles(1);
		assert_int_equal(stage_wheel(), i < 4 ? -20 * i : -80);
	}
}

static void an_alias_has_joints_and_wheels_alike(void **state)
{
	const char *const names[] = { YAW_POSITION, WHEEL_SPEED };
	const struct naohw_command yaw = { .value = 0.1, .time = stage.now + 100 };
	const struct naohw_command wheel = { .value = 0.2, .time = stage.now + 100 };
	const struct naohw_command *const lists[] = { &yaw, &wheel };
	const size_t counts[] = { 1, 1 };

	(void)state;
	assert_int_equal(naohw_dcm_create_alias(stage.dcm, "Both", names, 2, NULL, NULL), 0);
	assert_int_equal(naohw_dcm_set_mixed(stage.dcm, "Both", NAOHW_UPDATE_CLEAR_ALL, lists,
					     counts, 2, NULL), 0);
	stage_cycles(10);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 20);
	assert_int_equal(stage_wheel(), -20);
	stage_cycles(10);
	assert_int_equal(stage_wheel(), -20);
}

/* ---- what stops it ---- */

/* Who turned it is not there any more; it comes to a stop as softly as it may. */
static void one_that_turned_before_comes_to_a_stop(void **state)
{
	(void)state;
	stage_open_wheel("", "25", NULL);
	stage_set(WHEEL_HARDNESS, 1, 0);
	stage_cycles(1);
	for (int i = 1; i <= 4; i++) {
		stage_cycles(1);
		assert_int_equal(stage_wheel(), i < 3 ? 25 - 10 * i : 0);
	}
}

static void a_limp_wheel_stands_and_waits_for_its_commands(void **state)
{
	(void)state;
	stage_set(WHEEL_SPEED, 0.5, 0);
	stage_cycles(6);
	assert_int_equal(stage_wheel(), -50);
	stage_set(WHEEL_HARDNESS, 0, 0);
	stage_cycles(1);
	assert_int_equal(stage_wheel(), 0);
	stage_set(WHEEL_HARDNESS, 1, 0);
	stage_cycles(10);
	assert_int_equal(stage_wheel(), 0);
	/* What is commanded with the hardness is done. */
	stage_set(WHEEL_HARDNESS, 0, 0);
	stage_cycles(1);
	stage_set(WHEEL_HARDNESS, 1, 50);
	stage_set(WHEEL_SPEED, 0.1, 100);
	stage_cycles(12);
	assert_int_equal(stage_wheel(), -10);
}

static void lose_torque(const char *how)
{
	const struct naohw_command speeds[] = {
		{ .value = 0.5, .time = stage.now },
		{ .value = 1, .time = stage.now + 60000 },
	};

	assert_int_equal(naohw_dcm_set(stage.dcm, WHEEL_SPEED, NAOHW_UPDATE_CLEAR_ALL, speeds, 2,
				       NULL), 0);
	stage_cycles(10);
	assert_true(stage_wheel() < 0);
	fake_device_set("HeadPitch", "torque_state", how);
	EVENTUALLY(stage_wheel() == 0);
}

/* Neither a recovery turns it nor a command from before. */
static void what_comes_back_stands_until_it_is_told_anew(void **state)
{
	static const char *const ways[] = { "tripped", "shut-down", "free" };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		lose_torque(ways[i]);
		fake_device_set("HeadPitch", "torque_state", "recovering");
		EVENTUALLY(strcmp(stage_text("DCM/Guard/HeadPitch"), "recovering") == 0);
		fake_device_set("HeadPitch", "torque_state", "stiff");
		EVENTUALLY(strcmp(stage_text("DCM/Guard/HeadPitch"), "") == 0);
		stage_cycles(10);
		assert_int_equal(stage_wheel(), 0);
		assert_int_equal(stage_stiffness(PITCH), 1000);
		stage_set(WHEEL_SPEED, 0.3, 0);
		stage_cycles(10);
		assert_int_equal(stage_wheel(), -30);
	}
}

/* ---- what it is not ---- */

/* Should a servo be in another mode by now, the kernel is to pass it over. */
static void a_pose_has_no_goal_but_that_of_the_mode(void **state)
{
	(void)state;
	stage_set(WHEEL_SPEED, 0.1, 0);
	stage_cycles(3);
	assert_int_equal(stage_wheel(), -10);
	assert_int_equal(stage_goal(PITCH), STAGE_LEFT_OUT);
	assert_int_equal(stage_speed(PITCH), STAGE_LEFT_OUT);
	assert_int_equal((int16_t)fake_pose(0, fake_pushes(0) - 1)[2], STAGE_LEFT_OUT);
	assert_int_equal(stage_stiffness(YAW), 1000);
}

static void refuse(const char *name, int code, const char *what)
{
	const struct naohw_command command = { .value = 0.1, .time = stage.now };
	struct naohw_error err = { "" };

	assert_int_equal(naohw_dcm_set(stage.dcm, name, NAOHW_UPDATE_CLEAR_ALL, &command, 1, &err),
			 code);
	assert_says(&err, what);
}

static void a_servo_is_a_joint_or_a_wheel_by_its_mode(void **state)
{
	const char *const names[] = { WHEEL_SPEED };
	const double goals[] = { 0.1 };
	struct naohw_error err = { "" };

	(void)state;
	refuse(WHEEL_POSITION, -ENODEV, "mode without goal positions");
	assert_int_equal(naohw_dcm_set_step(stage.dcm, names, goals, 1, stage.now, stage.now + 100,
					    &err), -EINVAL);
	assert_says(&err, "expected the position of a joint");
	stage_close();
	/* The description has a wheel, and the servo is in a mode for angles. */
	stage_open_wheel("", "0", NULL);
	stage_end();
	fake_set("HeadPitch", "out_anglvel0_raw_available", "[0 1 1023]");
	fake_set("HeadPitch", "out_angl0_raw_available", "[0 1 1023]");
	fake_set("dxl0-goal", "out_angl2_raw_available", "[0 1 1023]");
	stage.has_wheel = false;
	assert_int_equal(stage_begin(NULL, &err), 0);
	assert_string_equal(fake_device_get("dxl0-goal", "all_goals"), "0");
	refuse(WHEEL_SPEED, -ENODEV, "in no mode in which it is a wheel");
	stage_set(PITCH_HARDNESS, 1, 0);
	stage_set(PITCH_POSITION, 0, 0);
	stage_cycles(20);
	assert_int_equal(stage_goal(PITCH), STAGE_ZERO);
}

static void its_device_is_left_as_others_know_it(void **state)
{
	(void)state;
	assert_string_equal(fake_device_get("dxl0-goal", "all_goals"), "1");
	stage_end();
	assert_string_equal(fake_device_get("dxl0-goal", "all_goals"), "0");
	assert_string_equal(fake_device_get("dxl0-goal", "stiffness"), "0");
}

int main(void)
{
#define WHEEL_TEST(test) cmocka_unit_test_setup_teardown(test, setup, stage_teardown)
#define OWN_TEST(test)	 cmocka_unit_test_teardown(test, stage_teardown)
	const struct CMUnitTest tests[] = {
		WHEEL_TEST(a_speed_goes_on_a_line_in_time),
		WHEEL_TEST(no_speed_changes_too_fast),
		WHEEL_TEST(no_wheel_turns_faster_than_described),
		OWN_TEST(a_wheel_may_have_limits_of_its_own),
		WHEEL_TEST(an_alias_has_joints_and_wheels_alike),
		OWN_TEST(one_that_turned_before_comes_to_a_stop),
		WHEEL_TEST(a_limp_wheel_stands_and_waits_for_its_commands),
		WHEEL_TEST(what_comes_back_stands_until_it_is_told_anew),
		WHEEL_TEST(a_pose_has_no_goal_but_that_of_the_mode),
		WHEEL_TEST(a_servo_is_a_joint_or_a_wheel_by_its_mode),
		WHEEL_TEST(its_device_is_left_as_others_know_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
