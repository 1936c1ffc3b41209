// SPDX-License-Identifier: LGPL-2.1-or-later
/* What a description may say of where values come from, and what it may not. */
#include "support.h"

#include "fake_iio.h"
#include "robot/robot.h"
#include "robot_keys.h"

#define LIST   "Device/SubDeviceList/"
#define BEGIN  "<ModulePreference name='x'>\n"
#define END    "</ModulePreference>\n"
/* One array to a line, so that a message's line tells which it means; BEGIN is the first. */
#define ARRAY(name, body) \
	"<Preference memoryName='" LIST name "' type='array'>" body "</Preference>\n"
#define S(name, value) "<Preference name='" name "' type='string' value='" value "'/>"
#define N(name, value) "<Preference name='" name "' type='float' value='" value "'/>"
#define I(name, value) "<Preference name='" name "' type='int' value='" value "'/>"
#define SENSOR(name, body)   ARRAY(name "/Sensor", body)
#define ACTUATOR(name, body) ARRAY(name "/Actuator", N("Min", "-1") N("Max", "1") body)
#define PROPERTY(name, body) "<Preference name='" name "' type='array'>" body "</Preference>"
#define DEVICE(name, body) \
	"<Preference memoryName='Device/DeviceList/" name "' type='array'>" body "</Preference>\n"
#define ROBOT(body)	     BEGIN body END
#define CONFIGURED(name)     PROPERTY(name, S("Attribute", "kp") S("KeyType", "int"))

static int setup(void **state)
{
	static const char *const parts[] = { "fsr1", "fsr2", "buttons" };

	(void)state;
	fake_reset();
	fake_state(0, NULL, 0, 100);
	fake_board(0, 112, "LFoot", parts, 3);
	fake_set("LFoot", "in_count1_raw", "120");
	fake_set("LFoot", "in_count2_raw", "80");
	fake_device_set("LFoot", "sonar_mode", "4\n");
	robot = NULL;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	naohw_robot_close(robot);
	return 0;
}

static void open_robot(const char *text)
{
	struct naohw_error err;

	naohw_robot_close(robot);
	robot = NULL;
	if (naohw_robot_open(temp_text(text), NULL, &robot, &err) < 0)
		fail_msg("%s", err.message);
}

/* @where: what the message has before its colon, as ":2: Device/..."; or a part of it */
static void check_refused(const char *text, const char *where, const char *says)
{
	struct naohw_error err;

	assert_int_equal(naohw_robot_open(temp_text(text), NULL, &robot, &err), -EINVAL);
	robot = NULL;
	assert_says(&err, where);
	assert_says(&err, says);
}

static bool has_key(const char *name)
{
	struct naohw_key *found;

	return naohw_robot_find_key(robot, name, &found) == 0;
}

/* ---- one source for each ---- */

static void two_sources_are_refused(void **state)
{
	(void)state;
	check_refused(ROBOT(SENSOR("LFoot/A", S("Channel", "fsr1"))
			    SENSOR("LFoot/B", S("Channel", "fsr1") S("Formula", "sum"))),
		      ":3: " LIST "LFoot/B/Sensor/Formula", "beside a Channel");
	check_refused(ROBOT(SENSOR("LFoot/B", S("Formula", "sum") S("Attribute", "a"))),
		      ":2: " LIST "LFoot/B/Sensor/", "expected one of them");
}

/* That one is the channel's. */
static void an_attribute_beside_a_channel_is_none(void **state)
{
	(void)state;
	fake_set("LFoot", "in_count1_sampling", "7.5");
	open_robot(ROBOT(SENSOR("LFoot/A", S("Channel", "fsr1") S("Attribute", "sampling"))));
	assert_near(value_of(LIST "LFoot/A/Sensor/Value"), 7.5, 0);
}

