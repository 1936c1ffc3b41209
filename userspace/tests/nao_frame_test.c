// SPDX-License-Identifier: LGPL-2.1-or-later
/* What a NAO's battery and motor boards tell in each frame is in its store in each cycle. */
#include "support.h"

#include "fake_iio.h"
#include "nao.h"
#include "robot_keys.h"

#define MS	   ((int64_t)1000000)
#define PERIOD	   (10 * MS)
#define BATTERY_ID 206
#define STATE	   "dxl0-state"
#define BATTERY	   "Device/SubDeviceList/Battery/"
#define CURRENT	   BATTERY "Current/Sensor/Value"
#define CHARGE	   BATTERY "Charge/Sensor/Value"
#define TEMP	   BATTERY "Temperature/Sensor/Value"

/* Two motors, the battery, and what a NAO has besides, as IIO lays them out */
static struct {
	struct {
		int16_t angle, speed, load;
		uint8_t voltage, temperature, age, alarm;
	} servo[2];
	int64_t time;
	uint16_t status, charge;
	uint8_t age, alarm;
	int16_t current, temperature;
	uint16_t error[2];
} bytes;

static struct naohw_frame *frame;
static struct naohw_store *store;

static void add_battery(void)
{
	static const char *const parts[] = { "status", "charge" };

	fake_board(0, BATTERY_ID, "Battery", parts, 2);
	fake_set("Battery", "in_count2_scale", "0.001");
	fake_set(STATE, "in_count2254_scale", "0.001");
	fake_set("Battery", "in_current0_raw", "0");
	fake_set("Battery", "in_current0_label", "battery");
	fake_channel(STATE, "in_current206", "Battery\n", 16);
	fake_set("Battery", "in_temp0_raw", "0");
	fake_set("Battery", "in_temp0_scale", "100");
	fake_set("Battery", "in_temp0_label", "battery");
	fake_channel(STATE, "in_temp206", "Battery\n", 16);
	fake_set(STATE, "in_temp206_scale", "100");
}

static void add_errors(void)
{
	fake_device_set("HeadYaw", "error", "0\n");
	fake_device_set("HeadPitch", "error", "0\n");
	fake_channel(STATE, "in_count1025", "HeadYaw error\n", 16);
	fake_channel(STATE, "in_count1026", "HeadPitch error\n", 16);
}

static int setup(void **state)
{
	static const char *const labels[] = { "HeadYaw", "HeadPitch" };
	struct naohw_error err;

	(void)state;
	fake_reset();
	memset(&bytes, 0, sizeof(bytes));
	bytes.time = 5000 * MS;
	bytes.temperature = 250;
	for (unsigned int i = 0; i < 2; i++)
		fake_servo(labels[i]);
	fake_state(0, labels, 2, 100);
	add_battery();
	add_errors();
	if (naohw_robot_open(NAO_ROBOT, NULL, &robot, &err) < 0 ||
	    naohw_frame_open(robot, NULL, &frame, &err) < 0 ||
	    naohw_store_open(robot, frame, &store, &err) < 0)
		fail_msg("%s", err.message);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	naohw_store_close(store);
	naohw_frame_close(frame);
	naohw_robot_close(robot);
	return 0;
}

static void next_frame(void)
{
	struct naohw_error err;

	bytes.time += PERIOD;
	fake_frame(0, &bytes, sizeof(bytes));
	if (naohw_frame_read(frame, &err) < 0)
		fail_msg("%s", err.message);
	assert_int_equal(naohw_store_publish(store), 0);
}

/* It is of the present frame, and not what a thread has read some time before. */
static void check_now(const char *name, double number)
{
	struct naohw_value value;
	size_t slot;

	if (naohw_store_find(store, name, &slot) < 0)
		fail_msg("no slot %s", name);
	assert_int_equal(naohw_store_read(store, slot, &value), 0);
	if (value.time != bytes.time || value.state == NAOHW_STATE_STALE)
		fail_msg("%s is of %lld, expected %lld", name, (long long)value.time,
			 (long long)bytes.time);
	assert_near(value.number, number, 1e-9);
	assert_int_equal(value.type, naohw_key_get_type(key(name)));
}

static void check_in_frames(const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!naohw_frame_has_key(frame, key(names[i])))
			fail_msg("no frame has %s", names[i]);
}

/* [cur-5] [bat-1] [temp-4] */
static void a_battery_is_as_new_as_the_frame(void **state)
{
	static const char *const names[] = { CURRENT, CHARGE, TEMP };

	(void)state;
	check_in_frames(names, 3);
	for (int i = 1; i <= 5; i++) {
		bytes.current = (int16_t)(-1500 + 300 * i);
		bytes.charge = (uint16_t)(900 - i);
		bytes.temperature = (int16_t)(250 - 100 * i);
		next_frame();
		check_now(CURRENT, -1.5 + 0.3 * i);
		check_now(CHARGE, 0.9 - 0.001 * i);
		check_now(TEMP, 25 - 10.0 * i);
	}
}

#define HEAD_BOARD  "Device/DeviceList/HeadBoard/"
#define ERROR_CODE1 HEAD_BOARD "ErrorCode1"
#define ERROR_CODE2 HEAD_BOARD "ErrorCode2"

/* [mb-8] [mb-9] One that is there for a single frame is not missed, whatever the other motor has. */
static void a_motors_error_code_is_that_of_the_frame(void **state)
{
	static const char *const names[] = { ERROR_CODE1, ERROR_CODE2 };
	static const struct {
		uint16_t code[2];
	} told[] = { { { 0, 0 } }, { { 17, 0 } }, { { 33, 34 } }, { { 255, 34 } }, { { 0, 193 } } };

	(void)state;
	check_in_frames(names, 2);
	for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++) {
		memcpy(bytes.error, told[i].code, sizeof(bytes.error));
		next_frame();
		check_now(ERROR_CODE1, told[i].code[0]);
		check_now(ERROR_CODE2, told[i].code[1]);
	}
}

static void without_frames_the_motor_is_asked(void **state)
{
	(void)state;
	assert_int_equal(naohw_key_get_type(key(ERROR_CODE1)), NAOHW_KEY_INT);
	assert_int_equal(naohw_key_get_type(key(HEAD_BOARD "Error")), NAOHW_KEY_STRING);
	fake_device_set("HeadYaw", "error", "49\n");
	fake_device_set("HeadPitch", "error", "50\n");
	check_text(ERROR_CODE1, "49");
	check_text(ERROR_CODE2, "50");
}

/* Each motor of each board; one that is alone on its board is its first. */
static void each_motor_board_has_them(void **state)
{
	size_t first = 0, second = 0;

	(void)state;
	for (size_t i = 0; i < naohw_robot_key_count(robot); i++) {
		const char *name = naohw_key_name(naohw_robot_key_at(robot, i));
		const char *slash = strrchr(name, '/');

		first += slash && strcmp(slash, "/ErrorCode1") == 0;
		second += slash && strcmp(slash, "/ErrorCode2") == 0;
	}
	assert_int_equal(first, 13);
	assert_int_equal(second, 12);
}

int main(void)
{
#define NAO_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
	const struct CMUnitTest tests[] = {
		NAO_TEST(a_battery_is_as_new_as_the_frame),
		NAO_TEST(a_motors_error_code_is_that_of_the_frame),
		NAO_TEST(without_frames_the_motor_is_asked),
		NAO_TEST(each_motor_board_has_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
