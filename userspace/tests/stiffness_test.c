// SPDX-License-Identifier: LGPL-2.1-or-later
/* Poses that say how stiff joints are: the devices for them come and go, and nobody is let go. */
#include "support.h"

#include "fake_iio.h"

#define STEPS 1023 /* of an AX-12 */

/* In a pose of two servos, in words */
enum { GOAL_1, SPEED_1, STIFFNESS_1, GOAL_2, SPEED_2, STIFFNESS_2 };

static const char *const labels[] = { "HeadYaw", "HeadPitch", "LKneePitch" };

static struct naohw_robot *robot;
static struct naohw_pose_settings *settings;
static struct naohw_pose *pose;

static void add_bus(unsigned int bus, const char *const *label, unsigned int count)
{
	char name[16];

	snprintf(name, sizeof(name), "dxl%u-goal", bus);
	fake_goal(bus, label, count);
	fake_device_set(name, "stiffness", "0");
	fake_device_set(name, "stream_state", "streaming\n");
	fake_device_set(name, "auto_recover", "0");
	fake_device_set(name, "recover", "");
	fake_device_set(name, "keep_alive", "");
}

static void open_robot(void)
{
	naohw_robot_close(robot);
	assert_int_equal(naohw_robot_open(PLAIN_ROBOT, NULL, &robot, NULL), 0);
}

static int setup(void **state)
{
	(void)state;
	fake_reset();
	for (unsigned int i = 0; i < 3; i++)
		fake_servo(labels[i]);
	add_bus(0, labels, 2);
	robot = NULL;
	pose = NULL;
	open_robot();
	assert_int_equal(naohw_pose_settings_new(&settings), 0);
	naohw_pose_settings_set_stiffness(settings, 1);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	naohw_pose_settings_free(settings);
	naohw_pose_close(pose);
	naohw_robot_close(robot);
	assert_int_equal(fake_contexts(), 0);
	return 0;
}

static void open_with(const struct naohw_pose_settings *with)
{
	struct naohw_error err;

	if (naohw_pose_open(robot, with, &pose, &err) < 0)
		fail_msg("%s", err.message);
}

static void open_pose(void)
{
	open_with(settings);
}

static void close_pose(void)
{
	naohw_pose_close(pose);
	pose = NULL;
}

static void check_refused(const struct naohw_pose_settings *with, int code, const char *says)
{
	struct naohw_error err;

	assert_int_equal(naohw_pose_open(robot, with, &pose, &err), code);
	assert_says(&err, says);
	assert_int_equal(fake_contexts(), 1);
}

static void push(void)
{
	struct naohw_error err;

	if (naohw_pose_push(pose, &err) < 0)
		fail_msg("%s", err.message);
}

static int get(const char *label, double *part)
{
	size_t joint;

	assert_int_equal(naohw_robot_find_joint(robot, label, &joint), 0);
	return naohw_pose_get_stiffness(pose, joint, part);
}

static double stiffness_of(const char *label)
{
	double part;

	assert_int_equal(get(label, &part), 0);
	return part;
}

static int set(const char *label, double part)
{
	size_t joint;

	assert_int_equal(naohw_robot_find_joint(robot, label, &joint), 0);
	return naohw_pose_set_stiffness(pose, joint, part);
}

static void add_second_bus(void)
{
	add_bus(1, &labels[2], 1);
	open_robot();
}

/* ---- what is in them ---- */

static void joints_are_as_stiff_as_they_were(void **state)
{
	(void)state;
	fake_set("HeadYaw", "out_angl0_en", "1");
	fake_set("HeadYaw", "out_angl0_torque_limit", "25.024438");
	open_pose();
	assert_near(stiffness_of("HeadYaw"), 256.0 / STEPS, 1e-9);
	assert_near(stiffness_of("HeadPitch"), 0, 0);
	push();
	assert_int_equal(fake_pose(0, 0)[GOAL_1], 512);
	assert_int_equal(fake_pose(0, 0)[STIFFNESS_1], 256);
	assert_int_equal(fake_pose(0, 0)[GOAL_2], 512);
	assert_int_equal(fake_pose(0, 0)[STIFFNESS_2], 0);
}