static void a_source_stands_where_a_value_is(void **state)
{
	static const char *const wrong[] = {
		ROBOT(ARRAY("LFoot/A", S("Channel", "fsr1"))),
		ROBOT(ARRAY("LFoot/ASensor", S("Channel", "fsr1"))),
		ROBOT(ARRAY("LFoot/A/Sensors", S("Attribute", "sonar_mode"))),
		ROBOT(ARRAY("LFoot/A/Value1", S("Channel", "fsr1"))),
		ROBOT(ARRAY("LFoot/A/Sensor/Other/Value1", S("Channel", "fsr1"))),
		/* These are keys of the sensor itself. */
		ROBOT(ARRAY("LFoot/A/Sensor/Value", S("Channel", "fsr1"))),
		ROBOT(ARRAY("LFoot/A/Sensor/Gain", S("Channel", "fsr1"))),
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		check_refused(wrong[i], ":2: " LIST "LFoot/A", "stands below .../Sensor");
}

/* ---- properties ---- */

static void a_property_is_a_key_of_the_type_it_says(void **state)
{
	(void)state;
	fake_device_set("LFoot", "kp", "32\n");
	fake_device_set("LFoot", "inverted", "1\n");
	fake_device_set("LFoot", "serial", "ALDE 1\n");
	open_robot(ROBOT(SENSOR("LFoot/A", S("Channel", "fsr1") N("Gain", "0.1")
				PROPERTY("Kp", S("Attribute", "kp") S("KeyType", "int"))
				PROPERTY("Half", S("Attribute", "kp") N("Gain", "0.5"))
				PROPERTY("Is", S("Attribute", "inverted") S("KeyType", "bool"))
				PROPERTY("No", S("Attribute", "serial") S("KeyType", "string")))));
	assert_near(value_of(LIST "LFoot/A/Sensor/Kp"), 32, 0);
	assert_int_equal(naohw_key_get_type(key(LIST "LFoot/A/Sensor/Kp")), NAOHW_KEY_INT);
	assert_near(value_of(LIST "LFoot/A/Sensor/Half"), 16, 0);
	check_text(LIST "LFoot/A/Sensor/Is", "true");
	check_text(LIST "LFoot/A/Sensor/No", "ALDE 1");
	assert_false(has_key(LIST "LFoot/A/Sensor/Kp/Value"));
	assert_false(has_key(LIST "LFoot/A/Sensor/Kp/Gain"));
}

static void a_property_may_be_a_devices(void **state)
{
	(void)state;
	fake_device_set("LFoot", "prog_version", "4\n");
	open_robot(ROBOT(SENSOR("LFoot/A", S("Channel", "fsr1"))
			 DEVICE("Foot", S("Label", "LFoot")
				PROPERTY("ProgVersion", S("Attribute", "prog_version")
					 S("KeyType", "int")))));
	check_text("Device/DeviceList/Foot/ProgVersion", "4");
}

static void of_several_labels_the_first_has_what_is_the_devices(void **state)
{
	(void)state;
	fake_device_set("LFoot", "prog_version", "4\n");
	open_robot(ROBOT(SENSOR("LFoot/A", S("Channel", "fsr1"))
			 DEVICE("Foot", S("Label", "LFoot LToes")
				PROPERTY("ProgVersion", S("Attribute", "prog_version")))));
	check_text("Device/DeviceList/Foot/ProgVersion", "4");
}

static void a_device_stands_at_any_level_above(void **state)
{
	(void)state;
	open_robot(ROBOT(ARRAY("LFoot", S("Device", "FootBoard"))
			 SENSOR("LFoot/A", S("Channel", "fsr1"))
			 SENSOR("LFoot/B", S("Channel", "fsr2") S("Device", "Other"))
			 SENSOR("Foot", S("Label", "LFoot") S("Channel", "fsr1"))));
	check_text(LIST "LFoot/A/Sensor/Device", "FootBoard");
	check_text(LIST "LFoot/A/Sensor/Label", "LFoot");
	check_text(LIST "LFoot/B/Sensor/Device", "Other");
	check_text(LIST "Foot/Sensor/Device", "LFoot");
}

/* Of a sensor they bound nothing here, so a device may tell them; an actuator's are needed. */
static void a_sensors_limit_may_be_its_devices(void **state)
{
	struct naohw_error err;

	(void)state;
	fake_remote();
	fake_servo("HeadYaw");
	fake_set("HeadYaw", "out_anglvel0_scale", "0.1");
	open_robot(ROBOT(SENSOR("HeadYaw/A", S("Channel", "in_temp0") N("Min", "0")
				PROPERTY("Max", S("Channel", "out_anglvel0") N("Gain", "0.5")))));
	fake_set("HeadYaw", "out_anglvel0_raw", "200");
	assert_near(value_of(LIST "HeadYaw/A/Sensor/Max"), 10, 1e-9);
	assert_int_equal(naohw_key_get_type(key(LIST "HeadYaw/A/Sensor/Max")), NAOHW_KEY_FLOAT);
	assert_int_equal(naohw_key_write(key(LIST "HeadYaw/A/Sensor/Max"), 1, &err), -EACCES);
	assert_says(&err, "Max: is its device's limit, and not to be changed");
}

static void an_actuators_limit_or_one_that_is_said_twice_is_refused(void **state)
{
	(void)state;
	check_refused(ROBOT(ARRAY("HeadYaw/A/Actuator", S("Channel", "out_angl0") N("Min", "0")
				  PROPERTY("Max", S("Channel", "out_anglvel0")))),
		      "Actuator/Max/Channel", "stands below .../Sensor");
	check_refused(ROBOT(SENSOR("HeadYaw/A", S("Channel", "in_temp0") N("Max", "1")
				   PROPERTY("Max", S("Channel", "out_anglvel0")))),
		      "HeadYaw/A/Sensor/Max", "expected none here");
}

static void a_wrong_type_of_key_is_refused(void **state)
{
	(void)state;
	check_refused(ROBOT(SENSOR("LFoot/A", S("Channel", "fsr1") S("KeyType", "int"))), "KeyType",
		      "none: a Value is a float");
	check_refused(ROBOT(SENSOR("LFoot/A", S("Channel", "fsr1")
				   PROPERTY("B", S("Attribute", "b") S("KeyType", "long")))),
		      "KeyType", "\"float\", \"int\", \"string\" or \"bool\"");
	check_refused(ROBOT(SENSOR("LFoot/A", S("Channel", "fsr1")
				   PROPERTY("B", S("Memory", "b") S("KeyType", "int")))),
		      "KeyType", "a text");
	check_refused(ROBOT(SENSOR("LFoot/A", S("Channel", "fsr1")
				   PROPERTY("B", S("Event", "BTN_A") S("KeyType", "string")))),
		      "KeyType", "a number");
}

/* ---- inverses ---- */

#define B(name, value) "<Preference name='" name "' type='bool' value='" value "'/>"

static void an_inverse_has_its_offset_before_its_gain(void **state)
{
	(void)state;
	open_robot(ROBOT(SENSOR("LFoot/A", S("Channel", "fsr1") B("Inverse", "true")
				N("Gain", "50") N("Offset", "0.001")
				ARRAY("LFoot/A/Sensor/Value1", S("Channel", "fsr2")))
			 SENSOR("LFoot/B", S("Channel", "fsr1") B("Inverse", "false")
				N("Gain", "50"))));
	assert_near(value_of(LIST "LFoot/A/Sensor/Value"), (1 / 120.0 - 0.001) * 50, 1e-12);
	assert_near(value_of(LIST "LFoot/A/Sensor/Value1"), (1 / 80.0 - 0.001) * 50, 1e-12);
	assert_near(value_of(LIST "LFoot/B/Sensor/Value"), 120 * 50, 1e-12);
	/* Nothing is on it: the whole of the world would be. */
	fake_set("LFoot", "in_count1_raw", "0");
	assert_near(value_of(LIST "LFoot/A/Sensor/Value"), 0, 0);
}

static void a_wrong_inverse_is_refused(void **state)
{
	(void)state;
	check_refused(ROBOT(SENSOR("LFoot/A", S("Channel", "fsr1") S("Inverse", "true"))),
		      ":2: " LIST "LFoot/A/Sensor/Inverse", "true or false (type bool)");
	check_refused(ROBOT(SENSOR("LFoot/Position", S("Channel", "fsr1") B("Inverse", "true"))),
		      "/Inverse", "false for an actuator or an angle");
	check_refused(ROBOT(ACTUATOR("LFoot/A", S("Attribute", "a") B("Inverse", "true"))),
		      "/Inverse", "false for an actuator or an angle");
}

/* ---- what is not to be set ---- */

static void check_not_set(const char *name, const char *reason)
{
	struct naohw_error err;

	assert_int_equal(naohw_key_write(key(name), 1, &err), -EACCES);
	assert_says(&err, name);
	assert_says(&err, reason);
	assert_int_equal(naohw_key_write_string(key(name), "1", &err), -EACCES);
	assert_says(&err, reason);
}

/* [key-16] [key-20] [act-14] [pos-10] [dev-6] */
static void what_is_not_to_be_set_says_why(void **state)
{
	static const char *const built[] = { "Type", "Device", "SubDeviceNumber" };
	static const char *const configured[] = {
		"InvertControlDirection", "Kp", "Ki", "Kd", "MotorNumber", "GearRatio", "SensorType",
		"positionChainMREJoint", "positionChainMREMotor",
	};
	char name[128];

	(void)state;
	fake_device_set("LFoot", "kp", "32\n");
	open_robot(ROBOT(ACTUATOR("LFoot/A", S("Attribute", "sonar_mode") S("Type", "x")
				  I("SubDeviceNumber", "1") CONFIGURED("InvertControlDirection")
				  CONFIGURED("Kp") CONFIGURED("Ki") CONFIGURED("Kd")
				  CONFIGURED("MotorNumber") CONFIGURED("GearRatio")
				  CONFIGURED("SensorType") CONFIGURED("positionChainMREJoint")
				  CONFIGURED("positionChainMREMotor")
				  CONFIGURED("jointZeroPosition"))
			 SENSOR("LFoot/B", S("Channel", "fsr1"))
			 DEVICE("LFoot", S("Type", "FootBoard") S("Bus", "dxl0")
				I("Address", "112"))));
	for (size_t i = 0; i < sizeof(built) / sizeof(built[0]); i++) {
		snprintf(name, sizeof(name), LIST "LFoot/A/Actuator/%s", built[i]);
		check_not_set(name, "is what the robot is built of");
	}
	for (size_t i = 0; i < sizeof(configured) / sizeof(configured[0]); i++) {
		snprintf(name, sizeof(name), LIST "LFoot/A/Actuator/%s", configured[i]);
		check_not_set(name, "is a motor board's configuration");
	}
	check_not_set(LIST "LFoot/A/Actuator/Min", "is a limit");
	check_not_set(LIST "LFoot/A/Actuator/Max", "is a limit");
	check_not_set(LIST "LFoot/A/Actuator/jointZeroPosition", "naohw calibrate");
	check_not_set(LIST "LFoot/B/Sensor/Gain", "naohw pref");
	check_not_set(LIST "LFoot/B/Sensor/Value", "is what is measured");
	check_not_set("Device/DeviceList/LFoot/Type", "is what the robot is built of");
	check_not_set("Device/DeviceList/LFoot/Bus", "is what the robot is built of");
	check_not_set("Device/DeviceList/LFoot/Address", "is what the robot is built of");
	check_not_set("Device/DeviceList/LFoot/Ack", "is what is told of the device");
}

/* ---- what a device of another make has not ---- */

/* It is there, so it is not -ENODEV. */
static void check_absent(const char *name)
{
	struct naohw_error err;
	double value;

	assert_int_equal(naohw_key_read(key(name), &value, &err), -ENOENT);
	assert_says(&err, "has no ");
}

static void what_is_not_there_is_absent(void **state)
{
	struct naohw_error err;
	double value;

	(void)state;
	fake_set("LFoot", "in_count1_sampling", "7.5");
	open_robot(ROBOT(SENSOR("LFoot/A", S("Channel", "fsr1")
				PROPERTY("Kp", S("Attribute", "kp"))
				PROPERTY("Age", S("Channel", "age"))
				PROPERTY("Slow", S("Channel", "fsr1") S("Attribute", "slow")))
			 SENSOR("RFoot/A", S("Channel", "fsr1"))));
	check_absent(LIST "LFoot/A/Sensor/Kp");
	check_absent(LIST "LFoot/A/Sensor/Age");
	check_absent(LIST "LFoot/A/Sensor/Slow");
	assert_int_equal(naohw_key_read(key(LIST "RFoot/A/Sensor/Value"), &value, &err), -ENODEV);
}

/* ---- channels ---- */

static void a_channel_may_be_a_label(void **state)
{
	(void)state;
	open_robot(ROBOT(SENSOR("LFoot/A", S("Channel", "fsr2") N("Gain", "0.1") N("Offset", "3"))
			 SENSOR("LFoot/B", S("Channel", "fsr"))
			 SENSOR("Foot", S("Label", "LFoot") S("Channel", "in_count1"))));
	assert_near(value_of(LIST "LFoot/A/Sensor/Value"), 11, 1e-9);
	assert_near(value_of(LIST "Foot/Sensor/Value"), 120, 0);
	check_absent(LIST "LFoot/B/Sensor/Value");
}

static void an_actuators_channel_is_an_output(void **state)
{
	(void)state;
	check_refused(ROBOT(ACTUATOR("LFoot/A", S("Channel", "fsr1"))), "Channel", "\"out_...\"");
	check_refused(ROBOT(SENSOR("LFoot/A", S("Channel", "out_angl0"))), "Channel", "\"in_...\"");
}

/* ---- bits ---- */

static void a_bit_is_one_of_its_channels(void **state)
{
	(void)state;
	open_robot(ROBOT(SENSOR("LFoot/A", S("Channel", "buttons") I("Bit", "0"))
			 SENSOR("LFoot/B", S("Channel", "buttons") I("Bit", "31"))
			 SENSOR("LFoot/C", S("Channel", "buttons") I("Bit", "3") N("Gain", "-1")
					   N("Offset", "1"))));
	fake_set("LFoot", "in_count3_raw", "9");
	assert_near(value_of(LIST "LFoot/A/Sensor/Value"), 1, 0);
	assert_near(value_of(LIST "LFoot/B/Sensor/Value"), 0, 0);
	assert_near(value_of(LIST "LFoot/C/Sensor/Value"), 0, 0);
	fake_set("LFoot", "in_count3_raw", "-2147483648");
	assert_near(value_of(LIST "LFoot/A/Sensor/Value"), 0, 0);
	assert_near(value_of(LIST "LFoot/B/Sensor/Value"), 1, 0);
	assert_near(value_of(LIST "LFoot/C/Sensor/Value"), 1, 0);
	fake_set("LFoot", "in_count3_raw", "2147483648");
	assert_near(value_of(LIST "LFoot/A/Sensor/Value"), 0, 0);
	assert_near(value_of(LIST "LFoot/B/Sensor/Value"), 1, 0);
}

static void a_bit_that_is_none_is_refused(void **state)
{
	(void)state;
	check_refused(ROBOT(SENSOR("LFoot/A", S("Channel", "buttons") I("Bit", "32"))),
		      ":2: " LIST "LFoot/A/Sensor/Bit: value \"32\"", "0 to 31");
	check_refused(ROBOT(SENSOR("LFoot/A", S("Channel", "buttons") I("Bit", "-1"))), "\"-1\"",
		      "0 to 31");
	check_refused(ROBOT(SENSOR("LFoot/A", S("Channel", "buttons") N("Bit", "1.5"))), "\"1.5\"",
		      "a whole number");
	check_refused(ROBOT(SENSOR("LFoot/A", S("Channel", "buttons") S("Bit", "1"))), "Bit",
		      "a number");
	check_refused(ROBOT(ACTUATOR("LFoot/A", S("Channel", "out_count0") I("Bit", "1"))),
		      "Actuator/Bit", "only a sensor's channel has bits");
	check_refused(ROBOT(SENSOR("LFoot/A", S("Channel", "fsr1") S("Attribute", "x")
					      I("Bit", "1"))),
		      "Sensor/Bit", "only a sensor's channel has bits");
}

/* ---- attributes of the device ---- */

static void an_attribute_alone_is_the_devices(void **state)
{
	(void)state;
	open_robot(ROBOT(SENSOR("LFoot/A", S("Attribute", "sonar_mode") N("Gain", "2"))
			 ARRAY("LFoot/B/Actuator", S("Attribute", "sonar_mode") N("Min", "0")
						   N("Max", "100") N("Gain", "10"))
			 SENSOR("LFoot/C", S("Attribute", "no_such"))));
	assert_near(value_of(LIST "LFoot/A/Sensor/Value"), 8, 0);
	assert_int_equal(naohw_key_write(key(LIST "LFoot/B/Actuator/Value"), 120, NULL), 0);
	assert_string_equal(fake_device_get("LFoot", "sonar_mode"), "10");
	assert_near(value_of(LIST "LFoot/B/Actuator/Value"), 100, 0);
	check_absent(LIST "LFoot/C/Sensor/Value");
	fake_device_set("LFoot", "sonar_mode", "loud\n");
	assert_int_equal(naohw_key_read(key(LIST "LFoot/A/Sensor/Value"), &(double){ 0 }, NULL),
			 -EINVAL);
}

static void an_attribute_that_takes_few_values_says_which(void **state)
{
	struct naohw_error err;

	(void)state;
	fake_device_set("LFoot", "sonar_mode_available", "0 4 12\n");
	open_robot(ROBOT(ARRAY("US/Actuator", S("Label", "LFoot") S("Attribute", "sonar_mode")
					      N("Min", "0") N("Max", "76"))));
	fake_device_fail("LFoot", "sonar_mode", -EINVAL);
	assert_int_equal(naohw_key_write(key(LIST "US/Actuator/Value"), 5, &err), -EINVAL);
	assert_string_equal(err.message, LIST "US/Actuator: 5, expected one of 0 4 12");
	fake_device_fail("LFoot", "sonar_mode", -EIO);
	assert_int_equal(naohw_key_write(key(LIST "US/Actuator/Value"), 4, &err), -EIO);
	assert_says(&err, "LFoot (sonar_mode): ");
	fake_device_remove("LFoot", "sonar_mode_available");
	fake_device_fail("LFoot", "sonar_mode", -EINVAL);
	assert_int_equal(naohw_key_write(key(LIST "US/Actuator/Value"), 5, &err), -EINVAL);
	assert_says(&err, "LFoot (sonar_mode): Invalid argument");
}

/* ---- formulas ---- */

#define FEET SENSOR("LFoot/Left", S("Channel", "fsr1") N("Gain", "0.1") N("XPosition", "0.07")) \
	     SENSOR("LFoot/Right", S("Channel", "fsr2") N("Gain", "0.1") N("XPosition", "-0.03"))
#define FORMULA(name, formula, of) SENSOR(name, S("Formula", formula) S("Of", of))
#define WEIGHT LIST "LFoot/Weight/Sensor/"

static void a_formula_is_of_values_of_keys(void **state)
{
	(void)state;
	open_robot(ROBOT(FEET
		SENSOR("LFoot/Weight", S("Formula", "sum") S("Of", " LFoot/Left   LFoot/Right ")
				       N("Gain", "2") N("Offset", "1"))
		FORMULA("LFoot/Any", "any", "LFoot/Right")
		FORMULA("LFoot/Centre", "centre-x", "LFoot/Left LFoot/Right")));
	assert_near(value_of(WEIGHT "Value"), 41, 1e-9);
	assert_near(value_of(LIST "LFoot/Any/Sensor/Value"), 1, 0);
	assert_near(value_of(LIST "LFoot/Centre/Sensor/Value"), (12 * 0.07 - 8 * 0.03) / 20, 1e-9);
	fake_set("LFoot", "in_count1_raw", "0");
	fake_set("LFoot", "in_count2_raw", "0");
	assert_near(value_of(LIST "LFoot/Any/Sensor/Value"), 0, 0);
	assert_near(value_of(LIST "LFoot/Centre/Sensor/Value"), 0, 0);
}

/* In g; Left is 70 mm before the ankle and Right 30 mm behind it. */
static double centre_of(const char *left, const char *right)
{
	fake_set("LFoot", "in_count1_raw", left);
	fake_set("LFoot", "in_count2_raw", right);
	return value_of(LIST "LFoot/Centre/Sensor/Value");
}

/* [cop-2] */
static void a_centre_needs_weight(void **state)
{
	(void)state;
	open_robot(ROBOT(
		SENSOR("LFoot/Left", S("Channel", "fsr1") N("Gain", "0.001") N("XPosition", "0.07"))
		SENSOR("LFoot/Right", S("Channel", "fsr2") N("Gain", "0.001") N("XPosition", "-0.03"))
		FORMULA("LFoot/Centre", "centre-x", "LFoot/Left LFoot/Right")));
	assert_near(centre_of("1", "0"), 0, 0);
	assert_near(centre_of("24", "25"), 0, 0);
	assert_near(centre_of("40", "10"), 0.05, 1e-9);
	assert_near(centre_of("-400", "-10"), 0, 0);
}

static void a_centre_is_between_its_sensors(void **state)
{
	(void)state;
	open_robot(ROBOT(FEET FORMULA("LFoot/Centre", "centre-x", "LFoot/Left LFoot/Right")));
	assert_near(centre_of("100", "-90"), 0.07, 1e-9);
	assert_near(centre_of("-99", "100"), -0.03, 1e-9);
}

static void a_formula_fails_as_its_sensors_do(void **state)
{
	struct naohw_error err;
	double value = 7;

	(void)state;
	open_robot(ROBOT(FEET FORMULA("LFoot/Weight", "sum", "LFoot/Left LFoot/Right")));
	fake_fail("LFoot", "in_count2_raw", -ETIMEDOUT);
	assert_int_equal(naohw_key_read(key(WEIGHT "Value"), &value, &err), -ETIMEDOUT);
	assert_says(&err, "fsr2");
	assert_near(value, 7, 0);
}

static void a_formula_has_to_be_a_known_one(void **state)
{
	(void)state;
	check_refused(ROBOT(FEET FORMULA("LFoot/Weight", "mean", "LFoot/Left")),
		      ":4: " WEIGHT "Formula: value \"mean\"", "\"sum\", \"any\"");
	check_refused(ROBOT(FEET SENSOR("LFoot/Weight", S("Formula", "sum"))), ":4: ", "no Of");
	check_refused(ROBOT(FEET ACTUATOR("LFoot/Weight", S("Formula", "sum") S("Of", "LFoot/Left"))),
		      "Actuator/Formula", "none for an actuator");
}

static void a_formula_has_to_be_of_sensors(void **state)
{
	static const char *const wrong[] = {
		"LFoot/Middle", "LFoot/Left LFoot/Middle", "LFoot/Left/Sensor", "LFoot", "LFoot/Lef",
		"LFoot/Weight", "LFoot/Other", "LFoot/Left,LFoot/Right",
	};
	char text[2048];

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		snprintf(text, sizeof(text), ROBOT(FEET FORMULA("LFoot/Weight", "sum", "%s")
						   FORMULA("LFoot/Other", "sum", "LFoot/Left")),
			 wrong[i]);
		check_refused(text, ":4: " WEIGHT "Of", "names of sensors");
	}
	check_refused(ROBOT(FEET FORMULA("LFoot/Weight", "sum", " ")), ":4: ", "some sensors");
}

