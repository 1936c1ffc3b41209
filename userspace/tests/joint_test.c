// SPDX-License-Identifier: LGPL-2.1-or-later
/* Which joints there are, and that each has one number everywhere. */
#include "support.h"

#include "fake_iio.h"

static struct naohw_robot *robot;
static struct naohw_frame *frame;
static struct naohw_pose *pose;

static int setup(void **state)
{
	(void)state;
	fake_reset();
	robot = NULL;
	frame = NULL;
	pose = NULL;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	naohw_frame_close(frame);
	naohw_pose_close(pose);
	naohw_robot_close(robot);
	return 0;
}

static void open_at(const char *path)
{
	struct naohw_error err;

	if (naohw_robot_open(path, NULL, &robot, &err) < 0)
		fail_msg("%s", err.message);
}

static void open_plain(void)
{
	open_at(PLAIN_ROBOT);
}

static void open_all(void)
{
	struct naohw_error err;

	open_plain();
	if (naohw_frame_open(robot, NULL, &frame, &err) < 0 ||
	    naohw_pose_open(robot, NULL, &pose, &err) < 0)
		fail_msg("%s", err.message);
}

static size_t joint(const char *label)
{
	size_t found;

	if (naohw_robot_find_joint(robot, label, &found) < 0)
		fail_msg("no joint %s", label);
	return found;
}

static void check_place(size_t index, const char *label, unsigned int bus, unsigned int id)
{
	unsigned int found_bus, found_id;

	assert_string_equal(naohw_joint_label(robot, index), label);
	assert_int_equal(naohw_joint_get_place(robot, index, &found_bus, &found_id), 0);
	assert_int_equal(found_bus, bus);
	assert_int_equal(found_id, id);
}

/* The buses as the kernel lists them, and the labels as people write them, are in no order. */
static void two_buses(void)
{
	static const char *const legs[] = { "RKneePitch", "LKneePitch" };
	static const char *const head[] = { "HeadYaw", "HeadPitch" };

	fake_servo("HeadPitch");
	fake_state(10, legs, 2, 100);
	fake_goal(10, legs, 2);
	fake_state(2, head, 2, 100);
	fake_goal(2, head, 2);
}

static void they_are_in_the_order_of_the_wire(void **state)
{
	size_t count;

	(void)state;
	two_buses();
	open_plain();
	count = naohw_robot_joint_count(robot);
	assert_int_equal(count, 20);
	check_place(0, "HeadYaw", 2, 1);
	check_place(1, "HeadPitch", 2, 2);
	check_place(2, "RKneePitch", 10, 1);
	check_place(3, "LKneePitch", 10, 2);
	/* Those that are not there, by their labels */
	for (size_t i = 4; i < count; i++) {
		unsigned int bus = 77, id = 78;

		assert_int_equal(naohw_joint_get_place(robot, i, &bus, &id), -ENODEV);
		assert_int_equal(bus, 77);
		assert_int_equal(id, 78);
		if (i > 4)
			assert_true(strcmp(naohw_joint_label(robot, i - 1),
					   naohw_joint_label(robot, i)) < 0);
	}
}

/* Joint i of bus b has a place of 100 * b + i, and is sent to 200 + 10 * b + i. */
static void a_number_is_the_same_everywhere(void **state)
{
	unsigned char bytes[32] = { 0 };
	double value;

	(void)state;
	two_buses();
	open_all();
	for (unsigned int bus = 2; bus <= 10; bus += 8) {
		bytes[0] = (unsigned char)(10 * bus);
		bytes[10] = (unsigned char)(10 * bus + 1);
		fake_frame(bus, bytes, sizeof(bytes));
	}
	assert_int_equal(naohw_frame_read(frame, NULL), 0);
	for (size_t i = 0; i < 4; i++) {
		static const int counts[] = { 20, 21, 100, 101 };

		assert_int_equal(naohw_frame_get(frame, i, NAOHW_QUANTITY_POSITION, &value), 0);
		assert_near(value, (counts[i] - 512) * 0.005, 1e-9);
		assert_int_equal(naohw_pose_set(pose, i, (counts[i] + 200 - 512) * 0.005113269, 1), 0);
	}
	assert_int_equal(naohw_pose_push(pose, NULL), 0);
	assert_int_equal(fake_pose(2, 0)[0], 220);
	assert_int_equal(fake_pose(2, 0)[2], 221);
	assert_int_equal(fake_pose(10, 0)[0], 300);
	assert_int_equal(fake_pose(10, 0)[2], 301);
	assert_int_equal(joint("RKneePitch"), 2);
}

