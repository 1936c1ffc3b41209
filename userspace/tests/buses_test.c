// SPDX-License-Identifier: LGPL-2.1-or-later
/* Several robots on one machine: each has its own buses, and the others' are left alone. */
#include "support.h"

#include "fake_iio.h"

#define HEAD	"Device/SubDeviceList/HeadYaw/"
#define BUSES	"Device/Buses"

static const char *const head[] = { "HeadYaw" };
static const char *const other[] = { "Wheel", "Gripper" };

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

/* A servo on this bus, which is on that line. */
static void servo_on(const char *label, const char *line, unsigned int bus)
{
	fake_servo(label);
	fake_on_line(line, bus);
}

static void bus_on(const char *line, unsigned int bus, const char *const *labels,
		   unsigned int count)
{
	fake_goal(bus, labels, count);
	fake_on_line(line, bus);
	fake_state(bus, labels, count, 100);
	fake_on_line(line, bus);
}

/* A robot of HeadYaw, with or without this Preference. */
static const char *description(const char *type, const char *buses)
{
	static char text[2048];
	char preference[256] = "";

	if (buses)
		snprintf(preference, sizeof(preference),
			 "<Preference memoryName=\"" BUSES "\" type=\"%s\" value=\"%s\"/>\n", type,
			 buses);
	snprintf(text, sizeof(text), "<ModulePreference name=\"x\">\n%s"
		 "<Preference memoryName=\"" HEAD "Position/Sensor\" type=\"array\">"
		 "<Preference name=\"Channel\" type=\"string\" value=\"in_angl0\"/></Preference>\n"
		 "<Preference memoryName=\"" HEAD "Position/Actuator\" type=\"array\">"
		 "<Preference name=\"Channel\" type=\"string\" value=\"out_angl0\"/>"
		 "<Preference name=\"Min\" type=\"float\" value=\"-2\"/>"
		 "<Preference name=\"Max\" type=\"float\" value=\"2\"/></Preference>\n"
		 "</ModulePreference>\n", preference);
	return temp_text(text);
}

static int try_open(const char *buses, struct naohw_error *err)
{
	return naohw_robot_open(description("string", buses), NULL, &robot, err);
}

static void open_robot(const char *buses)
{
	struct naohw_error err;

	if (try_open(buses, &err) < 0)
		fail_msg("%s", err.message);
}

static void check_joints(size_t count, unsigned int bus)
{
	unsigned int found, id;
	size_t joint;

	assert_int_equal(naohw_robot_joint_count(robot), count);
	assert_int_equal(naohw_robot_find_joint(robot, "HeadYaw", &joint), 0);
	assert_int_equal(naohw_joint_get_place(robot, joint, &found, &id), 0);
	assert_int_equal(found, bus);
}

/* Nothing of this bus has been opened, asked or written. */
static void check_untouched(unsigned int bus)
{
	char name[32];

	assert_int_equal(fake_pushes(bus), 0);
	assert_int_equal(fake_buffer_is_open(bus), 0);
	for (int i = 0; i < 2; i++) {
		snprintf(name, sizeof(name), "dxl%u-%s", bus, i ? "goal" : "state");
		assert_null(strstr(fake_buffer_log(), name));
		assert_null(strstr(fake_log(), name));
	}
}

static void use_all(void)
{
	struct naohw_key *hardness;
	struct naohw_error err;

	if (naohw_frame_open(robot, NULL, &frame, &err) < 0 ||
	    naohw_pose_open(robot, NULL, &pose, &err) < 0 || naohw_pose_push(pose, &err) < 0)
		fail_msg("%s", err.message);
	assert_int_equal(naohw_robot_find_key(robot, HEAD "Position/Actuator/Value", &hardness), 0);
	assert_int_equal(naohw_key_write(hardness, 0.5, &err), 0);
}

static void a_bus_without_a_known_label_is_left_alone(void **state)
{
	size_t joint;

	(void)state;
	servo_on("HeadYaw", "uart0", 0);
	servo_on("Wheel", "uart1", 1);
	bus_on("uart0", 0, head, 1);
	bus_on("uart1", 1, other, 2);
	open_robot(NULL);
	check_joints(1, 0);
	assert_int_equal(naohw_robot_find_joint(robot, "Wheel", &joint), -ENOENT);
	use_all();
	assert_int_equal(naohw_frame_has(frame, 0, NAOHW_QUANTITY_POSITION), 1);
	assert_int_equal(naohw_frame_channel_count(frame), 7);
	check_untouched(1);
	assert_null(strstr(fake_log(), "Wheel"));
	assert_int_equal(fake_reads("Wheel", "in_angl0_raw"), 0);
}