static void open_with_inputs(unsigned int count, struct naohw_error *err, int expected)
{
	char names[512] = "", text[2048];

	for (unsigned int i = 0; i < count; i++)
		strcat(names, "LFoot/Left ");
	snprintf(text, sizeof(text), ROBOT(FEET FORMULA("LFoot/Weight", "sum", "%s")), names);
	assert_int_equal(naohw_robot_open(temp_text(text), NULL, &robot, err), expected);
}

static void a_formula_is_of_16_at_most(void **state)
{
	struct naohw_error err;

	(void)state;
	open_with_inputs(17, &err, -EINVAL);
	assert_says(&err, "16 sensors at most");
	open_with_inputs(16, &err, 0);
	assert_near(value_of(WEIGHT "Value"), 16 * 12, 1e-9);
}

static void a_centre_needs_places(void **state)
{
	(void)state;
	check_refused(ROBOT(FEET FORMULA("LFoot/Weight", "centre-y", "LFoot/Left")),
		      LIST "LFoot/Left/Sensor", "has no number YPosition");
	check_refused(ROBOT(SENSOR("LFoot/Left", S("Channel", "fsr1") S("XPosition", "0"))
			    FORMULA("LFoot/Weight", "centre-x", "LFoot/Left")),
		      LIST "LFoot/Left/Sensor", "has no number XPosition");
}

