// SPDX-License-Identifier: LGPL-2.1-or-later
/* What the boards of the humanoids are as keys: each by what its board counts, with NAO's axes. */
#include "support.h"

#include "fake_iio.h"
#include "robot_keys.h"

#define PREFIX "Device/SubDeviceList/"

/* A channel as the board's driver shows it: (raw + offset) * scale. */
struct count {
	const char *label;
	const char *channel;
	const char *scale;
	const char *offset; /* NULL: it has none */
	const char *raw;
};

struct known {
	struct count count;
	const char *key;
	double value;
};

#define GYRO(axis, raw)	 { "CM-730", "in_anglvel_" axis, "0.062552600", "-512", raw }
#define ACCEL(axis, raw) { "CM-730", "in_accel_" axis, "0.076614453", "-512", raw }
#define TURN(axis, raw)	 { "OpenCR", "in_anglvel_" axis, "0.001064225", NULL, raw }
#define PUSH(axis, raw)	 { "OpenCR", "in_accel_" axis, "0.000598550", NULL, raw }
#define ROLL(axis, raw)	 { "CM-510", "in_anglvel_" axis, "0.025541404", "-250", raw }
#define LEAN(axis, raw)	 { "OpenCR", "in_incli_" axis, "0.100000000", NULL, raw }

/* Accelerations are those of a fall on the face, of one to the left, and of standing. */
static const struct known darwin[] = {
	{ GYRO("x", "612"), "InertialSensor/GyroscopeX", 6.25526 },
	{ GYRO("y", "612"), "InertialSensor/GyroscopeY", 6.25526 },
	{ GYRO("z", "412"), "InertialSensor/GyroscopeZ", -6.25526 },
	{ GYRO("x", "612"), "InertialSensor/GyrX", -2000 + 967.68 },
	{ GYRO("y", "512"), "InertialSensor/GyrY", -2000 },
	{ ACCEL("y", "384"), "InertialSensor/AccelerometerX", -9.80665 },
	{ ACCEL("x", "640"), "InertialSensor/AccelerometerY", -9.80665 },
	{ ACCEL("z", "640"), "InertialSensor/AccelerometerZ", 9.80665 },
	{ ACCEL("y", "384"), "InertialSensor/AccX", -56 },
	{ ACCEL("x", "640"), "InertialSensor/AccY", -56 },
	{ ACCEL("z", "640"), "InertialSensor/AccZ", 56 },
	{ { "CM-730", "in_voltage0", "100", NULL, "118" }, "Battery/Voltage", 11.8 },
	{ { "CM-730", "in_voltage1", "3.222656250", NULL, "1023" }, "ChestBoard/Mic/1", 3.296777 },
	{ { "CM-730", "in_voltage15", "3.222656250", NULL, "512" }, "ChestBoard/Adc/15", 1.65 },
	{ { "CM-730", "in_count1", NULL, NULL, "1" }, "ChestBoard/Button/Mode", 1 },
	{ { "CM-730", "in_count1", NULL, NULL, "1" }, "ChestBoard/Button", 0 },
	{ { "CM-730", "in_count1", NULL, NULL, "2" }, "ChestBoard/Button", 1 },
	{ { "LFoot", "in_count1", "0.001", NULL, "9807" }, "LFoot/FSR/FrontLeft", 1.000036 },
	{ { "LFoot", "in_count3", "0.001", NULL, "29420" }, "LFoot/FSR/RearRight", 3.000005 },
	{ { "LFoot", "in_count3", "0.001", NULL, "29421" }, "LFoot/FSR/TotalWeight", 4.000143 },
	{ { "LFoot", "in_count3", "0.001", NULL, "29421" }, "LFoot/FSR/CenterOfPressure/X", -0.5 },
	{ { "LFoot", "in_count3", "0.001", NULL, "29421" }, "LFoot/FSR/CenterOfPressure/Y", -0.5 },
	{ { "RFoot", "in_count1", "0.001", NULL, "0" }, "RFoot/FSR/CenterOfPressure/X", 0 },
	{ { "RFoot", "in_voltage0", "100", NULL, "120" }, "RFoot/Voltage", 12 },
};

