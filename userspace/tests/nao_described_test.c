// SPDX-License-Identifier: LGPL-2.1-or-later
/* What each sensor and actuator of a NAO is, on which board it is, and what there is of a board. */
#include "support.h"

#include <fnmatch.h>

#include "fake_iio.h"
#include "nao.h"
#include "robot_keys.h"

#define SUBDEVICES "Device/SubDeviceList/"
#define DEVICES "Device/DeviceList/"
#define CONFIG "RobotConfig/"
#define COUNT(of) (sizeof(of) / sizeof((of)[0]))

/* What fits a pattern is so; the first of a list that fits. */
struct rule {
	const char *pattern;
	const char *text;
};

static const struct rule types[] = {
	{ "*/Position/Sensor", "JointPosition" },
	{ "*/Position/Actuator", "Joint" },
	{ "*/Hardness/Actuator", "JointHardness" },
	{ "*/ElectricCurrent/Sensor", "Current" },
	{ "*/Temperature/Sensor", "Temperature" },
	{ "*/Led/*/Actuator", "Led" },
	{ "ChestBoard/Button/Sensor", "Switch" },
	{ "?Foot/Bumper/*/Sensor", "Switch" },
	{ "*/Touch/*/Sensor", "Touch" },
	{ "?Foot/FSR/CenterOfPressure/?/Sensor", "CenterOfPressure" },
	{ "?Foot/FSR/*/Sensor", "FSR" },
	{ "InertialSensor/Gyr*/Sensor", "Gyrometer" },
	{ "InertialSensor/Acc*/Sensor", "Accelerometer" },
	{ "InertialSensor/Angle?/Sensor", "Angle" },
	{ "US/*", "US" },
	{ "Battery/Charge/Sensor", "Charge" },
	{ "Battery/Current/Sensor", "Current" },
};

static const struct rule boards[] = {
	{ "Head/*", "TouchBoard" },
	{ "Head*", "HeadBoard" },
	{ "Face/*", "FaceBoard" },
	{ "Ears/*", "EarLeds" },
	{ "ChestBoard/*", "ChestBoard" },
	{ "InertialSensor/*", "InertialSensor" },
	{ "US/*", "USBoard" },
	{ "Battery/*", "Battery" },
	{ "LShoulder*", "LeftShoulderBoard" },
	{ "LElbow*", "LeftArmBoard" },
	{ "LHand/Touch/*", "LeftHandTouchBoard" },
	{ "LWristYaw/*", "LeftHandBoard" },
	{ "LHand/*", "LeftHandBoard" },
	{ "[LR]HipYawPitch/*", "LeftHipBoard" },
	{ "LHipRoll/*", "LeftHipBoard" },
	{ "LHipPitch/*", "LeftThighBoard" },
	{ "LKneePitch/*", "LeftThighBoard" },
	{ "LAnkle*", "LeftShinBoard" },
	{ "LFoot/*", "LeftFootBoard" },
	{ "RShoulder*", "RightShoulderBoard" },
	{ "RElbow*", "RightArmBoard" },
	{ "RHand/Touch/*", "RightHandTouchBoard" },
	{ "RWristYaw/*", "RightHandBoard" },
	{ "RHand/*", "RightHandBoard" },
	{ "RHipRoll/*", "RightHipBoard" },
	{ "RHipPitch/*", "RightThighBoard" },
	{ "RKneePitch/*", "RightThighBoard" },
	{ "RAnkle*", "RightShinBoard" },
	{ "RFoot/*", "RightFootBoard" },
};

static const struct rule device_types[] = {
	{ "ChestBoard", "ChestBoard" }, { "InertialSensor", "InertialSensor" },
	{ "USBoard", "USBoard" },	{ "TouchBoard", "TouchBoard" },
	{ "FaceBoard", "FaceBoard" },	{ "EarLeds", "EarLeds" },
	{ "Battery", "Battery" },	{ "*HandTouchBoard", "HandTouchBoard" },
	{ "*FootBoard", "FootBoard" },	{ "*Board", "MotorBoard" },
};

#define MOTOR_BOARD "MotorBoard"

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

static const char *rule_for(const char *name, const struct rule *rules,
			    size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (fnmatch(rules[i].pattern, name, 0) == 0)
			return rules[i].text;
	fail_msg("what is to be expected of %s?", name);
	return NULL;
}

static bool begins_with(const char *text, const char *begin)
{
	return strncmp(text, begin, strlen(begin)) == 0;
}

/* Calls @check with all that have a Type below @begin: its name there. How many are they? */
static unsigned int for_each(const char *begin, void (*check)(const char *name))
{
	unsigned int found = 0;

	for (size_t i = 0; i < naohw_robot_key_count(robot); i++) {
		const char *name = naohw_key_name(naohw_robot_key_at(robot, i));
		const char *leaf = strrchr(name, '/');
		char part[128];

		if (!begins_with(name, begin) || strcmp(leaf, "/Type") != 0)
			continue;
		name += strlen(begin);
		snprintf(part, sizeof(part), "%.*s", (int)(leaf - name), name);
		check(part);
		found++;
	}
	return found;
}

