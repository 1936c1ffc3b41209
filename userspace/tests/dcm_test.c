// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The cycle, by what each pose says: commands in time, what protects the robot whatever they say,
 * callbacks, and what is told of all that.
 */
#include "dcm_stage.h"

#include <unistd.h>

#include "allocations.h"
#include "fake_iio.h"

/* Two joints are stiff, and stand still. */
static int setup(void **state)
{
	(void)state;
	stage_open("", NULL);
	stage_set(YAW_HARDNESS, 1, 0);
	stage_set(PITCH_HARDNESS, 1, 0);
	stage_cycles(2);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	if (stage.robot)
		stage_close();
	return 0;
}

#define EVENTUALLY(condition) UNTIL(condition, stage_cycles(1))

static enum naohw_state value_state_of(const char *name)
{
	struct naohw_value value;
	size_t slot;

	assert_int_equal(naohw_store_find(naohw_dcm_store(stage.dcm), name, &slot), 0);
	assert_int_equal(naohw_store_read(naohw_dcm_store(stage.dcm), slot, &value), 0);
	return value.state;
}

static enum naohw_state value_state(const char *actuator)
{
	char name[128];

	snprintf(name, sizeof(name), "Device/SubDeviceList/%s/Value", actuator);
	return value_state_of(name);
}

/* ---- commands in time ---- */

static void nothing_moves_at_the_beginning(void **state)
{
	(void)state;
	stage_open("", NULL);
	stage.present[YAW] = 530;
	stage_cycles(3);
	assert_int_equal(stage_stiffness(YAW), 0);
	assert_int_equal(stage_goal(YAW), 530);
	assert_int_equal(stage_goal(PITCH), STAGE_START);
}

/* [act-1] [act-2] [dcm-7]: 0.2 rad are 40 counts; 32 from here, in 10 cycles. */
static void a_position_goes_on_a_line_in_time(void **state)
{
	(void)state;
	stage_set(YAW_POSITION, 0.2, 100);
	for (int i = 1; i <= 12; i++) {
		stage_cycles(1);
		assert_int_equal(stage_goal(YAW),
				 i < 10 ? (int)lround(STAGE_START + 3.2 * i) : STAGE_ZERO + 40);
		assert_int_equal(stage_goal(PITCH), STAGE_START);
	}
}

/* [hard-3] */
static void hardness_goes_on_a_line_and_with_each_pose(void **state)
{
	(void)state;
	stage_set(YAW_HARDNESS, 0.5, 50);
	for (int i = 1; i <= 5; i++) {
		stage_cycles(1);
		/* A step is not quite a thousandth. */
		assert_near(stage_stiffness(YAW), 1000 - 100 * i, 1);
	}
	stage_cycles(3);
	assert_near(stage_stiffness(YAW), 500, 1);
}

/* [dcm-11] */
static void what_is_beyond_its_limits_is_brought_to_them(void **state)
{
	(void)state;
	stage_set(YAW_POSITION, 7, 2000);
	stage_set(YAW_HARDNESS, 3, 0);
	stage_cycles(205);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 400);
	assert_int_equal(stage_stiffness(YAW), 1000);
	stage_set(YAW_HARDNESS, -3, 0);
	stage_cycles(1);
	assert_int_equal(stage_stiffness(YAW), -1000);
}

#define LIMIT(of, limit, value) \
	"<Preference memoryName='Device/SubDeviceList/" of "/" limit "' type='float' value='" value "'/>"

/* The description's limits may be narrower than the device's, and need be no whole number of it. */
static void commands_stay_within_the_descriptions_limits(void **state)
{
	(void)state;
	stage_open(LIMIT(YAW_HARDNESS, "Min", "0") LIMIT(YAW_HARDNESS, "Max", "0.5")
		   LIMIT(YAW_POSITION, "Max", "0.101"), NULL);
	stage_set(YAW_HARDNESS, 3, 0);
	stage_set(YAW_POSITION, 7, 500);
	stage_set("US/Actuator", 300, 0);
	stage_cycles(55);
	assert_near(stage_stiffness(YAW), 500, 1);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 20);
	EVENTUALLY(strcmp(fake_device_get("HeadYaw", "sonar_mode"), "255") == 0);
	stage_set(YAW_HARDNESS, -3, 0);
	stage_cycles(2);
	assert_int_equal(stage_stiffness(YAW), 0);
}

/* By hand: no goal follows it there, and the way back begins at the limit. */
static void a_joint_beyond_its_limit_gets_goals_within(void **state)
{
	(void)state;
	stage_set(YAW_HARDNESS, 0, 0);
	stage_cycles(2);
	stage.present[YAW] = STAGE_ZERO + 440;
	for (int i = 0; i < 3; i++) {
		stage_cycles(1);
		assert_int_equal(stage_goal(YAW), STAGE_ZERO + 400);
	}
	stage_set(YAW_HARDNESS, 1, 0);
	stage_cycles(1);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 400);
	stage_cycles(10);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 400);
	stage_set(YAW_POSITION, 0, 1000);
	stage_cycles(50);
	assert_in_range(stage_goal(YAW), STAGE_ZERO + 195, STAGE_ZERO + 205);
	stage_cycles(50);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO);
}

/* [key-3] [dcm-10] */
static void the_key_has_what_was_sent(void **state)
{
	(void)state;
	stage_set(YAW_POSITION, 0.203, 100);
	stage_cycles(11);
	assert_near(stage_value(YAW_POSITION), 41 * STAGE_COUNT, 1e-9);
	assert_near(stage_value(YAW_HARDNESS), 1, 1e-6);
	stage_set(YAW_HARDNESS, 0.7, 0);
	stage_cycles(2);
	assert_near(stage_value(YAW_HARDNESS), 716 / 1023.0, 1e-6);
}

/* [us-1] [us-6] */
static void what_has_no_between_is_written_once_when_its_time_has_come(void **state)
{
	(void)state;
	stage_set("US/Actuator", 68, 100);
	stage_cycles(9);
	usleep(30000);
	assert_string_equal(fake_device_get("HeadYaw", "sonar_mode"), "0");
	stage_cycles(1);
	EVENTUALLY(strcmp(fake_device_get("HeadYaw", "sonar_mode"), "68") == 0);
	stage_cycles(20);
	usleep(30000);
	assert_int_equal(fake_device_writes("HeadYaw", "sonar_mode"), 1);
	assert_near(stage_value("US/Actuator"), 68, 0);
}

/* A light that was told while its board had no power is not to stay dark. */
static void what_could_not_be_written_is_tried_again(void **state)
{
	(void)state;
	fake_device_fail("HeadYaw", "sonar_mode", -EIO);
	stage_set("US/Actuator", 68, 0);
	stage_cycles(1);
	EVENTUALLY(value_state("US/Actuator") == NAOHW_STATE_FAULTY);
	fake_device_fail("HeadYaw", "sonar_mode", 0);
	EVENTUALLY(strcmp(fake_device_get("HeadYaw", "sonar_mode"), "68") == 0);
	EVENTUALLY(value_state("US/Actuator") == NAOHW_STATE_FRESH);
}

static void without_a_time_it_goes_slowly(void **state)
{
	const struct naohw_command there = { .value = 0.2, .time = NAOHW_TIME_NONE };

	(void)state;
	assert_int_equal(naohw_dcm_set(stage.dcm, YAW_POSITION, NAOHW_UPDATE_CLEAR_ALL, &there, 1,
				       NULL), 0);
	/* 1 rad/s are 2 counts in 10 ms, from the cycle on that has taken it. */
	stage_cycles(9);
	assert_int_equal(stage_goal(YAW), STAGE_START + 18);
	stage_cycles(20);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 40);
}

static void of_two_joints_with_one_motor_the_first_drives(void **state)
{
	(void)state;
	stage_set("Twin/Position/Actuator", -0.2, 0);
	stage_set("Twin/Hardness/Actuator", 0, 0);
	stage_set(YAW_POSITION, 0.2, 50);
	stage_cycles(11);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 40);
	assert_int_equal(stage_stiffness(YAW), 1000);
	assert_near(stage_value("Twin/Position/Actuator"), 0.2, 1e-9);
	assert_near(stage_value("Twin/Hardness/Actuator"), 1, 1e-6);
}

/* ---- what protects ---- */

static const char *yaw_reason(void)
{
	return stage_text("DCM/Guard/HeadYaw");
}

/* 4 rad/s are 8 counts in 10 ms. */
static void no_joint_goes_too_fast(void **state)
{
	(void)state;
	stage_set(YAW_POSITION, 1, 0);
	for (int i = 1; i <= 24; i++) {
		stage_cycles(1);
		assert_int_equal(stage_goal(YAW), STAGE_START + 8 * i);
	}
	stage_cycles(1);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 200);
	/* 4 rad/s, of which the servo's are 0.0116 each. */
	assert_true(stage_speed(YAW) > 0 && stage_speed(YAW) < 1023);
}

static void a_joint_may_have_a_speed_of_its_own(void **state)
{
	(void)state;
	stage_open("<Preference memoryName=\"Device/SubDeviceList/HeadYaw/Position/Actuator/SpeedMax\""
		   " type=\"float\" value=\"1\"/>"
		   "<Preference memoryName=\"DCM/SpeedMax\" type=\"float\" value=\"2\"/>", NULL);
	stage_set(YAW_HARDNESS, 1, 0);
	stage_set(PITCH_HARDNESS, 1, 0);
	stage_cycles(2);
	stage_set(YAW_POSITION, 1, 0);
	stage_set(PITCH_POSITION, 1, 0);
	stage_cycles(10);
	assert_int_equal(stage_goal(YAW), STAGE_START + 20);
	assert_int_equal(stage_goal(PITCH), STAGE_START + 40);
}

/* A cycle that is late does not make up for what it has missed. */
static void a_late_cycle_does_not_jump(void **state)
{
	(void)state;
	stage_set(YAW_POSITION, 1, 0);
	stage_cycles(1);
	stage_cycle_after(300);
	assert_true(stage_goal(YAW) <= STAGE_START + 8 + 16);
}

/* [act-3] */
static void a_limp_joint_has_its_position_follow_the_sensor(void **state)
{
	(void)state;
	stage_set(YAW_HARDNESS, 0, 0);
	stage_set(YAW_POSITION, 0.2, 1000);
	stage_cycles(1);
	for (int at = 540; at < 560; at++) {
		stage.present[YAW] = at;
		stage_cycles(1);
		assert_int_equal(stage_goal(YAW), at);
		assert_int_equal(stage_stiffness(YAW), 0);
	}
	stage_cycles(1);
	assert_near(stage_value(YAW_POSITION), (559 - STAGE_ZERO) * STAGE_COUNT, 1e-9);
	/* It becomes stiff where it is, and goes on to what was to come. */
	stage_set(YAW_HARDNESS, 1, 0);
	stage_cycles(1);
	assert_true(abs(stage_goal(YAW) - 559) <= 1);
	stage_cycles(100);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 40);
}

static void what_is_commanded_with_the_hardness_is_gone_to(void **state)
{
	(void)state;
	stage_open("", NULL);
	stage_set(YAW_HARDNESS, 1, 0);
	stage_set(YAW_POSITION, 0.2, 0);
	stage_cycles(8);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 40);
}

/* [hard-6] */
static void one_below_zero_is_free(void **state)
{
	(void)state;
	stage_set(YAW_HARDNESS, -1, 0);
	stage_cycles(1);
	assert_int_equal(stage_stiffness(YAW), -1000);
	stage.present[YAW] = 600;
	stage_cycles(1);
	assert_int_equal(stage_goal(YAW), 600);
}

