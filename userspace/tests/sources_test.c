// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What a store has that is of no servo: a board's values and bits in frames, what is reckoned from
 * them, and what a thread of its own reads.
 */
#include "support.h"

#include <time.h>
#include <unistd.h>

#include "fake_iio.h"

#define FOOT	 "Device/SubDeviceList/LFoot/"
#define PART_AT	 8 /* behind the timestamp */
#define PARTS	 3
#define SIZE	 16
#define PATIENCE 10000 /* ms */

#define STRING(name, value) "<Preference name='" name "' type='string' value='" value "'/>"
#define FLOAT(name, value)  "<Preference name='" name "' type='float' value='" value "'/>"
#define SENSOR(name, more)                                                                 \
	"<Preference name='" name "' type='array'><Preference name='Sensor' type='array'>" \
	more "</Preference></Preference>"

#define PROPERTY(name, type, more) \
	"<Preference name='" name "' type='array'>" STRING("KeyType", type) more "</Preference>"

static const char *const description =
	"<ModulePreference name='test@Device'>"
	"<Preference name='SubDeviceList' memoryName='Device/SubDeviceList' type='array'>"
	"<Preference name='LFoot' type='array'>"
	SENSOR("Left", STRING("Channel", "fsr1") FLOAT("Gain", "0.1") FLOAT("XPosition", "0.07")
	       PROPERTY("Tens", "int", STRING("Channel", "fsr1") FLOAT("Gain", "0.1"))
	       PROPERTY("Is", "bool", STRING("Channel", "fsr1") FLOAT("Gain", "0.001"))
	       PROPERTY("Mode", "int", STRING("Attribute", "sonar_mode")))
	SENSOR("Right", STRING("Channel", "fsr2") FLOAT("Gain", "0.1") FLOAT("XPosition", "-0.03"))
	SENSOR("Weight", STRING("Formula", "sum") STRING("Of", "LFoot/Left LFoot/Right"))
	SENSOR("Centre", STRING("Formula", "centre-x") STRING("Of", "LFoot/Left LFoot/Right"))
	SENSOR("Bumper", STRING("Channel", "buttons") "<Preference name='Bit' type='int' value='1'/>")
	SENSOR("Any", STRING("Formula", "any") STRING("Of", "LFoot/Bumper LFoot/Left"))
	SENSOR("Mended", STRING("Channel", "fsr1") FLOAT("Gain", "50") FLOAT("Offset", "0.001")
	       "<Preference name='Inverse' type='bool' value='true'/>")
	SENSOR("Mode", STRING("Attribute", "sonar_mode"))
	SENSOR("Beside", STRING("Channel", "in_count9"))
	SENSOR("Press", STRING("Event", "BTN_START"))
	"</Preference></Preference></ModulePreference>";

static const char *const parts[PARTS] = { "fsr1", "fsr2", "buttons" };

static struct naohw_robot *robot;
static struct naohw_frame *frame;
static struct naohw_store *store;
static int64_t frame_time;