/* The description knows it not, so its angles are its servo's own. */
static void a_servo_that_nobody_described_is_a_joint(void **state)
{
	static const char *const labels[] = { "Gripper", "HeadYaw" };
	double min, max;

	(void)state;
	fake_servo("HeadYaw");
	fake_servo("Gripper");
	fake_state(0, labels, 2, 100);
	fake_goal(0, labels, 2);
	open_all();
	assert_int_equal(naohw_robot_joint_count(robot), 21);
	check_place(0, "Gripper", 0, 1);
	assert_string_equal(naohw_joint_model(robot, 0), "ax-12");
	assert_int_equal(naohw_frame_has(frame, 0, NAOHW_QUANTITY_POSITION), 1);
	assert_int_equal(naohw_pose_get_limits(pose, 0, &min, &max), 0);
	assert_near(min, -512 * 0.005113269, 1e-9);
	assert_near(max, 511 * 0.005113269, 1e-9);
}

/* It is seen by one of the two devices of its bus only. */
static void one_kind_of_channel_is_enough(void **state)
{
	static const char *const seen[] = { "Gripper" }, *const moved[] = { "HeadYaw", "Tail" };
	double value = 7;

	(void)state;
	fake_state(0, seen, 1, 100);
	fake_goal(0, moved, 2);
	open_all();
	check_place(joint("Gripper"), "Gripper", 0, 1);
	check_place(joint("HeadYaw"), "HeadYaw", 0, 1);
	check_place(joint("Tail"), "Tail", 0, 2);
	assert_int_equal(naohw_pose_has(pose, joint("Gripper")), 0);
	assert_int_equal(naohw_pose_set(pose, joint("Gripper"), 0, 1), -ENODEV);
	assert_int_equal(naohw_frame_has(frame, joint("Tail"), NAOHW_QUANTITY_POSITION), 0);
	assert_int_equal(naohw_frame_get(frame, joint("Tail"), NAOHW_QUANTITY_POSITION, &value), 0);
	assert_true(isnan(value));
}

static void a_board_is_no_joint(void **state)
{
	static const char *const labels[] = { "HeadYaw" };
	size_t found = 77;

	(void)state;
	fake_servo("InertialSensor");
	fake_state(0, labels, 1, 100);
	fake_channel("dxl0-state", "in_anglvel201_x", "InertialSensor", 16);
	fake_channel("dxl0-state", "in_voltage201", "InertialSensor supply", 16);
	fake_channel("dxl0-state", "in_count457", "InertialSensor age", 8);
	open_plain();
	assert_int_equal(naohw_robot_find_joint(robot, "InertialSensor", &found), -ENOENT);
	assert_int_equal(found, 77);
	assert_int_equal(naohw_frame_open(robot, NULL, &frame, NULL), 0);
	/* Its channels are in frames, but not among those of joints. */
	assert_int_equal(naohw_frame_channel_count(frame), 7);
	for (size_t i = 0; i < 7; i++)
		assert_int_equal(naohw_frame_channel_joint(frame, i), joint("HeadYaw"));
}

static void labels_are_whole(void **state)
{
	size_t found;

	(void)state;
	two_buses();
	open_plain();
	assert_int_equal(naohw_robot_find_joint(robot, "", &found), -ENOENT);
	assert_int_equal(naohw_robot_find_joint(robot, "Head", &found), -ENOENT);
	assert_int_equal(naohw_robot_find_joint(robot, "HeadYaw ", &found), -ENOENT);
	assert_int_equal(naohw_robot_find_joint(robot, "HeadYaw age", &found), -ENOENT);
}

/* What a goal device has beside its servos' angles is not in poses, whatever it is called. */
static void odd_goals_do_no_harm(void **state)
{
	static const char *const labels[] = { "HeadYaw" };

	(void)state;
	fake_servo("HeadYaw");
	fake_goal(0, labels, 1);
	fake_channel("dxl0-goal", "out_angl7_x", "Compass", 16);
	fake_channel("dxl0-goal", "out_anglvel7", "Compass speed", 16);
	fake_channel("dxl0-goal", "in_angl8", "HeadYaw seen", 16);
	fake_set("dxl0-goal", "in_angl8_raw_available", "[0 1 1023]");
	open_plain();
	assert_int_equal(naohw_pose_open(robot, NULL, &pose, NULL), 0);
	assert_int_equal(naohw_pose_has(pose, joint("HeadYaw")), 1);
	assert_int_equal(naohw_robot_joint_count(robot), 20);
	assert_int_equal(naohw_pose_push(pose, NULL), 0);
}