/* [hard-2] [pos-6] */
static void without_a_calibration_there_is_no_hardness(void **state)
{
	(void)state;
	fake_device_set("HeadYaw", "joint_zero", "0");
	EVENTUALLY(stage_stiffness(YAW) == 0);
	stage_cycles(1);
	assert_int_equal(stage_stiffness(PITCH), 1000);
	assert_near(stage_value(YAW_HARDNESS), 0, 0);
	assert_string_equal(yaw_reason(), "not-calibrated");
	stage_set(YAW_HARDNESS, -1, 0);
	stage_cycles(1);
	assert_int_equal(stage_stiffness(YAW), -1000);
}

/* A description may have that number as a float. */
static void a_calibration_is_a_number_of_any_kind(void **state)
{
	(void)state;
	stage_open("<Preference memoryName=\"Device/SubDeviceList/HeadYaw/Position/Sensor/"
		   "jointZeroPosition/KeyType\" type=\"string\" value=\"float\"/>", NULL);
	stage_set(YAW_HARDNESS, 1, 0);
	stage_cycles(5);
	EVENTUALLY(value_state_of("Device/SubDeviceList/HeadYaw/Position/Sensor/jointZeroPosition")
		   == NAOHW_STATE_FRESH);
	stage_cycles(1);
	assert_int_equal(stage_stiffness(YAW), 1000);
}

/* 15 rad/s are 3 counts in a ms: of 0.6 and 1.4 ms in turn each has its step. */
static void a_period_of_a_millisecond_goes_on_a_line(void **state)
{
	int before;

	(void)state;
	stage_open("<Preference memoryName=\"DCM/SpeedMax\" type=\"float\" value=\"100\"/>", NULL);
	stage_set(YAW_HARDNESS, 1, 0);
	stage_cycles(2);
	stage_set(YAW_POSITION, 1.54, 100);
	stage_cycle_after(1);
	before = stage_goal(YAW);
	for (int i = 0; i < 80; i++) {
		stage_cycle_after_us(i % 2 ? 1400 : 600);
		assert_in_range(stage_goal(YAW) - before, i % 2 ? 3 : 1, i % 2 ? 5 : 3);
		before = stage_goal(YAW);
	}
}

/* [hard-7]: 10 A of 8 for a second are a fifth of all; then it comes back in 2 s. */
static void an_overdrawn_battery_lowers_all_hardness_slowly(void **state)
{
	int before;

	(void)state;
	stage.current = 100;
	stage_cycles(100);
	before = stage_stiffness(YAW);
	assert_true(before > 780 && before < 820);
	assert_int_equal(stage_stiffness(PITCH), before);
	stage.current = 79;
	stage_cycles(100);
	assert_true(stage_stiffness(YAW) > before + 80 && stage_stiffness(YAW) < before + 120);
	stage_cycles(120);
	assert_int_equal(stage_stiffness(YAW), 1000);
}

static void a_battery_that_is_charged_or_silent_lowers_none(void **state)
{
	(void)state;
	stage.current = -200;
	stage_cycles(100);
	assert_int_equal(stage_stiffness(YAW), 1000);
}

/* One loose contact must not let a robot fall. */
static void silence_takes_nothing_and_goals_go_on(void **state)
{
	(void)state;
	stage_set(YAW_POSITION, 0.2, 100);
	stage_cycles(2);
	stage.age[YAW] = 255;
	stage_cycles(100);
	assert_int_equal(stage_stiffness(YAW), 1000);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 40);
	stage.age[YAW] = 0;
	stage_cycles(2);
	assert_int_equal(stage_stiffness(YAW), 1000);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 40);
	assert_string_equal(yaw_reason(), "");
}

/* 0.1 rad are 20 counts, and 1 rad/s are 2 in 10 ms. */
static void one_that_was_moved_meanwhile_goes_back_slowly(void **state)
{
	(void)state;
	stage.is_held[YAW] = true;
	stage.age[YAW] = 255;
	stage_cycles(25);
	stage.present[YAW] = STAGE_START + 60;
	stage.age[YAW] = 0;
	stage_cycles(1);
	for (int i = 1; i <= 30; i++) {
		assert_int_equal(stage_goal(YAW), STAGE_START + 60 - 2 * i);
		assert_int_equal(stage_stiffness(YAW), 1000);
		stage_cycles(1);
		assert_string_equal(yaw_reason(), "returns");
	}
	stage_cycles(1);
	assert_string_equal(yaw_reason(), "");
	/* From then on it is as fast as any. */
	stage_set(YAW_POSITION, 1, 0);
	stage_cycles(1);
	assert_int_equal(stage_goal(YAW), STAGE_START + 8);
}

static void one_that_is_near_or_was_not_silent_for_long_goes_on(void **state)
{
	(void)state;
	stage.is_held[YAW] = true;
	stage.age[YAW] = 255;
	stage_cycles(25);
	stage.present[YAW] = STAGE_START - 19;
	stage.age[YAW] = 0;
	stage_cycles(1);
	assert_int_equal(stage_goal(YAW), STAGE_START);
	stage.age[YAW] = 15;
	stage_cycles(19);
	stage.present[YAW] = STAGE_START + 60;
	stage.age[YAW] = 0;
	stage_cycles(1);
	assert_int_equal(stage_goal(YAW), STAGE_START);
}

/* At 3 rad/s one that lags by 150 ms is 0.45 rad behind, and where it ought to be. */
static void one_that_lags_as_servos_do_was_not_moved(void **state)
{
	(void)state;
	stage_set(YAW_POSITION, 1.54, 500);
	stage.is_held[YAW] = true;
	stage.age[YAW] = 255;
	stage_cycles(40);
	assert_int_equal(stage_goal(YAW), STAGE_START + 240);
	stage.present[YAW] = STAGE_START + 150;
	stage.age[YAW] = 0;
	stage_cycles(1);
	assert_int_equal(stage_goal(YAW), STAGE_START + 246);
	/* But one that stands where it was a while ago is. */
	stage.age[YAW] = 255;
	stage_cycles(100);
	stage.age[YAW] = 0;
	stage_cycles(1);
	assert_int_equal(stage_goal(YAW), STAGE_START + 152);
}

/* 0.3 rad to both sides and back, twice a second, and the joint 100 ms behind */
static void one_that_swings_was_not_moved(void **state)
{
	struct naohw_command swing[8];

	(void)state;
	for (int i = 0; i < 8; i++)
		swing[i] = (struct naohw_command){
			.value = i % 2 ? -0.3 : 0.3,
			.time = stage.now + 250 * (i + 1),
		};
	assert_int_equal(naohw_dcm_set(stage.dcm, YAW_POSITION, NAOHW_UPDATE_CLEAR_ALL, swing, 8,
				       NULL), 0);
	stage.is_held[YAW] = true;
	for (int i = 0; i < 7; i++) {
		int back;

		stage.age[YAW] = 255;
		stage_cycles(22);
		back = stage_goal(YAW);
		stage_cycles(7);
		stage.present[YAW] = back;
		stage.age[YAW] = 0;
		stage_cycles(2);
		assert_string_equal(yaw_reason(), "");
	}
}

static void a_missing_answer_in_the_first_frame_takes_nothing(void **state)
{
	(void)state;
	stage_end();
	fake_set("HeadYaw", "out_angl0_en", "1");
	fake_set("HeadYaw", "out_angl0_torque_limit", "100");
	fake_set("HeadYaw", "out_angl0_raw", "520");
	stage.age[YAW] = 255;
	assert_int_equal(stage_begin(NULL, NULL), 0);
	stage_cycles(1);
	assert_int_equal(stage_stiffness(YAW), 1000);
	assert_int_equal(stage_goal(YAW), STAGE_START);
}

static int yaw_steps(void)
{
	return (int16_t)fake_pose(0, fake_pushes(0) - 1)[2];
}

/* A stiff robot that is opened while one joint does not say how stiff that is */
static void open_with_unknown_yaw(void)
{
	stage_end();
	fake_set("HeadYaw", "out_angl0_torque_limit", "80");
	fake_fail("HeadYaw", "out_angl0_en", -ETIMEDOUT);
	stage.age[YAW] = 255;
	assert_int_equal(stage_begin(NULL, NULL), 0);
	stage_cycles(2);
	assert_int_equal(yaw_steps(), -32768);
	assert_string_equal(yaw_reason(), "unknown");
	assert_int_equal(value_state(YAW_HARDNESS), NAOHW_STATE_ABSENT);
}

static void a_stiffness_that_could_not_be_read_is_left_alone(void **state)
{
	(void)state;
	open_with_unknown_yaw();
	/* A line to what is commanded cannot begin before it is known where. */
	stage_set(YAW_HARDNESS, 1, 500);
	stage_cycles(40);
	assert_int_equal(yaw_steps(), -32768);
	fake_set("HeadYaw", "out_angl0_en", "1");
	fake_fail("HeadYaw", "out_angl0_en", 0);
	stage.present[YAW] = STAGE_START + 30;
	stage.is_held[YAW] = true;
	stage.age[YAW] = 0;
	EVENTUALLY(yaw_steps() > 0);
	assert_true(yaw_steps() >= 818);
	assert_int_equal(stage_goal(YAW), STAGE_START + 30);
	stage_cycles(2);
	assert_string_equal(yaw_reason(), "");
}

/* Its frames are good, and somebody turns it before it has said how stiff it is. */
static void one_that_was_moved_while_it_was_unknown_goes_back_slowly(void **state)
{
	(void)state;
	stage_end();
	fake_set("HeadYaw", "out_angl0_torque_limit", "80");
	fake_set("HeadYaw", "out_angl0_en", "1");
	fake_set("HeadYaw", "out_angl0_raw", "520");
	fake_fail("HeadYaw", "out_angl0_torque_limit", -ETIMEDOUT);
	assert_int_equal(stage_begin(NULL, NULL), 0);
	stage.is_held[YAW] = true;
	stage_cycles(2);
	for (int at = STAGE_START; at < 700; at += 10) {
		stage.present[YAW] = at;
		stage_cycles(1);
	}
	stage_set(YAW_HARDNESS, 1, 0);
	stage_cycles(1);
	assert_int_equal(yaw_steps(), 1023);
	assert_int_equal(stage_goal(YAW), 690 - 2);
}

static void to_let_go_needs_no_knowledge(void **state)
{
	(void)state;
	open_with_unknown_yaw();
	stage_set(YAW_HARDNESS, 0, 0);
	stage_cycles(1);
	assert_int_equal(yaw_steps(), 0);
}

/* Where it is to stand is not guessed: it is stiff when it has said where it is. */
static void what_is_commanded_of_an_unknown_joint_waits_for_its_answer(void **state)
{
	(void)state;
	open_with_unknown_yaw();
	stage_set(YAW_HARDNESS, 1, 100);
	stage_set(YAW_POSITION, 0.2, 100);
	stage_cycles(20);
	assert_int_equal(yaw_steps(), -32768);
	stage.present[YAW] = 300;
	stage.age[YAW] = 0;
	stage.is_held[YAW] = true;
	for (int i = 1; i <= 5; i++) {
		stage_cycles(1);
		assert_int_equal(stage_stiffness(YAW), 1000);
		assert_int_equal(stage_goal(YAW), 300 + 2 * i);
	}
}

static void after_a_time_without_frames_nothing_is_taken(void **state)
{
	(void)state;
	stage_set(YAW_POSITION, 0.2, 100);
	stage_cycles(3);
	stage.is_silent[0] = true;
	stage_cycles(60);
	stage.is_silent[0] = false;
	stage.is_held[YAW] = true;
	stage.present[YAW] = 300;
	stage_cycles(1);
	assert_int_equal(stage_goal(YAW), 302);
	assert_int_equal(stage_stiffness(YAW), 1000);
	assert_int_equal(stage_stiffness(PITCH), 1000);
	assert_int_equal(stage_goal(PITCH), STAGE_START);
}

