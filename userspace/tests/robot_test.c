// SPDX-License-Identifier: LGPL-2.1-or-later
/* Keys and joints on a made-up robot: NAO's rules, and what a missing servo does. */
#include "support.h"

#include <locale.h>
#include <unistd.h>

#include "fake_iio.h"
#include "robot_keys.h"

#define K(name)	   "Device/SubDeviceList/" name
#define SCALE	   0.005113269
#define SENSOR	   K("HeadYaw/Position/Sensor/Value")
#define ACTUATOR   K("HeadYaw/Position/Actuator/Value")
#define HARDNESS   K("HeadYaw/Hardness/Actuator/Value")
#define LIST(body) "<ModulePreference><Preference " \
		   "memoryName=\"Device/SubDeviceList/H\" type=\"array\">\n" body \
		   "</Preference></ModulePreference>\n"
#define SUB(name, body) "<Preference name=\"" name "\" type=\"array\">" body "</Preference>\n"
#define P(name, type, value) \
	"<Preference name=\"" name "\" type=\"" type "\" value=\"" value "\"/>\n"

static struct naohw_robot *open_robot(const char *path)
{
	struct naohw_robot *opened;
	struct naohw_error err;

	if (naohw_robot_open(path, NULL, &opened, &err) < 0)
		fail_msg("%s", err.message);
	return opened;
}

static int setup(void **state)
{
	(void)state;
	fake_reset();
	fake_servo("HeadYaw");
	fake_servo("HeadPitch");
	robot = open_robot(ROBOTS_DIR "/bioloid.xml");
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	naohw_robot_close(robot);
	return 0;
}

static int write_key(const char *name, double value)
{
	return naohw_key_write(key(name), value, NULL);
}

static void keys_are_sorted_and_found(void **state)
{
	size_t count = naohw_robot_key_count(robot);
	struct naohw_key *found;

	(void)state;
	/* 20 joints; 4 subdevices with a Value and at least 9 more each. */
	assert_true(count >= 20 * 4 * 10);
	for (size_t i = 0; i < count; i++) {
		struct naohw_key *at = naohw_robot_key_at(robot, i);

		assert_ptr_equal(key(naohw_key_name(at)), at);
		if (i)
			assert_true(strcmp(naohw_key_name(naohw_robot_key_at(robot, i - 1)),
					   naohw_key_name(at)) < 0);
	}
	assert_null(naohw_robot_key_at(robot, count));
	assert_int_equal(naohw_robot_find_key(robot, "", &found), -ENOENT);
	assert_int_equal(naohw_robot_find_key(robot, K("HeadYaw"), &found), -ENOENT);
	assert_int_equal(naohw_robot_find_key(robot, SENSOR "x", &found), -ENOENT);
}

static void the_nearest_key_is_found(void **state)
{
	static const struct {
		const char *name;
		int apart;
		const char *nearest;
	} names[] = {
		{ SENSOR, 0, SENSOR },
		{ K("HeadYaw/Positon/Sensor/Value"), 1, SENSOR },
		/* What the description leaves to its default is a key, too. */
		{ K("HeadYaw/Position/Sensor/Ofset"), 1, K("HeadYaw/Position/Sensor/Offset") },
		{ K("headyaw/position/actuator/value"), 0, ACTUATOR },
		{ K("HedYaw/Position/Actuatr/Value"), 2, ACTUATOR },
		{ "Frob", -ENOENT, NULL },
		{ "", -ENOENT, NULL },
	};
	struct naohw_key *found;
	char lengthy[600];

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		found = NULL;
		assert_int_equal(naohw_robot_nearest_key(robot, names[i].name, &found),
				 names[i].apart);
		if (names[i].nearest)
			assert_ptr_equal(found, key(names[i].nearest));
		else
			assert_null(found);
	}
	memset(lengthy, 'x', sizeof(lengthy) - 1);
	lengthy[sizeof(lengthy) - 1] = '\0';
	assert_int_equal(naohw_robot_nearest_key(robot, lengthy, &found), -ENOENT);
}

static void constants_are_keys(void **state)
{
	char text[64];

	(void)state;
	assert_near(value_of(K("HeadYaw/Position/Actuator/Max")), 2.612881, 1e-9);
	assert_near(value_of(K("HeadYaw/Position/Sensor/Gain")), 1, 0);
	assert_near(value_of(K("HeadYaw/Hardness/Actuator/SubDeviceNumber")), 2, 0);
	assert_int_equal(naohw_key_get_type(key(K("HeadYaw/Hardness/Actuator/SubDeviceNumber"))),
			 NAOHW_KEY_INT);
	assert_int_equal(naohw_key_read_string(key(K("HeadYaw/Position/Sensor/Type")), text,
					       sizeof(text), NULL),
			 0);
	assert_string_equal(text, "JointPosition");
	assert_int_equal(naohw_key_read_string(key(K("HeadYaw/Position/Sensor/Device")), text,
					       sizeof(text), NULL),
			 0);
	assert_string_equal(text, "HeadYaw");
	assert_int_equal(naohw_key_read_string(key(K("HeadYaw/Position/Sensor/Type")), text, 5,
					       NULL),
			 -ENOSPC);
	assert_int_equal(write_key(K("HeadYaw/Position/Actuator/Max"), 1), -EACCES);
	assert_int_equal(naohw_key_is_writable(key(ACTUATOR)), 1);
	assert_int_equal(naohw_key_is_writable(key(SENSOR)), 0);
}