static void a_motor_without_its_brake_is_free(void **state)
{
	(void)state;
	fake_set("HeadYaw", "out_angl0_brake", "1");
	fake_set("HeadPitch", "out_angl0_brake", "0");
	open_pose();
	assert_near(stiffness_of("HeadYaw"), 0, 0);
	assert_near(stiffness_of("HeadPitch"), -1, 0);
	push();
	assert_int_equal((int16_t)fake_pose(0, 0)[STIFFNESS_2], -STEPS);
}

/* The number by which the kernel leaves a servo alone */
#define LEFT_ALONE (-32768)

static void a_servo_is_asked_three_times(void **state)
{
	double part;

	(void)state;
	fake_set("HeadYaw", "out_angl0_en", "1");
	fake_set("HeadPitch", "out_angl0_en", "1");
	fake_fail_times("HeadYaw", "out_angl0_torque_limit", -ETIMEDOUT, 2);
	fake_fail_times("HeadPitch", "out_angl0_torque_limit", -ETIMEDOUT, 3);
	open_pose();
	assert_near(stiffness_of("HeadYaw"), 1, 0);
	assert_int_equal(get("HeadPitch", &part), -ENODATA);
}

/* It may be what the robot stands on. */
static void who_cannot_be_asked_is_left_alone_until_it_is_set(void **state)
{
	double part;

	(void)state;
	fake_set("HeadYaw", "out_angl0_en", "1");
	fake_fail("HeadYaw", "out_angl0_en", -ETIMEDOUT);
	open_pose();
	assert_int_equal(get("HeadYaw", &part), -ENODATA);
	push();
	assert_int_equal((int16_t)fake_pose(0, 0)[STIFFNESS_1], LEFT_ALONE);
	assert_int_equal(set("HeadYaw", 0), 0);
	push();
	assert_int_equal(fake_pose(0, 1)[STIFFNESS_1], 0);
}

/* Else the poses would let it go again, as soon as it is back. */
static void who_has_lost_its_torque_is_left_alone_until_it_is_set(void **state)
{
	static const char *const words[] = { "tripped", "shut-down", "recovering" };
	double part;

	(void)state;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		fake_device_set("HeadYaw", "torque_state", words[i]);
		open_pose();
		assert_int_equal(get("HeadYaw", &part), -ENODATA);
		naohw_pose_close(pose);
		pose = NULL;
	}
	fake_device_set("HeadYaw", "torque_state", "relaxed");
	open_pose();
	assert_near(stiffness_of("HeadYaw"), 0, 0);
}

static void a_limit_beyond_all_is_all(void **state)
{
	(void)state;
	fake_set("HeadYaw", "out_angl0_en", "1");
	fake_set("HeadYaw", "out_angl0_torque_limit", "120");
	open_pose();
	assert_near(stiffness_of("HeadYaw"), 1, 0);
}

static void stiffness_is_what_was_set(void **state)
{
	static const struct {
		double part;
		int steps;
	} expected[] = {
		{ 0, 0 },	{ 1, STEPS }, { -1, -STEPS },	{ 0.5, 512 },
		{ -0.25, -256 }, { 1e-6, 1 },  { -1e-6, -1 },	{ 0.001, 1 },
	};

	(void)state;
	open_pose();
	for (unsigned int i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		assert_int_equal(set("HeadPitch", expected[i].part), 0);
		assert_near(stiffness_of("HeadPitch"), (double)expected[i].steps / STEPS, 1e-12);
		push();
		assert_int_equal((int16_t)fake_pose(0, i)[STIFFNESS_2], expected[i].steps);
		assert_int_equal(fake_pose(0, i)[STIFFNESS_1], 0);
	}
}

