// SPDX-License-Identifier: LGPL-2.1-or-later
/* What a body bears: its safe posture, the speed of its joints, and what it loses with a device. */
#include "support.h"

#include "description/description.h"
#include "described.h"

#define JOINT(name) \
	TEXT(LIST name "/Position/Actuator/Channel", "out_angl0") \
	FLOAT(name "/Position/Actuator/Min", "-1") FLOAT(name "/Position/Actuator/Max", "2")
#define WHEEL(min, max) \
	TEXT(LIST "Wheel/Speed/Actuator/Channel", "out_anglvel0") \
	FLOAT("Wheel/Speed/Actuator/Min", min) FLOAT("Wheel/Speed/Actuator/Max", max)
#define REST(name, value) FLOAT(name "/Position/Actuator/Rest", value)

static const char *const installed[] = {
	"bioloid",     "bioloid-premium", "darwin-op",	 "op3",		"nao-h25-v33",
	"nao-h25-v32", "nao-h25-v40",	  "nao-h21-v33", "nao-t14-v33", "nao-t2-v33",
	"bioloid-premium-accel", "pepper",
};

static void assert_refused(const char *text, const char *why)
{
	const char *path = temp_text(text);
	char expected[512];

	assert_int_equal(naohw_robot_describe(path, &robot, &err), -EINVAL);
	snprintf(expected, sizeof(expected), "%s:%s", path, why);
	assert_string_equal(err.message, expected);
}

static size_t chain(const char *name)
{
	size_t found;

	if (naohw_robot_find_chain(robot, name, &found) < 0)
		fail_msg("no chain %s", name);
	return found;
}

/* ---- the safe posture ---- */

static double rest_of(const char *label)
{
	size_t body = chain("Body");

	for (size_t i = 0; i < naohw_chain_joint_count(robot, body); i++) {
		double angle;

		if (strcmp(naohw_chain_joint(robot, body, i), label) != 0)
			continue;
		if (naohw_chain_get_rest(robot, body, i, &angle) < 0)
			fail_msg("%s has no safe angle", label);
		return angle;
	}
	fail_msg("%s is not in Body", label);
	return 0;
}

/* A wheel has none. */
static void each_chain_has_one(void **state)
{
	size_t wheels;

	(void)state;
	for (size_t r = 0; r < COUNT(installed); r++) {
		describe_installed(installed[r]);
		assert_true(naohw_robot_chain_count(robot) > 0);
		wheels = SIZE_MAX;
		(void)naohw_robot_find_chain(robot, "Wheels", &wheels);
		for (size_t i = 0; i < naohw_robot_chain_count(robot); i++)
			for (size_t k = 0; i != wheels && k < naohw_chain_joint_count(robot, i); k++)
				(void)rest_of(naohw_chain_joint(robot, i, k));
		naohw_robot_close(robot);
	}
	robot = NULL;
}

/* The trunk leans so far forward that it stays over the feet, and both sides are alike. */
static void it_is_a_crouch(void **state)
{
	static const char *const mirrored[] = { "ShoulderRoll", "ElbowRoll", "HipRoll", "AnkleRoll" };
	static const char *const same[] = { "ShoulderPitch", "HipPitch", "KneePitch", "AnklePitch" };

	(void)state;
	for (size_t r = 0; r < 5; r++) {
		double lean;

		describe_installed(installed[r]);
		for (size_t i = 0; i < COUNT(same); i++) {
			char left[32], right[32];

			snprintf(left, sizeof(left), "L%s", same[i]);
			snprintf(right, sizeof(right), "R%s", same[i]);
			assert_near(rest_of(left), rest_of(right), 1e-6);
			snprintf(left, sizeof(left), "L%s", mirrored[i]);
			snprintf(right, sizeof(right), "R%s", mirrored[i]);
			assert_near(rest_of(left), -rest_of(right), 1e-6);
		}
		lean = rest_of("LHipPitch") + rest_of("LKneePitch") + rest_of("LAnklePitch");
		assert_true(rest_of("LKneePitch") > 1.9);
		if (!(lean > -0.3 && lean < 0.3))
			fail_msg("%s leans by %g rad", installed[r], lean);
		naohw_robot_close(robot);
	}
	robot = NULL;
}

static void one_may_not_be_said(void **state)
{
	double angle;

	(void)state;
	describe(temp_text(FILE_OF(JOINT("HeadYaw") JOINT("HeadPitch") REST("HeadPitch", "0.5")
				   TEXT("Device/ChainList/Head", "HeadYaw HeadPitch"))));
	assert_int_equal(naohw_chain_get_rest(robot, 0, 0, &angle), -ENODATA);
	assert_int_equal(naohw_chain_get_rest(robot, 0, 1, &angle), 0);
	assert_near(angle, 0.5, 0);
	assert_int_equal(naohw_chain_get_rest(robot, 0, 2, &angle), -EINVAL);
	assert_int_equal(naohw_chain_get_rest(robot, 1, 0, &angle), -EINVAL);
}