/* ---- a sensor's other values ---- */

#define OTHERS SENSOR("LFoot/US", S("Channel", "fsr1") N("Gain", "0.01") N("Offset", "1")) \
	       ARRAY("LFoot/US/Sensor/Value1", S("Channel", "fsr2"))                         \
	       ARRAY("LFoot/US/Sensor/Value12", S("Channel", "fsr2") N("Gain", "0.5"))

static void another_value_is_a_key_of_its_own(void **state)
{
	(void)state;
	open_robot(ROBOT(OTHERS));
	assert_near(value_of(LIST "LFoot/US/Sensor/Value"), 2.2, 1e-9);
	/* As the sensor's own is reckoned */
	assert_near(value_of(LIST "LFoot/US/Sensor/Value1"), 1.8, 1e-9);
	assert_near(value_of(LIST "LFoot/US/Sensor/Value12"), 41, 1e-9);
	assert_false(has_key(LIST "LFoot/US/Sensor/Value1/Value"));
	assert_false(has_key(LIST "LFoot/US/Sensor/Value1/Gain"));
	assert_true(has_key(LIST "LFoot/US/Sensor/Value1/Channel"));
	assert_int_equal(naohw_key_is_writable(key(LIST "LFoot/US/Sensor/Value1")), 0);
	assert_int_equal(naohw_key_write(key(LIST "LFoot/US/Sensor/Value1"), 1, NULL), -EACCES);
}

