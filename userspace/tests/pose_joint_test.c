// SPDX-License-Identifier: LGPL-2.1-or-later
/* Poses of joints, in rad and rad/s: what becomes of that in a servo's counts. */
#include "support.h"

#include "fake_iio.h"

#define SCALE	    0.005113269 /* rad a count */
#define SPEED_SCALE 0.011623893
#define MIDDLE	    512

static const char *const labels[] = { "HeadYaw", "HeadPitch" };

static struct naohw_robot *robot;
static struct naohw_pose *pose;

static int setup(void **state)
{
	(void)state;
	fake_reset();
	fake_servo("HeadYaw");
	fake_servo("HeadPitch");
	fake_goal(0, labels, 2);
	robot = NULL;
	pose = NULL;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	naohw_pose_close(pose);
	naohw_robot_close(robot);
	return 0;
}

static void open_pose(const char *path)
{
	struct naohw_error err;

	if (naohw_robot_open(path, NULL, &robot, &err) < 0 ||
	    naohw_pose_open(robot, NULL, &pose, &err) < 0)
		fail_msg("%s", err.message);
}

/* HeadYaw, with this Gain and Offset of both its Position's sides */
static void open_with(const char *gain, const char *offset)
{
	open_pose(joint_robot("HeadYaw", offset, gain, offset));
}

static int set(double goal, double speed)
{
	return naohw_pose_set(pose, 0, goal, speed);
}

static double goal_of(size_t joint)
{
	double goal;

	assert_int_equal(naohw_pose_get_goal(pose, joint, &goal), 0);
	return goal;
}

/* What the servo would get */
static int count(void)
{
	return pose_get_counts(pose, 0);
}

static void check_limits(double expected_min, double expected_max)
{
	double min, max;

	assert_int_equal(naohw_pose_get_limits(pose, 0, &min, &max), 0);
	assert_near(min, expected_min, 1e-6);
	assert_near(max, expected_max, 1e-6);
	assert_int_equal(set(min, 1), 0);
	assert_near(goal_of(0), min, 1e-12);
	assert_int_equal(set(max, 1), 0);
	assert_near(goal_of(0), max, 1e-12);
}

static double speed_limit(void)
{
	double limit;

	assert_int_equal(naohw_pose_get_speed_limit(pose, 0, &limit), 0);
	return limit;
}

/* ---- goals ---- */

static void an_angle_becomes_counts(void **state)
{
	(void)state;
	open_pose(PLAIN_ROBOT);
	assert_int_equal(set(100 * SCALE, 1), 0);
	assert_int_equal(count(), MIDDLE + 100);
	assert_int_equal(naohw_pose_set(pose, 1, -SCALE, 2), 0);
	assert_int_equal(naohw_pose_push(pose, NULL), 0);
	assert_int_equal(fake_pose(0, 0)[0], MIDDLE + 100);
	assert_int_equal(fake_pose(0, 0)[2], MIDDLE - 1);
	assert_near(goal_of(1), -SCALE, 1e-12);
}

static void the_nearest_count_is_taken(void **state)
{
	(void)state;
	open_pose(PLAIN_ROBOT);
	assert_int_equal(set(100.49 * SCALE, 1), 0);
	assert_int_equal(count(), MIDDLE + 100);
	assert_int_equal(set(100.51 * SCALE, 1), 0);
	assert_int_equal(count(), MIDDLE + 101);
	assert_int_equal(set(-100.49 * SCALE, 1), 0);
	assert_int_equal(count(), MIDDLE - 100);
	assert_int_equal(set(-100.51 * SCALE, 1), 0);
	assert_int_equal(count(), MIDDLE - 101);
	/* What is in the pose is what the servo gets, and not what was said. */
	assert_near(goal_of(0), -101 * SCALE, 1e-9);
}

/* plain.xml's Min and Max are those of the servo, in few digits. */
static void half_a_count_beyond_is_rounded(void **state)
{
	(void)state;
	open_pose(PLAIN_ROBOT);
	check_limits(-512 * SCALE, 511 * SCALE);
	assert_int_equal(set(511.49 * SCALE, 1), 0);
	assert_int_equal(count(), 1023);
	assert_int_equal(set(511.51 * SCALE, 1), -ERANGE);
	assert_int_equal(set(-512.49 * SCALE, 1), 0);
	assert_int_equal(count(), 0);
	assert_int_equal(set(-512.51 * SCALE, 1), -ERANGE);
	assert_int_equal(count(), 0);
}

