// SPDX-License-Identifier: LGPL-2.1-or-later
/* NAO's boards, what its motors are configured with, and what is built in. */
#include "support.h"

#include "fake_iio.h"
#include "nao.h"
#include "robot_keys.h"

#define SUBDEVICES "Device/SubDeviceList/"
#define DEVICES	   "Device/DeviceList/"
#define CONFIG	   "RobotConfig/"
#define MOTORS	   26 /* with RHipYawPitch */
#define COUNT(of)  (sizeof(of) / sizeof((of)[0]))

struct typed {
	const char *name;
	enum naohw_key_type type;
};

static int setup(void **state)
{
	struct naohw_error err;

	(void)state;
	fake_reset();
	fake_servo("HeadYaw");
	if (naohw_robot_open(NAO_ROBOT, NULL, &robot, &err) < 0)
		fail_msg("%s", err.message);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	naohw_robot_close(robot);
	return 0;
}

static void has_typed(const char *begin, const struct typed *typed)
{
	char name[128];

	snprintf(name, sizeof(name), "%s%s", begin, typed->name);
	if (naohw_key_get_type(key(name)) != typed->type)
		fail_msg("%s has another type", name);
}

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text);

	return length >= strlen(end) && strcmp(text + length - strlen(end), end) == 0;
}

/* All that end so have these beside it; how many are there? */
static unsigned int check_beside(const char *end, const struct typed *typed, size_t count)
{
	unsigned int found = 0;

	for (size_t i = 0; i < naohw_robot_key_count(robot); i++) {
		const char *name = naohw_key_name(naohw_robot_key_at(robot, i));
		char begin[128];

		if (!ends_with(name, end))
			continue;
		found++;
		snprintf(begin, sizeof(begin), "%.*s", (int)(strrchr(name, '/') + 1 - name), name);
		for (size_t t = 0; t < count; t++)
			has_typed(begin, &typed[t]);
	}
	return found;
}

static void each_motor_tells_how_it_is_configured(void **state)
{
	static const struct typed sensor[] = {
		{ "GearRatio", NAOHW_KEY_FLOAT },
		{ "SensorType", NAOHW_KEY_INT },
		{ "jointZeroPosition", NAOHW_KEY_INT },
		{ "positionChainMREJoint", NAOHW_KEY_INT },
		{ "positionChainMREMotor", NAOHW_KEY_INT },
	};
	static const struct typed actuator[] = {
		{ "ImportanceLevel1", NAOHW_KEY_INT },
		{ "ImportanceLevel7", NAOHW_KEY_INT },
		{ "InvertControlDirection", NAOHW_KEY_BOOL },
		{ "Kp", NAOHW_KEY_INT },
		{ "Ki", NAOHW_KEY_INT },
		{ "Kd", NAOHW_KEY_INT },
		{ "MotorNumber", NAOHW_KEY_INT },
	};

	(void)state;
	assert_int_equal(check_beside("/Position/Sensor/Value", sensor, COUNT(sensor)), MOTORS);
	assert_int_equal(check_beside("/Position/Actuator/Value", actuator, COUNT(actuator)),
			 MOTORS);
}

static void a_configuration_is_the_motors_own(void **state)
{
	static const struct {
		const char *attribute;
		const char *value;
		const char *key;
		const char *text;
	} known[] = {
		{ "gear_ratio", "150.27", "Position/Sensor/GearRatio", "150.27" },
		{ "sensor_type", "1", "Position/Sensor/SensorType", "1" },
		{ "position_chain_mre_joint", "3", "Position/Sensor/positionChainMREJoint", "3" },
		{ "position_chain_mre_motor", "4", "Position/Sensor/positionChainMREMotor", "4" },
		{ "invert_control_direction", "1", "Position/Actuator/InvertControlDirection",
		  "true" },
		{ "kp", "33", "Position/Actuator/Kp", "33" },
		{ "ki", "7", "Position/Actuator/Ki", "7" },
		{ "kd", "9", "Position/Actuator/Kd", "9" },
		{ "motor_number", "2", "Position/Actuator/MotorNumber", "2" },
	};
	char name[128];

	(void)state;
	for (size_t i = 0; i < COUNT(known); i++) {
		fake_device_set("HeadYaw", known[i].attribute, known[i].value);
		snprintf(name, sizeof(name), SUBDEVICES "HeadYaw/%s", known[i].key);
		assert_string_equal(text_of(name), known[i].text);
	}
	fake_set("HeadYaw", "in_angl0_calibbias", "2100");
	assert_string_equal(text_of(SUBDEVICES "HeadYaw/Position/Sensor/jointZeroPosition"), "2100");
	assert_string_equal(text_of(SUBDEVICES "HeadYaw/Position/Actuator/ImportanceLevel3"), "0");
}