/* What is taken of a hardness is taken of what was commanded, and once. */
static void what_is_commanded_outlives_what_protects(void **state)
{
	int before;

	(void)state;
	stage.current = 100;
	stage_cycles(200);
	before = stage_stiffness(YAW);
	assert_true(before > 560 && before < 620);
	assert_int_equal(naohw_dcm_set(stage.dcm, YAW_HARDNESS, NAOHW_UPDATE_CLEAR_ALL, NULL, 0,
				       NULL), 0);
	stage_cycles(2);
	assert_int_equal(stage_stiffness(YAW), stage_stiffness(PITCH));
	stage_set(YAW_HARDNESS, 1, 1000);
	stage_cycles(1);
	assert_int_equal(stage_stiffness(YAW), stage_stiffness(PITCH));
	stage.current = 0;
	stage_cycles(500);
	assert_int_equal(stage_stiffness(YAW), 1000);
}

/* An alarm says nothing of the current, of which it may be the cause. */
static void a_battery_whose_board_has_an_alarm_is_believed(void **state)
{
	(void)state;
	stage.battery_alarm = 4;
	stage.current = 100;
	stage_cycles(100);
	assert_near(stage_stiffness(YAW), 800, 20);
}

static void a_cycle_is_no_longer_than_it_can_be_watched(void **state)
{
	const struct naohw_command longest = { .value = 1000, .time = 0 };
	struct naohw_error err;

	(void)state;
	assert_int_equal(naohw_dcm_set(stage.dcm, "DCM/TargetCycleTime", NAOHW_UPDATE_CLEAR_ALL,
				       &longest, 1, NULL), 0);
	EVENTUALLY(naohw_frame_period(stage.host->frame) == 100 * 1000000);
	stage_set(YAW_POSITION, 0.4, 0);
	for (int i = 0; i < 30; i++)
		stage_cycle_after(100);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 80);
	assert_int_equal(stage_stiffness(YAW), 1000);
	/* None at all is no period. */
	for (int i = 0; i < 2; i++) {
		const struct naohw_command none = { .value = i ? -5 : 0 };

		assert_int_equal(naohw_dcm_set(stage.dcm, "DCM/TargetCycleTime",
					       NAOHW_UPDATE_CLEAR_ALL, &none, 1, &err), -EINVAL);
		assert_says(&err, i ? "is -5, expected a period above 0 ms" : "is 0, expected");
	}
	/* Who sets the bus himself to a longer one is told. */
	stage_end();
	fake_device_set("dxl0-cycle", "sampling_frequency", "5\n");
	assert_int_equal(stage_begin(NULL, &err), -ERANGE);
	assert_says(&err, "its period is 200 ms, expected 100 at the most");
	fake_device_set("dxl0-cycle", "sampling_frequency", "100\n");
	assert_int_equal(stage_begin(NULL, NULL), 0);
}

/* Only the kernel knows whether that was too long for its watchdog. */
static void after_a_cycle_that_stood_still_nothing_is_taken(void **state)
{
	(void)state;
	stage_cycle_after(900);
	assert_int_equal(stage_stiffness(YAW), 1000);
	assert_near(stage_value("DCM/CycleTimeErrorCounter"), 1, 0);
}

/* [hard-4]: in such a cycle the kernel has let all go, and gives back what was let go by itself. */
static void what_the_kernel_gives_back_begins_where_it_is(void **state)
{
	(void)state;
	stage_set(YAW_POSITION, 0.1, 10);
	stage_cycles(3);
	stage.is_held[YAW] = true;
	stage.present[YAW] = 650;
	fake_device_set("HeadYaw", "torque_state", "recovering");
	stage_cycle_after(100);
	EVENTUALLY(strcmp(yaw_reason(), "recovering") == 0);
	assert_true(abs(stage_goal(YAW) - 650) <= 8);
	/* It is what the kernel lets it rise to. */
	assert_int_equal(stage_stiffness(YAW), 1000);
	fake_device_set("HeadYaw", "torque_state", "stiff");
	EVENTUALLY(strcmp(yaw_reason(), "") == 0);
}

static void check_that_yaw_follows(const char *torque)
{
	fake_device_set("HeadYaw", "torque_state", torque);
	EVENTUALLY(strcmp(yaw_reason(), torque) == 0);
	stage.is_held[YAW] = true;
	for (int at = 600; at < 640; at += 10) {
		stage.present[YAW] = at;
		stage_cycles(1);
		assert_int_equal(stage_goal(YAW), at);
	}
	assert_int_equal(stage_stiffness(YAW), 1000);
	assert_int_equal(stage_stiffness(PITCH), 1000);
	assert_int_equal(stage_goal(PITCH), STAGE_START);
}

/* A servo without torque waits for recover where it is. */
static void one_that_has_lost_its_torque_follows_and_no_other(void **state)
{
	(void)state;
	check_that_yaw_follows("tripped");
	check_that_yaw_follows("shut-down");
	/* And begins there. */
	fake_device_set("HeadYaw", "torque_state", "recovering");
	stage_set(YAW_POSITION, 0.7, 2000);
	EVENTUALLY(strcmp(yaw_reason(), "recovering") == 0);
	assert_true(abs(stage_goal(YAW) - 630) <= 20);
}

static void one_that_was_let_go_by_hand_follows(void **state)
{
	(void)state;
	check_that_yaw_follows("free");
}

/* Poses pass it over, and when its mode is the one of before it is to begin where it is. */
static void one_whose_mode_has_no_positions_follows(void **state)
{
	(void)state;
	fake_set("HeadYaw", "out_angl0_raw_available", "[0 0 0]");
	EVENTUALLY(strcmp(yaw_reason(), "mode") == 0);
	/* What is to be seen to first is told. */
	fake_device_set("HeadYaw", "torque_state", "shut-down");
	EVENTUALLY(strcmp(yaw_reason(), "shut-down") == 0);
	fake_device_set("HeadYaw", "torque_state", "stiff");
	EVENTUALLY(strcmp(yaw_reason(), "mode") == 0);
	stage.is_held[YAW] = true;
	for (int at = 600; at < 640; at += 10) {
		stage.present[YAW] = at;
		stage_cycles(1);
		assert_int_equal(stage_goal(YAW), at);
	}
	fake_set("HeadYaw", "out_angl0_raw_available", "[0 1 1023]");
	EVENTUALLY(strcmp(yaw_reason(), "") == 0);
	assert_int_equal(stage_goal(YAW), 630);
}

static void one_that_is_to_be_limp_is_told(void **state)
{
	(void)state;
	assert_string_equal(yaw_reason(), "");
	stage_set(YAW_HARDNESS, 0, 0);
	stage_cycles(2);
	assert_string_equal(yaw_reason(), "no-torque");
	/* That it could not move besides matters more. */
	fake_device_set("HeadYaw", "torque_state", "shut-down");
	EVENTUALLY(strcmp(yaw_reason(), "shut-down") == 0);
	fake_device_set("HeadYaw", "torque_state", "lost");
	EVENTUALLY(strcmp(yaw_reason(), "no-answer") == 0);
}

#define LEG                                                                                        \
	"<Preference memoryName='Device/SubDeviceList/LKneePitch/Position/Sensor/Channel' "        \
	"type='string' value='in_angl0'/>"

/* No pose has a channel for it. */
static void a_joint_that_no_pose_has_is_told(void **state)
{
	(void)state;
	stage_close();
	stage_open(LEG, NULL);
	EVENTUALLY(strcmp(stage_text("DCM/Guard/LKneePitch"), "not-there") == 0);
	stage_end();
	fake_set("HeadYaw", "out_angl0_raw_available", "[0 0 0]");
	fake_set("dxl0-goal", "out_angl1_raw_available", "[0 0 0]");
	assert_int_equal(stage_begin(NULL, NULL), 0);
	EVENTUALLY(strcmp(yaw_reason(), "mode") == 0);
}

static void check_absent(const char *says)
{
	const struct naohw_command there = { .value = 0.5, .time = NAOHW_TIME_NONE };
	struct naohw_error err = { "" };

	assert_int_equal(naohw_dcm_set(stage.dcm, YAW_POSITION, NAOHW_UPDATE_MERGE, &there, 1,
				       &err), -ENODEV);
	assert_says(&err, says);
}

/* Its mode has been changed since, or it lost its torque: neither brings it into this DCM. */
static void one_that_the_dcm_has_not_needs_another_dcm(void **state)
{
	(void)state;
	stage_end();
	fake_set("HeadYaw", "out_angl0_raw_available", "[0 0 0]");
	fake_set("dxl0-goal", "out_angl1_raw_available", "[0 0 0]");
	assert_int_equal(stage_begin(NULL, NULL), 0);
	check_absent("write position to its operating_mode, and begin the program anew");
	fake_set("HeadYaw", "out_angl0_raw_available", "[0 1 1023]");
	fake_device_set("HeadYaw", "torque_state", "tripped");
	check_absent("without goal positions; if it is well now, begin the program anew");
	fake_device_set("HeadYaw", "torque_state", "lost");
	check_absent("naohw doctor looks for the cause; then begin the program anew");
}

/* A joint that is silent is told, and so is another model; its goals go on. */
static void what_the_kernel_only_doubts_changes_nothing(void **state)
{
	static const char *const states[][2] = {
		{ "doubted", "" }, { "unheard", "" },	    { "unused", "" },
		{ "relaxed", "" }, { "lost", "no-answer" }, { "other-model", "other-model" },
	};

	(void)state;
	stage.is_held[YAW] = true;
	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		stage.present[YAW] = 600;
		fake_device_set("HeadYaw", "torque_state", "free");
		EVENTUALLY(strcmp(yaw_reason(), "free") == 0);
		fake_device_set("HeadYaw", "torque_state", states[i][0]);
		EVENTUALLY(strcmp(yaw_reason(), states[i][1]) == 0);
		stage.present[YAW] = 610;
		stage_cycles(2);
		assert_int_equal(stage_goal(YAW), 600);
		assert_int_equal(stage_stiffness(YAW), 1000);
	}
}

/* A board that does not answer keeps a light, and nobody who looks after the robot. */
static void what_takes_its_time_hides_no_trip(void **state)
{
	(void)state;
	fake_hold_write("HeadYaw", "sonar_mode");
	stage_set("US/Actuator", 68, 0);
	EVENTUALLY(fake_device_writes("HeadYaw", "sonar_mode") > 0);
	fake_device_set("dxl0-goal", "stream_state", "tripped");
	EVENTUALLY(naohw_dcm_get_stream(stage.dcm) == NAOHW_STREAM_TRIPPED);
	fake_let_writes_go();
}

static void what_the_kernel_has_let_go_follows_until_it_is_given_back(void **state)
{
	struct naohw_error err = { "" };

	(void)state;
	fake_device_set("dxl0-goal", "stream_state", "tripped");
	EVENTUALLY(naohw_dcm_get_stream(stage.dcm) == NAOHW_STREAM_TRIPPED);
	stage.present[YAW] = 610;
	stage_cycles(2);
	assert_int_equal(stage_stiffness(YAW), 0);
	assert_int_equal(stage_goal(YAW), 610);
	assert_string_equal(stage_text("DCM/Stream"), "tripped");
	if (naohw_dcm_recover(stage.dcm, &err) < 0)
		fail_msg("%s", err.message);
	assert_string_equal(fake_device_get("dxl0-goal", "recover"), "1");
	fake_device_set("dxl0-goal", "stream_state", "recovering");
	EVENTUALLY(stage_stiffness(YAW) > 0);
	assert_true(abs(stage_goal(YAW) - 610) <= 8);
	/* Softly, as the kernel has it, also where another bus has tripped. */
	assert_true(stage_stiffness(YAW) < 100);
	stage_cycles(201);
	assert_int_equal(stage_stiffness(YAW), 1000);
}