static void check_round_trip(void)
{
	struct servo_axis axis;

	assert_int_equal(pose_get_axis(pose, 0, &axis), 0);
	for (int i = axis.min; i <= axis.max; i++) {
		assert_int_equal(pose_set_counts(pose, 0, i, 1), 0);
		assert_int_equal(set(goal_of(0), 1), 0);
		assert_int_equal(count(), i);
	}
}

static void what_is_got_can_be_set(void **state)
{
	(void)state;
	open_pose(PLAIN_ROBOT);
	check_round_trip();
}

static void what_is_got_of_a_turned_joint_can_be_set(void **state)
{
	(void)state;
	open_with("-0.37", "0.123456789");
	check_round_trip();
}

/* ---- what is between a joint and its servo ---- */

static void a_turned_joint_has_its_limits(void **state)
{
	(void)state;
	open_pose(turned_robot());
	/* -1 and 2 rad, at the nearest counts of a servo that turns against it */
	check_limits(0.5 - 293 * SCALE, 0.5 + 293 * SCALE);
	assert_int_equal(set(0.5, 1), 0);
	assert_int_equal(count(), MIDDLE);
	assert_int_equal(set(0.5 + 100 * SCALE, 1), 0);
	assert_int_equal(count(), MIDDLE - 100);
}

/* What the servo is told next. */
static int told_speed(void)
{
	assert_int_equal(naohw_pose_push(pose, NULL), 0);
	return fake_pose(0, fake_pushes(0) - 1)[1];
}

/* With a Gain of 2 the joint turns twice as far as its servo, and twice as fast. */
static void a_gear_is_in_angle_and_speed(void **state)
{
	(void)state;
	open_with("2", "0.1");
	assert_int_equal(set(0.1 + 200 * SCALE, 20 * SPEED_SCALE), 0);
	assert_int_equal(count(), MIDDLE + 100);
	assert_int_equal(told_speed(), 10);
	assert_near(speed_limit(), 2 * 1023 * SPEED_SCALE, 1e-9);
	assert_near(goal_of(0), 0.1 + 200 * SCALE, 1e-9);
}

static void a_turned_gear_has_a_speed_above_0(void **state)
{
	(void)state;
	open_with("-0.5", "0");
	assert_near(speed_limit(), 1023 * SPEED_SCALE / 2, 1e-9);
	assert_int_equal(set(-50 * SCALE, 5 * SPEED_SCALE), 0);
	assert_int_equal(count(), MIDDLE + 100);
	assert_int_equal(told_speed(), 10);
}

/* ---- speeds ---- */

static void check_speed(double counts, int expected)
{
	assert_int_equal(set(0, counts * SPEED_SCALE), 0);
	assert_int_equal(told_speed(), expected);
}

static void a_speed_is_the_next_higher_one(void **state)
{
	(void)state;
	open_pose(PLAIN_ROBOT);
	for (int i = 1; i <= 1023; i++)
		check_speed(i, i);
	check_speed(5.01, 6);
	check_speed(5.99, 6);
	check_speed(1e-9, 1);
	assert_int_equal(set(0, 5e-324), 0);
	assert_int_equal(told_speed(), 1);
}

static void a_speed_has_a_limit(void **state)
{
	double limit;

	(void)state;
	open_pose(PLAIN_ROBOT);
	limit = speed_limit();
	assert_near(limit, 1023 * SPEED_SCALE, 1e-9);
	assert_int_equal(set(0, limit), 0);
	assert_int_equal(told_speed(), 1023);
	assert_int_equal(set(0, limit * 1.0001), -ERANGE);
	assert_int_equal(set(0, 0), -ERANGE); /* "no limit" to the servo */
	assert_int_equal(set(0, -0.0), -ERANGE);
	assert_int_equal(set(0, -0.1), -ERANGE);
	assert_int_equal(set(0, 1e300), -ERANGE);
	assert_int_equal(set(0, -1e300), -ERANGE);
}

/* ---- what is no number, and no joint ---- */

