// SPDX-License-Identifier: LGPL-2.1-or-later
/* NAO's description has the values that NAO's maker lists for this robot, and few others. */
#include "support.h"

#include "fake_iio.h"
#include "nao.h"
#include "robot_keys.h"

#define KEYS_MAX 512
#define PREFIX	 "Device/SubDeviceList/"

#define LISTED	 278

/* What the maker's page explains without listing its key, and what is ours. */
static const char *const unlisted[] = {
	PREFIX "Battery/Charge/Sensor/Value",
	PREFIX "LFoot/Bumper/Any/Sensor/Value",
	PREFIX "RFoot/Bumper/Any/Sensor/Value",
	PREFIX "InertialSensor/GyroscopeX/Sensor/Value",
	PREFIX "InertialSensor/GyroscopeY/Sensor/Value",
	PREFIX "InertialSensor/AccelerometerX/Sensor/Value",
	PREFIX "InertialSensor/AccelerometerY/Sensor/Value",
	PREFIX "InertialSensor/AccelerometerZ/Sensor/Value",
};
#define UNLISTED (sizeof(unlisted) / sizeof(unlisted[0]))

/* The keys with a measured or a wanted value, sorted. */
static const char *value[KEYS_MAX];
static size_t value_count;

/* ".../Value", or one of a sonar's further echoes */
static bool is_value(const char *name)
{
	const char *slash = strrchr(name, '/');

	if (strncmp(name, PREFIX, strlen(PREFIX)) != 0)
		return false;
	return strncmp(slash, "/Value", strlen("/Value")) == 0 &&
	       strspn(slash + strlen("/Value"), "0123456789") == strlen(slash + strlen("/Value"));
}

static int setup(void **state)
{
	struct naohw_error err;

	(void)state;
	fake_reset();
	if (naohw_robot_open(NAO_ROBOT, NULL, &robot, &err) < 0)
		fail_msg("%s", err.message);
	for (size_t i = 0; i < naohw_robot_key_count(robot); i++) {
		const char *name = naohw_key_name(naohw_robot_key_at(robot, i));

		if (!is_value(name))
			continue;
		assert_in_range(value_count, 0, KEYS_MAX - 1);
		value[value_count++] = name;
	}
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	naohw_robot_close(robot);
	return 0;
}

static bool has(const char *name)
{
	for (size_t i = 0; i < value_count; i++)
		if (strcmp(value[i], name) == 0)
			return true;
	return false;
}

static void it_has_those_that_are_listed(void **state)
{
	const char *path = shared_reference("nao-keys.list");
	char line[256];
	size_t listed = 0;
	FILE *file;

	(void)state;
	if (!path)
		skip();
	file = fopen(path, "r");
	assert_non_null(file);
	for (; fgets(line, sizeof(line), file); listed++) {
		line[strcspn(line, "\n")] = '\0';
		if (!has(line))
			fail_msg("no %s", line);
	}
	fclose(file);
	assert_int_equal(listed, LISTED);
}

static void it_has_a_few_more(void **state)
{
	(void)state;
	for (size_t i = 0; i < UNLISTED; i++)
		if (!has(unlisted[i]))
			fail_msg("no %s", unlisted[i]);
	assert_int_equal(value_count, LISTED + UNLISTED);
}

/* How many begin so and end so? */
static size_t count_of(const char *start, const char *end)
{
	size_t count = 0, length = strlen(PREFIX) + strlen(start);
	char full[128];

	snprintf(full, sizeof(full), PREFIX "%s", start);
	for (size_t i = 0; i < value_count; i++)
		count += strncmp(value[i], full, length) == 0 &&
			 strlen(value[i]) >= strlen(end) + length &&
			 strcmp(value[i] + strlen(value[i]) - strlen(end), end) == 0;
	return count;
}