static void check_none(size_t index)
{
	enum naohw_quantity position = NAOHW_QUANTITY_POSITION;
	unsigned int a = 77, b = 78;
	struct naohw_error err;
	double x = 5, y = 6;

	assert_null(naohw_joint_label(robot, index));
	assert_null(naohw_joint_model(robot, index));
	assert_null(naohw_joint_iio_id(robot, index));
	assert_int_equal(naohw_joint_get_place(robot, index, &a, &b), -ENODEV);
	assert_int_equal(naohw_joint_get_version(robot, index, &a, &b), -ENODEV);
	assert_int_equal(naohw_joint_read(robot, index, position, &x, &err), -EINVAL);
	assert_says(&err, "there are 20");
	assert_int_equal(naohw_frame_has(frame, index, position), 0);
	assert_int_equal(naohw_frame_get(frame, index, position, &x), -EINVAL);
	assert_int_equal(naohw_pose_has(pose, index), 0);
	assert_int_equal(naohw_pose_get_limits(pose, index, &x, &y), -EINVAL);
	assert_int_equal(naohw_pose_get_speed_limit(pose, index, &x), -EINVAL);
	assert_int_equal(naohw_pose_get_goal(pose, index, &x), -EINVAL);
	assert_int_equal(naohw_pose_set(pose, index, 0, 1), -EINVAL);
	assert_int_equal(naohw_pose_stay(pose, index, frame, &err), -EINVAL);
	assert_says(&err, "there are 20");
	assert_int_equal(a, 77);
	assert_int_equal(b, 78);
	assert_near(x, 5, 0);
	assert_near(y, 6, 0);
}

static void past_the_end_there_is_none(void **state)
{
	static const size_t indexes[] = { 20, 21, SIZE_MAX / 2, SIZE_MAX };
	size_t channels;

	(void)state;
	two_buses();
	open_all();
	for (size_t i = 0; i < sizeof(indexes) / sizeof(indexes[0]); i++)
		check_none(indexes[i]);
	channels = naohw_frame_channel_count(frame);
	for (size_t i = 0; i < 2; i++) {
		size_t index = i ? SIZE_MAX : channels;

		assert_int_equal(naohw_frame_channel_joint(frame, index), 0);
		assert_int_equal(naohw_frame_channel_quantity(frame, index), 0);
		assert_int_equal(naohw_frame_channel_bits(frame, index), 0);
		assert_int_equal(naohw_frame_channel_is_signed(frame, index), 0);
		assert_near(naohw_frame_channel_scale(frame, index), 0, 0);
		assert_near(naohw_frame_channel_offset(frame, index), 0, 0);
		assert_int_equal(naohw_frame_raw(frame, index), 0);
	}
}

static void a_quantity_that_is_none_is_in_nothing(void **state)
{
	static const int wrong[] = { NAOHW_QUANTITY_GOAL, NAOHW_QUANTITY_ALARM + 1, 1000, -1 };
	struct naohw_error err;
	double value;

	(void)state;
	two_buses();
	open_all();
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		enum naohw_quantity quantity = (enum naohw_quantity)wrong[i];

		value = 7;
		assert_int_equal(naohw_frame_has(frame, 0, quantity), 0);
		assert_int_equal(naohw_frame_get(frame, 0, quantity, &value), 0);
		assert_true(isnan(value));
		if (i)
			assert_int_equal(naohw_joint_read(robot, joint("HeadPitch"), quantity,
							  &value, &err), -ENOENT);
	}
}

int main(void)
{
#define JOINT_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
	const struct CMUnitTest tests[] = {
		JOINT_TEST(they_are_in_the_order_of_the_wire),
		JOINT_TEST(a_number_is_the_same_everywhere),
		JOINT_TEST(a_servo_that_nobody_described_is_a_joint),
		JOINT_TEST(one_kind_of_channel_is_enough),
		JOINT_TEST(a_board_is_no_joint),
		JOINT_TEST(labels_are_whole),
		JOINT_TEST(odd_goals_do_no_harm),
		JOINT_TEST(past_the_end_there_is_none),
		JOINT_TEST(a_quantity_that_is_none_is_in_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
