// SPDX-License-Identifier: LGPL-2.1-or-later
/* A robot of a description alone: what it has is known, and nothing is asked for the rest. */
#include "support.h"

#include "fake_iio.h"
#include "robot_keys.h"

#define K(name) "Device/SubDeviceList/" name

static int setup(void **state)
{
	(void)state;
	fake_reset();
	fake_servo("HeadYaw");
	assert_int_equal(naohw_robot_describe(ROBOTS_DIR "/nao-h25-v33.xml", &robot, NULL), 0);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	naohw_robot_close(robot);
	return 0;
}

static void its_keys_are_those_of_the_robot(void **state)
{
	struct naohw_robot *there;

	(void)state;
	assert_int_equal(naohw_robot_open(ROBOTS_DIR "/nao-h25-v33.xml", NULL, &there, NULL), 0);
	assert_int_equal(naohw_robot_key_count(robot), naohw_robot_key_count(there));
	for (size_t i = 0; i < naohw_robot_key_count(robot); i++) {
		const struct naohw_key *key = naohw_robot_key_at(robot, i);
		const struct naohw_key *same = naohw_robot_key_at(there, i);

		assert_string_equal(naohw_key_name(key), naohw_key_name(same));
		assert_int_equal(naohw_key_get_type(key), naohw_key_get_type(same));
		assert_int_equal(naohw_key_is_writable(key), naohw_key_is_writable(same));
	}
	naohw_robot_close(there);
}

static void no_device_is_looked_for(void **state)
{
	struct naohw_frame *frame;
	struct naohw_error err;
	double value = 5;
	char text[64];

	(void)state;
	assert_int_equal(fake_contexts(), 0);
	assert_int_equal(naohw_key_read(key(K("HeadYaw/Position/Sensor/Value")), &value, &err),
			 -ENODEV);
	assert_says(&err, K("HeadYaw/Position/Sensor") ": of a robot that is only described");
	assert_int_equal(naohw_key_write(key(K("HeadYaw/Position/Actuator/Value")), 0, NULL),
			 -ENODEV);
	assert_int_equal(naohw_key_write(key(K("Face/Led/Blue/Left/0Deg/Actuator/Value")), 0, NULL),
			 -ENODEV);
	assert_int_equal(naohw_key_read_string(key(K("HeadYaw/Position/Sensor/Error")), text,
					       sizeof(text), NULL),
			 -ENODEV);
	assert_int_equal(naohw_robot_joint_count(robot), 0);
	assert_int_equal(naohw_frame_open(robot, NULL, &frame, NULL), -ENODEV);
	assert_int_equal(naohw_robot_keep_alive(robot, NULL), 0);
	assert_near(value, 5, 0);
	assert_string_equal(fake_log(), "");
}

static void constants_can_be_read(void **state)
{
	(void)state;
	assert_near(value_of(K("HeadYaw/Position/Actuator/Max")), 2.0857, 1e-4);
	check_text("RobotConfig/Body/Version", "3.3.0");
}

static void a_description_must_be_one(void **state)
{
	struct naohw_robot *none = NULL;
	struct naohw_error err;

	(void)state;
	assert_int_equal(naohw_robot_describe("none.xml", &none, &err), -ENOENT);
	assert_says(&err, "none.xml: No such file");
	assert_int_equal(naohw_robot_describe(temp_text("<ModulePreference/>"), &none, &err),
			 -EINVAL);
	assert_says(&err, "no Channel in it");
	assert_null(none);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(its_keys_are_those_of_the_robot, setup, teardown),
		cmocka_unit_test_setup_teardown(no_device_is_looked_for, setup, teardown),
		cmocka_unit_test_setup_teardown(constants_can_be_read, setup, teardown),
		cmocka_unit_test(a_description_must_be_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