/* Its x points to the back and its y to the right. */
static const struct known op3[] = {
	{ TURN("x", "1640"), "InertialSensor/GyroscopeX", -1.745329 },
	{ TURN("y", "1640"), "InertialSensor/GyroscopeY", -1.745329 },
	{ TURN("z", "1640"), "InertialSensor/GyroscopeZ", 1.745329 },
	{ TURN("x", "-1640"), "InertialSensor/GyrX", -2000 + 270 },
	{ TURN("y", "1640"), "InertialSensor/GyrY", -2000 - 270 },
	{ PUSH("x", "16384"), "InertialSensor/AccelerometerX", -9.80665 },
	{ PUSH("y", "16384"), "InertialSensor/AccelerometerY", -9.80665 },
	{ PUSH("z", "16384"), "InertialSensor/AccelerometerZ", 9.80665 },
	{ PUSH("x", "-16384"), "InertialSensor/AccX", 56 },
	{ PUSH("y", "-16384"), "InertialSensor/AccY", 56 },
	{ PUSH("z", "-16384"), "InertialSensor/AccZ", -56 },
	{ LEAN("x", "100"), "InertialSensor/AngleX", -0.1745329 },
	{ LEAN("y", "-100"), "InertialSensor/AngleY", 0.1745329 },
	{ LEAN("z", "900"), "InertialSensor/AngleZ", 1.570796 },
	{ { "OpenCR", "in_voltage0", "100", NULL, "118" }, "Battery/Voltage", 11.8 },
	{ { "OpenCR", "in_count1", NULL, NULL, "9" }, "ChestBoard/Button/Mode", 1 },
	{ { "OpenCR", "in_count1", NULL, NULL, "9" }, "ChestBoard/Button", 0 },
	{ { "OpenCR", "in_count1", NULL, NULL, "9" }, "ChestBoard/Button/User", 0 },
	{ { "OpenCR", "in_count1", NULL, NULL, "9" }, "ChestBoard/Button/Reset", 1 },
};

static const struct known bioloid[] = {
	{ ROLL("x", "455"), "InertialSensor/GyroscopeX", 5.235988 },
	{ ROLL("y", "45"), "InertialSensor/GyroscopeY", -5.235988 },
	{ ROLL("x", "45"), "InertialSensor/GyrX", -2000 - 810 },
	{ ROLL("y", "250"), "InertialSensor/GyrY", -2000 },
	{ { "CM-510", "in_distance5", "0.001", NULL, "345" }, "Distance", 0.345 },
	{ { "CM-510", "in_count2", NULL, NULL, "65535" }, "ChestBoard/Sounds", 65535 },
	{ { "CM-510", "in_voltage0", "100", NULL, "111" }, "Battery/Voltage", 11.1 },
	{ { "CM-510", "in_voltage6", "4.882812500", NULL, "512" }, "ChestBoard/Port/6", 2.5 },
	{ { "CM-510", "in_count1", NULL, NULL, "1" }, "ChestBoard/Button", 1 },
	{ { "CM-510", "in_count1", NULL, NULL, "16" }, "ChestBoard/Button/Up", 1 },
	{ { "CM-510", "in_count1", NULL, NULL, "32" }, "ChestBoard/Button/Down", 1 },
	{ { "CM-510", "in_count1", NULL, NULL, "64" }, "ChestBoard/Button/Left", 1 },
	{ { "CM-510", "in_count1", NULL, NULL, "128" }, "ChestBoard/Button/Right", 1 },
	{ { "CM-510", "in_count1", NULL, NULL, "128" }, "ChestBoard/Button/Left", 0 },
};

/* Of an ADXL335 67.58 counts are 1 g, and 338 none; it has no gyro. */
#define SHAKE(axis, raw) { "CM-510", "in_accel_" axis, "0.145103131", "-338", raw }

