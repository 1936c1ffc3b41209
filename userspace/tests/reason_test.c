// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Why a joint does not move, without a DCM: by the kernel, by the servo's registers and by who has the
 * bus. What only a scan tells is in doctor/answers.txt, what only a DCM knows in dcm_test.c.
 */
#include "support.h"

#include "robot/robot.h"

#include "fake_iio.h"

#define PART(label, key, type, value)                                                              \
	"<Preference memoryName='Device/SubDeviceList/" label "/" key "' type='" type "' value='" value \
	"'/>\n"
#define POSITION(label)                                                                            \
	PART(label, "Position/Sensor/Channel", "string", "in_angl0")                               \
	PART(label, "Position/Actuator/Channel", "string", "out_angl0")                            \
	PART(label, "Position/Actuator/Min", "float", "-2")                                        \
	PART(label, "Position/Actuator/Max", "float", "2")
#define SPEED(label)                                                                               \
	PART(label, "Speed/Actuator/Channel", "string", "out_anglvel0")                            \
	PART(label, "Speed/Actuator/Min", "float", "-2")                                           \
	PART(label, "Speed/Actuator/Max", "float", "2")
#define ROBOT                                                                                      \
	"<ModulePreference>" POSITION("HeadYaw") SPEED("Wheel") POSITION("LKneePitch")             \
	PART("ChestBoard", "Battery/Sensor/Channel", "string", "count1") "</ModulePreference>"

#define YAW "HeadYaw"

static struct naohw_robot *robot;

/* A servo that holds where it is */
static void make_servo(const char *label)
{
	fake_servo(label);
	fake_set(label, "out_angl0_en", "1");
	fake_device_set(label, "torque_state", "stiff");
	fake_device_set(label, "hardware_error", "");
	fake_device_set(label, "operating_mode", "position");
}

static int setup(void **state)
{
	static const char *const labels[] = { YAW, "Wheel" };
	static const char *const parts[] = { "battery" };
	struct naohw_error err;

	(void)state;
	fake_reset();
	make_servo(YAW);
	make_servo("Wheel");
	fake_goal(0, labels, 2);
	fake_device_set("dxl0-goal", "stream_state", "idle");
	fake_state(0, labels, 2, 100);
	fake_board(0, 200, "ChestBoard", parts, 1);
	fake_device_set("ChestBoard", "servo_power", "1");
	if (naohw_robot_open(temp_text(ROBOT), NULL, &robot, &err) < 0)
		fail_msg("%s", err.message);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	naohw_robot_close(robot);
	return 0;
}

static const struct naohw_reason *reason_of(const char *label)
{
	size_t joint;

	assert_int_equal(naohw_robot_find_joint(robot, label, &joint), 0);
	return naohw_joint_reason(robot, NULL, joint);
}

/* Each has words for people; what somebody can mend says how. */
static void assert_reason(const char *label, const char *word)
{
	const struct naohw_reason *reason = reason_of(label);

	assert_string_equal(reason->word, word);
	assert_ptr_equal(reason, naohw_reason_of(word));
	assert_true(*reason->what);
	assert_true(!reason->is_fault || reason->remedy);
}

static void one_that_holds_has_none(void **state)
{
	(void)state;
	assert_reason(YAW, "");
}

static void the_kernel_says_what_has_become_of_its_torque(void **state)
{
	static const char *const words[][2] = {
		{ "free", "free" },	      { "tripped", "tripped" },
		{ "recovering", "recovering" }, { "recovering-doubted", "recovering" },
		{ "shut-down", "shut-down" }, { "relaxed", "no-torque" },
		{ "other-model", "other-model" }, { "doubted", "" },
		{ "unused", "" },	      { "unheard", "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		fake_device_set(YAW, "torque_state", words[i][0]);
		assert_reason(YAW, words[i][1]);
	}
}

static void without_torque_it_is_limp(void **state)
{
	(void)state;
	fake_set(YAW, "out_angl0_en", "0");
	assert_reason(YAW, "no-torque");
}

static void with_a_torque_limit_of_0_as_well(void **state)
{
	(void)state;
	fake_set(YAW, "out_angl0_torque_limit", "0.000000");
	assert_reason(YAW, "torque-limit");
}

/* While nothing streams the kernel looks at no alarm. */
static void a_servo_says_that_it_has_shut_down(void **state)
{
	static const char *const errors[] = { "overload", "voltage overheating", "encoder" };

	(void)state;
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		fake_device_set(YAW, "hardware_error", errors[i]);
		fake_set(YAW, "out_angl0_en", "1");
		assert_reason(YAW, "");
		fake_set(YAW, "out_angl0_en", "0");
		assert_reason(YAW, "shut-down");
	}
	fake_device_set(YAW, "hardware_error", "voltage");
	assert_reason(YAW, "no-torque");
}

static void a_mode_without_positions_is_told(void **state)
{
	(void)state;
	fake_set(YAW, "out_angl0_raw_available", "[0 0 0]");
	assert_reason(YAW, "mode");
	fake_device_set(YAW, "torque_state", "free");
	assert_reason(YAW, "mode");
	/* A wheel is to turn. */
	fake_set("Wheel", "out_angl0_raw_available", "[0 0 0]");
	assert_reason("Wheel", "");
	fake_device_set("Wheel", "torque_state", "tripped");
	assert_reason("Wheel", "tripped");
}