static void one_out_of_reach_is_told(void **state)
{
	(void)state;
	assert_refused(FILE_OF("\n" REST("HeadYaw", "2.5") JOINT("HeadYaw")),
		       "3: " LIST "HeadYaw/Position/Actuator/Rest: value \"2.5\", expected -1 (Min) "
		       "to 2 (Max)");
	assert_refused(FILE_OF(JOINT("HeadYaw") "<Preference memoryName='" LIST
			       "HeadYaw/Position/Actuator/Rest' type='string' value='low'/>"),
		       "5: " LIST "HeadYaw/Position/Actuator/Rest: value \"low\", expected a number "
		       "(type float or int)");
}

/* A knee that has been mended may bend less than the next release's posture. */
static void less_room_narrows_it(void **state)
{
	double angle;

	(void)state;
	robot_file("robot.xml", FILE_OF(JOINT("LKneePitch") REST("LKneePitch", "2")
					TEXT("Device/ChainList/LLeg", "LKneePitch")));
	robot_file("robot/Device_Local.xml", FILE_OF(FLOAT("LKneePitch/Position/Actuator/Max",
							   "1.5")));
	describe(robot_path("robot.xml"));
	assert_int_equal(naohw_chain_get_rest(robot, 0, 0, &angle), 0);
	assert_near(angle, 1.5, 0);
}

static void a_body_may_have_its_own(void **state)
{
	static const char *const keys[] = { LIST "HeadYaw/Position/Actuator/Rest",
					    LIST "HeadYaw/Position/Actuator/SpeedMax" };
	double angle;

	(void)state;
	robot_file("robot.xml",
		   FILE_OF(JOINT("HeadYaw") TEXT("Device/ChainList/Head", "HeadYaw")));
	assert_int_equal(naohw_preferences_save(robot_path("robot.xml"), keys, 1, "3", &err),
			 -EINVAL);
	assert_int_equal(naohw_preferences_save(robot_path("robot.xml"), keys, 2, "1", &err), 0);
	describe(robot_path("robot.xml"));
	assert_int_equal(naohw_chain_get_rest(robot, 0, 0, &angle), 0);
	assert_near(angle, 1, 0);
}

/* ---- speed ---- */

static void a_speed_that_is_none_is_told(void **state)
{
	(void)state;
	assert_refused(FILE_OF(JOINT("HeadYaw") FLOAT("HeadYaw/Position/Actuator/SpeedMax", "0")),
		       "5: " LIST "HeadYaw/Position/Actuator/SpeedMax: value \"0\", expected a speed "
		       "above 0");
}

static void a_wheel_can_stand_still(void **state)
{
	(void)state;
	describe(temp_text(FILE_OF(WHEEL("-5", "5")
				   FLOAT("Wheel/Speed/Actuator/AccelerationMax", "2"))));
	assert_refused(FILE_OF(WHEEL("1", "5")),
		       "3: " LIST "Wheel/Speed/Actuator/Min: value \"1\", expected 0 or less for "
		       "the speed of a wheel");
	assert_refused(FILE_OF(WHEEL("-5", "-1")),
		       "4: " LIST "Wheel/Speed/Actuator/Max: value \"-1\", expected 0 or more for "
		       "the speed of a wheel");
	assert_refused(FILE_OF(WHEEL("-5", "5") FLOAT("Wheel/Speed/Actuator/Offset", "1")),
		       "5: " LIST "Wheel/Speed/Actuator/Offset: value \"1\", expected 0 for the "
		       "speed of a wheel");
	assert_refused(FILE_OF(WHEEL("-5", "5") FLOAT("Wheel/Speed/Actuator/AccelerationMax", "0")),
		       "5: " LIST "Wheel/Speed/Actuator/AccelerationMax: value \"0\", expected an "
		       "acceleration above 0");
}

static void an_offset_of_motions_is_an_angle(void **state)
{
	(void)state;
	assert_refused(FILE_OF(JOINT("HeadYaw")
			       FLOAT("HeadYaw/Position/Actuator/MotionOffset", "-5.5")),
		       "5: " LIST "HeadYaw/Position/Actuator/MotionOffset: value \"-5.5\", expected an "
		       "angle in rad of half a turn at the most");
}

static double number(const char *name)
{
	struct naohw_key *key;
	double value;

	if (naohw_robot_find_key(robot, name, &key) < 0)
		return NAN;
	assert_int_equal(naohw_key_read(key, &value, &err), 0);
	return value;
}

/* A hand is not among the body's links. */
static void a_nao_goes_as_fast_as_its_body(void **state)
{
	size_t body;

	(void)state;
	describe_installed("nao-h25-v33");
	body = chain("Body");
	for (size_t i = 0; i < naohw_chain_joint_count(robot, body); i++) {
		const char *label = naohw_chain_joint(robot, body, i);
		bool is_head = strncmp(label, "Head", 4) == 0;
		char name[128], kind[128];

		snprintf(name, sizeof(name), LIST "%s/Position/Actuator/SpeedMax", label);
		snprintf(kind, sizeof(kind), "Device/Body/Speed/%s", label + !is_head);
		if (strcmp(label + 1, "Hand") == 0)
			assert_near(number(name), 8.33, 0);
		else
			assert_near(number(name), number(kind), 0);
	}
}

