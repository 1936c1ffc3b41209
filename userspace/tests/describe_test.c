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
	struct naohw_pose *pose;
	struct naohw_dcm *dcm;
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
	assert_int_equal(naohw_pose_open(robot, NULL, &pose, NULL), -ENODEV);
	assert_int_equal(naohw_dcm_open(robot, NULL, &dcm, NULL), -ENODEV);
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

/* Documentation/libnaohw.rst has them, below "Keys". */
static void what_nao_has_none_of_is_wiring(void **state)
{
	static const char *const wiring[] = {
		K("HeadYaw/Position/Sensor/Channel"),
		K("HeadYaw/Position/Sensor/Label"),
		K("HeadYaw/Hardness/Actuator/Enable"),
		K("HeadYaw/Hardness/Actuator/Brake"),
		K("HeadYaw/Position/Actuator/Kp/Attribute"),
		K("HeadYaw/Position/Actuator/Kp/KeyType"),
		K("Face/Led/Blue/Left/0Deg/Actuator/Light"),
		K("Face/Led/Blue/Left/0Deg/Actuator/Color"),
		K("ChestBoard/Button/Sensor/Event"),
		K("Battery/Charge/Sensor/FullChargeCapacity/Supply"),
		K("LFoot/FSR/TotalWeight/Sensor/Formula"),
		K("LFoot/FSR/TotalWeight/Sensor/Of"),
		"Device/DeviceList/ChestBoard/BodyId/Memory",
		"Device/DeviceList/ChestBoard/BodyStore",
		"Device/DeviceList/ChestBoard/ProgVersion/File",
		"Device/DeviceList/HeadBoard/Label",
	};
	static const char *const naos[] = {
		K("HeadYaw/Position/Sensor/Value"),
		K("HeadYaw/Position/Sensor/Gain"),
		K("HeadYaw/Position/Sensor/Device"),
		K("HeadYaw/Position/Sensor/SubDeviceNumber"),
		K("HeadYaw/Position/Sensor/Ack"),
		K("HeadYaw/Position/Actuator/Kp"),
		K("Face/Led/Blue/Left/0Deg/Actuator/Gain"),
		"Device/DeviceList/ChestBoard/BodyId",
		"Device/DeviceList/HeadBoard/Bus",
		"RobotConfig/Head/Device/FaceBoard/Leds/Rotation",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wiring) / sizeof(wiring[0]); i++)
		if (!naohw_key_is_wiring(key(wiring[i])))
			fail_msg("%s", wiring[i]);
	for (size_t i = 0; i < sizeof(naos) / sizeof(naos[0]); i++)
		if (naohw_key_is_wiring(key(naos[i])))
			fail_msg("%s", naos[i]);
}

static void preferences_know_it_too(void **state)
{
	struct naohw_preferences *preferences;
	size_t at = 0;

	(void)state;
	assert_int_equal(naohw_preferences_load(ROBOTS_DIR "/nao-t14-v33.xml", &preferences, NULL), 0);
	assert_int_equal(naohw_preferences_find(preferences, "Device/Base", &at, NULL), 0);
	assert_int_equal(naohw_preferences_is_wiring(preferences, at), 1);
	assert_int_equal(naohw_preferences_find(preferences, K("HeadYaw/Position/Sensor/Channel"),
						&at, NULL),
			 0);
	assert_int_equal(naohw_preferences_is_wiring(preferences, at), 1);
	assert_int_equal(naohw_preferences_find(preferences, K("HeadYaw/Position/Sensor/Min"), &at,
						NULL),
			 0);
	assert_int_equal(naohw_preferences_is_wiring(preferences, at), 0);
	assert_int_equal(naohw_preferences_is_wiring(preferences, SIZE_MAX), 0);
	naohw_preferences_free(preferences);
}

/* Whatever a layer may call one, of the parts of another tree it says nothing. */
static void a_name_is_wiring_where_it_can_be(void **state)
{
	struct naohw_preferences *preferences;
	size_t at = 0;

	(void)state;
	assert_int_equal(
		naohw_preferences_load(
			temp_text("<ModulePreference>"
				  "<Preference memoryName='RobotConfig/Head/Label' type='string' "
				  "value='x'/>"
				  "<Preference memoryName='Device/Buses' type='string' value='dxl0'/>"
				  "<Preference memoryName='DCM/Alias/File' type='string' value='x'/>"
				  "</ModulePreference>"),
			&preferences, NULL),
		0);
	assert_int_equal(naohw_preferences_find(preferences, "RobotConfig/Head/Label", &at, NULL),
			 0);
	assert_int_equal(naohw_preferences_is_wiring(preferences, at), 0);
	assert_int_equal(naohw_preferences_find(preferences, "DCM/Alias/File", &at, NULL), 0);
	assert_int_equal(naohw_preferences_is_wiring(preferences, at), 0);
	assert_int_equal(naohw_preferences_find(preferences, "Device/Buses", &at, NULL), 0);
	assert_int_equal(naohw_preferences_is_wiring(preferences, at), 1);
	naohw_preferences_free(preferences);
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
		cmocka_unit_test_setup_teardown(what_nao_has_none_of_is_wiring, setup, teardown),
		cmocka_unit_test(preferences_know_it_too),
		cmocka_unit_test(a_name_is_wiring_where_it_can_be),
		cmocka_unit_test(a_description_must_be_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