/* Each name is that of one key, or one of them would never be found. */
/* Together with its own, as it is reckoned with both. */
static void what_another_value_inherits_is_checked(void **state)
{
	(void)state;
	check_refused(ROBOT(SENSOR("LFoot/US", S("Channel", "fsr1") N("Max", "3"))
			    ARRAY("LFoot/US/Sensor/Value1", S("Channel", "fsr2") N("Min", "5"))),
		      LIST "LFoot/US/Sensor/Value1/Min", "expected no more than Max");
	check_refused(ROBOT(ARRAY("LFoot", N("Gain", "0"))
			    SENSOR("LFoot/US", S("Channel", "fsr1") N("Gain", "1"))
			    ARRAY("LFoot/Other/Sensor/Value1", S("Channel", "fsr2"))),
		      LIST "LFoot/Gain", "expected anything but 0");
	check_refused(ROBOT(ARRAY("LFoot", S("Gain", "much"))
			    ARRAY("LFoot/Other/Sensor/Value1", S("Channel", "fsr2"))),
		      LIST "LFoot/Gain", "expected a number");
}

static void no_key_is_there_twice(void **state)
{
	size_t count;

	(void)state;
	open_robot(ROBOT(OTHERS FEET));
	count = naohw_robot_key_count(robot);
	for (size_t i = 1; i < count; i++)
		assert_true(strcmp(naohw_key_name(naohw_robot_key_at(robot, i - 1)),
				   naohw_key_name(naohw_robot_key_at(robot, i))) < 0);
}