/* Whatever programs command meanwhile: when it has its torque back it stays where it is. */
static void a_robot_that_a_person_has_let_go_drops_its_commands(void **state)
{
	const struct naohw_command stiff = { .value = 0.5, .time = naohw_dcm_get_time(stage.dcm, 900) };
	struct naohw_error err = { "" };

	(void)state;
	stage_set(YAW_POSITION, 0.9, 3000);
	stage_set(YAW_HARDNESS, 0, 3000);
	stage_cycles(5);
	fake_device_set("dxl0-goal", "limp", "1");
	fake_device_set("dxl0-goal", "stream_state", "tripped");
	fake_device_set("HeadYaw", "torque_state", "tripped");
	EVENTUALLY(naohw_dcm_is_limp(stage.dcm) && strcmp(yaw_reason(), "limp") == 0);
	assert_int_equal(naohw_dcm_get_stream(stage.dcm), NAOHW_STREAM_TRIPPED);
	assert_string_equal(stage_text("DCM/Stream"), "limp");
	assert_int_equal(naohw_dcm_check_stream(stage.dcm, &err), -EPIPE);
	assert_says(&err, "naohw limp");
	assert_int_equal(naohw_dcm_set(stage.dcm, YAW_HARDNESS, NAOHW_UPDATE_MERGE, &stiff, 1, &err),
			 -EPERM);
	assert_says(&err, YAW_HARDNESS ": \"naohw limp\" has let the robot go; \"naohw recover\" brings");
	stage_set(YAW_POSITION, 0.5, 2000);
	stage.is_held[YAW] = true;
	stage.present[YAW] = 610;
	stage_cycles(5);
	fake_device_set("dxl0-goal", "limp", "0");
	fake_device_set("dxl0-goal", "stream_state", "streaming");
	fake_device_set("HeadYaw", "torque_state", "stiff");
	EVENTUALLY(naohw_dcm_get_stream(stage.dcm) == NAOHW_STREAM_RUNNING);
	stage_cycles(400);
	assert_int_equal(stage_goal(YAW), 610);
	/* As stiff as it had become by then */
	assert_true(stage_stiffness(YAW) > 900);
}

static void a_robot_that_was_let_go_can_be_told_to_stay_so(void **state)
{
	(void)state;
	fake_device_set("dxl0-goal", "limp", "1");
	fake_device_set("dxl0-goal", "stream_state", "tripped");
	EVENTUALLY(naohw_dcm_is_limp(stage.dcm));
	stage_set(YAW_HARDNESS, 0, 0);
	stage_cycles(3);
	fake_device_set("dxl0-goal", "limp", "0");
	fake_device_set("dxl0-goal", "stream_state", "streaming");
	EVENTUALLY(naohw_dcm_get_stream(stage.dcm) == NAOHW_STREAM_RUNNING);
	stage_cycles(300);
	assert_int_equal(stage_stiffness(YAW), 0);
}

/* A leg that recovers is limp until the other one does. */
static void one_bus_that_recovers_waits_for_the_other(void **state)
{
	(void)state;
	stage_open_two();
	stage_set(YAW_HARDNESS, 1, 0);
	stage_set(PITCH_HARDNESS, 1, 0);
	stage_cycles(2);
	fake_device_set("HeadYaw", "torque_state", "recovering");
	fake_device_set("HeadPitch", "torque_state", "tripped");
	fake_device_set("dxl1-goal", "stream_state", "tripped");
	EVENTUALLY(strcmp(yaw_reason(), "watchdog") == 0);
	assert_int_equal(stage_stiffness(YAW), 0);
	fake_device_set("HeadYaw", "torque_state", "relaxed");
	fake_device_set("HeadPitch", "torque_state", "recovering");
	fake_device_set("dxl1-goal", "stream_state", "recovering");
	EVENTUALLY(strcmp(yaw_reason(), "soft") == 0);
	assert_true(stage_stiffness(YAW) < 100);
	assert_int_equal(stage_stiffness(PITCH), 1000);
}

/* Before any other thread has had its turn */
static void what_was_let_go_before_is_known_at_once(void **state)
{
	(void)state;
	stage_end();
	fake_device_set("dxl0-goal", "stream_state", "tripped");
	assert_int_equal(stage_begin(NULL, NULL), 0);
	assert_int_equal(naohw_dcm_get_stream(stage.dcm), NAOHW_STREAM_TRIPPED);
}

/* ---- a trip from before ---- */

/* More than what stiffness can say */
static bool is_left_alone(unsigned int joint)
{
	return stage_stiffness(joint) < -1000;
}

static void hold(const char *label, const char *counts)
{
	fake_set(label, "out_angl0_raw", counts);
	fake_set(label, "out_angl0_en", "1");
	fake_set(label, "out_angl0_torque_limit", "60");
	fake_device_set(label, "torque_state", "stiff");
}

/* HeadYaw's bus has tripped before the DCM is there. HeadPitch holds, on a bus of its own. */
static void begin_after_a_trip(void)
{
	stage_open_two();
	stage_end();
	hold("HeadPitch", "530");
	stage.present[PITCH] = 525;
	fake_set("HeadPitch", "out_anglvel0_raw", "60");
	fake_set("HeadYaw", "out_angl0_raw", "700");
	fake_set("HeadYaw", "out_angl0_en", "0");
	fake_device_set("HeadYaw", "torque_state", "tripped");
	fake_device_set("dxl0-goal", "stream_state", "tripped");
	assert_int_equal(stage_begin(NULL, NULL), 0);
	stage.is_held[YAW] = stage.is_held[PITCH] = true;
	stage_cycles(3);
}

/* Without a step that is missed, as the kernel has it */
static void recover_slowly(void)
{
	fake_device_set("HeadYaw", "torque_state", "recovering");
	fake_device_set("dxl0-goal", "stream_state", "recovering");
	EVENTUALLY(strcmp(yaw_reason(), "recovering") == 0);
	assert_true(is_left_alone(YAW) && is_left_alone(PITCH));
	hold("HeadYaw", "610");
	fake_device_set("dxl0-goal", "stream_state", "streaming");
	EVENTUALLY(strcmp(yaw_reason(), "") == 0);
}

static void a_trip_from_before_is_not_made_worse(void **state)
{
	(void)state;
	begin_after_a_trip();
	stage.present[YAW] = 610;
	stage_cycles(3);
	assert_true(is_left_alone(YAW));
	assert_string_equal(yaw_reason(), "tripped");
	/* The other bus's joint holds on. */
	assert_true(is_left_alone(PITCH));
	assert_string_equal(stage_text("DCM/Guard/HeadPitch"), "");
	/* The kernel's ramp is not disturbed, nor is anything pushed when it has ended. */
	recover_slowly();
	EVENTUALLY(value_state(YAW_HARDNESS) == NAOHW_STATE_FRESH);
	stage_cycles(30);
	assert_true(is_left_alone(YAW) && is_left_alone(PITCH));
	/* What is told of both is as it is. */
	assert_near(stage_value(YAW_HARDNESS), 0.6, 0.01);
	assert_near(stage_value(YAW_POSITION), (610 - STAGE_ZERO) * STAGE_COUNT, 0.001);
	assert_near(stage_value(PITCH_HARDNESS), 0.6, 0.01);
	assert_near(stage_value(PITCH_POSITION), (530 - STAGE_ZERO) * STAGE_COUNT, 0.001);
}

static void what_has_come_back_goes_on_from_there_when_it_is_told_to(void **state)
{
	(void)state;
	begin_after_a_trip();
	stage.present[YAW] = 610;
	recover_slowly();
	EVENTUALLY(value_state(YAW_HARDNESS) == NAOHW_STATE_FRESH);
	stage.is_held[YAW] = false;
	stage_set(YAW_POSITION, (600 - STAGE_ZERO) * STAGE_COUNT, 50);
	stage_cycles(1);
	assert_int_equal(stage_goal(YAW), 608);
	assert_near(stage_stiffness(YAW), 600, 1);
	stage_cycles(5);
	assert_int_equal(stage_goal(YAW), 600);
	/* One that nobody commands is left alone still; one that has held all the time is not let go. */
	assert_true(is_left_alone(PITCH));
	stage_set(PITCH_HARDNESS, 0.7, 0);
	stage_cycles(1);
	assert_near(stage_stiffness(PITCH), 700, 1);
	assert_int_equal(stage_goal(PITCH), 530);
}

/* The next trip is the DCM's own: what it moves is let go, wherever it is. */
static void what_is_told_during_a_trip_from_before_holds_afterwards(void **state)
{
	(void)state;
	begin_after_a_trip();
	stage_set(YAW_HARDNESS, 0.3, 0);
	stage_set(PITCH_HARDNESS, 0.7, 0);
	stage_cycles(3);
	assert_true(is_left_alone(YAW) && is_left_alone(PITCH));
	assert_string_equal(stage_text("DCM/Guard/HeadPitch"), "watchdog");
	fake_device_set("HeadYaw", "torque_state", "recovering");
	fake_device_set("dxl0-goal", "stream_state", "recovering");
	EVENTUALLY(strcmp(yaw_reason(), "recovering") == 0);
	assert_near(stage_stiffness(YAW), 300, 1);
	assert_near(stage_stiffness(PITCH), 700, 1);
	fake_device_set("dxl0-goal", "stream_state", "tripped");
	EVENTUALLY(stage_stiffness(PITCH) == 0);
	/* To let go is never kept from anybody. */
	stage_close();
	begin_after_a_trip();
	stage_set(PITCH_HARDNESS, 0, 0);
	stage_cycles(2);
	assert_int_equal(stage_stiffness(PITCH), 0);
}

/* A standing leg, with a goal whose time has passed: 2 counts of a cycle are 1 rad/s. */
static void where_it_was_told_to_go_during_a_trip_it_goes_slowly(void **state)
{
	int before;

	(void)state;
	begin_after_a_trip();
	before = stage_goal(PITCH);
	stage_set(PITCH_POSITION, -0.4, 50);
	stage_cycles(30);
	assert_int_equal(stage_goal(PITCH), before);
	fake_device_set("HeadYaw", "torque_state", "held");
	fake_device_set("dxl0-goal", "stream_state", "streaming");
	EVENTUALLY(stage_goal(PITCH) != before);
	assert_in_range(abs(stage_goal(PITCH) - before), 1, 3);
	EVENTUALLY(abs(stage_goal(PITCH) - before) > 20);
}

/* Until its goal moves it is as fast as it was: it may be on its way, or held back. */
static void no_servo_is_told_to_go_faster_than_before(void **state)
{
	(void)state;
	stage_end();
	hold("HeadYaw", "520");
	fake_set("HeadYaw", "out_anglvel0_raw", "60");
	assert_int_equal(stage_begin(NULL, NULL), 0);
	stage_cycles(3);
	assert_int_equal(stage_speed(YAW), 60);
	stage_set(YAW_POSITION, 0.2, 100);
	stage_cycles(1);
	assert_true(stage_speed(YAW) > 60);
}

static void without_frames_what_is_commanded_goes_on(void **state)
{
	(void)state;
	stage_set(YAW_POSITION, 0.2, 100);
	stage.is_silent[0] = true;
	stage_cycles(40);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 40);
	assert_int_equal(stage_stiffness(YAW), 1000);
	assert_true(stage_value("HAL/Nack") > 30);
	assert_true(*stage_text("HAL/Error"));
}

/* Its other bus is as it was, in time and with all that it does. */
static void one_silent_bus_stops_no_other(void **state)
{
	unsigned int before;

	(void)state;
	stage_open_two();
	stage_set(YAW_HARDNESS, 1, 0);
	stage_set(PITCH_HARDNESS, 1, 0);
	stage_cycles(2);
	stage.is_silent[1] = true;
	stage_cycles(1); /* in which it is waited for in vain */
	stage_set(YAW_POSITION, 0.2, 100);
	before = fake_pushes(0);
	for (int i = 1; i <= 10; i++) {
		stage_cycles(1);
		assert_int_equal(stage_goal(YAW), (int)lround(STAGE_START + 3.2 * i));
	}
	assert_int_equal(fake_pushes(0), before + 10);
	assert_non_null(strstr(stage_text("HAL/Error"), "dxl1-state"));
	assert_true(stage_value("HAL/Nack") >= 10);
	/* Nor are its own joints let go. */
	stage_cycles(40);
	assert_int_equal(stage_stiffness(PITCH), 1000);
	stage.is_silent[1] = false;
	stage_cycles(2);
	assert_int_equal(stage_stiffness(PITCH), 1000);
	assert_string_equal(stage_text("HAL/Error"), "");
}