/* In which order a person sees to them: without a mode with positions no recovery helps. */
static void of_several_reasons_the_first_to_see_to_is_told(void **state)
{
	(void)state;
	fake_set(YAW, "out_angl0_raw_available", "[0 0 0]");
	fake_device_set(YAW, "torque_state", "tripped");
	assert_reason(YAW, "mode");
	fake_device_set(YAW, "torque_state", "shut-down");
	assert_reason(YAW, "shut-down");
	fake_device_set("dxl0-goal", "limp", "1");
	assert_reason(YAW, "limp");
	fake_device_set("dxl0-goal", "limp", "0");
	/* As the servo says it, while nothing streams */
	fake_device_set(YAW, "torque_state", "free");
	assert_reason(YAW, "mode");
	fake_device_set(YAW, "hardware_error", "overload");
	fake_set(YAW, "out_angl0_en", "0");
	assert_reason(YAW, "shut-down");
}

static void one_that_is_lost_does_not_answer(void **state)
{
	(void)state;
	fake_device_set(YAW, "torque_state", "lost");
	assert_reason(YAW, "no-answer");
	fake_device_set("ChestBoard", "servo_power", "0");
	assert_reason(YAW, "no-power");
}

static void nor_does_one_that_is_late(void **state)
{
	(void)state;
	fake_fail(YAW, "out_angl0_en", -ETIMEDOUT);
	assert_reason(YAW, "no-answer");
}

static void one_that_nobody_has_seen_is_not_there(void **state)
{
	(void)state;
	assert_reason("LKneePitch", "not-there");
	assert_string_equal(naohw_joint_reason(robot, NULL, 99)->word, "not-there");
}

static void one_that_another_program_has_is_held(void **state)
{
	(void)state;
	fake_device_set("dxl0-goal", "stream_state", "leased");
	assert_reason(YAW, "held");
	fake_device_set("dxl0-goal", "stream_state", "idle");
	fake_take("dxl0-goal");
	assert_reason(YAW, "held");
	/* What is wrong with the servo matters more. */
	fake_device_set(YAW, "torque_state", "tripped");
	assert_reason(YAW, "tripped");
}

/* Whatever has become of its torque by that. The device of the bus may be another one by now. */
static void one_that_a_person_has_let_go_is_limp(void **state)
{
	static const char *const words[] = { "tripped", "free", "unused" };

	(void)state;
	fake_device_set("dxl0-goal", "limp", "1");
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		fake_device_set(YAW, "torque_state", words[i]);
		assert_reason(YAW, "limp");
		assert_reason("Wheel", "limp");
	}
	fake_device_set("dxl0-goal", "stiffness", "0");
	assert_int_equal(device_write(&robot->goals.list[0].held, "stiffness", "1"), 0);
	assert_reason(YAW, "limp");
	fake_device_set("dxl0-goal", "limp", "0");
	fake_device_set(YAW, "torque_state", "tripped");
	assert_reason(YAW, "tripped");
}

/* ---- what is refused says so ---- */

static void check_refused(const char *says)
{
	struct naohw_error err;
	struct naohw_key *key;

	assert_int_equal(naohw_robot_find_key(robot,
					      "Device/SubDeviceList/" YAW "/Position/Actuator/Value",
					      &key), 0);
	assert_true(naohw_key_write(key, 0.5, &err) < 0);
	assert_says(&err, says);
	assert_true(strstr(says, "outside") || !strstr(err.message, "outside"));
}

static void a_goal_that_is_refused_says_why(void **state)
{
	(void)state;
	naohw_robot_set_unwatched(robot);
	fake_set(YAW, "out_angl0_raw_available", "[0 0 0]");
	fake_fail(YAW, "out_angl0_raw", -ERANGE);
	check_refused("does not move: its operating mode has no goal positions; let it go, write ");
	fake_fail(YAW, "out_angl0_raw", -EBUSY);
	check_refused("operating mode");
	fake_set(YAW, "out_angl0_raw_available", "[0 1 1023]");
	fake_device_set(YAW, "torque_state", "tripped");
	check_refused("the torque is gone");
	fake_device_set("dxl0-goal", "limp", "1");
	check_refused("a person has let the robot go, by naohw limp");
	fake_device_set("dxl0-goal", "limp", "0");
	fake_device_set(YAW, "torque_state", "other-model");
	fake_fail(YAW, "out_angl0_raw", -ENODEV);
	check_refused("another model");
}

/* It would be as wrong of a joint that moves. */
static void a_value_out_of_range_is_told_as_such(void **state)
{
	static const char *const words[] = { "tripped", "shut-down", "stiff" };

	(void)state;
	naohw_robot_set_unwatched(robot);
	fake_set(YAW, "out_angl0_raw_available", "[300 1 550]");
	fake_fail(YAW, "out_angl0_raw", -ERANGE);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		fake_device_set(YAW, "torque_state", words[i]);
		check_refused("0.5 is outside of what the servo accepts");
	}
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(one_that_holds_has_none),
		TEST(the_kernel_says_what_has_become_of_its_torque),
		TEST(without_torque_it_is_limp),
		TEST(with_a_torque_limit_of_0_as_well),
		TEST(a_servo_says_that_it_has_shut_down),
		TEST(a_mode_without_positions_is_told),
		TEST(of_several_reasons_the_first_to_see_to_is_told),
		TEST(one_that_is_lost_does_not_answer),
		TEST(nor_does_one_that_is_late),
		TEST(one_that_nobody_has_seen_is_not_there),
		TEST(one_that_another_program_has_is_held),
		TEST(one_that_a_person_has_let_go_is_limp),
		TEST(a_goal_that_is_refused_says_why),
		TEST(a_value_out_of_range_is_told_as_such),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
