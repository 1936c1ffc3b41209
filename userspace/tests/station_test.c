// SPDX-License-Identifier: LGPL-2.1-or-later
/* What each of NAO's devices has, of whichever of the kernel's it is made. */
#include "support.h"

#include <time.h>

#include "fake_iio.h"
#include "robot_keys.h"

#define LIST "Device/SubDeviceList/"
#define DEVICES "Device/DeviceList/"
#define STRING(name, value) "<Preference name='" name "' type='string' value='" value "'/>"
#define ARRAY(name, body)   "<Preference name='" name "' type='array'>" body "</Preference>"
#define SENSOR		    ARRAY("Position/Sensor", STRING("Channel", "in_angl0"))

static const char *const description =
	"<ModulePreference name='x'>"
	"<Preference name='SubDeviceList' memoryName='Device/SubDeviceList' type='array'>"
	ARRAY("LHipRoll", STRING("Device", "LeftHip") SENSOR)
	ARRAY("LHipPitch", SENSOR)
	ARRAY("HeadYaw", SENSOR)
	ARRAY("Gone", SENSOR)
	"</Preference>"
	"<Preference name='DeviceList' memoryName='Device/DeviceList' type='array'>"
	ARRAY("LeftHip", STRING("Label", " LHipRoll  LHipPitch ") STRING("Type", "MotorBoard"))
	ARRAY("Nearly", STRING("Label", "Gone HeadYaw") STRING("Bus", "RS485"))
	"</Preference></ModulePreference>";

static void make_servo(const char *label, const char *id, const char *ack, const char *nack)
{
	fake_servo(label);
	fake_device_set(label, "id", id);
	fake_device_set(label, "statistics/ack", ack);
	fake_device_set(label, "statistics/nack", nack);
}

static int setup(void **state)
{
	struct naohw_error err;

	(void)state;
	fake_reset();
	fake_set_bus(2);
	make_servo("LHipRoll", "16\n", "100\n", "1\n");
	make_servo("LHipPitch", "17\n", "20\n", "2\n");
	make_servo("HeadYaw", "1\n", "7\n", "0\n");
	if (naohw_robot_open(temp_text(description), NULL, &robot, &err) < 0)
		fail_msg("%s", err.message);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	naohw_robot_close(robot);
	return 0;
}

static void a_board_of_two_motors_has_what_both_have(void **state)
{
	(void)state;
	check_text(DEVICES "LeftHip/Ack", "120");
	check_text(DEVICES "LeftHip/Nack", "3");
	check_text(DEVICES "LeftHip/Address", "16");
	check_text(DEVICES "LeftHip/Bus", "dxl2");
	assert_int_equal(naohw_key_get_type(key(DEVICES "LeftHip/Ack")), NAOHW_KEY_INT);
	fake_device_set("LHipPitch", "statistics/nack", "40\n");
	check_text(DEVICES "LeftHip/Nack", "41");
}

static void a_subdevice_has_those_of_its_device(void **state)
{
	(void)state;
	check_text(LIST "LHipRoll/Position/Sensor/Ack", "120");
	check_text(LIST "LHipPitch/Position/Sensor/Nack", "3");
	assert_int_equal(naohw_key_write(key(LIST "LHipRoll/Position/Sensor/Ack"), 0, NULL),
			 -EACCES);
}

/* Said by itself, or the one that has its label */
static void a_subdevice_says_which_device_controls_it(void **state)
{
	(void)state;
	check_text(LIST "LHipRoll/Position/Sensor/Device", "LeftHip");
	check_text(LIST "LHipPitch/Position/Sensor/Device", "LeftHip");
	check_text(LIST "HeadYaw/Position/Sensor/Device", "Nearly");
	check_text(LIST "LHipPitch/Position/Sensor/Label", "LHipPitch");
}

static void a_motor_that_is_missing_counts_for_nothing(void **state)
{
	(void)state;
	check_text(DEVICES "Nearly/Ack", "7");
	check_text(DEVICES "Nearly/Address", "1");
	check_text(DEVICES "Nearly/Bus", "RS485");
}

/* ---- errors ---- */

/* Without the time, of one error */
static void check_error(const char *device, const char *expected)
{
	struct naohw_error err;
	char name[128], text[256];
	const char *found;

	snprintf(name, sizeof(name), DEVICES "%s/Error", device);
	if (naohw_key_read_string(key(name), text, sizeof(text), &err) < 0)
		fail_msg("%s", err.message);
	found = strchr(text, ' ');
	assert_string_equal(found ? found + 1 : text, expected);
}

static void without_errors_there_is_an_empty_text(void **state)
{
	(void)state;
	check_error("LeftHip", "");
	check_text(LIST "LHipRoll/Position/Sensor/Error", "");
}

/* What was before nobody has seen. */
static void an_answer_that_did_not_come_is_an_error(void **state)
{
	(void)state;
	check_error("LeftHip", "");
	fake_device_set("LHipPitch", "statistics/nack", "3\n");
	check_error("LeftHip", "7 LHipPitch: no answer");
	check_error("LeftHip", "7 LHipPitch: no answer");
	check_error("Nearly", "");
}

static void a_device_that_is_lost_is_one(void **state)
{
	(void)state;
	fake_device_set("HeadYaw", "state", "lost\n");
	check_error("Nearly", "7 HeadYaw: lost");
	fake_device_set("LHipRoll", "state", "active\n");
	check_error("LeftHip", "");
}