static void a_motor_board_is_identified(void **state)
{
	static const struct typed identity[] = {
		{ "StructVersion", NAOHW_KEY_INT }, { "BoardId", NAOHW_KEY_INT },
		{ "BoardId2", NAOHW_KEY_INT },	    { "BootLoaderVersion", NAOHW_KEY_INT },
		{ "ProgVersion", NAOHW_KEY_INT },   { "Bid", NAOHW_KEY_INT },
		{ "Type", NAOHW_KEY_STRING },
	};

	(void)state;
	assert_int_equal(check_beside("Board/Bid", identity, COUNT(identity)), 13);
	fake_device_set("HeadYaw", "board_id2", "4711");
	assert_string_equal(text_of(DEVICES "HeadBoard/BoardId2"), "4711");
	assert_string_equal(text_of(DEVICES "HeadBoard/Type"), "MotorBoard");
}

/* [id-8] */
static void the_chest_is_identified(void **state)
{
	static const struct typed chest[] = {
		{ "BodyId", NAOHW_KEY_STRING },
		{ "BodyNickName", NAOHW_KEY_STRING },
		{ "ProgVersion", NAOHW_KEY_STRING },
		{ "ChainResult", NAOHW_KEY_STRING },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(chest); i++)
		has_typed(DEVICES "ChestBoard/", &chest[i]);
	assert_string_equal(text_of(DEVICES "ChestBoard/ChainResult"), "");
}

/* [cfg-3] [cfg-4] [cfg-7] [cfg-10] [cfg-13] */
static void what_is_built_in_is_told(void **state)
{
	static const struct {
		const char *key;
		const char *text;
	} known[] = {
		{ "Head/BaseVersion", "V3.3" },
		{ "Head/Device/TouchBoard/Version", "1" },
		{ "Head/Device/FaceBoard/Leds/Rotation", "1" },
		{ "Head/Device/LaserRangeFinder/Version", "0" },
		{ "Head/Device/Camera/Version", "1" },
		{ "Body/BaseVersion", "V3.3" },
		{ "Body/Device/Hand/Left/Version", "3" },
		{ "Body/Device/Hand/Right/Version", "3" },
		{ "Body/Device/FSR/Calibration/Version", "0" },
		{ "Body/Device/Joints/Calibration/Version", "2" },
		{ "Body/Device/LeftArm/Version", "2" },
		{ "Body/Device/RightArm/Version", "2" },
		{ "Body/Device/Legs/Version", "1" },
		{ "Body/Device/Foot/Left/Version", "1" },
		{ "Body/Device/Foot/Right/Version", "1" },
		{ "Body/Version", "3.3.0" },
		{ "Body/Type", "NAO" },
		{ "Body/SoftwareRequirement", "1.8.0" },
	};
	size_t found = 0;
	char name[128];

	(void)state;
	for (size_t i = 0; i < COUNT(known); i++) {
		snprintf(name, sizeof(name), CONFIG "%s", known[i].key);
		assert_string_equal(text_of(name), known[i].text);
	}
	for (size_t i = 0; i < naohw_robot_key_count(robot); i++)
		found += strncmp(naohw_key_name(naohw_robot_key_at(robot, i)), CONFIG,
				 strlen(CONFIG)) == 0;
	assert_int_equal(found, COUNT(known));
}