static void what_is_no_stiffness_is_refused(void **state)
{
	double part;

	(void)state;
	open_pose();
	assert_int_equal(set("HeadYaw", 1.01), -ERANGE);
	assert_int_equal(set("HeadYaw", -1.01), -ERANGE);
	assert_int_equal(set("HeadYaw", NAN), -EINVAL);
	assert_int_equal(set("HeadYaw", INFINITY), -EINVAL);
	assert_int_equal(naohw_pose_set_stiffness(pose, 99, 1), -EINVAL);
	assert_int_equal(set("LKneePitch", 1), -ENODEV);
	assert_int_equal(naohw_pose_get_stiffness(pose, 99, &part), -EINVAL);
	assert_near(stiffness_of("HeadYaw"), 0, 0);
}

static void axes_have_steps(void **state)
{
	struct servo_axis axis;
	size_t index;

	(void)state;
	open_pose();
	assert_int_equal(pose_find_axis(pose, "HeadPitch", &index), 0);
	assert_int_equal(index, 1);
	assert_int_equal(pose_find_axis(pose, "LKneePitch", &index), -ENOENT);
	assert_int_equal(pose_get_axis(pose, 1, &axis), 0);
	assert_int_equal(axis.stiffness_max, STEPS);
	assert_near(axis.stiffness_scale, 0.097751710, 1e-12);
	pose_set_stiffness(pose, 1, -77);
	assert_int_equal(pose_get_stiffness(pose, 1), -77);
	push();
	assert_int_equal((int16_t)fake_pose(0, 0)[STIFFNESS_2], -77);
}

static void who_has_not_asked_says_nothing_of_it(void **state)
{
	struct servo_axis axis;

	(void)state;
	open_with(NULL);
	assert_int_equal(set("HeadYaw", 0.5), -EOPNOTSUPP);
	assert_int_equal(pose_get_axis(pose, 0, &axis), 0);
	assert_int_equal(axis.stiffness_max, 0);
	push();
	assert_int_equal(fake_pose(0, 0)[GOAL_1 + 2], 512);
	assert_string_equal(fake_device_get("dxl0-goal", "stiffness"), "0");
	close_pose();
	assert_int_equal(naohw_pose_describe(robot, &pose, NULL), 0);
	assert_int_equal(set("HeadYaw", 0.5), -EOPNOTSUPP);
	assert_int_equal(fake_contexts(), 1);
}

/* ---- the devices ---- */

static void they_are_waited_for(void **state)
{
	(void)state;
	add_second_bus();
	fake_register_after(3);
	open_pose();
	assert_int_equal(fake_contexts(), 2);
	assert_int_equal(set("LKneePitch", 1), 0);
	push();
	assert_int_equal(fake_pose(1, 0)[STIFFNESS_1], STEPS);
}

/* With many joints on a slow machine the kernel needs seconds: 75 looks take 5 s. */
static void they_are_waited_for_as_long_as_that_takes(void **state)
{
	(void)state;
	fake_register_after(75);
	open_pose();
	close_pose();
	open_robot();
	open_with(NULL);
}

/* Each look reads the names of all devices. */
static void those_that_do_not_come_are_told(void **state)
{
	(void)state;
	fake_register_after(1000000);
	check_refused(settings, -ETIMEDOUT,
		      "dxl0-goal: has not been registered anew within 10000 ms");
	assert_in_range(fake_looks(), 20, 200);
	assert_int_equal(fake_buffers_created(), 0);
}

/* Who may write "stiffness" may write the rest as soon as udev has seen to it. */
static void udev_is_waited_for(void **state)
{
	(void)state;
	fake_deny(3);
	open_pose();
	push();
}

static void what_udev_denies_is_told(void **state)
{
	(void)state;
	fake_deny(1000000);
	check_refused(settings, -EACCES, "dxl0-goal: cannot open the output buffer");
	assert_string_equal(fake_device_get("dxl0-goal", "stiffness"), "0");
}