/* [name-3] */
static void it_has_so_many_of_each_kind(void **state)
{
	static const struct {
		const char *start;
		const char *end;
		size_t count;
	} kinds[] = {
		{ "", "/Position/Sensor/Value", 26 },
		{ "", "/Position/Actuator/Value", 26 },
		{ "", "/Hardness/Actuator/Value", 26 },
		{ "", "/ElectricCurrent/Sensor/Value", 26 },
		/* RHipYawPitch has none, the battery has one. */
		{ "", "/Temperature/Sensor/Value", 26 },
		{ "Face/Led/", "Deg/Actuator/Value", 48 },
		{ "Ears/Led/", "Deg/Actuator/Value", 20 },
		{ "Head/Led/", "/Actuator/Value", 12 },
		{ "ChestBoard/Led/", "/Actuator/Value", 3 },
		{ "LFoot/Led/", "/Actuator/Value", 3 },
		{ "RFoot/Led/", "/Actuator/Value", 3 },
		{ "ChestBoard/Button/", "Sensor/Value", 1 },
		{ "LFoot/Bumper/", "/Sensor/Value", 3 },
		{ "RFoot/Bumper/", "/Sensor/Value", 3 },
		{ "Head/Touch/", "/Sensor/Value", 3 },
		{ "LHand/Touch/", "/Sensor/Value", 3 },
		{ "RHand/Touch/", "/Sensor/Value", 3 },
		{ "LFoot/FSR/", "/Sensor/Value", 7 },
		{ "RFoot/FSR/", "/Sensor/Value", 7 },
		{ "InertialSensor/", "/Sensor/Value", 13 },
		{ "US/", "", 22 },
		{ "Battery/", "/Sensor/Value", 3 },
	};
	/* The battery's temperature is in two of them. */
	size_t all = (size_t)-1;

	(void)state;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		size_t count = count_of(kinds[i].start, kinds[i].end);

		if (count != kinds[i].count)
			fail_msg("%zu of %s...%s, expected %zu", count, kinds[i].start,
				 kinds[i].end, kinds[i].count);
		all += count;
	}
	assert_int_equal(all, value_count);
}

/* What is mandatory on a NAO, with Gain and Offset, which are there in any case. */
static void each_of_them_is_described(void **state)
{
	static const char *const names[] = { "Min", "Max", "Type", "SubDeviceNumber" };
	struct naohw_key *found;
	char name[256];

	(void)state;
	for (size_t i = 0; i < value_count; i++) {
		int length = (int)(strrchr(value[i], '/') - value[i]);

		for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++) {
			snprintf(name, sizeof(name), "%.*s/%s", length, value[i], names[n]);
			if (naohw_robot_find_key(robot, name, &found) < 0)
				fail_msg("no %s", name);
		}
	}
}

static void what_shows_or_moves_can_be_written(void **state)
{
	struct naohw_key *found;

	(void)state;
	for (size_t i = 0; i < value_count; i++) {
		assert_int_equal(naohw_robot_find_key(robot, value[i], &found), 0);
		assert_int_equal(naohw_key_is_writable(found),
				 strstr(value[i], "/Actuator/") != NULL);
	}
}

/* A weight in kg, where it is, and what the chest keeps of its body */
static void its_constants_are_there(void **state)
{
	(void)state;
	assert_near(value_of(PREFIX "RFoot/FSR/RearLeft/Sensor/YPosition"), 0.0191, 1e-9);
	assert_int_equal(naohw_key_get_type(key("Device/DeviceList/ChestBoard/BodyId")),
			 NAOHW_KEY_STRING);
	assert_int_equal(naohw_key_get_type(key("Device/DeviceList/ChestBoard/BodyNickName")),
			 NAOHW_KEY_STRING);
}

static void check_corners(const char *foot, char axis)
{
	static const char *const corners[] = { "FrontLeft", "FrontRight", "RearLeft", "RearRight" };
	double least = HUGE_VAL, most = -HUGE_VAL;
	char name[128];

	for (size_t i = 0; i < sizeof(corners) / sizeof(corners[0]); i++) {
		double place;

		snprintf(name, sizeof(name), PREFIX "%s/FSR/%s/Sensor/%cPosition", foot, corners[i],
			 axis);
		place = value_of(name);
		least = fmin(least, place);
		most = fmax(most, place);
	}
	snprintf(name, sizeof(name), PREFIX "%s/FSR/CenterOfPressure/%c/Sensor/Min", foot, axis);
	assert_near(value_of(name), least, 0);
	snprintf(name, sizeof(name), PREFIX "%s/FSR/CenterOfPressure/%c/Sensor/Max", foot, axis);
	assert_near(value_of(name), most, 0);
}

/* So it is always within its Min and Max. */
static void a_centre_of_pressure_is_between_the_corners(void **state)
{
	(void)state;
	check_corners("LFoot", 'X');
	check_corners("LFoot", 'Y');
	check_corners("RFoot", 'X');
	check_corners("RFoot", 'Y');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_has_those_that_are_listed),
		cmocka_unit_test(it_has_a_few_more),
		cmocka_unit_test(it_has_so_many_of_each_kind),
		cmocka_unit_test(each_of_them_is_described),
		cmocka_unit_test(what_shows_or_moves_can_be_written),
		cmocka_unit_test(its_constants_are_there),
		cmocka_unit_test(a_centre_of_pressure_is_between_the_corners),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
