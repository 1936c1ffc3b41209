// SPDX-License-Identifier: LGPL-2.1-or-later
/* The simulated Pepper's description; and what all installed ones say is for the diagnosis. */
#include "base/base.h" /* before cmocka, which has a fail() of its own */
#include "support.h"

#include <errno.h>

#include "description/description.h"
#include "described.h"

#define WHEEL(name) \
	TEXT(LIST name "/Speed/Actuator/Channel", "out_anglvel0") \
	FLOAT(name "/Speed/Actuator/Min", "-1") FLOAT(name "/Speed/Actuator/Max", "1")
#define SUBDEVICES "Device/SubDeviceList/"
#define DEVICES	   "Device/DeviceList/"
#define DIAGNOSIS  "/Diagnosis"

/* ---- what moves ---- */

static void its_chains_have_its_wheels(void **state)
{
	(void)state;
	describe_installed("pepper");
	assert_int_equal(naohw_robot_chain_count(robot), 6);
	assert_chain("Head", "HeadYaw HeadPitch");
	assert_chain("LArm", "LShoulderPitch LShoulderRoll LElbowYaw LElbowRoll LWristYaw LHand");
	assert_chain("RArm", "RShoulderPitch RShoulderRoll RElbowYaw RElbowRoll RWristYaw RHand");
	assert_chain("Leg", "HipRoll HipPitch KneePitch");
	assert_chain("Wheels", "WheelFL WheelFR WheelB");
	assert_chain("Body",
		     "HeadYaw HeadPitch LShoulderPitch LShoulderRoll LElbowYaw LElbowRoll LWristYaw "
		     "LHand RShoulderPitch RShoulderRoll RElbowYaw RElbowRoll RWristYaw RHand HipRoll "
		     "HipPitch KneePitch");
}

/* Each joint has an angle to rest at, and no wheel has. */
static void it_has_a_safe_posture(void **state)
{
	size_t body, wheels;
	double angle;

	(void)state;
	describe_installed("pepper");
	assert_int_equal(naohw_robot_find_chain(robot, "Body", &body), 0);
	for (size_t i = 0; i < naohw_chain_joint_count(robot, body); i++)
		assert_int_equal(naohw_chain_get_rest(robot, body, i, &angle), 0);
	assert_int_equal(naohw_chain_get_rest(robot, body, 15, &angle), 0);
	assert_float_equal(angle, -1.03847, 1e-6);
	assert_int_equal(naohw_robot_find_chain(robot, "Wheels", &wheels), 0);
	for (size_t i = 0; i < naohw_chain_joint_count(robot, wheels); i++)
		assert_int_equal(naohw_chain_get_rest(robot, wheels, i, &angle), -ENODATA);
}

/* Anything else would change what the maker's table says. */
static void all_of_it_is_serious(void **state)
{
	static const char *const names[] = {
		"HeadYaw", "LHand", "RElbowRoll", "HipRoll", "KneePitch", "WheelFL", "WheelB",
		"Fuse/Head", "Fuse/Leg", "Brake/HipPitch", "Laser", "Camera", "US", "Battery",
		"InertialSensor", "ChestBoard", "Platform/Back/Bumper",
	};
	enum naohw_severity severity;

	(void)state;
	describe_installed("pepper");
	for (size_t i = 0; i < COUNT(names); i++) {
		if (naohw_robot_get_severity(robot, names[i], &severity) < 0)
			fail_msg("%s: no severity", names[i]);
		assert_int_equal(severity, NAOHW_SEVERITY_SERIOUS);
	}
}

/* ---- wheels in chains ---- */

static void assert_refused(const char *text, const char *why)
{
	const char *path = temp_text(text);

	assert_int_equal(naohw_robot_describe(path, &robot, &err), -EINVAL);
	assert_says(&err, why);
	robot = NULL;
}

static void a_chain_may_have_wheels(void **state)
{
	(void)state;
	describe(temp_text(FILE_OF(WHEEL("WheelB") CHAIN("Wheels", "WheelB"))));
	assert_chain("Wheels", "WheelB");
	naohw_robot_close(robot);
	assert_refused(FILE_OF(WHEEL("WheelB") CHAIN("Wheels", "WheelC")),
		       "no joint \"WheelC\", the nearest is WheelB");
	assert_refused(FILE_OF(WHEEL("WheelB") CHAIN("Wheels", "WheelB WheelB")), "is in it twice");
	assert_refused(FILE_OF(WHEEL("WheelB") CHAIN("WheelB", "WheelB")), "a joint has this name");
}

/* ---- what is for the diagnosis ---- */