/* ---- sensors and actuators ---- */

static void check_type(const char *name)
{
	char full[192];

	snprintf(full, sizeof(full), SUBDEVICES "%s/Type", name);
	check_text(full, rule_for(name, types, COUNT(types)));
}

/* [key-17] */
static void each_says_what_it_is(void **state)
{
	(void)state;
	/* 18 of the values are a sonar's further echoes. */
	assert_int_equal(for_each(SUBDEVICES, check_type), 286 - 18);
}

static void check_board(const char *name)
{
	char full[192];

	snprintf(full, sizeof(full), SUBDEVICES "%s/Device", name);
	check_text(full, rule_for(name, boards, COUNT(boards)));
	snprintf(full, sizeof(full), DEVICES "%s/Type",
		 rule_for(name, boards, COUNT(boards)));
	key(full);
}

/* [key-18] */
static void each_is_on_a_board(void **state)
{
	(void)state;
	for_each(SUBDEVICES, check_board);
}

/* ---- devices ---- */

static void check_device_type(const char *name)
{
	char full[192];

	snprintf(full, sizeof(full), DEVICES "%s/Type", name);
	check_text(full, rule_for(name, device_types, COUNT(device_types)));
}

/* [dev-3] */
static void there_are_24_boards(void **state)
{
	(void)state;
	assert_int_equal(for_each(DEVICES, check_device_type), 24);
}

static void check_mandatory(const char *name)
{
	static const char *const mandatory[] = { "Ack", "Nack", "Error", "Bus",
						 "Address" };
	static const char *const missing[] = { "Value", "Gain", "Offset", "Min",
					       "Max" };
	struct naohw_key *found;
	char full[192];

	for (size_t i = 0; i < COUNT(mandatory); i++) {
		snprintf(full, sizeof(full), DEVICES "%s/%s", name,
			 mandatory[i]);
		key(full);
	}
	for (size_t i = 0; i < COUNT(missing); i++) {
		snprintf(full, sizeof(full), DEVICES "%s/%s", name, missing[i]);
		if (naohw_robot_find_key(robot, full, &found) == 0)
			fail_msg("%s is there", full);
	}
}

/* [dev-1] [dev-2] */
static void each_has_what_a_device_has(void **state)
{
	(void)state;
	for_each(DEVICES, check_mandatory);
}

/* Where it is from is said beside what it is. */
static bool is_known_of_others(const char *leaf)
{
	static const char *const known[] = {
		"Type",
		"Bus",
		"Address",
		"Ack",
		"Nack",
		"Error",
		"Label",
		"Severity",
		"ProgVersion",
		"ProgVersion/File",
		"ProgVersion/KeyType",
	};

	for (size_t i = 0; i < COUNT(known); i++)
		if (strcmp(leaf, known[i]) == 0)
			return true;
	return false;
}

static void check_no_other(const char *name)
{
	const char *type = rule_for(name, device_types, COUNT(device_types));
	char begin[160];

	if (strcmp(type, MOTOR_BOARD) == 0 || strcmp(type, "ChestBoard") == 0 ||
	    strcmp(type, "Battery") == 0)
		return;
	snprintf(begin, sizeof(begin), DEVICES "%s/", name);
	for (size_t i = 0; i < naohw_robot_key_count(robot); i++) {
		const char *full = naohw_key_name(naohw_robot_key_at(robot, i));

		if (begins_with(full, begin) &&
		    !is_known_of_others(full + strlen(begin)))
			fail_msg("%s is there", full);
	}
	snprintf(begin, sizeof(begin), DEVICES "%s/ProgVersion", name);
	assert_int_equal(naohw_key_get_type(key(begin)), NAOHW_KEY_INT);
}

/* [id-11] */
static void
but_for_motors_chest_and_battery_they_have_a_version_beside(void **state)
{
	(void)state;
	for_each(DEVICES, check_no_other);
}

/* ---- names ---- */

/* What is above the two lists is said to this library, and not by a NAO. */
static bool is_ours(const char *name)
{
	static const char *const ours[] = {
		"Device/Base",	    "Device/Body",    "Device/Buses",
		"Device/ChainList", "Device/Without", "DCM/",
	};

	for (size_t i = 0; i < COUNT(ours); i++)
		if (begins_with(name, ours[i]))
			return true;
	return false;
}

/* [name-1] */
static void all_names_begin_in_one_of_three_ways(void **state)
{
	(void)state;
	for (size_t i = 0; i < naohw_robot_key_count(robot); i++) {
		const char *name = naohw_key_name(naohw_robot_key_at(robot, i));

		if (!begins_with(name, SUBDEVICES) &&
		    !begins_with(name, DEVICES) && !begins_with(name, CONFIG) &&
		    !is_ours(name))
			fail_msg("%s is there", name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_says_what_it_is),
		cmocka_unit_test(each_is_on_a_board),
		cmocka_unit_test(there_are_24_boards),
		cmocka_unit_test(each_has_what_a_device_has),
		cmocka_unit_test(
			but_for_motors_chest_and_battery_they_have_a_version_beside),
		cmocka_unit_test(all_names_begin_in_one_of_three_ways),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