/* By the clock that "naohw get --time" and people go by. */
static void an_error_has_one_time_for_all_who_ask(void **state)
{
	const struct timespec a_moment = { .tv_nsec = 3000000 };
	time_t begun = time(NULL);
	char first[64];
	double when;

	(void)state;
	fake_device_set("HeadYaw", "state", "lost\n");
	snprintf(first, sizeof(first), "%s", text_of(DEVICES "Nearly/Error"));
	nanosleep(&a_moment, NULL);
	check_text(LIST "HeadYaw/Position/Sensor/Error", first);
	when = atof(first);
	assert_true(when >= (double)begun && when <= (double)time(NULL) + 1);
}

/* It says by its answers that it has one, and is asked which only then. */
static void a_servos_error_is_asked_for_when_it_says_so(void **state)
{
	(void)state;
	fake_device_set("HeadYaw", "hardware_error", "\n");
	fake_device_set("HeadYaw", "statistics/alerts", "5\n");
	check_error("Nearly", "");
	fake_device_set("HeadYaw", "hardware_error", "overload\n");
	check_error("Nearly", "");
	fake_device_set("HeadYaw", "statistics/alerts", "6\n");
	check_error("Nearly", "6 HeadYaw: overload");
}

/* A warning of one of NAO's motors raises no alert. */
static void a_motor_of_nao_is_always_asked(void **state)
{
	(void)state;
	fake_device_set("LHipRoll", "motor_number", "1\n");
	fake_device_set("LHipRoll", "hardware_error", "\n");
	check_error("LeftHip", "");
	fake_device_set("LHipRoll", "hardware_error", "current-limit motor-1\n");
	check_error("LeftHip", "3 LHipRoll: 209 WARNING_CURRENT_LIMITATION: Motor 1");
}

/* ---- what is not listed ---- */

static const char *const unlisted =
	"<ModulePreference name='x'>"
	"<Preference name='SubDeviceList' memoryName='Device/SubDeviceList' type='array'>"
	ARRAY("HeadYaw", SENSOR) ARRAY("Gone", SENSOR)
	"</Preference></ModulePreference>";

static void open_other(const char *text)
{
	struct naohw_error err;

	naohw_robot_close(robot);
	robot = NULL;
	if (naohw_robot_open(temp_text(text), NULL, &robot, &err) < 0)
		fail_msg("%s", err.message);
}

static void what_is_not_listed_is_called_by_its_label(void **state)
{
	struct naohw_error err;
	double value;

	(void)state;
	open_other(unlisted);
	check_text(LIST "HeadYaw/Position/Sensor/Device", "HeadYaw");
	check_text(DEVICES "HeadYaw/Ack", "7");
	assert_int_equal(naohw_key_read(key(DEVICES "Gone/Ack"), &value, &err), -ENODEV);
	assert_says(&err, "Gone/Ack");
}

/* What was asked for is said first, and whose it is then. */
static void an_error_has_the_name_that_was_asked_for(void **state)
{
	struct naohw_error err;
	char text[64];
	double value;

	(void)state;
	open_other(unlisted);
	assert_int_equal(naohw_key_read(key(LIST "Gone/Position/Sensor/Nack"), &value, &err),
			 -ENODEV);
	assert_says(&err, LIST "Gone/Position/Sensor/Nack, which is " DEVICES "Gone/Nack: ");
	assert_int_equal(naohw_key_read_string(key(LIST "Gone/Position/Sensor/Error"), text,
					       sizeof(text), &err),
			 -ENODEV);
	assert_says(&err, LIST "Gone/Position/Sensor/Error, which is " DEVICES "Gone/Error: ");
	assert_int_equal(naohw_key_read(key(DEVICES "Gone/Nack"), &value, &err), -ENODEV);
	assert_memory_equal(err.message, DEVICES "Gone/Nack: ", strlen(DEVICES "Gone/Nack: "));
	assert_int_equal(naohw_key_read(key(LIST "Gone/Position/Sensor/Nack"), &value, NULL),
			 -ENODEV);
}

static void what_is_counted_can_not_be_said(void **state)
{
	static const char *const wrong =
		"<ModulePreference name='x'>"
		"<Preference name='HeadYaw' memoryName='Device/SubDeviceList/HeadYaw' type='array'>"
		SENSOR "</Preference>"
		"<Preference memoryName='Device/DeviceList/HeadYaw/Ack' type='int' value='1'/>"
		"</ModulePreference>";
	struct naohw_robot *other;
	struct naohw_error err;

	(void)state;
	assert_int_equal(naohw_robot_open(temp_text(wrong), NULL, &other, &err), -EINVAL);
	assert_says(&err, "HeadYaw/Ack");
}

#define STATION_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		STATION_TEST(a_board_of_two_motors_has_what_both_have),
		STATION_TEST(a_subdevice_has_those_of_its_device),
		STATION_TEST(a_subdevice_says_which_device_controls_it),
		STATION_TEST(a_motor_that_is_missing_counts_for_nothing),
		STATION_TEST(without_errors_there_is_an_empty_text),
		STATION_TEST(an_answer_that_did_not_come_is_an_error),
		STATION_TEST(a_device_that_is_lost_is_one),
		STATION_TEST(an_error_has_one_time_for_all_who_ask),
		STATION_TEST(a_servos_error_is_asked_for_when_it_says_so),
		STATION_TEST(a_motor_of_nao_is_always_asked),
		STATION_TEST(what_is_not_listed_is_called_by_its_label),
		STATION_TEST(an_error_has_the_name_that_was_asked_for),
		STATION_TEST(what_is_counted_can_not_be_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