/* What the description does not know is a joint of the robot all the same. */
static void one_known_label_makes_the_bus_ones_own(void **state)
{
	static const char *const labels[] = { "Wheel", "HeadYaw" };

	(void)state;
	servo_on("HeadYaw", "uart0", 0);
	servo_on("Wheel", "uart0", 0);
	bus_on("uart0", 0, labels, 2);
	open_robot(NULL);
	check_joints(2, 0);
	assert_string_equal(naohw_joint_label(robot, 0), "Wheel");
}

static void no_bus_of_ones_own_is_told(void **state)
{
	struct naohw_error err;

	(void)state;
	servo_on("Wheel", "uart1", 1);
	bus_on("uart1", 1, other, 2);
	open_robot(NULL);
	assert_int_equal(naohw_robot_joint_count(robot), 1);
	assert_int_equal(naohw_frame_open(robot, NULL, &frame, &err), -ENODEV);
	assert_says(&err, "dxlN-state and has what this robot has");
	assert_int_equal(naohw_pose_open(robot, NULL, &pose, &err), -ENODEV);
	assert_says(&err, "dxlN-goal and has what this robot has");
}

static void two_of_a_kind(void)
{
	servo_on("HeadYaw", "uart0", 0);
	servo_on("HeadYaw", "uart1", 1);
	bus_on("uart0", 0, head, 1);
	bus_on("uart1", 1, head, 1);
}

static void two_of_a_kind_are_not_told_apart(void **state)
{
	struct naohw_error err;

	(void)state;
	two_of_a_kind();
	assert_int_equal(try_open(NULL, &err), -ENOTUNIQ);
	assert_says(&err, "two devices have the label \"HeadYaw\": iio:device0 and iio:device1");
	assert_says(&err, BUSES);
	robot = NULL;
}

static void check_named(const char *names, unsigned int own)
{
	two_of_a_kind();
	/* What is asked of which servo shows in the value. */
	open_robot(names);
	check_joints(1, own);
	assert_string_equal(naohw_joint_iio_id(robot, 0), own ? "iio:device1" : "iio:device0");
	use_all();
	assert_int_equal(fake_pushes(own), 1);
	check_untouched(!own);
}

static void a_bus_is_named_by_its_number(void **state)
{
	(void)state;
	check_named("dxl1", 1);
}

static void a_bus_is_named_by_its_line(void **state)
{
	(void)state;
	check_named("uart1", 1);
}

static void names_may_have_blanks_around(void **state)
{
	(void)state;
	check_named("  dxl7   uart0  ", 0);
}

/* "dxl1" is not the beginning of "dxl10", nor is it in "xdxl1". */
static void a_name_is_a_whole_one(void **state)
{
	(void)state;
	two_of_a_kind();
	open_robot("dxl10 xdxl1 uart uart11 dxl dxl0-state dxl01");
	check_untouched(0);
	check_untouched(1);
	assert_int_equal(naohw_robot_joint_count(robot), 1);
	assert_null(naohw_joint_iio_id(robot, 0));
}

static void both_may_be_named(void **state)
{
	struct naohw_error err;

	(void)state;
	two_of_a_kind();
	assert_int_equal(try_open("uart0 dxl1", &err), -ENOTUNIQ);
	robot = NULL;
}

/* Nothing is there then, and it is not a mistake of the description. */
static void a_name_that_is_none_leaves_nothing(void **state)
{
	struct naohw_error err;
	struct naohw_key *key;
	double value = 7;

	(void)state;
	two_of_a_kind();
	open_robot("");
	assert_int_equal(naohw_robot_find_key(robot, HEAD "Position/Sensor/Value", &key), 0);
	assert_int_equal(naohw_key_read(key, &value, &err), -ENODEV);
	assert_near(value, 7, 0);
	assert_int_equal(naohw_frame_open(robot, NULL, &frame, &err), -ENODEV);
	assert_says(&err, BUSES);
	assert_int_equal(naohw_pose_open(robot, NULL, &pose, &err), -ENODEV);
	assert_says(&err, BUSES);
}