/*
 * A bus whose trigger stands takes no poses any more, which nobody else is to feel. In
 * the time of a test a wait for it would never end.
 */
static void a_full_bus_makes_nobody_wait(void **state)
{
	unsigned int before;

	(void)state;
	stage_open_two();
	stage_cycles(2);
	fake_fail_push(1, -EAGAIN);
	before = fake_pushes(0);
	stage_cycles(10);
	assert_int_equal(fake_pushes(0), before + 10);
	assert_non_null(strstr(stage_text("DCM/Error"), "dxl1-goal"));
	/* Nor is it let go, as its program lives. */
	before = fake_device_writes("dxl1-goal", "keep_alive");
	stage_cycles(100);
	assert_in_range(fake_device_writes("dxl1-goal", "keep_alive") - before, 5, 20);
}

/* Who has set the kernel's watchdog to less is not to be let go as a frame is waited for. */
static void a_frame_is_waited_for_no_longer_than_the_watchdog_allows(void **state)
{
	struct naohw_error err;
	int64_t before;

	(void)state;
	stage_end();
	fake_device_set("dxl0-goal", "watchdog_ms", "160");
	assert_int_equal(stage_begin(NULL, NULL), 0);
	stage_cycles(2);
	stage.is_silent[0] = true;
	before = stage.now;
	stage_cycle_after(0);
	assert_int_equal(stage.now - before, 40);
	/* Nor may a period be longer. */
	stage_end();
	fake_device_set("dxl0-cycle", "sampling_frequency", "20\n");
	assert_int_equal(stage_begin(NULL, &err), -ERANGE);
	assert_says(&err, "its period is 50 ms, expected 40 at the most");
	fake_device_set("dxl0-cycle", "sampling_frequency", "100\n");
	assert_int_equal(stage_begin(NULL, NULL), 0);
}

/* Of a robot with many lights, or on a machine that is busy, with joints that are stiff */
static void signs_of_life_go_on_while_it_is_opened(void **state)
{
	(void)state;
	stage.look_ms = 200;
	stage_open("", NULL);
	assert_in_range(fake_device_writes("dxl0-goal", "keep_alive"), 3 + 6, 100);
}

/* What becomes of the others is seen all the same. */
static void a_bus_that_is_gone_hides_no_trip(void **state)
{
	(void)state;
	stage_open_two();
	stage_set(YAW_HARDNESS, 1, 0);
	stage_cycles(2);
	fake_device_fail("dxl0-goal", "stream_state", -ENODEV);
	fake_device_set("dxl1-goal", "stream_state", "tripped");
	EVENTUALLY(naohw_dcm_get_stream(stage.dcm) == NAOHW_STREAM_TRIPPED);
	stage_cycles(1);
	assert_int_equal(stage_stiffness(YAW), 0);
}

/* ---- who commands ---- */

static int set(const char *name, enum naohw_update update, const struct naohw_command *commands,
	       size_t count, struct naohw_error *err)
{
	return naohw_dcm_set(stage.dcm, name, update, commands, count, err);
}

/* [dcm-12] */
static void names_are_with_or_without_what_is_around_them(void **state)
{
	static const char *const names[] = {
		"HeadYaw/Position/Actuator",
		"HeadYaw/Position/Actuator/Value",
		"Device/SubDeviceList/HeadYaw/Position/Actuator",
		"Device/SubDeviceList/HeadYaw/Position/Actuator/Value",
	};

	(void)state;
	for (size_t i = 0; i < 4; i++)
		stage_set(names[i], 0.1, 0);
}

/* [dcm-21] */
static void what_is_wrong_is_said_and_changes_nothing(void **state)
{
	static const struct naohw_command good = { .value = 1 };
	static const struct naohw_command bad[] = {
		{ .value = 1 }, { .value = NAN, .time = 5 }, { .value = 2 }
	};
	static const struct naohw_command two[] = {
		{ .value = 1, .time = NAOHW_TIME_NONE }, { .value = 1 }
	};
	static struct naohw_command many[NAOHW_COMMANDS_MAX + 1];
	struct naohw_error err;

	(void)state;
	assert_int_equal(set("HeadYaw/Position/Actuatr", NAOHW_UPDATE_MERGE, &good, 1, &err),
			 -ENOENT);
	assert_says(&err, "the nearest is HeadYaw/Position/Actuator");
	assert_int_equal(set("HeadYaw/Position/Sensor", NAOHW_UPDATE_MERGE, &good, 1, &err),
			 -EACCES);
	assert_says(&err, "what is measured");
	assert_int_equal(set("HeadYaw/Position/Actuator/Max", NAOHW_UPDATE_MERGE, &good, 1, &err),
			 -EACCES);
	assert_says(&err, "a limit");
	assert_int_equal(set(YAW_POSITION, NAOHW_UPDATE_MERGE, bad, 3, &err), -EINVAL);
	assert_says(&err, "command 2 of 3 is nan");
	assert_int_equal(set(YAW_POSITION, NAOHW_UPDATE_MERGE, two, 2, &err), -EINVAL);
	assert_says(&err, "command 1 of 2 has no time");
	assert_int_equal(set(YAW_POSITION, NAOHW_UPDATE_MERGE, NULL, 0, &err), -EINVAL);
	assert_says(&err, "ClearAll");
	assert_int_equal(set(YAW_POSITION, (enum naohw_update)9, &good, 1, &err), -EINVAL);
	assert_says(&err, "no such kind");
	assert_int_equal(set(YAW_POSITION, NAOHW_UPDATE_MERGE, many, NAOHW_COMMANDS_MAX + 1, &err),
			 -ENOSPC);
	stage_cycles(5);
	assert_int_equal(stage_goal(YAW), STAGE_START);
	assert_int_equal(set(YAW_POSITION, NAOHW_UPDATE_CLEAR_ALL, NULL, 0, &err), 0);
}

/* Those that are there are all later: with ClearBefore there is room, as with ClearAfter none. */
static void a_command_without_a_time_has_its_time_before_it_is_counted(void **state)
{
	static struct naohw_command many[NAOHW_COMMANDS_MAX];
	const struct naohw_command now = { .value = 0.2, .time = NAOHW_TIME_NONE };
	struct queue *queue = &stage.host->joints.list[YAW].position->queue;

	(void)state;
	for (int i = 0; i < NAOHW_COMMANDS_MAX; i++)
		many[i] = (struct naohw_command){ .value = 0.04, .time = stage.now + 100 + i };
	assert_int_equal(set(YAW_POSITION, NAOHW_UPDATE_CLEAR_ALL, many, NAOHW_COMMANDS_MAX, NULL),
			 0);
	stage_cycles(1);
	assert_int_equal(queue->count, NAOHW_COMMANDS_MAX);
	/* 32 counts at 1 rad/s take 160 ms: 50 of them are before. */
	assert_int_equal(set(YAW_POSITION, NAOHW_UPDATE_CLEAR_BEFORE, &now, 1, NULL), 0);
	stage_cycles(1);
	assert_in_range(queue->count, NAOHW_COMMANDS_MAX - 70, NAOHW_COMMANDS_MAX - 40);
	assert_near(stage_value("DCM/CommandsRefused"), 0, 0);
	stage_set(YAW_POSITION, 0.04, 10);
	stage_cycles(3);
	/* And where all are before it, there is none, which is told. */
	for (int i = 0; i < NAOHW_COMMANDS_MAX; i++)
		many[i] = (struct naohw_command){ .value = 0.05, .time = stage.now + 30 + i };
	assert_int_equal(set(YAW_POSITION, NAOHW_UPDATE_CLEAR_ALL, many, NAOHW_COMMANDS_MAX, NULL),
			 0);
	stage_cycles(1);
	assert_int_equal(set(YAW_POSITION, NAOHW_UPDATE_CLEAR_AFTER,
			     &(struct naohw_command){ .value = 1.9, .time = NAOHW_TIME_NONE }, 1,
			     NULL), 0);
	stage_cycles(2);
	assert_near(stage_value("DCM/CommandsRefused"), 1, 0);
}

/* [dcm-9] */
static void what_has_no_room_is_told_by_the_flush(void **state)
{
	static struct naohw_command many[NAOHW_COMMANDS_MAX];
	struct naohw_error err;

	(void)state;
	for (int i = 0; i < NAOHW_COMMANDS_MAX; i++)
		many[i].time = stage.now + 10000 + i;
	assert_int_equal(set(YAW_POSITION, NAOHW_UPDATE_MERGE, many, NAOHW_COMMANDS_MAX, &err), 0);
	many[0].time = stage.now + 20000;
	assert_int_equal(set(YAW_POSITION, NAOHW_UPDATE_MERGE, many, 1, &err), 0);
	stage_cycles(2);
	assert_near(stage_value("DCM/CommandsRefused"), 1, 0);
	assert_int_equal(atomic_load(&stage.host->refusals.count), 1);
}

/* Whoever sets in a loop makes no cycle longer; what he sets comes in its order. */
static void a_flood_is_spread_over_cycles(void **state)
{
	unsigned int given = 0, cycles = 0;
	struct naohw_command there = { .time = 0 };
	struct naohw_error err;
	int ret;

	(void)state;
	while ((ret = set(YAW_POSITION, NAOHW_UPDATE_CLEAR_ALL, &there, 1, &err)) == 0) {
		there.value = given % 2 ? 0.4 : -0.4;
		given++;
	}
	assert_int_equal(ret, -EAGAIN);
	assert_says(&err, "too many calls are waiting");
	assert_int_equal(given, 4096);
	for (unsigned int before = 4096; before; before = atomic_load(&stage.host->mailbox.count)) {
		stage_cycles(1);
		cycles++;
		assert_true(before - atomic_load(&stage.host->mailbox.count) <= 512);
	}
	assert_in_range(cycles, 8, 64);
	stage_cycles(60);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO - 80);
	assert_int_equal(set(YAW_POSITION, NAOHW_UPDATE_CLEAR_ALL, &there, 1, NULL), 0);
}

/* Nor does it fill the memory. */
static void large_calls_are_refused_sooner(void **state)
{
	static struct naohw_command many[NAOHW_COMMANDS_MAX];
	unsigned int given = 0;

	(void)state;
	for (int i = 0; i < NAOHW_COMMANDS_MAX; i++)
		many[i].time = stage.now + 10000 + i;
	while (set(YAW_POSITION, NAOHW_UPDATE_CLEAR_ALL, many, NAOHW_COMMANDS_MAX, NULL) == 0)
		given++;
	assert_int_equal(given, 504);
	for (unsigned int before = given; before; before = atomic_load(&stage.host->mailbox.count)) {
		stage_cycles(1);
		assert_true(before - atomic_load(&stage.host->mailbox.count) <= 8);
	}
}

static void all_of_a_call_is_done_or_nothing(void **state)
{
	static struct naohw_command many[NAOHW_COMMANDS_MAX];
	static const char *const names[] = { YAW_POSITION, PITCH_POSITION };

	(void)state;
	for (int i = 0; i < NAOHW_COMMANDS_MAX; i++)
		many[i] = (struct naohw_command){ .value = 0.5, .time = stage.now + 10000 + i };
	assert_int_equal(set(PITCH_POSITION, NAOHW_UPDATE_MERGE, many, NAOHW_COMMANDS_MAX, NULL), 0);
	assert_int_equal(naohw_dcm_create_alias(stage.dcm, "Neck", names, 2, NULL, NULL), 0);
	many[0] = (struct naohw_command){ .value = -0.5, .time = stage.now + 50 };
	assert_int_equal(set("Neck", NAOHW_UPDATE_MERGE, many, 1, NULL), 0);
	stage_cycles(3);
	assert_near(stage_value("DCM/CommandsRefused"), 1, 0);
	assert_int_equal(stage.host->joints.list[0].position->queue.count, 0);
	assert_int_equal(stage_goal(YAW), STAGE_START);
}

