// SPDX-License-Identifier: LGPL-2.1-or-later
/* What a board keeps and counts is keys: its memory, which can be written, and its files. */
#include "support.h"

#include "robot/robot.h"
#include "robot_keys.h"
#include "testbed.h"

#define DEVICE	"Device/DeviceList/Chest/"
#define FACE	"Device/DeviceList/Face"
#define MEMORY	48
#define ID_SIZE 24

#define STRING(name, value) "<Preference name='" name "' type='string' value='" value "'/>"
#define FLOAT(name, value)  "<Preference name='" name "' type='float' value='" value "'/>"
#define LED(name, light)                                                                      \
	"<Preference memoryName='Device/SubDeviceList/" name "/Actuator' type='array'>"       \
	STRING("Label", "FaceBoard") FLOAT("Min", "0") FLOAT("Max", "1") STRING("Light", light) \
	"</Preference>"
#define PROPERTY(name, body) "<Preference name='" name "' type='array'>" body "</Preference>"

static const char *const description =
	"<ModulePreference name='test@Device'>"
	"<Preference name='Chest' memoryName='Device/DeviceList/Chest' type='array'>"
	STRING("Label", "ChestBoard")
	PROPERTY("BodyId", STRING("Memory", "body-id"))
	PROPERTY("BodyNickName", STRING("Memory", "nick-name"))
	PROPERTY("ProgVersion", STRING("File", "firmware_version") STRING("KeyType", "int"))
	PROPERTY("State", STRING("File", "state") STRING("KeyType", "string"))
	PROPERTY("Acks", STRING("File", "statistics/ack") STRING("KeyType", "int"))
	PROPERTY("Above", STRING("File", "../0-200/state") STRING("KeyType", "string"))
	PROPERTY("Bare", STRING("File", "/proc/version") STRING("KeyType", "string"))
	"</Preference>"
	"<Preference name='Face' memoryName='" FACE "' type='array'>"
	STRING("Label", "FaceBoard")
	PROPERTY("State", STRING("File", "state") STRING("KeyType", "string"))
	"</Preference>" LED("Led/Left", "left-0deg") LED("Led/None", "left-90deg")
	"</ModulePreference>";

static const char *nvmem;

static void add_board(void)
{
	const char *const files[] = { "firmware_version", "2\n", "state", "present\n", NULL };
	const char *const light[] = { "brightness", "0\n", NULL };
	const char *const label[] = { "label", "ChestBoard\n", NULL };
	const char *const none[] = { NULL };
	const char *board = testbed_add("dxl", "0-200", NULL, files, NULL);
	char whole[MEMORY + 1] = "P0000073A07S94700012";

	testbed_put(board, "statistics/ack", "4711\n");
	testbed_add("iio", "iio:device7", board, label, NULL);
	testbed_add("leds", "ChestBoard:rgb:chest", board, light, NULL);
	strcpy(whole + ID_SIZE, "Nao7");
	nvmem = testbed_add("nvmem", "0-200", board, none, NULL);
	testbed_write(nvmem, "nvmem", whole, MEMORY);
	testbed_write(nvmem, "cells/body-id@0,0", whole, ID_SIZE);
	testbed_write(nvmem, "cells/nick-name@18,0", whole + ID_SIZE, ID_SIZE);
}

/* It senses nothing. */
static void add_face(void)
{
	const char *const files[] = { "state", "lost\n", NULL };
	const char *const light[] = { "brightness", "0\n", "max_brightness", "15\n", NULL };
	const char *board = testbed_add("dxl", "0-201", NULL, files, NULL);

	testbed_add("leds", "FaceBoard:red:left-0deg", board, light, NULL);
	testbed_add("leds", "FaceBoard:red:left-45deg", board, light, NULL);
}

/* Another one */
static void add_board_with(const char *name, const char *shown)
{
	const char *const files[] = { "state", "ready\n", NULL };
	const char *const light[] = { "brightness", "0\n", NULL };
	const char *board = testbed_add("dxl", name, NULL, files, NULL);

	testbed_add("leds", shown, board, light, NULL);
}

static void open_robot(const char *uri)
{
	struct naohw_error err;

	naohw_robot_close(robot);
	robot = NULL;
	if (naohw_robot_open(temp_text(description), uri, &robot, &err) < 0)
		fail_msg("%s", err.message);
}

static int setup(void **state)
{
	if (testbed_begin(state) < 0)
		return -1;
	add_board();
	add_face();
	open_robot("local:");
	return 0;
}

static int teardown(void **state)
{
	naohw_robot_close(robot);
	robot = NULL;
	return testbed_end(state);
}

/* ---- the memory ---- */

static void what_a_board_keeps_is_written_as_text(void **state)
{
	struct naohw_error err;

	(void)state;
	check_text(DEVICE "BodyNickName", "Nao7");
	assert_int_equal(naohw_key_is_writable(key(DEVICE "BodyNickName")), 1);
	assert_int_equal(naohw_key_write_string(key(DEVICE "BodyNickName"), "Eve", &err), 0);
	assert_string_equal(testbed_get(nvmem, "nvmem"), "P0000073A07S94700012");
	assert_string_equal(testbed_get(nvmem, "nvmem") + ID_SIZE, "Eve");
	assert_int_equal(naohw_key_write_string(key(DEVICE "BodyId"), "", &err), 0);
	assert_string_equal(testbed_get(nvmem, "nvmem"), "");
}

