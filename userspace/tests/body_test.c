// SPDX-License-Identifier: LGPL-2.1-or-later
/* Body's layer on a board: what it keeps holds, and its file is no more than a copy. */
#include "support.h"

#include <unistd.h>

#include "description/content.h"
#include "description/description.h"
#include "robot_files.h"

#define TEST(test) cmocka_unit_test_setup_teardown(test, setup, robot_files_teardown)
#define BODY	"Device_Body.xml"
#define GAIN	LIST "Head/Position/Sensor/Gain"
#define GAIN_OF(value) FILE_OF(FLOAT("Head/Position/Sensor/Gain", value))
#define STRING(key, value) \
	"<Preference memoryName=\"" key "\" type=\"string\" value=\"" value "\"/>\n"
#define STORE STRING("Device/DeviceList/Chest/BodyStore", "body")

/* ---- A board that is none ---- */

static struct {
	char text[1024]; /* empty: nothing */
	char label[32];	 /* which was asked for */
	int failure;
} board;

static int read_board(const char *label, const char *name, struct content *content)
{
	snprintf(board.label, sizeof(board.label), "%s", label);
	assert_string_equal(name, "body");
	if (board.failure || !*board.text)
		return board.failure ? board.failure : -ENODATA;
	content->data = strdup(board.text);
	content->size = strlen(board.text);
	return 1;
}

static int write_board(const char *label, const char *name, const struct content *content,
		       struct naohw_error *err)
{
	(void)label;
	(void)name;
	(void)err;
	if (board.failure)
		return board.failure;
	snprintf(board.text, sizeof(board.text), "%.*s", (int)content->size, content->data);
	return 0;
}

static const struct body_store store = { .read = read_board, .write = write_board };
static const struct places places = { .robots = "/none", .layers = "/none", .body = &store };

static int setup(void **state)
{
	if (robot_files_setup(state) < 0)
		return -1;
	memset(&board, 0, sizeof(board));
	robot_file("Device.xml", FILE_OF(STORE FLOAT("Head/Position/Sensor/Gain", "1")));
	return 0;
}

/* ---- What is done with it ---- */

/* What a description says, and where: a file's name, or the board's. */
static void check(const char *key, const char *text, const char *where)
{
	struct naohw_error err;
	struct description *d;
	const struct preference *found;

	if (description_load(robot_directory(), &places, &d, &err) < 0)
		fail_msg("%s", err.message);
	found = description_find_key(d, key);
	assert_non_null(found);
	assert_string_equal(found->text, text);
	assert_string_equal(found->path, strchr(where, ':') ? where : robot_path(where));
	description_free(d);
}

static int any(struct description *d, struct naohw_error *err)
{
	(void)d;
	(void)err;
	return 0;
}

static int save(enum layer layer, const char *value, struct naohw_error *err)
{
	const char *const key = GAIN;
	const struct change change = { .layer = layer, .keys = &key, .value = value, .count = 1 };

	return description_save(robot_directory(), &places, &change, any, err);
}

static int restore(struct naohw_error *err)
{
	const struct change change = { .layer = LAYER_BODY, .restore = true };

	return description_save(robot_directory(), &places, &change, any, err);
}

static void the_board_holds(void **state)
{
	(void)state;
	robot_file(BODY, GAIN_OF("2"));
	check(GAIN, "2", BODY);
	strcpy(board.text, GAIN_OF("3"));
	check(GAIN, "3", "Chest:body-b");
	robot_file("Device_Local.xml", GAIN_OF("4"));
	check(GAIN, "4", "Device_Local.xml");
}

static void a_board_that_does_not_tell_is_its_file(void **state)
{
	static const int failures[] = { -ENODEV, -EBUSY, -EACCES, -ETIMEDOUT };

	(void)state;
	robot_file(BODY, GAIN_OF("2"));
	strcpy(board.text, GAIN_OF("3"));
	for (size_t i = 0; i < sizeof(failures) / sizeof(failures[0]); i++) {
		board.failure = failures[i];
		check(GAIN, "2", BODY);
	}
}

