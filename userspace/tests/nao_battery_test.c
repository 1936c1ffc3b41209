// SPDX-License-Identifier: LGPL-2.1-or-later
/* What a NAO's keys tell of its battery, from the files that the kernel has of a BMZ and of a Sanyo. */
#include "support.h"

#include "robot_keys.h"
#include "testbed.h"

#define ROBOT ROBOTS_DIR "/nao-h25-v33.xml"
#define SUBDEVICES "Device/SubDeviceList/Battery/"
#define CHARGE SUBDEVICES "Charge/Sensor/"
#define DEVICE "Device/DeviceList/Battery/"

static const char *supply, *board;

static void add_board(const char *name)
{
	const char *const attributes[] = {
		"label",
		"Battery\n",
		"name",
		name,
		"in_count1_raw",
		"0\n",
		"in_count1_label",
		"status\n",
		"in_count2_raw",
		"420\n",
		"in_count2_label",
		"charge\n",
		"in_count2_scale",
		"0.001\n",
		"in_current0_raw",
		"-1500\n",
		"in_current0_label",
		"battery\n",
		"in_current0_scale",
		"1\n",
		"in_temp0_raw",
		"253\n",
		"in_temp0_label",
		"battery\n",
		"in_temp0_scale",
		"100\n",
		"in_voltage1_raw",
		"4100\n",
		"in_voltage1_label",
		"cell-max\n",
		"in_voltage1_scale",
		"1\n",
		"in_voltage2_raw",
		"3600\n",
		"in_voltage2_label",
		"cell-min\n",
		"in_voltage2_scale",
		"1\n",
		NULL,
	};

	board = testbed_add("iio", "iio:device3", NULL, attributes, NULL);
}

static void open_robot(void)
{
	struct naohw_error err;

	if (naohw_robot_open(ROBOT, "local:", &robot, &err) < 0)
		fail_msg("%s", err.message);
}

/* A BMZ; a Sanyo has more. */
static int setup(void **state)
{
	const char *const attributes[] = { "charge_full", "2150000\n", NULL };

	if (testbed_begin(state) < 0)
		return -1;
	add_board("nao-battery-bmz\n");
	supply = testbed_add("power_supply", "Battery-0-206", NULL, attributes,
			     NULL);
	open_robot();
	return 0;
}

static int setup_sanyo(void **state)
{
	int ret = setup(state);

	testbed_put(supply, "charge_now", "903000\n");
	testbed_put(supply, "manufacturer", "SANYO\n");
	testbed_put(supply, "serial_number", "ALDE000039___PD00100600\n");
	testbed_put(board, "in_count3_raw", "97\n");
	testbed_put(board, "in_count3_label", "age\n");
	naohw_robot_close(robot);
	open_robot();
	return ret;
}

static int teardown(void **state)
{
	naohw_robot_close(robot);
	robot = NULL;
	return testbed_end(state);
}

/* [bat-1] [bat-2] [bat-4] [bat-5] [temp-4] */
static void each_value_has_its_unit(void **state)
{
	(void)state;
	assert_near(value_of(CHARGE "Value"), 0.42, 1e-9);
	assert_near(value_of(CHARGE "FullChargeCapacity"), 2.15, 1e-9);
	assert_near(value_of(CHARGE "CellVoltageMax"), 4100, 1e-9);
	assert_near(value_of(CHARGE "CellVoltageMin"), 3600, 1e-9);
	assert_near(value_of(SUBDEVICES "Temperature/Sensor/Value"), 25.3,
		    1e-9);
}

/* [cur-3] */
static void a_current_into_it_is_above_0(void **state)
{
	(void)state;
	assert_near(value_of(SUBDEVICES "Current/Sensor/Value"), -1.5, 1e-9);
	testbed_put(board, "in_current0_raw", "800\n");
	assert_near(value_of(SUBDEVICES "Current/Sensor/Value"), 0.8, 1e-9);
}

/*
 * [bat-6] [bmz-0] [bmz-1] [bmz-2] [bmz-3] [bmz-4] [bmz-5] [bmz-6] [bmz-7] [bmz-8] [bmz-9] [bmz-10]
 * [bmz-11] [bmz-12] [bmz-13] [bmz-14] [bmz-15]
 */
static void its_status_has_each_of_16_bits(void **state)
{
	char text[16], file[24];

	(void)state;
	for (unsigned int bit = 0; bit < 16; bit++) {
		snprintf(text, sizeof(text), "%u", 1U << bit);
		snprintf(file, sizeof(file), "%s\n", text);
		testbed_put(board, "in_count1_raw", file);
		check_text(CHARGE "Status", text);
	}
	testbed_put(board, "in_count1_raw", "65535\n");
	check_text(CHARGE "Status", "65535");
	assert_int_equal(naohw_key_get_type(key(CHARGE "Status")),
			 NAOHW_KEY_INT);
}

static void a_bmz_tells_no_more(void **state)
{
	static const char *const missing[] = {
		CHARGE "RemainingCapacity",
		CHARGE "Age",
		DEVICE "Manufacturer",
		DEVICE "SerialNumber",
	};
	char text[64];

	(void)state;
	for (size_t i = 0; i < sizeof(missing) / sizeof(missing[0]); i++)
		assert_true(naohw_key_read_string(key(missing[i]), text,
						  sizeof(text), NULL) < 0);
}

/* [bat-3] [bat-7] [id-2] [id-4] [id-10] */
static void a_sanyo_does(void **state)
{
	(void)state;
	assert_near(value_of(CHARGE "RemainingCapacity"), 0.903, 1e-9);
	assert_near(value_of(CHARGE "Age"), 97, 1e-9);
	check_text(DEVICE "Manufacturer", "SANYO");
	check_text(DEVICE "SerialNumber", "ALDE000039___PD00100600");
	assert_int_equal(naohw_key_get_type(key(DEVICE "SerialNumber")),
			 NAOHW_KEY_STRING);
}

#define BATTERY_TEST(test) \
	cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		BATTERY_TEST(each_value_has_its_unit),
		BATTERY_TEST(a_current_into_it_is_above_0),
		BATTERY_TEST(its_status_has_each_of_16_bits),
		BATTERY_TEST(a_bmz_tells_no_more),
		cmocka_unit_test_setup_teardown(a_sanyo_does, setup_sanyo,
						teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