static void a_kernel_without_it_is_told(void **state)
{
	(void)state;
	fake_device_remove("dxl0-goal", "stiffness");
	check_refused(settings, -EOPNOTSUPP, "dxl0-goal: this kernel has no poses with stiffness");
	open_with(NULL);
}

static void over_the_network_there_is_none(void **state)
{
	(void)state;
	fake_reset();
	fake_remote();
	fake_servo("HeadYaw");
	add_bus(0, labels, 1);
	open_robot();
	check_refused(settings, -EOPNOTSUPP, "not over the network");
	assert_string_equal(fake_log(), "");
	open_with(NULL);
}

static void who_streams_keeps_his_device(void **state)
{
	(void)state;
	fake_take("dxl0-goal");
	check_refused(settings, -EBUSY, "dxl0-goal: another program is moving the robot");
	assert_string_equal(fake_log(), "");
}

static void who_moves_joints_one_by_one_keeps_it_too(void **state)
{
	(void)state;
	fake_device_set("dxl0-goal", "stream_state", "leased\n");
	check_refused(settings, -EBUSY, "dxl0-goal: another program is moving the robot");
	assert_string_equal(fake_log(), "");
}

static void what_fails_leaves_all_as_it_was(void **state)
{
	(void)state;
	add_second_bus();
	fake_device_fail("dxl1-goal", "stiffness", -EBUSY);
	check_refused(settings, -EBUSY, "dxl1-goal: another program is moving the robot");
	assert_string_equal(fake_device_get("dxl0-goal", "stiffness"), "0");
	assert_string_equal(fake_device_get("dxl1-goal", "stiffness"), "0");
	fake_device_fail("dxl1-goal", "stiffness", 0);
	open_pose();
}

static void a_buffer_that_fails_leaves_all_as_it_was(void **state)
{
	(void)state;
	add_second_bus();
	fake_fail_buffer(-ENOSPC);
	check_refused(settings, -ENOSPC, "dxl0-goal: poses do not fit");
	assert_string_equal(fake_device_get("dxl0-goal", "stiffness"), "0");
	assert_string_equal(fake_device_get("dxl1-goal", "stiffness"), "0");
	fake_fail_buffer(0);
	open_with(NULL);
}

static void other_shapes_are_refused(void **state)
{
	(void)state;
	fake_device_set("dxl0-goal", "stiffness", "1");
	check_refused(settings, -EINVAL, "dxl0-goal, servo 1: has no out_count channel of 16 bits");
	/* Somebody else has asked for it. */
	assert_string_equal(fake_device_get("dxl0-goal", "stiffness"), "1");
}

/* ---- what comes after ---- */

static void the_next_pose_has_what_it_asks_for(void **state)
{
	(void)state;
	add_second_bus();
	for (unsigned int i = 0; i < 3; i++) {
		open_pose();
		assert_int_equal(set("HeadYaw", 0.5), 0);
		close_pose();
		open_with(NULL);
		assert_int_equal(set("HeadYaw", 0.5), -EOPNOTSUPP);
		push();
		assert_int_equal(fake_pose(0, 0)[2], 512);
		assert_int_equal(fake_pose(1, 0)[0], 512);
		close_pose();
	}
	assert_int_equal(naohw_pose_describe(robot, &pose, NULL), 0);
	assert_int_equal(pose_axis_count(pose), 3);
}

static void what_is_streamed_is_watched_by_its_stream(void **state)
{
	struct naohw_key *hardness;

	(void)state;
	open_pose();
	close_pose();
	open_pose();
	assert_int_equal(naohw_robot_find_key(robot, "Device/SubDeviceList/HeadYaw/Hardness/"
					      "Actuator/Value", &hardness), 0);
	assert_int_equal(naohw_key_write(hardness, 1, NULL), 0);
	assert_null(strstr(fake_log(), "lease"));
	close_pose();
	assert_int_equal(naohw_key_write(hardness, 1, NULL), 0);
	assert_non_null(strstr(fake_log(), "lease 0;"));
}