static void what_it_cannot_keep_is_refused(void **state)
{
	struct naohw_key *name = key(DEVICE "BodyNickName");
	struct naohw_error err;

	(void)state;
	assert_int_equal(naohw_key_write_string(name, "abcdefghijklmnopqrstuvwxy", &err),
			 -EMSGSIZE);
	assert_says(&err, DEVICE "BodyNickName: a text of 25 bytes, expected 24 at the most");
	assert_int_equal(naohw_key_write_string(name, "two\nlines", &err), -EINVAL);
	assert_says(&err, "in UTF-8 without control characters");
	assert_int_equal(naohw_key_write_string(name, "Nao\xff", &err), -EINVAL);
	assert_says(&err, "in UTF-8 without control characters");
	assert_int_equal(naohw_key_write(name, 7, &err), -EINVAL);
	assert_says(&err, "is a string");
	assert_string_equal(testbed_get(nvmem, "nvmem") + ID_SIZE, "Nao7");
}

/* What nobody has written yet may be anything, and is to be shown on a terminal, and as JSON. */
static void what_is_no_text_is_shown_all_the_same(void **state)
{
	char whole[MEMORY] = "";

	(void)state;
	strcpy(whole + ID_SIZE, "Nao\xff\x1b[2J");
	testbed_write(nvmem, "nvmem", whole, MEMORY);
	check_text(DEVICE "BodyNickName", "Nao??[2J");
}

/* ---- files ---- */

static void its_files_are_keys(void **state)
{
	struct naohw_error err;

	(void)state;
	check_text(DEVICE "ProgVersion", "2");
	check_text(DEVICE "State", "present");
	check_text(DEVICE "Acks", "4711");
	check_text(DEVICE "Ack", "4711");
	assert_int_equal(naohw_key_is_writable(key(DEVICE "State")), 0);
	assert_int_equal(naohw_key_write_string(key(DEVICE "State"), "gone", &err), -EACCES);
	assert_says(&err, DEVICE "State: is what is measured; only the Value of an actuator");
	assert_int_equal(naohw_key_write_string(key(DEVICE "ProgVersion"), "3", &err), -EACCES);
	assert_says(&err, DEVICE "ProgVersion: is what is told of the device");
}

static void a_board_is_found_by_its_lights(void **state)
{
	(void)state;
	add_board_with("0-202", "FaceBoards:red:left-0deg");
	check_text(FACE "/State", "lost");
}

static void of_two_boards_with_one_label_none_is_taken(void **state)
{
	struct naohw_error err;
	char text[64];

	(void)state;
	add_board_with("0-202", "FaceBoard:red:right-0deg");
	assert_int_equal(naohw_key_read_string(key(FACE "/State"), text, sizeof(text), &err),
			 -ENOTUNIQ);
}

static void a_file_elsewhere_is_none_of_its(void **state)
{
	struct naohw_error err;
	char text[64];

	(void)state;
	assert_int_equal(naohw_key_read_string(key(DEVICE "Above"), text, sizeof(text), &err),
			 -EINVAL);
	assert_int_equal(naohw_key_read_string(key(DEVICE "Bare"), text, sizeof(text), &err),
			 -EINVAL);
}

static void over_the_network_there_are_none(void **state)
{
	static const char *const elsewhere =
		"<?xml version='1.0'?><!DOCTYPE context []>\n"
		"<context name='network' description='elsewhere'></context>\n";
	struct naohw_error err;
	char text[64], uri[512];

	(void)state;
	testbed_put(nvmem, "elsewhere.xml", elsewhere);
	snprintf(uri, sizeof(uri), "xml:%s", testbed_file(nvmem, "elsewhere.xml"));
	open_robot(uri);
	assert_int_equal(naohw_key_read_string(key(DEVICE "State"), text, sizeof(text), &err),
			 -ENODEV);
	assert_says(&err, "State: only on the robot itself");
}

static unsigned int levels_of(const char *name)
{
	return source_light_levels(key(name)->value_of);
}

static void a_light_has_levels(void **state)
{
	(void)state;
	assert_int_equal(levels_of("Device/SubDeviceList/Led/Left/Actuator/Value"), 15);
	assert_int_equal(levels_of("Device/SubDeviceList/Led/None/Actuator/Value"), 0);
	assert_int_equal(levels_of(FACE "/State"), 0);
}

#define BOARD_KEY_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOARD_KEY_TEST(what_a_board_keeps_is_written_as_text),
		BOARD_KEY_TEST(what_it_cannot_keep_is_refused),
		BOARD_KEY_TEST(what_is_no_text_is_shown_all_the_same),
		BOARD_KEY_TEST(its_files_are_keys),
		BOARD_KEY_TEST(a_board_is_found_by_its_lights),
		BOARD_KEY_TEST(of_two_boards_with_one_label_none_is_taken),
		BOARD_KEY_TEST(a_file_elsewhere_is_none_of_its),
		BOARD_KEY_TEST(a_light_has_levels),
		BOARD_KEY_TEST(over_the_network_there_are_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