/* ---- severity ---- */

static void assert_severity(const char *name, enum naohw_severity expected)
{
	enum naohw_severity found;

	if (naohw_robot_get_severity(robot, name, &found) < 0)
		fail_msg("%s has no severity", name);
	if (found != expected)
		fail_msg("%s: %d, expected %d", name, found, expected);
}

static void check_all(void)
{
	char name[256], before[256] = "";

	for (size_t i = 0; i < naohw_robot_key_count(robot); i++) {
		const char *key = naohw_key_name(naohw_robot_key_at(robot, i));
		enum naohw_severity severity;

		if (strncmp(key, DEVICE_PREFIX, strlen(DEVICE_PREFIX)) != 0 &&
		    strncmp(key, LIST, strlen(LIST)) != 0)
			continue;
		snprintf(name, sizeof(name), "%s", strchr(strchr(key, '/') + 1, '/') + 1);
		*strchr(name, '/') = '\0';
		/* They are sorted. */
		if (strcmp(name, before) == 0)
			continue;
		strcpy(before, name);
		if (naohw_robot_get_severity(robot, name, &severity) < 0)
			fail_msg("%s: %s has no severity", naohw_robot_path(robot), name);
	}
}

static void each_device_and_what_hangs_on_it_has_one(void **state)
{
	(void)state;
	for (size_t r = 0; r < COUNT(installed); r++) {
		describe_installed(installed[r]);
		check_all();
		naohw_robot_close(robot);
	}
	robot = NULL;
}

static void a_nao_has_them_of_its_makers_tables(void **state)
{
	(void)state;
	describe_installed("nao-h25-v33");
	assert_severity("HeadYaw", NAOHW_SEVERITY_SERIOUS);
	assert_severity("LHand", NAOHW_SEVERITY_SERIOUS);
	assert_severity("RHipYawPitch", NAOHW_SEVERITY_CRITICAL);
	assert_severity("RAnkleRoll/Temperature/Sensor", NAOHW_SEVERITY_CRITICAL);
	assert_severity("LeftShinBoard", NAOHW_SEVERITY_CRITICAL);
	assert_severity("InertialSensor/AccX", NAOHW_SEVERITY_SERIOUS);
	assert_severity("US", NAOHW_SEVERITY_NEGLIGIBLE);
	assert_severity("LFoot/Bumper/Left", NAOHW_SEVERITY_NEGLIGIBLE);
	assert_severity("Battery", NAOHW_SEVERITY_CRITICAL);
}

static void a_board_may_have_several(void **state)
{
	(void)state;
	describe_installed("bioloid-premium");
	assert_severity("ChestBoard", NAOHW_SEVERITY_SERIOUS);
	assert_severity("InertialSensor/GyroscopeX", NAOHW_SEVERITY_SERIOUS);
	assert_severity("Distance", NAOHW_SEVERITY_NEGLIGIBLE);
	assert_severity("LKneePitch", NAOHW_SEVERITY_CRITICAL);
}

static void what_is_not_said_is_told(void **state)
{
	enum naohw_severity severity;

	(void)state;
	describe(temp_text(FILE_OF(JOINT("HeadYaw"))));
	assert_int_equal(naohw_robot_get_severity(robot, "HeadYaw", &severity), -ENODATA);
	assert_int_equal(naohw_robot_get_severity(robot, "HeadYaw/Position", &severity), -ENODATA);
	assert_int_equal(naohw_robot_get_severity(robot, "Head", &severity), -ENOENT);
}

static void a_word_that_is_none_is_told(void **state)
{
	(void)state;
	assert_refused(FILE_OF(JOINT("HeadYaw") TEXT(DEVICE_PREFIX "HeadYaw/Severity", "serious")),
		       "5: " DEVICE_PREFIX "HeadYaw/Severity: value \"serious\", expected the string "
		       "NEGLIGIBLE, SERIOUS or CRITICAL");
	assert_refused(FILE_OF(JOINT("HeadYaw") FLOAT("Severity", "1")),
		       "5: " LIST "Severity: value \"1\", expected the string NEGLIGIBLE, SERIOUS or "
		       "CRITICAL");
}


int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(each_chain_has_one),
		TEST(it_is_a_crouch),
		TEST(one_may_not_be_said),
		TEST(one_out_of_reach_is_told),
		TEST(less_room_narrows_it),
		TEST(a_body_may_have_its_own),
		TEST(a_speed_that_is_none_is_told),
		TEST(a_wheel_can_stand_still),
		TEST(an_offset_of_motions_is_an_angle),
		TEST(a_nao_goes_as_fast_as_its_body),
		TEST(each_device_and_what_hangs_on_it_has_one),
		TEST(a_nao_has_them_of_its_makers_tables),
		TEST(a_board_may_have_several),
		TEST(what_is_not_said_is_told),
		TEST(a_word_that_is_none_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