/* A bus that is named is the robot's, whatever is on it. */
static void a_named_bus_needs_no_known_label(void **state)
{
	(void)state;
	servo_on("Wheel", "uart1", 1);
	bus_on("uart1", 1, other, 2);
	open_robot("uart1");
	assert_int_equal(naohw_robot_joint_count(robot), 3);
}

/* Of an IIO device that is on no bus of servos, nobody says that it is another robot's. */
static void what_is_on_no_bus_is_there_for_all(void **state)
{
	(void)state;
	fake_fail_bus(-ENXIO);
	fake_servo("HeadYaw");
	bus_on("uart0", 0, head, 1);
	open_robot("dxl0");
	assert_string_equal(naohw_joint_iio_id(robot, 0), "iio:device0");
}

static void names_are_a_string(void **state)
{
	struct naohw_error err;
	const char *path = description("int", "1");

	(void)state;
	servo_on("HeadYaw", "uart0", 0);
	assert_int_equal(naohw_robot_open(path, NULL, &robot, &err), -EINVAL);
	assert_says(&err, path);
	assert_says(&err, ":2: Device/Buses: value \"1\", expected a string");
	robot = NULL;
}

/* There are no directories to look into; the number is in the device's name all the same. */
static void over_the_network_the_number_tells(void **state)
{
	(void)state;
	fake_reset();
	fake_servo("HeadYaw");
	fake_state(0, head, 1, 100);
	fake_goal(0, head, 1);
	fake_state(1, other, 2, 100);
	fake_goal(1, other, 2);
	open_robot(NULL);
	check_joints(1, 0);
	naohw_robot_close(robot);
	open_robot("dxl0");
	check_joints(1, 0);
	naohw_robot_close(robot);
	open_robot("dxl1");
	assert_int_equal(naohw_robot_joint_count(robot), 3);
}

/* Which bus each is on nobody can say there: so it is not said that a Preference would help. */
static void over_the_network_two_of_a_kind_stay(void **state)
{
	struct naohw_error err;

	(void)state;
	fake_reset();
	fake_remote();
	fake_servo("HeadYaw");
	fake_servo("HeadYaw");
	fake_state(0, head, 1, 100);
	fake_state(1, head, 1, 100);
	assert_int_equal(try_open("dxl1", &err), -ENOTUNIQ);
	assert_says(&err, "over the network");
	robot = NULL;
}

/* One of them has no device of its own, and so nothing has been noticed before. */
static void two_of_a_kind_in_frames_are_told(void **state)
{
	struct naohw_error err;

	(void)state;
	servo_on("HeadYaw", "uart0", 0);
	bus_on("uart0", 0, head, 1);
	bus_on("uart1", 1, head, 1);
	open_robot(NULL);
	assert_int_equal(naohw_frame_open(robot, NULL, &frame, &err), -ENOTUNIQ);
	assert_says(&err, "\"HeadYaw\"");
	assert_int_equal(naohw_pose_open(robot, NULL, &pose, &err), -ENOTUNIQ);
	assert_says(&err, "\"HeadYaw\"");
}

int main(void)
{
#define BUSES_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
	const struct CMUnitTest tests[] = {
		BUSES_TEST(a_bus_without_a_known_label_is_left_alone),
		BUSES_TEST(one_known_label_makes_the_bus_ones_own),
		BUSES_TEST(no_bus_of_ones_own_is_told),
		BUSES_TEST(two_of_a_kind_are_not_told_apart),
		BUSES_TEST(a_bus_is_named_by_its_number),
		BUSES_TEST(a_bus_is_named_by_its_line),
		BUSES_TEST(names_may_have_blanks_around),
		BUSES_TEST(a_name_is_a_whole_one),
		BUSES_TEST(both_may_be_named),
		BUSES_TEST(a_name_that_is_none_leaves_nothing),
		BUSES_TEST(a_named_bus_needs_no_known_label),
		BUSES_TEST(what_is_on_no_bus_is_there_for_all),
		BUSES_TEST(names_are_a_string),
		BUSES_TEST(over_the_network_the_number_tells),
		BUSES_TEST(over_the_network_two_of_a_kind_stay),
		BUSES_TEST(two_of_a_kind_in_frames_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