#define GONE(name, type, value)                                                                    \
	"<Preference memoryName='Device/SubDeviceList/Gone/Position/Actuator/" name "' type='"     \
	type "' value='" value "'/>"

/* As one without its servo, or in a mode without goals: who writes its files is not protected. */
static void a_joint_that_no_pose_has_is_not_commanded(void **state)
{
	static const char *const names[] = { "Gone/Position/Actuator", YAW_POSITION };
	const struct naohw_command there = { .value = 0.2, .time = 0 };
	struct naohw_error err;

	(void)state;
	stage_open(GONE("Channel", "string", "out_angl0") GONE("Min", "float", "-1")
			   GONE("Max", "float", "1"), NULL);
	stage_set(YAW_HARDNESS, 1, 0);
	assert_int_equal(set(names[0], NAOHW_UPDATE_MERGE, &there, 1, &err), -ENODEV);
	assert_says(&err, "Gone/Position/Actuator: the joint does not move: there is no servo");
	/* Nor does it keep the others of an alias. */
	assert_int_equal(naohw_dcm_create_alias(stage.dcm, "Both", names, 2, NULL, NULL), 0);
	assert_int_equal(set("Both", NAOHW_UPDATE_MERGE, &there, 1, NULL), 0);
	stage_cycles(10);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 40);
}

static void of_two_calls_the_later_one_counts(void **state)
{
	(void)state;
	stage_set(YAW_POSITION, 0.5, 1000);
	stage_set(YAW_POSITION, 0.2, 100);
	stage_cycles(30);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 40);
}

/* ---- its store ---- */

/* What the cycle publishes another thread would write over, in the middle of it. */
static void nobody_else_publishes_in_its_store(void **state)
{
	struct naohw_store *store = naohw_dcm_store(stage.dcm);
	uint64_t sequence = naohw_store_sequence(store);

	(void)state;
	assert_int_equal(naohw_store_publish(store), -EBADF);
	assert_int_equal(naohw_store_sequence(store), sequence);
	stage_cycles(1);
	assert_int_equal(naohw_store_sequence(store), sequence + 1);
}

/* ---- aliases ---- */

static void make_head(void)
{
	static const char *const names[] = { YAW_POSITION, "NoJoint/Position/Actuator",
					     PITCH_POSITION };
	const char *answer[3];
	struct naohw_error err;

	assert_int_equal(naohw_dcm_create_alias(stage.dcm, "Head", names, 3, answer, &err), 0);
	assert_string_equal(answer[0], YAW_POSITION);
	assert_string_equal(answer[1], "");
	assert_string_equal(answer[2], PITCH_POSITION);
}

/* [dcm-13] [dcm-16] */
static void an_alias_is_all_that_are_there_of_it(void **state)
{
	(void)state;
	make_head();
	stage_set("Head", 0.2, 100);
	stage_cycles(11);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 40);
	assert_int_equal(stage_goal(PITCH), STAGE_ZERO + 40);
}

/* [dcm-15] [dcm-22] */
static void times_may_be_the_same_for_all_of_an_alias(void **state)
{
	const int64_t times[] = { stage.now + 100, stage.now + 200 };
	static const double values[] = { 0.1, 0.2, -0.1, 0 };

	(void)state;
	make_head();
	assert_int_equal(naohw_dcm_set_separate(stage.dcm, "Head", NAOHW_UPDATE_CLEAR_ALL, 3, times,
						2, values, 2, NULL), 0);
	stage_cycles(10);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 20);
	assert_int_equal(stage_goal(PITCH), STAGE_ZERO - 20);
	stage_cycles(10);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 40);
	assert_int_equal(stage_goal(PITCH), STAGE_ZERO);
}

/* [dcm-14] */
static void or_each_has_its_own(void **state)
{
	const struct naohw_command yaw[] = { { .value = 0.1, .time = stage.now + 100 } };
	const struct naohw_command pitch[] = { { .value = 0.2, .time = stage.now + 200 },
					       { .value = 0, .time = stage.now + 100 } };
	const struct naohw_command *const lists[] = { yaw, pitch };
	static const size_t counts[] = { 1, 2 };
	struct naohw_error err;

	(void)state;
	make_head();
	assert_int_equal(naohw_dcm_set_mixed(stage.dcm, "Head", NAOHW_UPDATE_MERGE, lists, counts,
					     1, &err), -EINVAL);
	assert_says(&err, "for 1 actuators, but the alias has 2");
	assert_int_equal(naohw_dcm_set_mixed(stage.dcm, "Head", NAOHW_UPDATE_MERGE, lists, counts,
					     2, &err), 0);
	stage_cycles(10);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 20);
	assert_int_equal(stage_goal(PITCH), STAGE_ZERO);
	stage_cycles(10);
	assert_int_equal(stage_goal(PITCH), STAGE_ZERO + 40);
}

/* ---- steps of motions ---- */

static void make_stiff_head(void)
{
	make_head();
	stage_set(YAW_HARDNESS, 1, 0);
	stage_set(PITCH_HARDNESS, 1, 0);
	stage_cycles(2);
}

static const char *const head[] = { YAW_POSITION, PITCH_POSITION };

/* In counts; the first of the two alone, or both */
static void set_step_of(size_t count, int64_t begin, int64_t end, int yaw, int pitch)
{
	const double goals[] = { (yaw - STAGE_ZERO) * STAGE_COUNT,
				 (pitch - STAGE_ZERO) * STAGE_COUNT };
	struct naohw_error err = { "" };

	if (naohw_dcm_set_step(stage.dcm, head, goals, count, stage.now + begin, stage.now + end,
			       &err) < 0)
		fail_msg("%s", err.message);
}

static void set_step(int64_t begin, int64_t end, int yaw)
{
	set_step_of(1, begin, end, yaw, 0);
}

/* From STAGE_START, 520, and at 30 ms: 100 ms for 40 counts, and for -10. */
static void a_step_begins_and_ends_for_all_in_the_same_cycles(void **state)
{
	(void)state;
	make_stiff_head();
	set_step_of(2, 30, 130, 560, 510);
	for (int i = 1; i <= 15; i++) {
		int tenths = i < 3 ? 0 : i > 13 ? 10 : i - 3;

		stage_cycles(1);
		assert_int_equal(stage_goal(YAW), STAGE_START + 4 * tenths);
		assert_int_equal(stage_goal(PITCH), STAGE_START - tenths);
	}
}

/* It begins where the one before it ends, although that has not ended yet. */
static void steps_follow_each_other(void **state)
{
	(void)state;
	make_stiff_head();
	set_step_of(2, 0, 100, 540, 540);
	stage_cycles(8);
	set_step(20, 120, 500);
	stage_cycles(2);
	assert_int_equal(stage_goal(YAW), 540);
	assert_int_equal(stage_goal(PITCH), 540);
	stage_cycles(5);
	assert_int_equal(stage_goal(YAW), 520);
	stage_cycles(6);
	assert_int_equal(stage_goal(YAW), 500);
	assert_int_equal(stage_goal(PITCH), 540);
}

/* One that comes late is where it would have been. */
static void a_step_that_comes_late_keeps_its_times(void **state)
{
	(void)state;
	make_stiff_head();
	set_step(-20, 80, 530);
	stage_cycles(1);
	assert_int_equal(stage_goal(YAW), STAGE_START + 3);
	stage_cycles(7);
	assert_int_equal(stage_goal(YAW), 530);
}

/* 4 rad/s are 8 counts in 10 ms; the servo can be told 1023 times 0.0116 rad/s. */
static void a_step_alone_may_be_as_fast_as_the_servo(void **state)
{
	(void)state;
	make_stiff_head();
	set_step(0, 100, STAGE_START + 160);
	stage_cycles(10);
	assert_int_equal(stage_goal(YAW), STAGE_START + 160);
	assert_in_range(stage_speed(YAW), 685, 695);
	/* What is no step is not, ... */
	stage_set(YAW_POSITION, 0, 0);
	stage_cycles(1);
	assert_int_equal(stage_goal(YAW), STAGE_START + 160 - 8);
	stage_cycles(30);
	/* ... and what no servo can do, a step cannot. */
	set_step(0, 100, STAGE_ZERO + 400);
	stage_cycles(10);
	assert_in_range(stage_goal(YAW), STAGE_ZERO + 230, STAGE_ZERO + 240);
	/* It arrives later. */
	stage_cycles(8);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 400);
}

/* What is given ahead is as fast as what comes when it is due. */
static void steps_given_ahead_are_as_fast(void **state)
{
	(void)state;
	make_stiff_head();
	set_step(0, 100, STAGE_START + 160);
	set_step(100, 200, STAGE_START);
	stage_cycles(10);
	assert_int_equal(stage_goal(YAW), STAGE_START + 160);
	stage_cycles(10);
	assert_int_equal(stage_goal(YAW), STAGE_START);
	/* The second one takes the place of the rest of the first. */
	set_step(0, 100, STAGE_START + 160);
	set_step(50, 150, STAGE_START);
	stage_cycles(5);
	assert_int_equal(stage_goal(YAW), STAGE_START + 80);
	stage_cycles(10);
	assert_int_equal(stage_goal(YAW), STAGE_START);
}

/* Somebody moves a limp joint, which is then made stiff, before a step that was given already. */
static void a_step_begins_where_the_joint_is_by_then(void **state)
{
	(void)state;
	make_stiff_head();
	stage_set(YAW_HARDNESS, 0, 0);
	stage_cycles(2);
	set_step(300, 400, STAGE_START);
	stage_cycles(2);
	stage.is_held[YAW] = true;
	stage.present[YAW] = 400;
	stage_cycles(2);
	assert_int_equal(stage_goal(YAW), 400);
	stage_set(YAW_HARDNESS, 1, 0);
	for (int i = 0; i < 24; i++) {
		stage_cycles(1);
		assert_int_equal(stage_goal(YAW), 400);
	}
	stage_cycles(20);
	assert_int_equal(stage_goal(YAW), STAGE_START);
}

/*
 * A step wants 120 counts in 100 ms of a joint that is limp, and gets its torque when half of that is
 * over. What is left of the step's time would be for the servo's top speed.
 */
static void one_that_becomes_stiff_in_a_step_keeps_the_robots_limit(void **state)
{
	int before = STAGE_START;

	(void)state;
	make_stiff_head();
	stage_set(YAW_HARDNESS, 0, 0);
	stage_cycles(2);
	set_step_of(2, 0, 100, STAGE_START + 120, STAGE_START + 120);
	stage_cycles(5);
	assert_int_equal(stage_goal(YAW), STAGE_START);
	assert_int_equal(stage_goal(PITCH), STAGE_START + 60);
	stage_set(YAW_HARDNESS, 1, 0);
	/* And the next one keeps it too, until the joint is where its commands have it. */
	set_step(100, 200, STAGE_START + 160);
	for (int i = 0; i < 20; i++) {
		stage_cycles(1);
		assert_in_range(stage_goal(YAW), before, before + 8);
		before = stage_goal(YAW);
	}
	assert_int_equal(stage_goal(YAW), STAGE_START + 160);
	set_step(0, 100, STAGE_START);
	stage_cycles(10);
	assert_int_equal(stage_goal(YAW), STAGE_START);
}

static int set_wrong_step(const char *const *names, int64_t length, double goal, size_t count,
			  struct naohw_error *err)
{
	const double goals[] = { goal, 0 };

	return naohw_dcm_set_step(stage.dcm, names, goals, count, stage.now, stage.now + length,
				  err);
}