/* One is there as a constant already, and would hide the other. */
static void a_constant_does_not_hide_a_value(void **state)
{
	(void)state;
	check_refused(ROBOT(OTHERS SENSOR("LFoot/US", N("Value1", "3"))),
		      LIST "LFoot/US/Sensor/Value1", "expected none here");
}

#define GOAL	 S("Channel", "out_angl0")
#define LIMIT	 S("Attribute", "torque_limit")
#define ENABLE	 S("Enable", "en")

static void hardness_is_what_switches_a_goal(void **state)
{
	static const struct {
		const char *name;
		bool is;
	} expected[] = {
		{ "A/Actuator/Value", true },  { "B/Actuator/Value", false },
		{ "C/Actuator/Value", false }, { "D/Actuator/Value", false },
		{ "E/Sensor/Value", false },
	};

	(void)state;
	open_robot(ROBOT(ACTUATOR("A", GOAL LIMIT ENABLE) ACTUATOR("B", GOAL LIMIT)
			 ACTUATOR("C", GOAL)
			 ACTUATOR("D", S("Channel", "out_voltage0") LIMIT ENABLE)
			 SENSOR("E", S("Channel", "in_angl0") LIMIT ENABLE)));
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		char name[64];

		snprintf(name, sizeof(name), LIST "%s", expected[i].name);
		assert_int_equal(subdevice_is_hardness(key(name)->value_of), expected[i].is);
	}
}