static void strings_are_no_numbers(void **state)
{
	struct naohw_error err;
	double value;

	(void)state;
	assert_int_equal(naohw_key_read(key(K("HeadYaw/Position/Sensor/Type")), &value, &err),
			 -EINVAL);
	assert_says(&err, "is a string, not a number");
}

static void sensors_read_physical_units(void **state)
{
	char text[64];

	(void)state;
	fake_set("HeadYaw", "in_angl0_raw", "612");
	assert_near(value_of(SENSOR), 100 * SCALE, 1e-12);
	assert_near(value_of(K("HeadYaw/Temperature/Sensor/Value")), 36, 1e-12);
	assert_int_equal(naohw_key_read_string(key(SENSOR), text, sizeof(text), NULL), 0);
	assert_string_equal(text, "0.5113269");
}

/* A counter of 32 bits is no negative number, and what is none is not one either. */
static void a_large_raw_value_is_read_whole(void **state)
{
	struct naohw_error err;
	double value;

	(void)state;
	fake_set("HeadYaw", "in_angl0_raw", "4294967295");
	assert_near(value_of(SENSOR), (4294967295.0 - 512) * SCALE, 1e-3);
	fake_set("HeadYaw", "in_angl0_raw", "-2147483648");
	assert_near(value_of(SENSOR), (-2147483648.0 - 512) * SCALE, 1e-3);
	fake_set("HeadYaw", "in_angl0_raw", "612x");
	assert_int_equal(naohw_key_read(key(SENSOR), &value, &err), -EPROTO);
}

static void actuators_write_and_read_goals(void **state)
{
	(void)state;
	assert_int_equal(write_key(ACTUATOR, -100 * SCALE), 0);
	assert_string_equal(fake_log(), "lease 0;HeadYaw out_angl0_raw=412;");
	assert_near(value_of(ACTUATOR), -100 * SCALE, 1e-12);
	/* To the nearest count. */
	assert_int_equal(write_key(ACTUATOR, 100.4 * SCALE), 0);
	assert_string_equal(fake_get("HeadYaw", "out_angl0_raw"), "612");
	assert_int_equal(write_key(SENSOR, 0), -EACCES);
	assert_int_equal(write_key(ACTUATOR, NAN), -EINVAL);
	assert_int_equal(write_key(ACTUATOR, INFINITY), -EINVAL);
}

/* [key-15] */
static void min_and_max_hold(void **state)
{
	(void)state;
	assert_int_equal(write_key(ACTUATOR, 9), 0);
	assert_string_equal(fake_get("HeadYaw", "out_angl0_raw"), "1023");
	assert_int_equal(write_key(ACTUATOR, -9), 0);
	assert_string_equal(fake_get("HeadYaw", "out_angl0_raw"), "0");
}