static void a_step_is_of_positions_and_takes_time(void **state)
{
	static const char *const mixed[] = { YAW_POSITION, YAW_HARDNESS };
	static const char *const nobody[] = { "Nobody/Position/Actuator" };
	struct naohw_error err;

	(void)state;
	make_stiff_head();
	assert_int_equal(set_wrong_step(head, 0, 0, 2, &err), -EINVAL);
	assert_says(&err, "expected a time behind its begin");
	assert_int_equal(set_wrong_step(head, 10, (double)NAN, 2, &err), -EINVAL);
	assert_says(&err, "the goal is nan, expected a finite number");
	assert_int_equal(set_wrong_step(head, 10, 0, 0, &err), -EINVAL);
	assert_says(&err, "a step of 0 joints, expected 1 to 128");
	assert_int_equal(set_wrong_step(head, 10, 0, 129, &err), -EINVAL);
	assert_int_equal(set_wrong_step(mixed, 10, 0, 2, &err), -EINVAL);
	assert_says(&err, "expected the position of a joint");
	assert_int_equal(set_wrong_step(nobody, 10, 0, 1, &err), -ENOENT);
	stage_cycles(5);
	assert_int_equal(stage_goal(YAW), STAGE_START);
}

/* ---- how fast servos are told to go ---- */

/* 0.0116 rad/s each: a joint that is held back and comes free goes no faster than its goal did. */
static void the_servo_is_told_to_go_as_fast_as_its_goal(void **state)
{
	(void)state;
	make_stiff_head();
	stage_set(YAW_POSITION, (STAGE_START + 40 - STAGE_ZERO) * STAGE_COUNT, 200);
	stage_cycles(10);
	assert_in_range(stage_speed(YAW), 87, 350);
	stage.is_held[YAW] = true;
	stage_set(YAW_POSITION, (STAGE_START + 240 - STAGE_ZERO) * STAGE_COUNT, 10000);
	stage_cycles(1000);
	assert_int_equal(stage_goal(YAW), STAGE_START + 240);
	assert_in_range(stage_speed(YAW), 9, 10);
	/* At rest it keeps that. */
	stage_cycles(500);
	assert_in_range(stage_speed(YAW), 9, 10);
	/* A faster one is told at once. */
	stage.is_held[YAW] = false;
	stage_set(YAW_POSITION, (STAGE_START + 140 - STAGE_ZERO) * STAGE_COUNT, 500);
	stage_cycles(51);
	assert_in_range(stage_speed(YAW), 84, 88);
	/* Two counts are no way: it is not to be weak for them. */
	stage_set(YAW_POSITION, (STAGE_START + 142 - STAGE_ZERO) * STAGE_COUNT, 1000);
	stage_cycles(101);
	assert_int_equal(stage_goal(YAW), STAGE_START + 142);
	assert_in_range(stage_speed(YAW), 84, 88);
}

/* Each is too short to be a way: 4 counts in 10 ms are 2 rad/s. */
static void many_short_ways_are_a_way(void **state)
{
	(void)state;
	make_stiff_head();
	for (int i = 1; i <= 100; i++) {
		stage_set(YAW_POSITION, (STAGE_START + 2 * i - STAGE_ZERO) * STAGE_COUNT, 10);
		stage_cycles(1);
	}
	/* 2 counts in 10 ms are 1 rad/s. */
	assert_in_range(stage_speed(YAW), 84, 95);
}

static void set_pitch(void *data, struct naohw_dcm *dcm)
{
	const struct naohw_command command = { .value = 0 };

	(void)data;
	(void)naohw_dcm_set(dcm, PITCH_POSITION, NAOHW_UPDATE_CLEAR_ALL, &command, 1, NULL);
}

/* The cycle plans twice then. */
static void a_callback_makes_no_other_joint_fast(void **state)
{
	struct naohw_dcm_settings *settings;

	(void)state;
	assert_int_equal(naohw_dcm_settings_new(&settings), 0);
	assert_int_equal(naohw_dcm_settings_at_pre_process(settings, set_pitch, NULL), 0);
	stage_open("", settings);
	naohw_dcm_settings_free(settings);
	stage_set(YAW_HARDNESS, 1, 0);
	stage_cycles(2);
	stage_set(YAW_POSITION, (STAGE_START + 20 - STAGE_ZERO) * STAGE_COUNT, 1000);
	stage_cycles(300);
	assert_int_equal(stage_goal(YAW), STAGE_START + 20);
	assert_in_range(stage_speed(YAW), 9, 12);
}

/* 4 rad/s, as whoever gives no times to come may want any */
static void a_jump_is_as_fast_as_the_robot_may_be(void **state)
{
	(void)state;
	make_stiff_head();
	stage_set(YAW_POSITION, (STAGE_START + 20 - STAGE_ZERO) * STAGE_COUNT, 1000);
	stage_cycles(200);
	assert_in_range(stage_speed(YAW), 9, 12);
	stage_set(YAW_POSITION, (STAGE_START + 22 - STAGE_ZERO) * STAGE_COUNT, -20);
	stage_cycles(1);
	assert_in_range(stage_speed(YAW), 343, 346);
}

static void an_alias_is_none_of_what_it_cannot_be(void **state)
{
	static const char *const twice[] = { YAW_POSITION, YAW_POSITION };
	static const char *const none[] = { "Nothing" };
	static const char *const one[] = { YAW_POSITION };
	const char *answer[1] = { "untouched" };
	char name[16];
	struct naohw_error err;

	(void)state;
#define CREATE(name, names, count) naohw_dcm_create_alias(stage.dcm, name, names, count, answer, &err)
	assert_int_equal(CREATE("Two", twice, 2), -EINVAL);
	assert_says(&err, "twice");
	assert_int_equal(CREATE("None", none, 1), -ENOENT);
	assert_int_equal(CREATE(YAW_POSITION, one, 1), -EINVAL);
	assert_int_equal(CREATE("", one, 1), -EINVAL);
	assert_int_equal(CREATE("a b", one, 1), -EINVAL);
	assert_string_equal(answer[0], "untouched");
	for (int i = 0; i < NAOHW_ALIASES_MAX; i++) {
		snprintf(name, sizeof(name), "Alias%d", i);
		assert_int_equal(CREATE(name, one, 1), 0);
	}
	assert_int_equal(CREATE("More", one, 1), -ENOSPC);
	assert_int_equal(CREATE("Alias7", one, 1), 0);
}

/* What was set by it stays, and its place is another one's. */
static void an_alias_may_be_removed(void **state)
{
	static const char *const one[] = { YAW_POSITION };
	struct naohw_error err;
	char name[16];

	(void)state;
	assert_int_equal(naohw_dcm_remove_alias(stage.dcm, "Head", &err), -ENOENT);
	assert_says(&err, "Head: no such alias");
	for (int i = 0; i < NAOHW_ALIASES_MAX; i++) {
		snprintf(name, sizeof(name), "Alias%d", i);
		assert_int_equal(naohw_dcm_create_alias(stage.dcm, name, one, 1, NULL, &err), 0);
	}
	stage_set("Alias7", 0.1, 50);
	assert_int_equal(naohw_dcm_remove_alias(stage.dcm, "Alias7", &err), 0);
	assert_int_equal(naohw_dcm_remove_alias(stage.dcm, "Alias7", &err), -ENOENT);
	stage_cycles(6);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 20);
	/* Those behind it are still found, and none is there twice. */
	assert_int_equal(naohw_dcm_create_alias(stage.dcm, "Alias8", one, 1, NULL, &err), 0);
	assert_int_equal(naohw_dcm_create_alias(stage.dcm, "More", one, 1, NULL, &err), 0);
	assert_int_equal(naohw_dcm_create_alias(stage.dcm, "Most", one, 1, NULL, &err), -ENOSPC);
	stage_set("Alias255", 0.2, 50);
	stage_cycles(20);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 40);
}

static void an_alias_may_be_made_of_others_and_anew(void **state)
{
	static const char *const yaw[] = { YAW_POSITION };
	static const char *const both[] = { "Head", PITCH_HARDNESS };

	(void)state;
	make_head();
	assert_int_equal(naohw_dcm_create_alias(stage.dcm, "All", both, 2, NULL, NULL), 0);
	assert_int_equal(naohw_dcm_create_alias(stage.dcm, "Head", yaw, 1, NULL, NULL), 0);
	stage_set("Head", 0.1, 50);
	stage_cycles(6);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 20);
	assert_int_equal(stage_goal(PITCH), STAGE_START);
	/* It is what the other was when it was made. */
	stage_set("All", 0.2, 50);
	stage_cycles(20);
	assert_int_equal(stage_goal(PITCH), STAGE_ZERO + 40);
	assert_int_equal(stage_stiffness(PITCH), 200);
}

/* ---- callbacks ---- */

static struct {
	char order[64];
	double seen; /* of the sensor, after the frame */
	double planned;
	bool sets;
	int ret;
} called;

static void after_the_frame(void *data, struct naohw_dcm *dcm)
{
	struct naohw_value value;
	size_t slot;

	(void)data;
	strcat(called.order, "post;");
	assert_int_equal(naohw_store_find(naohw_dcm_store(dcm),
					  "Device/SubDeviceList/HeadYaw/Position/Sensor/Value",
					  &slot), 0);
	assert_int_equal(naohw_store_read(naohw_dcm_store(dcm), slot, &value), 0);
	called.seen = value.number;
	assert_int_equal(naohw_dcm_get_value(dcm, YAW_POSITION, &called.planned), -EBUSY);
}

static void before_the_pose(void *data, struct naohw_dcm *dcm)
{
	const struct naohw_command now = { .value = 0.06, .time = naohw_dcm_get_time(dcm, 0) };

	(void)data;
	strcat(called.order, "pre;");
	assert_int_equal(naohw_dcm_get_value(dcm, YAW_POSITION, &called.planned), 0);
	if (called.sets)
		called.ret = naohw_dcm_set(dcm, YAW_POSITION, NAOHW_UPDATE_CLEAR_ALL, &now, 1, NULL);
}

static void open_with_callbacks(void)
{
	struct naohw_dcm_settings *settings;

	memset(&called, 0, sizeof(called));
	assert_int_equal(naohw_dcm_settings_new(&settings), 0);
	naohw_dcm_settings_at_pre_process(settings, before_the_pose, NULL);
	naohw_dcm_settings_at_post_process(settings, after_the_frame, NULL);
	stage_open("", settings);
	naohw_dcm_settings_free(settings);
	stage_set(YAW_HARDNESS, 1, 0);
	stage_cycles(1);
}

static void callbacks_come_in_order_and_see_what_they_should(void **state)
{
	(void)state;
	open_with_callbacks();
	assert_string_equal(called.order, "post;pre;");
	stage.is_held[YAW] = true;
	stage.present[YAW] = 524;
	stage_set(YAW_POSITION, 0.08, 10);
	stage_cycles(1);
	assert_near(called.seen, 12 * STAGE_COUNT, 1e-9);
	assert_near(called.planned, stage_goal(YAW) * STAGE_COUNT - 2.56, 1e-9);
}

/* [dcm-19] */
static void what_is_set_before_the_pose_is_sent_with_it(void **state)
{
	(void)state;
	open_with_callbacks();
	called.sets = true;
	stage_cycles(1);
	assert_int_equal(called.ret, 0);
	assert_int_equal(stage_goal(YAW), STAGE_ZERO + 12);
}

static void there_are_eight_of_each_at_the_most(void **state)
{
	struct naohw_dcm_settings *settings;

	(void)state;
	assert_int_equal(naohw_dcm_settings_new(&settings), 0);
	for (int i = 0; i < 8; i++)
		assert_int_equal(naohw_dcm_settings_at_pre_process(settings, before_the_pose, NULL),
				 0);
	assert_int_equal(naohw_dcm_settings_at_pre_process(settings, before_the_pose, NULL),
			 -ENOSPC);
	naohw_dcm_settings_free(settings);
}

/* ---- what is told ---- */