static int setup(void **state)
{
	struct naohw_error err;

	(void)state;
	fake_reset();
	fake_state(0, NULL, 0, 100);
	fake_board(0, 112, "LFoot", parts, PARTS);
	fake_device_set("LFoot", "sonar_mode", "4\n");
	fake_set("LFoot", "in_count9_raw", "5");
	if (naohw_robot_open(temp_text(description), NULL, &robot, &err) < 0 ||
	    naohw_frame_open(robot, NULL, &frame, &err) < 0 ||
	    naohw_store_open(robot, frame, &store, &err) < 0)
		fail_msg("%s", err.message);
	frame_time = 1000000000;
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

/* What the foot says, and how many frames ago it did */
static void give(unsigned int left, unsigned int right, unsigned int buttons, unsigned char age,
		 unsigned char alarm)
{
	const unsigned int values[PARTS] = { left, right, buttons };
	unsigned char bytes[SIZE] = { 0 };

	frame_time += 10000000;
	memcpy(bytes, &frame_time, sizeof(frame_time));
	for (unsigned int i = 0; i < PARTS; i++) {
		bytes[PART_AT + 2 * i] = (unsigned char)values[i];
		bytes[PART_AT + 2 * i + 1] = (unsigned char)(values[i] >> 8);
	}
	bytes[PART_AT + 2 * PARTS] = age;
	bytes[PART_AT + 2 * PARTS + 1] = alarm;
	fake_frame(0, bytes, sizeof(bytes));
	assert_int_equal(naohw_frame_read(frame, NULL), 0);
	assert_int_equal(naohw_store_publish(store), 0);
}

static struct naohw_value value_of(const char *name)
{
	struct naohw_value value;
	size_t slot;

	assert_int_equal(naohw_store_find(store, name, &slot), 0);
	assert_int_equal(naohw_store_read(store, slot, &value), 0);
	return value;
}

static void check(const char *name, double number, enum naohw_state state, int64_t time)
{
	struct naohw_value value = value_of(name);

	assert_near(value.number, number, 1e-9);
	assert_int_equal(value.state, state);
	assert_int_equal(value.time, time);
}

static bool becomes(const char *name, enum naohw_state state, double number)
{
	const struct timespec pause = { .tv_nsec = 10 * 1000000 };
	struct naohw_value value;

	for (unsigned int ms = 0; ms < PATIENCE; ms += 10) {
		assert_int_equal(naohw_store_publish(store), 0);
		value = value_of(name);
		if (value.state == state && !(fabs(value.number - number) > 1e-9))
			return true;
		nanosleep(&pause, NULL);
	}
	return false;
}

static void a_board_is_in_frames_by_its_labels(void **state)
{
	(void)state;
	assert_int_equal(naohw_robot_joint_count(robot), 0);
	assert_int_equal(naohw_frame_channel_count(frame), 0);
	give(120, 80, 0, 0, 0);
	check(FOOT "Left/Sensor/Value", 12, NAOHW_STATE_FRESH, frame_time);
	check(FOOT "Right/Sensor/Value", 8, NAOHW_STATE_FRESH, frame_time);
}

static void a_property_is_whole_in_frames(void **state)
{
	(void)state;
	give(126, 80, 0, 0, 0);
	check(FOOT "Left/Sensor/Tens", 13, NAOHW_STATE_FRESH, frame_time);
	assert_int_equal(value_of(FOOT "Left/Sensor/Tens").integer, 13);
	check(FOOT "Left/Sensor/Is", 1, NAOHW_STATE_FRESH, frame_time);
	assert_int_equal(value_of(FOOT "Left/Sensor/Is").integer, 1);
	give(0, 80, 0, 0, 0);
	check(FOOT "Left/Sensor/Is", 0, NAOHW_STATE_FRESH, frame_time);
	assert_true(becomes(FOOT "Left/Sensor/Mode", NAOHW_STATE_FRESH, 4));
	assert_int_equal(value_of(FOOT "Left/Sensor/Mode").integer, 4);
}

/* [fsr-3] */
static void an_inverse_is_one_in_frames(void **state)
{
	(void)state;
	give(120, 80, 0, 0, 0);
	check(FOOT "Mended/Sensor/Value", (1 / 120.0 - 0.001) * 50, NAOHW_STATE_FRESH, frame_time);
	give(0, 80, 0, 0, 0);
	check(FOOT "Mended/Sensor/Value", 0, NAOHW_STATE_FRESH, frame_time);
}

static void a_bit_is_told_from_its_neighbours(void **state)
{
	(void)state;
	give(0, 0, 1 << 1, 0, 0);
	check(FOOT "Bumper/Sensor/Value", 1, NAOHW_STATE_FRESH, frame_time);
	give(0, 0, 0xfffd, 0, 0);
	check(FOOT "Bumper/Sensor/Value", 0, NAOHW_STATE_FRESH, frame_time);
}

static void formulas_are_of_one_frame(void **state)
{
	(void)state;
	give(120, 80, 0, 0, 0);
	check(FOOT "Weight/Sensor/Value", 20, NAOHW_STATE_FRESH, frame_time);
	check(FOOT "Centre/Sensor/Value", (12 * 0.07 - 8 * 0.03) / 20, NAOHW_STATE_FRESH,
	      frame_time);
	check(FOOT "Any/Sensor/Value", 1, NAOHW_STATE_FRESH, frame_time);
	/* Off the ground */
	give(0, 0, 0, 0, 0);
	check(FOOT "Centre/Sensor/Value", 0, NAOHW_STATE_FRESH, frame_time);
	check(FOOT "Any/Sensor/Value", 0, NAOHW_STATE_FRESH, frame_time);
}

static void a_formula_is_as_good_as_its_parts(void **state)
{
	int64_t last;

	(void)state;
	assert_int_equal(value_of(FOOT "Weight/Sensor/Value").state, NAOHW_STATE_ABSENT);
	give(120, 80, 0, 255, 0);
	assert_int_equal(value_of(FOOT "Weight/Sensor/Value").state, NAOHW_STATE_ABSENT);
	give(120, 80, 0, 0, 4);
	check(FOOT "Weight/Sensor/Value", 20, NAOHW_STATE_FAULTY, frame_time);
	last = frame_time;
	give(120, 80, 0, 1, 0);
	check(FOOT "Weight/Sensor/Value", 20, NAOHW_STATE_STALE, last);
}

/* Without a frame ever. What it is of is asked again and again. */
static void what_no_frame_has_is_read_beside(void **state)
{
	(void)state;
	assert_true(becomes(FOOT "Mode/Sensor/Value", NAOHW_STATE_FRESH, 4));
	assert_true(becomes(FOOT "Beside/Sensor/Value", NAOHW_STATE_FRESH, 5));
	assert_true(value_of(FOOT "Beside/Sensor/Value").time > 0);
	fake_device_set("LFoot", "sonar_mode", "12\n");
	assert_true(becomes(FOOT "Mode/Sensor/Value", NAOHW_STATE_FRESH, 12));
}

static void what_fails_keeps_its_value(void **state)
{
	(void)state;
	assert_true(becomes(FOOT "Beside/Sensor/Value", NAOHW_STATE_FRESH, 5));
	fake_fail("LFoot", "in_count9_raw", -ETIMEDOUT);
	assert_true(becomes(FOOT "Beside/Sensor/Value", NAOHW_STATE_STALE, 5));
	fake_fail("LFoot", "in_count9_raw", -EIO);
	assert_true(becomes(FOOT "Beside/Sensor/Value", NAOHW_STATE_FAULTY, 5));
	fake_fail("LFoot", "in_count9_raw", 0);
	assert_true(becomes(FOOT "Beside/Sensor/Value", NAOHW_STATE_FRESH, 5));
}

/* A board that is away would be asked in vain as long as the store is open. */
static void what_is_gone_is_not_asked_again(void **state)
{
	unsigned int reads;

	(void)state;
	assert_true(becomes(FOOT "Beside/Sensor/Value", NAOHW_STATE_FRESH, 5));
	fake_fail("LFoot", "in_count9_raw", -ENODEV);
	assert_true(becomes(FOOT "Beside/Sensor/Value", NAOHW_STATE_STALE, 5));
	reads = fake_reads("LFoot", "in_count9_raw");
	fake_device_set("LFoot", "sonar_mode", "1\n");
	assert_true(becomes(FOOT "Mode/Sensor/Value", NAOHW_STATE_FRESH, 1));
	assert_int_equal(fake_reads("LFoot", "in_count9_raw"), reads);
}

/* No board of this machine has it. */
static void a_button_that_is_not_there_is_absent(void **state)
{
	struct naohw_key *key;
	struct naohw_error err;
	double value;

	(void)state;
	assert_true(becomes(FOOT "Mode/Sensor/Value", NAOHW_STATE_FRESH, 4));
	assert_int_equal(value_of(FOOT "Press/Sensor/Value").state, NAOHW_STATE_ABSENT);
	assert_int_equal(naohw_robot_find_key(robot, FOOT "Press/Sensor/Value", &key), 0);
	assert_int_equal(naohw_key_read(key, &value, &err), -ENODEV);
	assert_says(&err, FOOT "Press/Sensor: Event \"BTN_START\" of \"LFoot\": not there");
}

static void closing_does_not_wait(void **state)
{
	(void)state;
	/* At once, in the middle of whatever the thread does; what leaks or hangs is seen. */
	for (unsigned int i = 0; i < 50; i++) {
		naohw_store_close(store);
		assert_int_equal(naohw_store_open(robot, frame, &store, NULL), 0);
	}
}

int main(void)
{
#define SOURCES_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
	const struct CMUnitTest tests[] = {
		SOURCES_TEST(a_board_is_in_frames_by_its_labels),
		SOURCES_TEST(a_property_is_whole_in_frames),
		SOURCES_TEST(an_inverse_is_one_in_frames),
		SOURCES_TEST(a_bit_is_told_from_its_neighbours),
		SOURCES_TEST(formulas_are_of_one_frame),
		SOURCES_TEST(a_formula_is_as_good_as_its_parts),
		SOURCES_TEST(what_no_frame_has_is_read_beside),
		SOURCES_TEST(what_fails_keeps_its_value),
		SOURCES_TEST(what_is_gone_is_not_asked_again),
		SOURCES_TEST(a_button_that_is_not_there_is_absent),
		SOURCES_TEST(closing_does_not_wait),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