static void what_is_refused_changes_nothing(void **state)
{
	static const struct {
		double goal;
		double speed;
		int code;
	} wrong[] = {
		{ NAN, 1, -EINVAL },	  { INFINITY, 1, -EINVAL }, { -INFINITY, 1, -EINVAL },
		{ 0, NAN, -EINVAL },	  { 0, INFINITY, -EINVAL }, { 0, -INFINITY, -EINVAL },
		{ 1e300, 1, -ERANGE },	  { -1e300, 1, -ERANGE },   { 2.7, 1, -ERANGE },
		{ 1e9, 1, -ERANGE },	  { 0, 0, -ERANGE },	    { 0, 1e300, -ERANGE },
		{ 1.7e308, 1, -ERANGE },
	};

	(void)state;
	open_pose(PLAIN_ROBOT);
	assert_int_equal(set(10 * SCALE, 7 * SPEED_SCALE), 0);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_equal(set(wrong[i].goal, wrong[i].speed), wrong[i].code);
		assert_int_equal(count(), MIDDLE + 10);
		assert_int_equal(told_speed(), 7);
	}
}

static void check_no_goal(size_t joint, int code)
{
	double a = 7, b = 8;

	assert_int_equal(naohw_pose_has(pose, joint), 0);
	assert_int_equal(naohw_pose_set(pose, joint, 0, 1), code);
	assert_int_equal(naohw_pose_get_goal(pose, joint, &a), code);
	assert_int_equal(naohw_pose_get_limits(pose, joint, &a, &b), code);
	assert_int_equal(naohw_pose_get_speed_limit(pose, joint, &a), code);
	assert_int_equal(naohw_pose_stay(pose, joint, NULL, NULL), code);
	assert_near(a, 7, 0);
	assert_near(b, 8, 0);
}

/* A wheel has no goals, and who is on no bus gets none; both stay joints. */
static void not_every_joint_can_be_moved(void **state)
{
	struct naohw_error err;

	(void)state;
	fake_set("dxl0-goal", "out_angl1_raw_available", "[0 0 0]");
	open_pose(PLAIN_ROBOT);
	assert_string_equal(naohw_joint_label(robot, 0), "HeadYaw");
	check_no_goal(0, -ENODEV);
	check_no_goal(19, -ENODEV);
	check_no_goal(20, -EINVAL);
	assert_int_equal(naohw_pose_stay(pose, 0, NULL, &err), -ENODEV);
	assert_says(&err, "HeadYaw");
	assert_int_equal(naohw_pose_has(pose, 1), 1);
	assert_int_equal(naohw_pose_set(pose, 1, 0, 1), 0);
}

/* What is only described says the same, and takes no bus. */
static void a_described_pose_knows_as_much(void **state)
{
	struct naohw_error err;

	(void)state;
	assert_int_equal(naohw_robot_open(PLAIN_ROBOT, NULL, &robot, NULL), 0);
	assert_int_equal(naohw_pose_describe(robot, &pose, NULL), 0);
	check_limits(-512 * SCALE, 511 * SCALE);
	assert_int_equal(fake_buffer_is_open(0), 0);
	assert_int_equal(naohw_pose_push(pose, &err), -EBADF);
}

/* Where it is may be beyond its limits; the pose keeps within them. */
static void who_stays_has_its_place_as_a_goal(void **state)
{
	(void)state;
	open_pose(turned_robot());
	fake_set("HeadYaw", "in_angl0_raw", "600");
	assert_int_equal(naohw_pose_stay(pose, 0, NULL, NULL), 0);
	assert_int_equal(count(), 600);
	assert_near(goal_of(0), 0.5 - 88 * SCALE, 1e-9);
	fake_set("HeadYaw", "in_angl0_raw", "1000");
	assert_int_equal(naohw_pose_stay(pose, 0, NULL, NULL), 0);
	assert_int_equal(count(), MIDDLE + 293);
}

int main(void)
{
#define POSE_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
	const struct CMUnitTest tests[] = {
		POSE_TEST(an_angle_becomes_counts),
		POSE_TEST(the_nearest_count_is_taken),
		POSE_TEST(half_a_count_beyond_is_rounded),
		POSE_TEST(what_is_got_can_be_set),
		POSE_TEST(what_is_got_of_a_turned_joint_can_be_set),
		POSE_TEST(a_turned_joint_has_its_limits),
		POSE_TEST(a_gear_is_in_angle_and_speed),
		POSE_TEST(a_turned_gear_has_a_speed_above_0),
		POSE_TEST(a_speed_is_the_next_higher_one),
		POSE_TEST(a_speed_has_a_limit),
		POSE_TEST(what_is_refused_changes_nothing),
		POSE_TEST(not_every_joint_can_be_moved),
		POSE_TEST(a_described_pose_knows_as_much),
		POSE_TEST(who_stays_has_its_place_as_a_goal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
