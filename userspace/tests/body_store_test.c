// SPDX-License-Identifier: LGPL-2.1-or-later
/* Two copies in a board's memory, of which one is whole whatever happens. */
#include "support.h"

#include <endian.h>
#include <unistd.h>

#include <zlib.h>

#include "description/content.h"
#include "robot/body_store.h"
#include "robot_files.h"
#include "testbed.h"

#define SIZE   8368
#define A      176
#define B      (A + BODY_COPY)
#define PAGE   32
#define HEADER 20
#define GENERATION 8
#define CRC 16

static const char *nvmem;

/* --- power that is cut, and a bus that streams --- */

static int pages_left = -1; /* which are written whole; -1: all */
static int failure;	    /* of each read and write; 0: none */
static bool is_worn;	    /* what is written is well received, and that is all */

ssize_t __real_pwrite64(int fd, const void *data, size_t size, off_t at);
ssize_t __wrap_pwrite64(int fd, const void *data, size_t size, off_t at);
ssize_t __real_pread64(int fd, void *data, size_t size, off_t at);
ssize_t __wrap_pread64(int fd, void *data, size_t size, off_t at);

static ssize_t fail_with(int code)
{
	errno = code;
	return -1;
}

/* A page at a time; that in which the power goes is neither the old one nor the new one. */
ssize_t __wrap_pwrite64(int fd, const void *data, size_t size, off_t at)
{
	const char *bytes = data;
	size_t done = 0;

	if (is_worn)
		return (ssize_t)size;
	while (!failure && pages_left && done < size) {
		size_t length = size - done < PAGE ? size - done : PAGE;

		assert_int_equal((at + (off_t)done - A) % PAGE, 0);
		assert_int_equal(__real_pwrite64(fd, bytes + done, length, at + (off_t)done),
				 length);
		done += length;
		if (pages_left > 0)
			pages_left--;
	}
	if (failure)
		return fail_with(failure);
	if (done == size)
		return (ssize_t)size;
	__real_pwrite64(fd, bytes + done, size - done < PAGE / 2 ? size - done : PAGE / 2,
		      at + (off_t)done);
	return fail_with(EIO);
}

ssize_t __wrap_pread64(int fd, void *data, size_t size, off_t at)
{
	return failure ? fail_with(failure) : __real_pread64(fd, data, size, at);
}

/* --- the board --- */

static void clear(size_t size)
{
	char zeros[SIZE] = { 0 };

	testbed_write(nvmem, "nvmem", zeros, size);
}

static int setup(void **state)
{
	const char *const attributes[] = { "label", "ChestBoard\n", NULL };
	const char *const none[] = { NULL };
	char zeros[BODY_COPY] = { 0 };
	const char *board;

	if (testbed_begin(state) < 0 || robot_files_setup(state) < 0)
		return -1;
	pages_left = -1;
	failure = 0;
	is_worn = false;
	board = testbed_add("dxl", "0-200", NULL, none, NULL);
	testbed_add("iio", "iio:device0", board, attributes, NULL);
	nvmem = testbed_add("nvmem", "0-200", board, none, NULL);
	clear(SIZE);
	testbed_write(nvmem, "cells/body-a@b0,0", zeros, BODY_COPY);
	testbed_write(nvmem, "cells/body-b@10b0,0", zeros, BODY_COPY);
	return 0;
}

static int teardown(void **state)
{
	robot_files_teardown(state);
	return testbed_end(state);
}

static FILE *open_memory(void)
{
	FILE *file = fopen(testbed_file(nvmem, "nvmem"), "r+");

	assert_non_null(file);
	return file;
}

static void peek(long at, void *data, size_t size)
{
	FILE *file = open_memory();

	assert_int_equal(fseek(file, at, SEEK_SET), 0);
	assert_int_equal(fread(data, 1, size, file), size);
	fclose(file);
}