int main(void)
{
#define SUBDEVICE_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
	const struct CMUnitTest tests[] = {
		SUBDEVICE_TEST(two_sources_are_refused),
		SUBDEVICE_TEST(an_attribute_beside_a_channel_is_none),
		SUBDEVICE_TEST(a_source_stands_where_a_value_is),
		SUBDEVICE_TEST(a_property_is_a_key_of_the_type_it_says),
		SUBDEVICE_TEST(a_property_may_be_a_devices),
		SUBDEVICE_TEST(of_several_labels_the_first_has_what_is_the_devices),
		SUBDEVICE_TEST(a_device_stands_at_any_level_above),
		SUBDEVICE_TEST(a_sensors_limit_may_be_its_devices),
		SUBDEVICE_TEST(an_actuators_limit_or_one_that_is_said_twice_is_refused),
		SUBDEVICE_TEST(a_wrong_type_of_key_is_refused),
		SUBDEVICE_TEST(what_is_not_to_be_set_says_why),
		SUBDEVICE_TEST(an_inverse_has_its_offset_before_its_gain),
		SUBDEVICE_TEST(a_wrong_inverse_is_refused),
		SUBDEVICE_TEST(what_is_not_there_is_absent),
		SUBDEVICE_TEST(a_channel_may_be_a_label),
		SUBDEVICE_TEST(an_actuators_channel_is_an_output),
		SUBDEVICE_TEST(a_bit_is_one_of_its_channels),
		SUBDEVICE_TEST(a_bit_that_is_none_is_refused),
		SUBDEVICE_TEST(an_attribute_alone_is_the_devices),
		SUBDEVICE_TEST(an_attribute_that_takes_few_values_says_which),
		SUBDEVICE_TEST(a_formula_is_of_values_of_keys),
		SUBDEVICE_TEST(a_formula_fails_as_its_sensors_do),
		SUBDEVICE_TEST(a_formula_has_to_be_a_known_one),
		SUBDEVICE_TEST(a_formula_has_to_be_of_sensors),
		SUBDEVICE_TEST(a_formula_is_of_16_at_most),
		SUBDEVICE_TEST(a_centre_needs_places),
		SUBDEVICE_TEST(a_centre_needs_weight),
		SUBDEVICE_TEST(a_centre_is_between_its_sensors),
		SUBDEVICE_TEST(another_value_is_a_key_of_its_own),
		SUBDEVICE_TEST(no_key_is_there_twice),
		SUBDEVICE_TEST(what_another_value_inherits_is_checked),
		SUBDEVICE_TEST(a_constant_does_not_hide_a_value),
		SUBDEVICE_TEST(hardness_is_what_switches_a_goal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