static void the_battery_tells_of_itself(void **state)
{
	static const struct typed charge[] = {
		{ "CellVoltageMax", NAOHW_KEY_FLOAT },
		{ "CellVoltageMin", NAOHW_KEY_FLOAT },
		{ "FullChargeCapacity", NAOHW_KEY_FLOAT },
		{ "RemainingCapacity", NAOHW_KEY_FLOAT },
		{ "Status", NAOHW_KEY_INT },
		{ "Age", NAOHW_KEY_FLOAT },
	};
	static const struct typed identity[] = {
		{ "Manufacturer", NAOHW_KEY_STRING },
		{ "SerialNumber", NAOHW_KEY_STRING },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(charge); i++)
		has_typed(SUBDEVICES "Battery/Charge/Sensor/", &charge[i]);
	for (size_t i = 0; i < COUNT(identity); i++)
		has_typed(DEVICES "Battery/", &identity[i]);
}

/* ---- two hips and one motor ---- */

#define LEAF(name) \
	"<Preference memoryName='" SUBDEVICES name "/Position/Sensor/Offset' type='float' " \
	"value='0.25'/>"
#define OVER_NAO(body) \
	"<ModulePreference name='x'><Preference memoryName='Device/Base' type='string' value='" \
	NAO_ROBOT "'/>" body "</ModulePreference>"

static void open_again(const char *text, int expected, struct naohw_error *err)
{
	naohw_robot_close(robot);
	robot = NULL;
	assert_int_equal(naohw_robot_open(temp_text(text), NULL, &robot, err), expected);
}

static void check_same(const char *name, const char *other)
{
	char text[64] = "", expected[64] = "";
	int ret = naohw_key_read_string(key(other), expected, sizeof(expected), NULL);

	assert_int_equal(naohw_key_read_string(key(name), text, sizeof(text), NULL), ret);
	assert_string_equal(text, expected);
	assert_int_equal(naohw_key_get_type(key(name)), naohw_key_get_type(key(other)));
}

/* Whatever one says of its place, its limits, its device and its numbers, so does the other. */
static void both_hips_are_the_same(void **state)
{
	static const char left[] = SUBDEVICES "LHipYawPitch/", right[] = SUBDEVICES "RHipYawPitch/";
	struct naohw_error err;
	char other[128];
	size_t count = 0;

	(void)state;
	fake_servo("LHipYawPitch");
	open_again(OVER_NAO(LEAF("LHipYawPitch")), 0, &err);
	for (size_t i = 0; i < naohw_robot_key_count(robot); i++) {
		const char *name = naohw_key_name(naohw_robot_key_at(robot, i));

		if (strncmp(name, right, strlen(right)) != 0 || strstr(name, "/Alias") ||
		    strstr(name, "/Label"))
			continue;
		snprintf(other, sizeof(other), "%s%s", left, name + strlen(right));
		check_same(name, other);
		count++;
	}
	assert_true(count > 60);
	check_text(SUBDEVICES "RHipYawPitch/Position/Sensor/Offset", "0.25");
	check_text(SUBDEVICES "RHipYawPitch/Hardness/Actuator/Device", "LeftHipBoard");
}

static void a_motor_is_calibrated_by_one_name(void **state)
{
	struct naohw_error err;

	(void)state;
	open_again(OVER_NAO(LEAF("RHipYawPitch")), -EINVAL, &err);
	assert_says(&err, SUBDEVICES "RHipYawPitch/Position/Sensor/Offset: ");
	assert_says(&err, "is another name of LHipYawPitch/Position/Sensor/Offset");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_motor_tells_how_it_is_configured),
		cmocka_unit_test(a_configuration_is_the_motors_own),
		cmocka_unit_test(a_motor_board_is_identified),
		cmocka_unit_test(the_chest_is_identified),
		cmocka_unit_test(what_is_built_in_is_told),
		cmocka_unit_test(the_battery_tells_of_itself),
		cmocka_unit_test(both_hips_are_the_same),
		cmocka_unit_test(a_motor_is_calibrated_by_one_name),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