/* Somebody else may have asked for it by then. */
static void with_the_stream_it_is_gone_by_itself(void **state)
{
	(void)state;
	open_pose();
	close_pose();
	assert_non_null(strstr(fake_log(), "dxl0-goal stiffness=1;"));
	assert_null(strstr(fake_log(), "dxl0-goal stiffness=0;"));
}

/* Whoever opens the robot next finds its outputs. */
static void closing_waits_for_what_comes_in_its_place(void **state)
{
	(void)state;
	add_second_bus();
	open_pose();
	fake_register_after(3);
	close_pose();
	open_robot();
	open_with(NULL);
	assert_int_equal(pose_axis_count(pose), 3);
	close_pose();
	fake_register_after(0);
	open_pose();
	fake_register_after(1000000);
	/* A bus that is gone does not come again. */
	fake_replug("dxl0-goal");
	fake_replug("dxl1-goal");
	close_pose();
	assert_true(fake_looks() < 100);
}

/* Its poses would say of all joints that they have no torque. */
static void what_a_dead_program_asked_for_is_taken_back(void **state)
{
	(void)state;
	open_pose();
	close_pose();
	naohw_pose_settings_set_stiffness(settings, 0);
	fake_device_set("dxl0-goal", "stiffness", "1");
	open_with(settings);
	assert_string_equal(fake_device_get("dxl0-goal", "stiffness"), "0");
	push();
	assert_int_equal(fake_pose(0, 0)[2], 512);
}

/* As a player does that is killed: nobody else would end its stream, and the kernel says -EBUSY. */
static void the_stream_of_a_dead_program_is_ended(void **state)
{
	(void)state;
	add_second_bus();
	fake_device_set("dxl0-goal", "buffer/enable", "1");
	fake_device_set("dxl1-goal", "buffer/enable", "1");
	open_pose();
	assert_string_equal(fake_device_get("dxl0-goal", "buffer/enable"), "0");
	push();
	assert_int_equal(fake_pose(1, 0)[STIFFNESS_1], 0);
	close_pose();
	fake_take("dxl0-goal");
	fake_device_set("dxl0-goal", "buffer/enable", "1");
	check_refused(settings, -EBUSY, "dxl0-goal: another program is moving the robot");
	assert_string_equal(fake_device_get("dxl0-goal", "buffer/enable"), "1");
}

static void a_joint_that_has_joined_is_told(void **state)
{
	static const char *const others[] = { "HeadYaw", "Tail" };

	(void)state;
	fake_goal(3, others, 2);
	fake_replug("dxl0-goal");
	fake_rename("dxl3-goal", "dxl0-goal");
	check_refused(NULL, -ENODEV, "dxl0: \"Tail\" has joined it; open the robot again");
}

/* ---- streams ---- */

static void a_stream_may_recover_by_itself(void **state)
{
	(void)state;
	naohw_pose_settings_set_stiffness(settings, 0);
	open_with(NULL);
	assert_string_equal(fake_device_get("dxl0-goal", "auto_recover"), "0");
	close_pose();
	naohw_pose_settings_set_auto_recover(settings, 1);
	open_with(settings);
	assert_string_equal(fake_device_get("dxl0-goal", "auto_recover"), "1");
	close_pose();
	fake_device_remove("dxl0-goal", "auto_recover");
	check_refused(settings, -EOPNOTSUPP, "dxl0-goal: this kernel recovers no stream by itself");
}