static void poke(long at, const void *data, size_t size)
{
	FILE *file = open_memory();

	assert_int_equal(fseek(file, at, SEEK_SET), 0);
	assert_int_equal(fwrite(data, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

static int save(const char *text, struct naohw_error *err)
{
	const struct content content = { .data = (char *)text, .size = strlen(text) };

	return body_store.write("ChestBoard", "body", &content, err);
}

static void save_well(const char *text)
{
	struct naohw_error err;

	if (save(text, &err) < 0)
		fail_msg("%s", err.message);
}

/* Which copy holds, and is that its text? */
static void check(int which, const char *text)
{
	struct content content;

	assert_int_equal(body_store.read("ChestBoard", "body", &content), which);
	assert_int_equal(content.size, strlen(text));
	assert_memory_equal(content.data, text, content.size);
	content_free(&content);
}

static void check_none(int code)
{
	struct content content;

	assert_int_equal(body_store.read("ChestBoard", "body", &content), code);
}

/* Of both copies, and of which generation is the one that holds? */
static void check_all(int code, uint32_t generation)
{
	uint32_t found = 0;

	assert_int_equal(body_store.check("ChestBoard", "body", &found), code);
	assert_int_equal(found, generation);
}

/* Text that cannot be packed to much less than three quarters, as six bits of eight are any. */
static const char *noise(size_t size, unsigned int seed)
{
	static char text[2][8192];
	char *at = text[seed % 2];

	for (size_t i = 0; i < size; i++) {
		seed = seed * 1103515245 + 12345;
		at[i] = (char)(' ' + (seed >> 16) % 64);
	}
	at[size] = '\0';
	return at;
}

static void copies_take_turns(void **state)
{
	(void)state;
	check_none(-ENODATA);
	save_well("one");
	check(0, "one");
	save_well("two");
	check(1, "two");
	save_well("");
	check(0, "");
	save_well("three");
	check(1, "three");
}

/* With what another program may have written, too. */
static void a_copy_is_as_documented(void **state)
{
	unsigned char expected[] = "NAOB\1\0\1\0\0\0\0\0\0\0\0\0";
	unsigned char copy[BODY_COPY];
	uLongf size = BODY_COPY;
	uint32_t length, crc;
	char text[8];

	(void)state;
	save_well("text");
	peek(A, copy, sizeof(copy));
	memcpy(&length, copy + 12, sizeof(length));
	memcpy(&crc, copy + CRC, sizeof(crc));
	memcpy(expected + 12, &length, sizeof(length));
	assert_memory_equal(copy, expected, 16);
	length = le32toh(length);
	assert_int_equal(le32toh(crc), crc32(crc32(0, copy, 16), copy + HEADER, length));
	size = sizeof(text);
	assert_int_equal(uncompress((Bytef *)text, &size, copy + HEADER, length), Z_OK);
	assert_memory_equal(text, "text", size);
}

static void set_generation(long copy, uint32_t generation)
{
	unsigned char bytes[BODY_COPY];
	uint32_t length, crc;

	peek(copy, bytes, sizeof(bytes));
	memcpy(&length, bytes + 12, sizeof(length));
	generation = htole32(generation);
	memcpy(bytes + GENERATION, &generation, sizeof(generation));
	crc = htole32((uint32_t)crc32(crc32(0, bytes, 16), bytes + HEADER, le32toh(length)));
	memcpy(bytes + CRC, &crc, sizeof(crc));
	poke(copy, bytes, sizeof(bytes));
}

static void generations_go_round(void **state)
{
	(void)state;
	save_well("old");
	save_well("new");
	set_generation(A, 0xfffffffe);
	set_generation(B, 0xffffffff);
	check(1, "new");
	save_well("newer");
	check(0, "newer");
	save_well("newest");
	check(1, "newest");
}

static void a_cut_anywhere_leaves_the_other_copy(void **state)
{
	const char *old = noise(5000, 1), *new = noise(5000, 2);
	int cuts = 0;

	(void)state;
	save_well("oldest");
	save_well(old);
	for (pages_left = 0;; pages_left = ++cuts) {
		if (save(new, NULL) == 0)
			break;
		check(1, old);
	}
	assert_int_equal(cuts > 115, 1);
	check(0, new);
	for (pages_left = cuts = 0;; pages_left = ++cuts) {
		if (save(old, NULL) == 0)
			break;
		check(0, new);
	}
	check(1, old);
}

static void each_broken_byte_is_seen(void **state)
{
	unsigned char byte;
	uint32_t length;

	(void)state;
	save_well("old");
	save_well("a newer one");
	peek(B + 12, &length, sizeof(length));
	for (long at = B; at < B + HEADER + (long)le32toh(length); at++) {
		peek(at, &byte, 1);
		byte ^= 0x10;
		poke(at, &byte, 1);
		check(0, "old");
		byte ^= 0x10;
		poke(at, &byte, 1);
	}
	check(1, "a newer one");
}

static void both_may_be_broken(void **state)
{
	(void)state;
	save_well("old");
	save_well("new");
	poke(A + HEADER, "", 1);
	poke(B + CRC, "\1\2\3", 4);
	check_none(-EUCLEAN);
	save_well("a new beginning");
	check_all(0, 1);
	check(1, "a new beginning");
	save_well("and the next");
	check(0, "and the next");
}

/* ---- All of it, for who wants to know whether that is well ---- */

static void a_copy_that_does_not_hold_is_seen_to(void **state)
{
	(void)state;
	check_all(-ENODATA, 0);
	save_well("old");
	check_all(0, 0);
	save_well("new");
	check_all(0, 1);
	poke(A + HEADER, "", 1);
	check_all(1, 1);
	poke(A, "", 1);
	check_all(1, 1);
	save_well("newer");
	check_all(0, 2);
	poke(A + CRC, "\1\2\3", 4);
	check_all(1, 1);
	poke(B + HEADER, "", 1);
	check_all(-EUCLEAN, 0);
	failure = ETIMEDOUT;
	check_all(-ETIMEDOUT, 0);
}

static void a_cut_is_seen_until_it_is_mended(void **state)
{
	const char *text = noise(5000, 1);

	(void)state;
	save_well(noise(5000, 2));
	pages_left = 2;
	assert_int_equal(save(text, NULL), -EIO);
	check_all(0, 0); /* without its header yet, and so nothing */
	pages_left = -1;
	save_well("new");
	pages_left = 2;
	assert_int_equal(save(text, NULL), -EIO);
	check_all(1, 1);
	pages_left = -1;
	save_well(text);
	check_all(0, 2);
}

/* Erased memory is all ones. */
static void ones_are_nothing_either(void **state)
{
	char ones[2 * BODY_COPY];

	(void)state;
	memset(ones, 0xff, sizeof(ones));
	poke(A, ones, sizeof(ones));
	check_none(-ENODATA);
	save_well("text");
	check_all(0, 0);
}

/* ---- Robots that are opened with it ---- */

#define TEXT(name, value) \
	"<Preference memoryName=\"" name "\" type=\"string\" value=\"" value "\"/>\n"
#define ROBOT TEXT(LIST "Head/Sensor/Channel", "in_angl0")
#define STORE TEXT("Device/DeviceList/ChestBoard/BodyStore", "body")

static int robot_body(struct naohw_error *err)
{
	struct naohw_robot *robot;
	int ret;

	if (naohw_robot_open(robot_directory(), "local:", &robot, err) < 0)
		fail_msg("%s", err->message);
	ret = naohw_robot_body(robot, err);
	naohw_robot_close(robot);
	return ret;
}

static int preferences_body(struct naohw_error *err)
{
	struct naohw_preferences *preferences;
	uint32_t generation;
	int ret;

	if (naohw_preferences_load(robot_directory(), &preferences, err) < 0)
		fail_msg("%s", err->message);
	ret = naohw_preferences_body(preferences, &generation, err);
	naohw_preferences_free(preferences);
	return ret;
}

static void check_robot(int code, const char *says)
{
	struct naohw_error err = { "" };

	assert_int_equal(robot_body(&err), code);
	assert_says(&err, says);
	*err.message = '\0';
	assert_int_equal(preferences_body(&err), code);
	assert_says(&err, says);
}

static void a_robot_tells_of_its_body(void **state)
{
	(void)state;
	robot_file("Device.xml", FILE_OF(ROBOT STORE));
	check_robot(-ENODATA, "ChestBoard:body: keeps nothing yet");
	save_well(FILE_OF(""));
	check_robot(0, "");
	failure = EBUSY;
	check_robot(-EBUSY, "ChestBoard:body: another program streams");
	failure = EACCES;
	check_robot(-EACCES, "ChestBoard:body: only root and the group \"robot\" may");
	failure = 0;
	poke(A + HEADER, "", 1);
	check_robot(-EUCLEAN, "ChestBoard:body: neither of its copies is whole");
	check_robot(-EUCLEAN, "there is no ");
	robot_file("Device_Body.xml", FILE_OF(""));
	check_robot(-EUCLEAN, "Device_Body.xml holds; if that is this body's, "
			      "\"naohw pref --restore\"");
	assert_int_equal(naohw_preferences_restore(robot_directory(), NULL), 0);
	check_robot(0, "");
}

static void what_the_board_says_is_of_bodys_layer(void **state)
{
	struct naohw_preferences *preferences;
	size_t index;

	(void)state;
	robot_file("Device.xml", FILE_OF(ROBOT STORE));
	save_well(FILE_OF(TEXT("RobotConfig/Body/Version", "4.0")));
	assert_int_equal(naohw_preferences_load(robot_directory(), &preferences, NULL), 0);
	assert_int_equal(naohw_preferences_find(preferences, "RobotConfig/Body/Version", &index,
						NULL),
			 0);
	assert_int_equal(naohw_preferences_layer(preferences, index), NAOHW_LAYER_BODY);
	naohw_preferences_free(preferences);
}

static void a_robot_may_have_none(void **state)
{
	(void)state;
	robot_file("Device.xml", FILE_OF(ROBOT));
	check_robot(-ENODEV, "Device.xml: names no BodyStore");
	robot_file("Device.xml",
		   FILE_OF(ROBOT TEXT("Device/DeviceList/Belly/BodyStore", "body")));
	check_robot(-ENODEV, "Belly:body: no such board here");
}

static void what_is_too_big_is_not_begun(void **state)
{
	struct naohw_error err;

	(void)state;
	save_well("old");
	save_well("new");
	assert_int_equal(save(noise(6000, 1), &err), -EFBIG);
	assert_says(&err, "ChestBoard:body: 6000 bytes of text, expected no more than packed are "
			  "4076");
	check(1, "new");
	save_well("other");
	check(0, "other");
}

/* However small it is packed: it could not be read again. */
static void so_is_what_is_too_long(void **state)
{
	char *text = malloc(BODY_TEXT + 2);

	(void)state;
	assert_non_null(text);
	memset(text, ' ', BODY_TEXT + 1);
	text[BODY_TEXT + 1] = '\0';
	save_well("old");
	assert_int_equal(save(text, NULL), -EFBIG);
	check(0, "old");
	text[BODY_TEXT] = '\0';
	save_well(text);
	check(1, text);
	free(text);
}

static void what_was_written_is_there(void **state)
{
	struct naohw_error err;

	(void)state;
	save_well("old");
	is_worn = true;
	assert_int_equal(save("new", &err), -EIO);
	assert_says(&err, "ChestBoard:body: ");
	check(0, "old");
}

static void a_stream_comes_first(void **state)
{
	struct naohw_error err;

	(void)state;
	save_well("text");
	failure = EBUSY;
	check_none(-EBUSY);
	assert_int_equal(save("other", &err), -EBUSY);
	assert_says(&err, "ChestBoard:body: another program reads frames of its bus");
	failure = 0;
	check(0, "text");
}

static void older_kernels_do_not_tell_where(void **state)
{
	(void)state;
	save_well("text");
	assert_int_equal(unlink(testbed_file(nvmem, "cells/body-a@b0,0")), 0);
	check_none(-ENODEV);
	assert_int_equal(unlink(testbed_file(nvmem, "cells/body-b@10b0,0")), 0);
	assert_int_equal(rmdir(testbed_file(nvmem, "cells")), 0);
	check(0, "text");
	save_well("other");
	check(1, "other");
	clear(176);
	check_none(-ENODEV);
}

static void there_may_be_no_board(void **state)
{
	const struct content content = { 0 };
	struct naohw_error err;
	struct content read;

	(void)state;
	assert_int_equal(body_store.read("Chest", "body", &read), -ENODEV);
	assert_int_equal(body_store.read("ChestBoard", "soul", &read), -ENODEV);
	assert_int_equal(body_store.write("Chest", "body", &content, &err), -ENODEV);
	assert_says(&err, "Chest:body: no such board here");
}

static void only_this_machine_is_looked_at(void **state)
{
	(void)state;
	assert_ptr_equal(body_places(NULL).body, &body_store);
	assert_ptr_equal(body_places("local:").body, &body_store);
	assert_null(body_places("ip:nao").body);
	assert_null(body_places("xml:local:").body);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(copies_take_turns),
		TEST(a_copy_is_as_documented),
		TEST(generations_go_round),
		TEST(a_cut_anywhere_leaves_the_other_copy),
		TEST(each_broken_byte_is_seen),
		TEST(both_may_be_broken),
		TEST(a_copy_that_does_not_hold_is_seen_to),
		TEST(a_cut_is_seen_until_it_is_mended),
		TEST(ones_are_nothing_either),
		TEST(a_robot_tells_of_its_body),
		TEST(what_the_board_says_is_of_bodys_layer),
		TEST(a_robot_may_have_none),
		TEST(what_is_too_big_is_not_begun),
		TEST(so_is_what_is_too_long),
		TEST(what_was_written_is_there),
		TEST(a_stream_comes_first),
		TEST(older_kernels_do_not_tell_where),
		TEST(there_may_be_no_board),
		TEST(only_this_machine_is_looked_at),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