static void what_is_wrong_on_it_is_said(void **state)
{
	struct naohw_error err;
	struct description *d;

	(void)state;
	strcpy(board.text, GAIN_OF("x"));
	assert_int_equal(description_load(robot_directory(), &places, &d, &err), -EINVAL);
	assert_says(&err, "Chest:body-b:2: ");
}

static void only_what_is_named_is_asked(void **state)
{
	(void)state;
	strcpy(board.text, GAIN_OF("3"));
	robot_file("Device_Head.xml", FILE_OF(STRING("Device/DeviceList/Chest/Label", "Brust")));
	check(GAIN, "3", "Brust:body-b");
	assert_string_equal(board.label, "Brust");
	robot_file("Device_Head.xml", FILE_OF(STRING("Device/DeviceList/Belly/BodyStore", "body")));
	check(GAIN, "3", "Belly:body-b");
	robot_file("Device_Head.xml", FILE_OF(""));
	robot_file("Device.xml", GAIN_OF("1"));
	check(GAIN, "1", "Device.xml");
}

static void it_is_saved_to_both(void **state)
{
	(void)state;
	assert_int_equal(save(LAYER_BODY, "2", NULL), 0);
	assert_string_equal(robot_text(BODY), board.text);
	check(GAIN, "2", "Chest:body-b");
	board.failure = -ENODEV;
	check(GAIN, "2", BODY);
}

/* This head has been on another body. */
static void what_the_board_keeps_is_changed(void **state)
{
	(void)state;
	robot_file(BODY, GAIN_OF("2"));
	strcpy(board.text, FILE_OF(FLOAT("Head/Position/Sensor/Offset", "0.5")));
	assert_int_equal(save(LAYER_BODY, "3", NULL), 0);
	check(LIST "Head/Position/Sensor/Offset", "0.5", "Chest:body-b");
	check(GAIN, "3", "Chest:body-b");
	assert_string_equal(robot_text(BODY), board.text);
	assert_int_equal(save(LAYER_BODY, NULL, NULL), 0);
	check(GAIN, "1", "Device.xml");
}

static void other_layers_are_not_the_boards(void **state)
{
	(void)state;
	assert_int_equal(save(LAYER_LOCAL, "2", NULL), 0);
	assert_int_equal(save(LAYER_HEAD, "3", NULL), 0);
	assert_string_equal(board.text, "");
}

static void what_the_board_refuses_is_in_no_file(void **state)
{
	struct naohw_error err;

	(void)state;
	board.failure = -EBUSY;
	assert_int_equal(save(LAYER_BODY, "2", &err), -EBUSY);
	assert_says(&err, "while another program streams");
	assert_int_equal(access(robot_path(BODY), F_OK), -1);
	board.failure = -EIO;
	assert_int_equal(save(LAYER_BODY, "2", NULL), -EIO);
	assert_int_equal(access(robot_path(BODY), F_OK), -1);
}

static void without_a_board_the_file_is_saved(void **state)
{
	(void)state;
	board.failure = -ENODEV;
	assert_int_equal(save(LAYER_BODY, "2", NULL), 0);
	check(GAIN, "2", BODY);
}

static void a_file_is_restored(void **state)
{
	struct naohw_error err;

	(void)state;
	assert_int_equal(restore(&err), -ENOENT);
	assert_says(&err, BODY ": No such file");
	robot_file(BODY, GAIN_OF("2"));
	strcpy(board.text, GAIN_OF("3"));
	assert_int_equal(restore(NULL), 0);
	check(GAIN, "2", "Chest:body-b");
	board.failure = -ENODEV;
	assert_int_equal(restore(NULL), -ENODEV);
	robot_file("Device.xml", GAIN_OF("1"));
	assert_int_equal(restore(&err), -ENODEV);
	assert_says(&err, "Device.xml: names no BodyStore");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_board_holds),
		TEST(a_board_that_does_not_tell_is_its_file),
		TEST(what_is_wrong_on_it_is_said),
		TEST(only_what_is_named_is_asked),
		TEST(it_is_saved_to_both),
		TEST(what_the_board_keeps_is_changed),
		TEST(other_layers_are_not_the_boards),
		TEST(what_the_board_refuses_is_in_no_file),
		TEST(without_a_board_the_file_is_saved),
		TEST(a_file_is_restored),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