static void what_min_and_max_make_of_a_value_is_told(void **state)
{
	static const struct {
		const char *key;
		double given, bounded;
	} values[] = {
		{ ACTUATOR, 9, 2.612881 },
		{ ACTUATOR, -1e10, -2.617994 },
		{ ACTUATOR, 0.5, 0.5 },
		{ K("HeadYaw/Hardness/Actuator/Value"), -3, -1 },
		{ K("HeadYaw/Hardness/Actuator/Value"), 1.5, 1 },
		/* What cannot be set */
		{ SENSOR, 9, 9 },
		{ K("HeadYaw/Position/Actuator/Max"), 9, 9 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		assert_near(naohw_key_bounded(key(values[i].key), values[i].given),
			    values[i].bounded, 1e-9);
}

/* What the servo accepts the kernel knows, as its mode may have changed since the robot was opened. */
static void the_servos_range_of_now_holds_too(void **state)
{
	(void)state;
	fake_set("HeadPitch", "out_angl0_raw_available", "[100 1 900]");
	naohw_robot_close(robot);
	robot = open_robot(ROBOTS_DIR "/bioloid.xml");
	assert_int_equal(write_key(K("HeadPitch/Position/Actuator/Value"), -2.5), -ERANGE);
	assert_string_equal(fake_log(), "lease 0;");
	fake_set("HeadPitch", "out_angl0_raw_available", "[0 1 1023]");
	assert_int_equal(write_key(K("HeadPitch/Position/Actuator/Value"), -2.5), 0);
	fake_set("HeadPitch", "out_angl0_raw_available", "[100 1 900]");
	assert_int_equal(write_key(K("HeadPitch/Position/Actuator/Value"), -2.5), -ERANGE);
}

/* [key-4] [key-5] */
static void gain_and_offset_follow_nao(void **state)
{
	(void)state;
	naohw_robot_close(robot);
	robot = open_robot(temp_text(LIST(
		SUB("Sensor", P("Channel", "string", "in_angl0") P("Gain", "float", "-2")
				      P("Offset", "float", "0.5"))
		SUB("Actuator", P("Channel", "string", "out_angl0") P("Gain", "float", "-2")
				P("Offset", "float", "0.5") P("Min", "float", "-1")
				P("Max", "float", "1"))
		P("Label", "string", "HeadYaw"))));
	fake_set("HeadYaw", "in_angl0_raw", "612");
	assert_near(value_of(K("H/Sensor/Value")), 100 * SCALE * -2 + 0.5, 1e-12);
	/* (0.5 + 200 * SCALE - 0.5) / -2 is -100 counts; clamping comes first. */
	assert_int_equal(write_key(K("H/Actuator/Value"), 0.5 + 90 * SCALE), 0);
	assert_string_equal(fake_get("HeadYaw", "out_angl0_raw"), "467");
	assert_near(value_of(K("H/Actuator/Value")), 0.5 + 90 * SCALE, 1e-9);
	assert_int_equal(write_key(K("H/Actuator/Value"), 7), 0);
	assert_near(value_of(K("H/Actuator/Value")), 1, SCALE * 2);
}

static void hardness_limits_before_it_switches_on(void **state)
{
	(void)state;
	assert_near(value_of(HARDNESS), 0, 0); /* torque is off, whatever the limit */
	assert_int_equal(write_key(HARDNESS, 0.4), 0);
	assert_string_equal(fake_log(),
			    "lease 0;HeadYaw out_angl0_torque_limit=40;HeadYaw out_angl0_en=1;");
	assert_near(value_of(HARDNESS), 0.4, 1e-12);
}

static void hardness_keeps_the_goal_when_on(void **state)
{
	(void)state;
	fake_set("HeadYaw", "out_angl0_en", "1");
	assert_int_equal(write_key(HARDNESS, 5), 0);
	assert_string_equal(fake_log(),
			    "lease 0;HeadYaw out_angl0_torque_limit=100;HeadYaw out_angl0_en=1;");
}

static void hardness_0_and_less_is_off(void **state)
{
	(void)state;
	fake_set("HeadYaw", "out_angl0_en", "1");
	assert_int_equal(write_key(HARDNESS, 0), 0);
	assert_int_equal(write_key(HARDNESS, -1), 0);
	assert_string_equal(fake_log(), "HeadYaw out_angl0_en=0;HeadYaw out_angl0_en=0;");
	assert_near(value_of(HARDNESS), 0, 0);
}

static void hardness_stays_off_when_its_limit_is_refused(void **state)
{
	(void)state;
	fake_fail("HeadYaw", "out_angl0_torque_limit", -ETIMEDOUT);
	assert_int_equal(write_key(HARDNESS, 0.5), -ETIMEDOUT);
	assert_string_equal(fake_get("HeadYaw", "out_angl0_en"), "0");
}

/* What the kernel refuses has a reason and a remedy. */
static void a_refused_joint_tells_why(void **state)
{
	struct naohw_error err;

	(void)state;
	fake_fail("HeadYaw", "out_angl0_torque_limit", -EBUSY);
	assert_int_equal(naohw_key_write(key(HARDNESS), 0.8, &err), -EBUSY);
	assert_says(&err, "HeadYaw/Hardness/Actuator: the joint has been let go");
	assert_says(&err, "naohw recover");
	fake_set("HeadYaw", "out_angl0_en", "1");
	fake_fail("HeadYaw", "out_angl0_raw", -EBUSY);
	assert_int_equal(naohw_key_write(key(K("HeadYaw/Position/Actuator/Value")), 0.1, &err),
			 -EBUSY);
	assert_says(&err, "another program is moving the robot");
}

/* [hard-2]: a NAO's motor refuses torque then. Another one that refuses it has another reason. */
static void a_joint_that_is_not_calibrated_tells_so(void **state)
{
	struct naohw_error err;

	(void)state;
	fake_fail("HeadYaw", "out_angl0_en", -EREMOTEIO);
	assert_int_equal(naohw_key_write(key(HARDNESS), 0.8, &err), -EREMOTEIO);
	assert_says(&err, "it reported a fault");
	fake_set("HeadYaw", "in_angl0_calibbias", "2048");
	assert_int_equal(naohw_key_write(key(HARDNESS), 0.8, &err), -EREMOTEIO);
	assert_says(&err, "it reported a fault");
	fake_set("HeadYaw", "in_angl0_calibbias", "0");
	assert_int_equal(naohw_key_write(key(HARDNESS), 0.8, &err), -EREMOTEIO);
	assert_says(&err, "HeadYaw/Hardness/Actuator: the joint is not calibrated");
	assert_says(&err, "\"naohw calibrate joint HeadYaw\"");
	fake_fail("HeadYaw", "in_angl0_calibbias", -ETIMEDOUT);
	assert_int_equal(naohw_key_write(key(HARDNESS), 0.8, &err), -EREMOTEIO);
	assert_says(&err, "it reported a fault");
}

static void a_missing_servo_is_its_own_trouble(void **state)
{
	struct naohw_error err;
	double value;

	(void)state;
	assert_int_equal(naohw_key_read(key(K("LKneePitch/Position/Sensor/Value")), &value, &err),
			 -ENODEV);
	assert_says(&err, "no IIO device has the label \"LKneePitch\"");
	assert_int_equal(write_key(K("LKneePitch/Hardness/Actuator/Value"), 1), -ENODEV);
	assert_near(value_of(K("LKneePitch/Position/Sensor/Gain")), 1, 0);
	assert_near(value_of(SENSOR), 0, 0);
}

static void a_silent_servo_is_its_own_trouble(void **state)
{
	struct naohw_error err;
	double value;

	(void)state;
	fake_fail("HeadYaw", "in_angl0_raw", -ETIMEDOUT);
	assert_int_equal(naohw_key_read(key(SENSOR), &value, &err), -ETIMEDOUT);
	assert_says(&err, "HeadYaw (in_angl0): timed out, no answer");
	assert_near(value_of(K("HeadPitch/Position/Sensor/Value")), 0, 0);
	fake_fail("HeadYaw", "in_angl0_raw", 0);
	assert_near(value_of(SENSOR), 0, 0);
}

/* What the kernel means by an errno, in words that say what is wrong and who can tell more */
static void an_errno_is_a_sentence(void **state)
{
	struct naohw_error err;
	double value;

	(void)state;
	fake_fail("HeadYaw", "in_angl0_raw", -EHOSTDOWN);
	assert_int_equal(naohw_key_read(key(SENSOR), &value, &err), -EHOSTDOWN);
	assert_says(&err, "HeadYaw (in_angl0): lost, it has not answered for a while");
	fake_fail("HeadYaw", "out_angl0_raw", -EACCES);
	assert_int_equal(naohw_key_write(key(ACTUATOR), 0.1, &err), -EACCES);
	assert_says(&err, "HeadYaw (out_angl0): only root and the group \"robot\" may; "
			  "\"naohw doctor\" tells more");
}

static size_t joint(const char *label)
{
	size_t found;

	if (naohw_robot_find_joint(robot, label, &found) < 0)
		fail_msg("no joint %s", label);
	return found;
}

static void joints_tell_all_quantities(void **state)
{
	static const double expected[] = { 0, 0, -0.11623893, -12.5, 11.1, 36 };
	unsigned int one, other;
	struct naohw_error err;
	double value;

	(void)state;
	assert_int_equal(naohw_robot_joint_count(robot), 20);
	assert_null(naohw_joint_label(robot, 20));
	for (int quantity = NAOHW_QUANTITY_POSITION; quantity <= NAOHW_QUANTITY_TEMPERATURE; quantity++) {
		assert_int_equal(naohw_joint_read(robot, joint("HeadYaw"), (enum naohw_quantity)quantity,
						  &value, &err),
				 0);
		assert_near(value, expected[quantity], 1e-9);
	}
	assert_string_equal(naohw_joint_model(robot, joint("HeadYaw")), "ax-12");
	assert_string_equal(naohw_joint_iio_id(robot, joint("HeadYaw")), "iio:device0");
	assert_int_equal(naohw_joint_get_place(robot, joint("HeadYaw"), &one, &other), -ENODEV);
	assert_int_equal(naohw_joint_get_version(robot, joint("HeadYaw"), &one, &other), -ENODEV);
	assert_null(naohw_joint_model(robot, joint("LKneePitch")));
	assert_int_equal(naohw_joint_read(robot, 20, NAOHW_QUANTITY_LOAD, &value, &err), -EINVAL);
	assert_int_equal(naohw_joint_read(robot, joint("LKneePitch"), NAOHW_QUANTITY_LOAD, &value, &err),
			 -ENODEV);
	fake_remove("HeadYaw", "in_angl0_load");
	assert_int_equal(naohw_joint_read(robot, joint("HeadYaw"), NAOHW_QUANTITY_LOAD, &value, &err),
			 -ENOENT);
}

/* As an XM430 does, which tells no load */
static void a_joint_may_tell_its_current(void **state)
{
	double value;

	(void)state;
	assert_int_equal(naohw_joint_read(robot, joint("HeadYaw"), NAOHW_QUANTITY_CURRENT, &value,
					  NULL),
			 -ENOENT);
	fake_set("HeadYaw", "in_current0_raw", "-50");
	fake_set("HeadYaw", "in_current0_scale", "2.69");
	naohw_robot_close(robot);
	robot = open_robot(ROBOTS_DIR "/bioloid.xml");
	assert_int_equal(naohw_joint_read(robot, joint("HeadYaw"), NAOHW_QUANTITY_CURRENT, &value,
					  NULL),
			 0);
	assert_near(value, -0.1345, 1e-9);
	naohw_robot_close(robot);
	robot = open_robot(turned_robot());
	assert_int_equal(naohw_joint_read(robot, joint("HeadYaw"), NAOHW_QUANTITY_CURRENT, &value,
					  NULL),
			 0);
	assert_near(value, 0.1345, 1e-9);
}

static void joints_may_turn_against_their_servos(void **state)
{
	static const double expected[] = { 0.5, 0.5, 0.11623893, 12.5, 11.1, 36 };
	double value;

	(void)state;
	naohw_robot_close(robot);
	robot = open_robot(turned_robot());
	for (int quantity = NAOHW_QUANTITY_POSITION; quantity <= NAOHW_QUANTITY_TEMPERATURE; quantity++) {
		assert_int_equal(naohw_joint_read(robot, joint("HeadYaw"), (enum naohw_quantity)quantity,
						  &value, NULL),
				 0);
		assert_near(value, expected[quantity], 1e-9);
	}
	assert_near(value_of(SENSOR), 0.5, 1e-9);
}

static void check_refused(const char *text, const char *says)
{
	struct naohw_robot *none;
	struct naohw_error err;

	assert_int_equal(naohw_robot_open(temp_text(text), NULL, &none, &err), -EINVAL);
	assert_says(&err, says);
}

static void what_lets_go_does_not_switch_on(void **state)
{
	(void)state;
	check_refused(LIST(SUB("Hardness", SUB("Actuator",
		      P("Channel", "string", "out_angl0") P("Enable", "string", "en")
		      P("Min", "float", "0.2") P("Max", "float", "1")))),
		      "expected 0 or less: 0 is what lets the joint go");
}

static void a_joint_turns_as_its_sensor_says(void **state)
{
	(void)state;
	check_refused(LIST(SUB("Position", SUB("Sensor", P("Channel", "string", "in_angl0")
						  P("Gain", "float", "-1"))
			       SUB("Actuator", P("Channel", "string", "out_angl0")
				   P("Gain", "float", "2") P("Min", "float", "-1")
				   P("Max", "float", "1")))),
		      "the sign of Sensor's and Actuator's Gain to be one");
}

#define ACT(body) SUB("Actuator", P("Channel", "string", "out_angl0") body)
#define MINMAX	  P("Min", "float", "0") P("Max", "float", "1")

static void faulty_descriptions_are_refused(void **state)
{
	(void)state;
	check_refused("<ModulePreference/>", "no Channel in it, expected at least one");
	check_refused(LIST(P("Channel", "string", "in_angl0")),
		      ":2: Device/SubDeviceList/H/Channel: a Channel stands below");
	check_refused(LIST(SUB("Sensor", P("Channel", "string", "out_angl0"))),
		      "value \"out_angl0\", expected \"in_...\" for a sensor");
	check_refused(LIST(SUB("Actuator", P("Channel", "string", "in_angl0") MINMAX)),
		      "value \"in_angl0\", expected \"out_...\" for an actuator");
	check_refused(LIST(ACT(P("Max", "float", "1"))), "no Min, expected one for an actuator");
	check_refused(LIST(ACT(P("Min", "float", "1"))), "no Max, expected one for an actuator");
	check_refused(LIST(ACT(P("Min", "float", "1") P("Max", "float", "0"))),
		      "value \"0\", expected no less than Min");
	check_refused(LIST(ACT(MINMAX P("Gain", "float", "0"))),
		      "value \"0\", expected anything but 0");
	check_refused(LIST(ACT(MINMAX P("Gain", "string", "1"))), "expected a number");
	check_refused(LIST(ACT(MINMAX P("Type", "int", "1"))), "expected a string");
	check_refused(LIST(SUB("Sensor", P("Channel", "int", "1"))), "expected a string");
	check_refused(LIST(ACT(MINMAX P("Value", "float", "1"))),
		      "a Value comes from the servo, expected none here");
}

static void a_context_that_fails_is_told(void **state)
{
	struct naohw_robot *none;
	struct naohw_error err;

	(void)state;
	assert_int_equal(naohw_robot_open(ROBOTS_DIR "/bioloid.xml", "ip:nowhere", &none, &err),
			 -EHOSTUNREACH);
	assert_says(&err, "IIO context ip:nowhere: No route to host");
	assert_int_equal(naohw_robot_open(ROBOTS_DIR "/bioloid.xml", "nowhere", &none, &err),
			 -ENOSYS);
	assert_says(&err, "IIO context nowhere: no such way to devices, expected \"local:\", "
			  "\"ip:HOST\" or \"xml:FILE\"");
}

static void all_installed_robots_open(void **state)
{
	(void)state;
	naohw_robot_close(robot);
	robot = open_robot(ROBOTS_DIR "/darwin-op.xml");
	assert_int_equal(naohw_robot_joint_count(robot), 20);
	assert_near(value_of(K("LAnkleRoll/Position/Actuator/Max")), 0.767945, 1e-9);
	assert_string_equal(naohw_robot_path(robot), ROBOTS_DIR "/darwin-op.xml");
}

/* What no other robot has: limits of its own for each joint, and two names for one motor. */
/* [hard-5] [hard-6] */
static void a_nao_is_described(void **state)
{
	(void)state;
	naohw_robot_close(robot);
	fake_servo("LHipYawPitch");
	fake_set("HeadYaw", "out_current0_raw", "500");
	robot = open_robot(ROBOTS_DIR "/nao-h25-v33.xml");
	assert_int_equal(naohw_robot_joint_count(robot), 25);
	assert_near(value_of(K("RAnkleRoll/Position/Actuator/Min")), -0.768992, 1e-9);
	assert_near(value_of(K("RAnkleRoll/Position/Sensor/Max")), 0.397761, 1e-9);
	assert_near(value_of(K("LHand/Position/Actuator/Max")), 1, 0);
	assert_near(value_of(K("HeadYaw/ElectricCurrent/Sensor/Max")), 0.5, 1e-9);
	assert_int_equal(write_key(K("HeadPitch/Position/Actuator/Value"), 9), 0);
	/* 0.514872 rad / 0.005113269 + 512 */
	assert_string_equal(fake_get("HeadPitch", "out_angl0_raw"), "613");
	fake_set("HeadYaw", "out_angl0_brake", "1");
	assert_int_equal(write_key(HARDNESS, 0.5), 0);
	assert_int_equal(write_key(HARDNESS, -0.5), 0);
	assert_string_equal(fake_get("HeadYaw", "out_angl0_en"), "0");
	assert_string_equal(fake_get("HeadYaw", "out_angl0_brake"), "0");
	assert_near(value_of(HARDNESS), -1, 0);
	assert_int_equal(write_key(HARDNESS, 0), 0);
	assert_string_equal(fake_get("HeadYaw", "out_angl0_brake"), "1");
	assert_near(value_of(HARDNESS), 0, 0);
	assert_int_equal(write_key(K("RHipYawPitch/Position/Actuator/Value"), -9), 0);
	assert_string_equal(fake_get("LHipYawPitch", "out_angl0_raw"), "288");
	assert_near(value_of(K("RHipYawPitch/Position/Sensor/Value")), 0, 1e-9);
}

/* A robot whose joints are never to turn freely. */
static void min_holds_for_what_is_below_zero(void **state)
{
	(void)state;
	naohw_robot_close(robot);
	robot = open_robot(temp_text(LIST(
		SUB("Hardness", SUB("Actuator", P("Label", "string", "HeadYaw")
			P("Channel", "string", "out_angl0") P("Attribute", "string", "torque_limit")
			P("Enable", "string", "en") P("Brake", "string", "brake")
			P("Gain", "float", "0.01") P("Min", "float", "0")
			P("Max", "float", "1"))))));
	fake_set("HeadYaw", "out_angl0_brake", "1");
	assert_int_equal(write_key(K("H/Hardness/Actuator/Value"), -1), 0);
	assert_string_equal(fake_get("HeadYaw", "out_angl0_en"), "0");
	assert_string_equal(fake_get("HeadYaw", "out_angl0_brake"), "1");
}

/* Whoever has its number by now is another joint. */
static void another_joint_is_not_moved(void **state)
{
	double value;

	(void)state;
	assert_int_equal(write_key(ACTUATOR, 0.1), 0);
	fake_set("HeadYaw", "out_angl0_raw", "512");
	fake_replug("HeadYaw");
	assert_int_equal(write_key(ACTUATOR, 0.5), -ENODEV);
	assert_int_equal(write_key(HARDNESS, 0.5), -ENODEV);
	assert_string_equal(fake_get("HeadYaw", "out_angl0_raw"), "512");
	assert_string_equal(fake_get("HeadYaw", "out_angl0_en"), "0");
	assert_int_equal(naohw_key_read(key(SENSOR), &value, NULL), -ENODEV);
	assert_int_equal(naohw_key_read(key(K("HeadPitch/Position/Sensor/Value")), &value, NULL), 0);
}

/* Nor is a lease taken of the bus that has come in the place of its own. */
static void another_bus_is_not_leased(void **state)
{
	(void)state;
	fake_replug("HeadYaw");
	assert_int_equal(write_key(HARDNESS, 1), -ENODEV);
	assert_string_equal(fake_log(), "");
}

static void who_cannot_be_watched_is_not_moved(void **state)
{
	struct naohw_error err;

	(void)state;
	fake_fail_bus(-EACCES);
	assert_int_equal(naohw_key_write(key(HARDNESS), 1, &err), -EACCES);
	assert_says(&err, "HeadYaw: its bus cannot be told");
	assert_string_equal(fake_log(), "");
	/* What is on no bus of ours is not watched by it. */
	fake_fail_bus(-ENXIO);
	assert_int_equal(write_key(HARDNESS, 1), 0);
	assert_null(strstr(fake_log(), "lease"));
}

/* Nobody leaves a joint stiff that nobody watches. */
static void joints_are_watched(void **state)
{
	struct naohw_error err;

	(void)state;
	assert_int_equal(naohw_robot_keep_alive(robot, NULL), 0);
	assert_string_equal(fake_log(), "");
	assert_int_equal(write_key(HARDNESS, 1), 0);
	assert_int_equal(write_key(ACTUATOR, 0), 0);
	assert_int_equal(naohw_robot_keep_alive(robot, NULL), 0);
	assert_string_equal(fake_log(), "lease 0;HeadYaw out_angl0_torque_limit=100;"
					"HeadYaw out_angl0_en=1;alive;HeadYaw out_angl0_raw=512;alive;");
	fake_fail_lease(-ETIMEDOUT);
	assert_int_equal(naohw_robot_keep_alive(robot, &err), -EPIPE);
	assert_says(&err, "the kernel has let the joints go");
	assert_int_equal(write_key(ACTUATOR, 0.5), -EPIPE);
	assert_string_equal(fake_get("HeadYaw", "out_angl0_raw"), "512");
	/* To let go needs nobody who watches. */
	assert_int_equal(write_key(HARDNESS, 0), 0);
}

static void another_watches(void **state)
{
	(void)state;
	fake_fail_lease(-EBUSY);
	assert_int_equal(write_key(HARDNESS, 1), -EBUSY);
	assert_string_equal(fake_get("HeadYaw", "out_angl0_en"), "0");
	assert_int_equal(write_key(HARDNESS, 0), 0);
	naohw_robot_set_unwatched(robot);
	assert_int_equal(write_key(HARDNESS, 1), 0);
	assert_string_equal(fake_get("HeadYaw", "out_angl0_en"), "1");
}

static void a_pose_is_watched_itself(void **state)
{
	static const char *const labels[] = { "HeadYaw", "HeadPitch" };
	struct naohw_pose *pose;

	(void)state;
	fake_goal(0, labels, 2);
	naohw_robot_close(robot);
	robot = open_robot(ROBOTS_DIR "/bioloid.xml");
	assert_int_equal(naohw_pose_open(robot, NULL, &pose, NULL), 0);
	assert_int_equal(write_key(HARDNESS, 1), 0);
	assert_null(strstr(fake_log(), "lease"));
	naohw_pose_close(pose);
	assert_int_equal(write_key(HARDNESS, 1), 0);
	assert_non_null(strstr(fake_log(), "lease"));
}

static void the_environment_names_the_default(void **state)
{
	struct naohw_robot *none;
	struct naohw_error err;

	(void)state;
	naohw_robot_close(robot);
	setenv("NAOHW_ROBOT", ROBOTS_DIR "/darwin-op.xml", 1);
	robot = open_robot(NULL);
	assert_string_equal(naohw_robot_path(robot), ROBOTS_DIR "/darwin-op.xml");
	setenv("NAOHW_ROBOT", "no-such-robot", 1);
	assert_int_equal(naohw_robot_open(NULL, NULL, &none, &err), -ENOENT);
	assert_says(&err, "no robot \"no-such-robot\"; \"ls ");
	unsetenv("NAOHW_ROBOT");
}

static void write_layer(const char *text)
{
	FILE *file = fopen("Device_Local.xml", "w");

	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

#define LAYER(body) "<ModulePreference>\n" body "</ModulePreference>\n"
#define LEAF(name, type, value) \
	"<Preference memoryName=\"" K(name) "\" type=\"" type "\" value=\"" value "\"/>\n"

static void check_layer_refused(const char *text, const char *says)
{
	struct naohw_robot *none;
	struct naohw_error err;

	write_layer(text);
	assert_int_equal(naohw_robot_open("Device.xml", NULL, &none, &err), -EINVAL);
	assert_says(&err, says);
}

/* What is made of it, and what is said of it, comes from the layer. */
static void layers_reach_the_keys(void **state)
{
	char directory[] = "/tmp/naohw-layers-XXXXXX", before[256], text[16];
	struct naohw_error err;
	double value;

	(void)state;
	assert_non_null(mkdtemp(directory));
	assert_non_null(getcwd(before, sizeof(before)));
	assert_int_equal(chdir(directory), 0);
	assert_int_equal(symlink(ROBOTS_DIR "/bioloid.xml", "Device.xml"), 0);
	naohw_robot_close(robot);
	write_layer(LAYER(LEAF("HeadYaw/Position/Sensor/Offset", "float", "0.25")
			  LEAF("HeadYaw/Inverted", "bool", "1")));
	robot = open_robot("Device.xml");
	assert_near(value_of(SENSOR), 0.25, 1e-12);
	assert_int_equal(naohw_key_get_type(key(K("HeadYaw/Inverted"))), NAOHW_KEY_BOOL);
	assert_int_equal(naohw_key_read(key(K("HeadYaw/Inverted")), &value, &err), 0);
	assert_near(value, 1, 0);
	assert_int_equal(naohw_key_read_string(key(K("HeadYaw/Inverted")), text, sizeof(text),
					       &err),
			 0);
	assert_string_equal(text, "true");
	check_layer_refused(LAYER(LEAF("HeadYaw/Position/Sensor/Gain", "float", "0")),
			    "Device_Local.xml:2: " K("HeadYaw/Position/Sensor/Gain")
			    ": value \"0\", expected anything but 0");
	check_layer_refused(LAYER("\n" LEAF("HeadYaw/Position/Actuator/Min", "float", "3")),
			    "Device_Local.xml:3: " K("HeadYaw/Position/Actuator/Min")
			    ": value \"3\", expected no more than Max");
	check_layer_refused(LAYER(LEAF("HeadYaw/Position/Actuator/Max", "float", "-3")),
			    "Device_Local.xml:2: " K("HeadYaw/Position/Actuator/Max")
			    ": value \"-3\", expected no less than Min");
	check_layer_refused(LAYER(LEAF("HeadYaw/Position/Sensor/Gain", "bool", "1")),
			    "Device_Local.xml:2: " K("HeadYaw/Position/Sensor/Gain")
			    ": value \"1\", expected a number");
	check_layer_refused(LAYER(LEAF("HeadYaw/Position/Sensor/Value", "float", "1")),
			    "Device_Local.xml:2: " K("HeadYaw/Position/Sensor/Value")
			    ": a Value comes from the servo");
	check_layer_refused(LAYER(LEAF("HeadYaw/Channel", "string", "in_angl0")),
			    "Device_Local.xml:2: " K("HeadYaw/Channel") ": a Channel stands below");
	assert_int_equal(unlink("Device.xml") | unlink("Device_Local.xml"), 0);
	assert_int_equal(chdir(before), 0);
	assert_int_equal(rmdir(directory), 0);
}

/* Of the caller's locale only the decimal point could be seen in a number. */
static void numbers_are_printed_as_in_descriptions(void **state)
{
	static const char *const names[] = { "de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8",
					     "fr_FR.utf8" };
	const char *found = NULL;
	char text[64] = "";

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && !found; i++)
		found = setlocale(LC_ALL, names[i]);
	if (!found)
		skip();
	fake_set("HeadYaw", "in_angl0_raw", "612");
	assert_int_equal(naohw_key_read_string(key(SENSOR), text, sizeof(text), NULL), 0);
	setlocale(LC_ALL, "C");
	assert_string_equal(text, "0.5113269");
}

int main(void)
{
#define ROBOT_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
	const struct CMUnitTest tests[] = {
		ROBOT_TEST(keys_are_sorted_and_found),
		ROBOT_TEST(the_nearest_key_is_found),
		ROBOT_TEST(constants_are_keys),
		ROBOT_TEST(strings_are_no_numbers),
		ROBOT_TEST(numbers_are_printed_as_in_descriptions),
		ROBOT_TEST(sensors_read_physical_units),
		ROBOT_TEST(a_large_raw_value_is_read_whole),
		ROBOT_TEST(actuators_write_and_read_goals),
		ROBOT_TEST(min_and_max_hold),
		ROBOT_TEST(what_min_and_max_make_of_a_value_is_told),
		ROBOT_TEST(the_servos_range_of_now_holds_too),
		ROBOT_TEST(gain_and_offset_follow_nao),
		ROBOT_TEST(hardness_limits_before_it_switches_on),
		ROBOT_TEST(hardness_keeps_the_goal_when_on),
		ROBOT_TEST(hardness_0_and_less_is_off),
		ROBOT_TEST(hardness_stays_off_when_its_limit_is_refused),
		ROBOT_TEST(a_refused_joint_tells_why),
		ROBOT_TEST(a_joint_that_is_not_calibrated_tells_so),
		ROBOT_TEST(a_missing_servo_is_its_own_trouble),
		ROBOT_TEST(a_silent_servo_is_its_own_trouble),
		ROBOT_TEST(an_errno_is_a_sentence),
		ROBOT_TEST(what_lets_go_does_not_switch_on),
		ROBOT_TEST(a_joint_turns_as_its_sensor_says),
		ROBOT_TEST(joints_tell_all_quantities),
		ROBOT_TEST(a_joint_may_tell_its_current),
		ROBOT_TEST(joints_may_turn_against_their_servos),
		ROBOT_TEST(faulty_descriptions_are_refused),
		ROBOT_TEST(a_context_that_fails_is_told),
		ROBOT_TEST(all_installed_robots_open),
		ROBOT_TEST(a_nao_is_described),
		ROBOT_TEST(min_holds_for_what_is_below_zero),
		ROBOT_TEST(another_joint_is_not_moved),
		ROBOT_TEST(another_bus_is_not_leased),
		ROBOT_TEST(who_cannot_be_watched_is_not_moved),
		ROBOT_TEST(joints_are_watched),
		ROBOT_TEST(another_watches),
		ROBOT_TEST(a_pose_is_watched_itself),
		ROBOT_TEST(the_environment_names_the_default),
		ROBOT_TEST(layers_reach_the_keys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