/* [dcm-17] [dcm-18] [name-2] */
static void prefixes_and_time_are_as_there(void **state)
{
	(void)state;
	assert_string_equal(naohw_dcm_get_prefix(0), "Device/SubDeviceList/");
	assert_string_equal(naohw_dcm_get_prefix(1), "Device/DeviceList/");
	assert_null(naohw_dcm_get_prefix(2));
	assert_int_equal(naohw_dcm_get_time(stage.dcm, 0), stage.now);
	assert_int_equal(naohw_dcm_get_time(stage.dcm, -250), stage.now - 250);
	assert_int_equal(naohw_dcm_get_time(stage.dcm, INT64_MAX), INT64_MAX);
}

/* [dcm-20] */
static void its_own_keys_are_live(void **state)
{
	(void)state;
	stage_cycles(3);
	assert_near(stage_value("DCM/Time"), (double)stage.now, 0);
	assert_near(stage_value("HAL/Time"), (double)stage.now, 0);
	assert_near(stage_value("DCM/CycleTime"), 10, 1e-6);
	assert_near(stage_value("HAL/CycleTime"), 10, 1e-6);
	assert_near(stage_value("DCM/TargetCycleTime"), 10, 1e-6);
	assert_near(stage_value("DCM/CycleTimeWarning"), 50, 0);
	assert_near(stage_value("DCM/CycleTimeErrorCounter"), 0, 0);
	assert_string_equal(stage_text("DCM/Error"), "");
	assert_string_equal(stage_text("DCM/Stream"), "running");
	stage_cycle_after(60);
	stage_cycles(1);
	assert_near(stage_value("DCM/CycleTimeErrorCounter"), 1, 0);
	assert_near(stage_value("DCM/CycleTimeErrorLastTime"), (double)stage.now - 10, 0);
	assert_near(stage_value("HAL/Ack"), (double)stage.host->live.frames, 0);
}

/* In Hz, as the bus's trigger has it */
static double beat(void)
{
	return atof(fake_device_get("dxl0-cycle", "sampling_frequency"));
}

static void the_period_can_be_commanded(void **state)
{
	(void)state;
	stage_set("DCM/TargetCycleTime", 12.5, 0);
	EVENTUALLY(fabs(beat() - 80) < 1e-3);
	EVENTUALLY(stage_value("DCM/TargetCycleTime") == 12.5);
	stage_set("DCM/TargetCycleTime", 5000, 0);
	EVENTUALLY(fabs(beat() - 10) < 1e-3);
	stage_end();
	assert_near(beat(), 100, 1e-3);
}

static void or_be_preferred(void **state)
{
	(void)state;
	stage_open("<Preference memoryName='DCM/TargetCycleTime' type='int' value='20'/>", NULL);
	assert_near(beat(), 50, 1e-3);
	stage_end();
	assert_near(beat(), 100, 1e-3);
}

/* The poses are another program's. */
static void a_preferred_period_goes_with_a_dcm_that_cannot_begin(void **state)
{
	struct naohw_error err;

	(void)state;
	stage_open("<Preference memoryName='DCM/TargetCycleTime' type='int' value='20'/>", NULL);
	stage_end();
	fake_take("dxl0-goal");
	assert_true(stage_begin(NULL, &err) < 0);
	assert_near(beat(), 100, 1e-3);
}

static void what_the_bus_needs_is_told(void **state)
{
	(void)state;
	assert_near(stage_value("DCM/CycleTimeNeeded"), 0, 0);
	fake_device_set("dxl0-cycle", "sampling_frequency_available", "[1 0.000001 125]\n");
	EVENTUALLY(fabs(stage_value("DCM/CycleTimeNeeded") - 8) < 1e-3);
}

static void a_pose_that_fails_is_told(void **state)
{
	(void)state;
	fake_fail_push(0, -EIO);
	stage_cycles(2);
	assert_true(*stage_text("DCM/Error"));
	fake_fail_push(0, 0);
	stage_cycles(2);
	assert_string_equal(stage_text("DCM/Error"), "");
}

static void a_preference_out_of_its_range_is_refused(void **state)
{
	static const char text[] =
		"<ModulePreference><Preference memoryName=\"DCM/RealtimePriority\" type=\"int\" "
		"value=\"100\"/><Preference memoryName=\"Device/SubDeviceList/HeadYaw/Position/Sensor/"
		"Channel\" type=\"string\" value=\"in_angl0\"/></ModulePreference>";
	struct naohw_robot *robot;
	struct naohw_dcm *dcm;
	struct naohw_error err;

	(void)state;
	fake_reset();
	fake_servo("HeadYaw");
	assert_int_equal(naohw_robot_open(temp_text(text), NULL, &robot, NULL), 0);
	assert_int_equal(naohw_dcm_open(robot, NULL, &dcm, &err), -EINVAL);
	assert_says(&err, "expected a number from 1 to 99");
	naohw_robot_close(robot);
}

static void a_cycle_allocates_nothing(void **state)
{
	struct naohw_command line[32];
	unsigned long before;

	(void)state;
	make_head();
	for (int i = 0; i < 32; i++)
		line[i] = (struct naohw_command){ .value = 0.001 * i,
						  .time = stage.now + 500 + 10 * i };
	assert_int_equal(set("Head", NAOHW_UPDATE_CLEAR_ALL, line, 32, NULL), 0);
	before = allocations();
	stage_cycles(1);
	assert_int_equal(allocations(), before);
}

int main(void)
{
#define TEST(name)  cmocka_unit_test_setup_teardown(name, setup, teardown)
#define ALONE(name) cmocka_unit_test_teardown(name, teardown)
	const struct CMUnitTest tests[] = {
		ALONE(nothing_moves_at_the_beginning),
		TEST(a_position_goes_on_a_line_in_time),
		TEST(hardness_goes_on_a_line_and_with_each_pose),
		TEST(what_is_beyond_its_limits_is_brought_to_them),
		ALONE(commands_stay_within_the_descriptions_limits),
		TEST(a_joint_beyond_its_limit_gets_goals_within),
		TEST(the_key_has_what_was_sent),
		TEST(what_has_no_between_is_written_once_when_its_time_has_come),
		TEST(what_could_not_be_written_is_tried_again),
		TEST(without_a_time_it_goes_slowly),
		TEST(of_two_joints_with_one_motor_the_first_drives),
		TEST(no_joint_goes_too_fast),
		ALONE(a_joint_may_have_a_speed_of_its_own),
		TEST(a_late_cycle_does_not_jump),
		TEST(a_limp_joint_has_its_position_follow_the_sensor),
		ALONE(what_is_commanded_with_the_hardness_is_gone_to),
		TEST(one_below_zero_is_free),
		TEST(without_a_calibration_there_is_no_hardness),
		ALONE(a_calibration_is_a_number_of_any_kind),
		ALONE(a_period_of_a_millisecond_goes_on_a_line),
		TEST(an_overdrawn_battery_lowers_all_hardness_slowly),
		TEST(a_battery_that_is_charged_or_silent_lowers_none),
		TEST(silence_takes_nothing_and_goals_go_on),
		TEST(one_that_was_moved_meanwhile_goes_back_slowly),
		TEST(one_that_is_near_or_was_not_silent_for_long_goes_on),
		TEST(one_that_lags_as_servos_do_was_not_moved),
		TEST(one_that_swings_was_not_moved),
		TEST(a_missing_answer_in_the_first_frame_takes_nothing),
		TEST(a_stiffness_that_could_not_be_read_is_left_alone),
		TEST(one_that_was_moved_while_it_was_unknown_goes_back_slowly),
		TEST(to_let_go_needs_no_knowledge),
		TEST(what_is_commanded_of_an_unknown_joint_waits_for_its_answer),
		TEST(after_a_time_without_frames_nothing_is_taken),
		TEST(what_is_commanded_outlives_what_protects),
		TEST(a_battery_whose_board_has_an_alarm_is_believed),
		TEST(a_cycle_is_no_longer_than_it_can_be_watched),
		TEST(after_a_cycle_that_stood_still_nothing_is_taken),
		TEST(what_the_kernel_gives_back_begins_where_it_is),
		TEST(one_that_has_lost_its_torque_follows_and_no_other),
		TEST(one_that_was_let_go_by_hand_follows),
		TEST(one_whose_mode_has_no_positions_follows),
		TEST(one_that_is_to_be_limp_is_told),
		TEST(a_joint_that_no_pose_has_is_told),
		TEST(one_that_the_dcm_has_not_needs_another_dcm),
		TEST(what_the_kernel_only_doubts_changes_nothing),
		TEST(what_takes_its_time_hides_no_trip),
		TEST(what_the_kernel_has_let_go_follows_until_it_is_given_back),
		TEST(a_robot_that_a_person_has_let_go_drops_its_commands),
		TEST(a_robot_that_was_let_go_can_be_told_to_stay_so),
		ALONE(one_bus_that_recovers_waits_for_the_other),
		ALONE(a_trip_from_before_is_not_made_worse),
		ALONE(what_has_come_back_goes_on_from_there_when_it_is_told_to),
		ALONE(what_is_told_during_a_trip_from_before_holds_afterwards),
		ALONE(where_it_was_told_to_go_during_a_trip_it_goes_slowly),
		TEST(no_servo_is_told_to_go_faster_than_before),
		TEST(what_was_let_go_before_is_known_at_once),
		TEST(without_frames_what_is_commanded_goes_on),
		ALONE(one_silent_bus_stops_no_other),
		ALONE(a_full_bus_makes_nobody_wait),
		ALONE(signs_of_life_go_on_while_it_is_opened),
		TEST(a_frame_is_waited_for_no_longer_than_the_watchdog_allows),
		ALONE(a_bus_that_is_gone_hides_no_trip),
		TEST(a_command_without_a_time_has_its_time_before_it_is_counted),
		TEST(names_are_with_or_without_what_is_around_them),
		TEST(what_is_wrong_is_said_and_changes_nothing),
		TEST(what_has_no_room_is_told_by_the_flush),
		TEST(a_flood_is_spread_over_cycles),
		TEST(large_calls_are_refused_sooner),
		TEST(all_of_a_call_is_done_or_nothing),
		ALONE(a_joint_that_no_pose_has_is_not_commanded),
		TEST(of_two_calls_the_later_one_counts),
		TEST(nobody_else_publishes_in_its_store),
		TEST(an_alias_is_all_that_are_there_of_it),
		TEST(times_may_be_the_same_for_all_of_an_alias),
		TEST(or_each_has_its_own),
		TEST(a_step_begins_and_ends_for_all_in_the_same_cycles),
		TEST(steps_follow_each_other),
		TEST(a_step_that_comes_late_keeps_its_times),
		TEST(a_step_alone_may_be_as_fast_as_the_servo),
		TEST(steps_given_ahead_are_as_fast),
		TEST(a_step_begins_where_the_joint_is_by_then),
		TEST(one_that_becomes_stiff_in_a_step_keeps_the_robots_limit),
		TEST(a_step_is_of_positions_and_takes_time),
		TEST(the_servo_is_told_to_go_as_fast_as_its_goal),
		TEST(a_jump_is_as_fast_as_the_robot_may_be),
		TEST(many_short_ways_are_a_way),
		ALONE(a_callback_makes_no_other_joint_fast),
		TEST(an_alias_is_none_of_what_it_cannot_be),
		TEST(an_alias_may_be_removed),
		TEST(an_alias_may_be_made_of_others_and_anew),
		ALONE(callbacks_come_in_order_and_see_what_they_should),
		ALONE(what_is_set_before_the_pose_is_sent_with_it),
		ALONE(there_are_eight_of_each_at_the_most),
		TEST(prefixes_and_time_are_as_there),
		TEST(its_own_keys_are_live),
		TEST(the_period_can_be_commanded),
		ALONE(or_be_preferred),
		ALONE(a_preferred_period_goes_with_a_dcm_that_cannot_begin),
		TEST(what_the_bus_needs_is_told),
		TEST(a_pose_that_fails_is_told),
		ALONE(a_preference_out_of_its_range_is_refused),
		TEST(a_cycle_allocates_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