static const struct known bioloid_accel[] = {
	{ SHAKE("x", "338"), "InertialSensor/AccelerometerX", 0 },
	{ SHAKE("x", "506"), "InertialSensor/AccelerometerX", 24.37733 },
	{ SHAKE("y", "0"), "InertialSensor/AccelerometerY", -49.04486 },
	{ SHAKE("x", "270"), "InertialSensor/AccX", -56.34467 },
	{ SHAKE("y", "406"), "InertialSensor/AccY", 56.34467 },
	{ { "CM-510", "in_distance5", "0.001", NULL, "345" }, "Distance", 0.345 },
};

static const char *const darwin_lights[] = {
	"ChestBoard/Led/2", "ChestBoard/Led/3", "ChestBoard/Led/4", "Head/Led/Red",
	"Head/Led/Green",   "Head/Led/Blue",	"Face/Led/Red",	    "Face/Led/Green",
	"Face/Led/Blue",    "LFoot/Led",	"RFoot/Led",
};

static const char *const op3_lights[] = {
	"ChestBoard/Led/1",   "ChestBoard/Led/2",     "ChestBoard/Led/3",
	"ChestBoard/Led/Red", "ChestBoard/Led/Green", "ChestBoard/Led/Blue",
};

static const char *const bioloid_lights[] = {
	"ChestBoard/Led/Power",	 "ChestBoard/Led/Tx",	   "ChestBoard/Led/Rx",	  "ChestBoard/Led/Aux",
	"ChestBoard/Led/Manage", "ChestBoard/Led/Program", "ChestBoard/Led/Play",
};

static const char *const buzzer[] = { "ChestBoard/Buzzer/Frequency", "ChestBoard/Buzzer/Duration" };

static const char *const supply[] = { "ChestBoard/ServoPower" };

static struct naohw_key *find(const char *name, const char *part)
{
	char full[192];

	snprintf(full, sizeof(full), PREFIX "%s%s", name, part);
	return key(full);
}

static void set(const struct count *count, const char *end, const char *text)
{
	char file[64];

	snprintf(file, sizeof(file), "%s_%s", count->channel, end);
	if (text)
		fake_set(count->label, file, text);
}

/* The labels of the channels that are found by one. */
static void add_board(const char *label, const char *const *counts, unsigned int count)
{
	fake_board(0, 200, label, counts, count);
	fake_device_set(label, "servo_power", "0");
	fake_set(label, "in_voltage0_label", "supply");
	fake_set(label, "in_voltage1_label", "mic1");
	fake_set(label, "in_voltage6_label", "port6");
	fake_set(label, "in_voltage15_label", "adc15");
	fake_set(label, "in_distance5_label", "port5");
}

static void open_robot(const char *name, const struct known *known, size_t count)
{
	static const char *const buttons[] = { "buttons" };
	static const char *const chest[] = { "buttons", "sounds" };
	static const char *const forces[] = { "fsr1", "fsr2", "fsr3", "fsr4" };
	struct naohw_error err;
	char path[256];

	fake_reset();
	/* There nobody can say which line a board is on. */
	fake_remote();
	fake_state(0, NULL, 0, 100);
	add_board("CM-730", buttons, 1);
	add_board("OpenCR", buttons, 1);
	add_board("CM-510", chest, 2);
	add_board("LFoot", forces, 4);
	add_board("RFoot", forces, 4);
	for (size_t i = 0; i < count; i++) {
		set(&known[i].count, "scale", known[i].count.scale);
		set(&known[i].count, "offset", known[i].count.offset);
		set(&known[i].count, "raw", known[i].count.raw);
	}
	fake_set("LFoot", "in_count1_raw", "9807");
	snprintf(path, sizeof(path), ROBOTS_DIR "/%s.xml", name);
	if (naohw_robot_open(path, NULL, &robot, &err) < 0)
		fail_msg("%s", err.message);
}

static int teardown(void **state)
{
	(void)state;
	naohw_robot_close(robot);
	robot = NULL;
	return 0;
}