static void all_are_told_to_recover_and_no_goal_moves(void **state)
{
	struct naohw_error err;

	(void)state;
	add_second_bus();
	open_pose();
	assert_int_equal(pose_set_counts(pose, 0, 600, 50), 0);
	fake_device_set("dxl0-goal", "stream_state", "tripped\n");
	fake_device_fail("dxl0-goal", "recover", -EAGAIN);
	fake_device_set("dxl1-goal", "stream_state", "tripped\n");
	assert_int_equal(pose_tell_recover(pose, &err), -EAGAIN);
	assert_says(&err, "dxl0-goal: recover");
	assert_int_equal(fake_device_writes("dxl1-goal", "recover"), 1);
	assert_int_equal(pose_get_counts(pose, 0), 600);
	fake_device_fail("dxl0-goal", "recover", 0);
	fake_device_set("dxl1-goal", "stream_state", "recovering\n");
	assert_int_equal(pose_tell_recover(pose, &err), 0);
	assert_int_equal(fake_device_writes("dxl0-goal", "recover"), 2);
	assert_int_equal(fake_device_writes("dxl1-goal", "recover"), 1);
}

/* The kernel says so when there is nobody to get his torque back. */
static void nobody_needs_to_have_lost_it(void **state)
{
	(void)state;
	open_pose();
	fake_device_fail("dxl0-goal", "recover", -EINVAL);
	assert_int_equal(pose_tell_recover(pose, NULL), 0);
	fake_device_set("dxl0-goal", "stream_state", "tripped\n");
	assert_int_equal(pose_tell_recover(pose, NULL), -EINVAL);
}

int main(void)
{
#define STIFFNESS_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
	const struct CMUnitTest tests[] = {
		STIFFNESS_TEST(joints_are_as_stiff_as_they_were),
		STIFFNESS_TEST(a_motor_without_its_brake_is_free),
		STIFFNESS_TEST(a_servo_is_asked_three_times),
		STIFFNESS_TEST(who_cannot_be_asked_is_left_alone_until_it_is_set),
		STIFFNESS_TEST(who_has_lost_its_torque_is_left_alone_until_it_is_set),
		STIFFNESS_TEST(a_limit_beyond_all_is_all),
		STIFFNESS_TEST(stiffness_is_what_was_set),
		STIFFNESS_TEST(what_is_no_stiffness_is_refused),
		STIFFNESS_TEST(axes_have_steps),
		STIFFNESS_TEST(who_has_not_asked_says_nothing_of_it),
		STIFFNESS_TEST(they_are_waited_for),
		STIFFNESS_TEST(they_are_waited_for_as_long_as_that_takes),
		STIFFNESS_TEST(those_that_do_not_come_are_told),
		STIFFNESS_TEST(udev_is_waited_for),
		STIFFNESS_TEST(what_udev_denies_is_told),
		STIFFNESS_TEST(a_kernel_without_it_is_told),
		STIFFNESS_TEST(over_the_network_there_is_none),
		STIFFNESS_TEST(who_streams_keeps_his_device),
		STIFFNESS_TEST(who_moves_joints_one_by_one_keeps_it_too),
		STIFFNESS_TEST(what_fails_leaves_all_as_it_was),
		STIFFNESS_TEST(a_buffer_that_fails_leaves_all_as_it_was),
		STIFFNESS_TEST(other_shapes_are_refused),
		STIFFNESS_TEST(the_next_pose_has_what_it_asks_for),
		STIFFNESS_TEST(what_is_streamed_is_watched_by_its_stream),
		STIFFNESS_TEST(with_the_stream_it_is_gone_by_itself),
		STIFFNESS_TEST(closing_waits_for_what_comes_in_its_place),
		STIFFNESS_TEST(what_a_dead_program_asked_for_is_taken_back),
		STIFFNESS_TEST(the_stream_of_a_dead_program_is_ended),
		STIFFNESS_TEST(a_joint_that_has_joined_is_told),
		STIFFNESS_TEST(a_stream_may_recover_by_itself),
		STIFFNESS_TEST(all_are_told_to_recover_and_no_goal_moves),
		STIFFNESS_TEST(nobody_needs_to_have_lost_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
