// SPDX-License-Identifier: LGPL-2.1-or-later
/* The numbers that sub-devices have within their device, in each description that is installed. */
#include "support.h"

#include <glob.h>

#include "fake_iio.h"
#include "robot_keys.h"

#define NUMBERS_MAX 512
#define END	    "/SubDeviceNumber"

/* One sensor or actuator */
struct numbered {
	char name[128];
	char device[64];
	double number;
};

static struct numbered list[NUMBERS_MAX];
static size_t count;

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text);

	return length >= strlen(end) && strcmp(text + length - strlen(end), end) == 0;
}

/* Another name of a sub-device is none of its own: ".../Position/Alias" is above its keys. */
static bool is_alias(const char *name)
{
	struct naohw_key *found;
	char above[160];

	snprintf(above, sizeof(above), "%.*s/Alias", (int)(strrchr(name, '/') - name), name);
	return naohw_robot_find_key(robot, above, &found) == 0;
}

static void take(const char *key_name)
{
	struct numbered *one = &list[count];
	char device[160];

	snprintf(one->name, sizeof(one->name), "%.*s", (int)(strlen(key_name) - strlen(END)),
		 key_name);
	if (is_alias(one->name))
		return;
	assert_true(count + 1 < NUMBERS_MAX);
	snprintf(device, sizeof(device), "%s/Device", one->name);
	snprintf(one->device, sizeof(one->device), "%s", text_of(device));
	one->number = value_of(key_name);
	count++;
}

static bool are_alike(const struct numbered *a, const struct numbered *b)
{
	return strcmp(a->device, b->device) == 0 &&
	       ends_with(a->name, "/Sensor") == ends_with(b->name, "/Sensor");
}

/* Of the sensors of a device, or of its actuators, each number from 1 on is of one. */
static void check_number(const struct numbered *one)
{
	size_t alike = 0;

	for (size_t i = 0; i < count; i++) {
		if (!are_alike(one, &list[i]))
			continue;
		if (&list[i] != one && list[i].number == one->number)
			fail_msg("%s and %s are both %g of %s", one->name, list[i].name,
				 one->number, one->device);
		alike++;
	}
	if (one->number < 1 || one->number > (double)alike)
		fail_msg("%s is %g of %s, expected 1 to %zu", one->name, one->number, one->device,
			 alike);
}

/* A joint without hardness goes where its sensor is: the one with its number. */
static void check_pair(const struct numbered *sensor)
{
	char actuator[160];

	if (!ends_with(sensor->name, "/Position/Sensor"))
		return;
	snprintf(actuator, sizeof(actuator), "%.*sActuator" END,
		 (int)(strlen(sensor->name) - strlen("Sensor")), sensor->name);
	if (value_of(actuator) != sensor->number)
		fail_msg("%s is %g, and its sensor %g", actuator, value_of(actuator),
			 sensor->number);
}

static void check_robot(const char *path)
{
	struct naohw_error err;

	if (naohw_robot_open(path, NULL, &robot, &err) < 0)
		fail_msg("%s", err.message);
	count = 0;
	for (size_t i = 0; i < naohw_robot_key_count(robot); i++) {
		const char *name = naohw_key_name(naohw_robot_key_at(robot, i));

		if (ends_with(name, END))
			take(name);
	}
	assert_true(count > 0);
	for (size_t i = 0; i < count; i++) {
		check_number(&list[i]);
		check_pair(&list[i]);
	}
	naohw_robot_close(robot);
}

/* [key-19] */
static void a_number_is_of_one_within_its_device(void **state)
{
	glob_t found;

	(void)state;
	fake_reset();
	assert_int_equal(glob(ROBOTS_DIR "/*.xml", 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++)
		check_robot(found.gl_pathv[i]);
	globfree(&found);
	check_robot(PLAIN_ROBOT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_number_is_of_one_within_its_device),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