static void check_values(const struct known *known, size_t count)
{
	struct naohw_error err;
	double value;

	for (size_t i = 0; i < count; i++) {
		set(&known[i].count, "raw", known[i].count.raw);
		if (naohw_key_read(find(known[i].key, "/Sensor/Value"), &value, &err) < 0)
			fail_msg("%s: %s", known[i].key, err.message);
		if (!(fabs(value - known[i].value) < 1e-4 * fmax(1, fabs(known[i].value))))
			fail_msg("%s is %.7g, expected %.7g", known[i].key, value, known[i].value);
	}
}

static void check_actuators(const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		assert_true(naohw_key_is_writable(find(names[i], "/Actuator/Value")));
}

/* Its path in sysfs is another one after each start; and all that is not 0 or 1 the kernel refuses. */
static void check_supply(const char *label)
{
	struct naohw_error err;
	struct naohw_key *power = find("ChestBoard/ServoPower", "/Actuator/Value");
	double value;

	assert_int_equal(naohw_key_read(power, &value, &err), 0);
	assert_true(value == 0);
	assert_int_equal(naohw_key_write(power, 1, &err), 0);
	assert_string_equal(fake_device_get(label, "servo_power"), "1");
	assert_int_equal(naohw_key_write(power, -1, &err), 0);
	assert_string_equal(fake_device_get(label, "servo_power"), "0");
}

/* What is mandatory on a NAO. */
static void check_described(void)
{
	static const char *const names[] = { "Gain", "Offset", "Min", "Max",
					     "Type", "Device", "SubDeviceNumber" };
	const size_t end = strlen("/Value");

	for (size_t i = 0; i < naohw_robot_key_count(robot); i++) {
		const char *name = naohw_key_name(naohw_robot_key_at(robot, i));
		size_t length = strlen(name);
		char array[128];

		if (length < end || strcmp(name + length - end, "/Value") != 0)
			continue;
		snprintf(array, sizeof(array), "%.*s/", (int)(length - end - strlen(PREFIX)),
			 name + strlen(PREFIX));
		for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++)
			find(array, names[n]);
	}
}

#define OPEN(name, known)    open_robot(name, known, sizeof(known) / sizeof((known)[0]))
#define VALUES(known)	     check_values(known, sizeof(known) / sizeof((known)[0]))
#define ACTUATORS(names)     check_actuators(names, sizeof(names) / sizeof((names)[0]))

static void darwin_op_has_a_controller_and_feet(void **state)
{
	(void)state;
	OPEN("darwin-op", darwin);
	VALUES(darwin);
	ACTUATORS(darwin_lights);
	ACTUATORS(supply);
	check_supply("CM-730");
	check_described();
}

static void op3_has_a_controller(void **state)
{
	(void)state;
	OPEN("op3", op3);
	VALUES(op3);
	ACTUATORS(op3_lights);
	ACTUATORS(buzzer);
	ACTUATORS(supply);
	check_supply("OpenCR");
	check_described();
}

static void bioloid_premium_has_a_controller(void **state)
{
	(void)state;
	OPEN("bioloid-premium", bioloid);
	VALUES(bioloid);
	ACTUATORS(bioloid_lights);
	ACTUATORS(buzzer);
	check_described();
}

static void it_may_have_an_accelerometer_instead(void **state)
{
	struct naohw_key *none;

	(void)state;
	OPEN("bioloid-premium-accel", bioloid_accel);
	VALUES(bioloid_accel);
	ACTUATORS(bioloid_lights);
	ACTUATORS(buzzer);
	check_described();
	assert_int_equal(naohw_robot_find_key(robot, PREFIX "InertialSensor/GyrX/Sensor/Value",
					      &none),
			 -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(darwin_op_has_a_controller_and_feet, teardown),
		cmocka_unit_test_teardown(op3_has_a_controller, teardown),
		cmocka_unit_test_teardown(bioloid_premium_has_a_controller, teardown),
		cmocka_unit_test_teardown(it_may_have_an_accelerometer_instead, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