/* What a thing has to have below it; a Value is that of an array that begins with this. */
static const struct {
	const char *is;
	const char *below[3];
} things[] = {
	{ "Fuse", { "/Temperature/Sensor/Value", "/Temperature/Sensor/Max", "/Error/Sensor/Value" } },
	{ "Brake", { "/Sensor/Value" } },
	{ "Battery", { "/Temperature/Sensor/Value", "/Temperature/Sensor/Max" } },
	{ "ChestBoard", { NULL } },
	{ "Laser", { "/Segment/1/Sensor/Value", "/Segment/2/Sensor/Value", "/Segment/3/Sensor/Value" } },
	{ "Sonar", { NULL } },
	{ "Camera", { "/Frames/Sensor/Value" } },
	{ "Inertial", { NULL } },
	{ "Bumper", { "/Sensor/Value" } },
};

static bool has_key(const char *name)
{
	struct naohw_key *key;

	return naohw_robot_find_key(robot, name, &key) == 0;
}

static void text_of(const char *name, char *text, size_t size)
{
	struct naohw_key *key;

	if (naohw_robot_find_key(robot, name, &key) < 0)
		fail_msg("no %s", name);
	assert_int_equal(naohw_key_read_string(key, text, size, &err), 0);
}

static void check_of(const char *thing, const char *what)
{
	char key[512], text[128];
	size_t chain;

	if (strcmp(what, "Fuse") == 0) {
		snprintf(key, sizeof(key), "%s/DiagnosisChain", thing);
		text_of(key, text, sizeof(text));
		assert_int_equal(naohw_robot_find_chain(robot, text, &chain), 0);
	}
	if (strcmp(what, "Brake") == 0) {
		snprintf(key, sizeof(key), "%s/DiagnosisJoint", thing);
		text_of(key, text, sizeof(text));
		snprintf(key, sizeof(key), SUBDEVICES "%s/Position/Actuator/Value", text);
		assert_true(has_key(key));
	}
}

/* Returns which of the things it is. */
static size_t check_thing(const char *name)
{
	char thing[256], key[512], what[64];
	size_t i = 0;

	text_of(name, what, sizeof(what));
	snprintf(thing, sizeof(thing), "%.*s", (int)(strlen(name) - strlen(DIAGNOSIS)), name);
	while (i < COUNT(things) && strcmp(what, things[i].is) != 0)
		i++;
	if (i == COUNT(things))
		fail_msg("%s: %s", name, what);
	assert_true(strncmp(name, SUBDEVICES, strlen(SUBDEVICES)) == 0 ||
		    strncmp(name, DEVICES, strlen(DEVICES)) == 0);
	for (size_t k = 0; k < COUNT(things[i].below) && things[i].below[k]; k++) {
		snprintf(key, sizeof(key), "%s%s", thing, things[i].below[k]);
		if (!has_key(key))
			fail_msg("no %s", key);
	}
	check_of(thing, what);
	return i;
}

/* So many of each of the things, in their order above */
static void check_robot(const char *name, const char *counts)
{
	unsigned int of[COUNT(things)] = { 0 };
	char text[COUNT(things) + 1] = "";

	describe_installed(name);
	for (size_t i = 0; i < naohw_robot_key_count(robot); i++) {
		const struct naohw_key *key = naohw_robot_key_at(robot, i);

		if (!text_ends_with(naohw_key_name(key), DIAGNOSIS))
			continue;
		assert_true(naohw_key_is_wiring(key));
		of[check_thing(naohw_key_name(key))]++;
	}
	for (size_t i = 0; i < COUNT(things); i++)
		text[i] = (char)('0' + of[i]);
	if (strcmp(text, counts) != 0)
		fail_msg("%s has %s of them", name, text);
	naohw_robot_close(robot);
	robot = NULL;
}

static void all_that_is_diagnosed_can_be(void **state)
{
	(void)state;
	check_robot("pepper", "421111113");
	check_robot("nao-h25-v33", "001101014");
	check_robot("nao-h25-v40", "001101014");
	check_robot("nao-t14-v33", "001101010");
	check_robot("bioloid", "000000000");
	check_robot("bioloid-premium", "000101010");
	check_robot("bioloid-premium-accel", "000101010");
	check_robot("darwin-op", "000100010");
	check_robot("op3", "000100010");
}

static void each_robot_has_its_rules(void **state)
{
	static const char *const rows[][2] = {
		{ "pepper", "Pepper" }, { "nao-h25-v33", "NAO" }, { "bioloid", "NAO" },
		{ "darwin-op", "NAO" }, { "op3", "NAO" },
	};
	char text[32];

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		describe_installed(rows[i][0]);
		text_of("DCM/DiagnosisRules", text, sizeof(text));
		assert_string_equal(text, rows[i][1]);
		naohw_robot_close(robot);
	}
	robot = NULL;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(its_chains_have_its_wheels),
		TEST(it_has_a_safe_posture),
		TEST(all_of_it_is_serious),
		TEST(a_chain_may_have_wheels),
		TEST(all_that_is_diagnosed_can_be),
		TEST(each_robot_has_its_rules),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
