// SPDX-License-Identifier: LGPL-2.1-or-later
/* The cells of a board's memory are found by its label, and written where the kernel says. */
#include "support.h"

#include "io/memory.h"
#include "testbed.h"

#define SIZE 176

static const char *board;
static const char *nvmem;

static const char *add_board(const char *name, const char *label)
{
	const char *const attributes[] = { "label", label, NULL };
	const char *const none[] = { NULL };
	const char *path = testbed_add("dxl", name, NULL, none, NULL);

	if (label)
		testbed_add("iio", *name == '0' ? "iio:device0" : "iio:device1", path, attributes,
			    NULL);
	return path;
}

static int setup(void **state)
{
	const char *const none[] = { NULL };
	char whole[SIZE] = "P0000073A07S94700012";

	if (testbed_begin(state) < 0)
		return -1;
	board = add_board("0-200", "ChestBoard\n");
	nvmem = testbed_add("nvmem", "0-200", board, none, NULL);
	strcpy(whole + 24, "Nao7");
	testbed_write(nvmem, "nvmem", whole, SIZE);
	testbed_write(nvmem, "cells/body-id@0,0", whole, 24);
	testbed_write(nvmem, "cells/nick-name@18,0", whole + 24, 24);
	testbed_write(nvmem, "cells/nick@18,4", whole + 24, 1);
	testbed_write(nvmem, "cells/config@30,0.old", whole, 24);
	return 0;
}

static void a_cell_is_text(void **state)
{
	struct memory memory;
	char text[25];

	(void)state;
	assert_int_equal(memory_open(&memory, "ChestBoard"), 0);
	assert_int_equal(memory_read(&memory, "body-id", text, sizeof(text)), 0);
	assert_string_equal(text, "P0000073A07S94700012");
	assert_int_equal(memory_read(&memory, "nick-name", text, 5), 0);
	assert_string_equal(text, "Nao7");
	assert_int_equal(memory_read(&memory, "nick-name", text, 4), -EMSGSIZE);
	memory_close(&memory);
	memory_close(&memory);
}

static void a_full_cell_has_no_nul(void **state)
{
	struct memory memory;
	char text[25];

	(void)state;
	testbed_write(nvmem, "nvmem", "abcdefghijklmnopqrstuvwxNao7", 28);
	assert_int_equal(memory_open(&memory, "ChestBoard"), 0);
	assert_int_equal(memory_read(&memory, "body-id", text, sizeof(text)), 0);
	assert_string_equal(text, "abcdefghijklmnopqrstuvwx");
	assert_int_equal(memory_read(&memory, "body-id", text, 24), -EMSGSIZE);
	memory_close(&memory);
}

static void a_board_is_found_by_label_or_name(void **state)
{
	const char *const none[] = { NULL };
	struct memory memory;

	(void)state;
	testbed_add("nvmem", "1-200", add_board("1-200", NULL), none, NULL);
	assert_int_equal(memory_open(&memory, "1-200"), 0);
	memory_close(&memory);
	assert_int_equal(memory_open(&memory, "1-20"), -ENODEV);
	assert_int_equal(memory.dir, -1);
	assert_int_equal(memory_open(&memory, "Chest"), -ENODEV);
	assert_int_equal(memory_open(&memory, ""), -ENODEV);
}

static void of_two_none_is_taken(void **state)
{
	const char *const none[] = { NULL };
	struct memory memory;

	(void)state;
	testbed_add("nvmem", "1-200", add_board("1-200", "ChestBoard\n"), none, NULL);
	assert_int_equal(memory_open(&memory, "ChestBoard"), -ENOTUNIQ);
}

static void a_cell_has_its_whole_name(void **state)
{
	static const char *const names[] = { "", "../cells/body-id", "body-id@0,0" };
	struct memory memory;
	char text[32];

	(void)state;
	assert_int_equal(memory_open(&memory, "ChestBoard"), 0);
	assert_int_equal(memory_read(&memory, "body", text, sizeof(text)), -ENOENT);
	assert_int_equal(memory_read(&memory, "body-id2", text, sizeof(text)), -ENOENT);
	assert_int_equal(memory_read(&memory, "nice-name", text, sizeof(text)), -ENOENT);
	assert_int_equal(memory_read(&memory, "config", text, sizeof(text)), -ENOENT);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		assert_int_equal(memory_read(&memory, names[i], text, sizeof(text)), -EINVAL);
	memory_close(&memory);
}

/* The cells' own files cannot be written. */
static void text_is_written_where_the_cell_is(void **state)
{
	struct memory memory;
	const char *whole;

	(void)state;
	assert_int_equal(memory_open(&memory, "ChestBoard"), 0);
	assert_int_equal(memory_write(&memory, "nick-name", "Eve"), 0);
	whole = testbed_get(nvmem, "nvmem");
	assert_string_equal(whole, "P0000073A07S94700012");
	assert_string_equal(whole + 24, "Eve");
	assert_int_equal(memory_write(&memory, "body-id", "abcdefghijklmnopqrstuvwx"), 0);
	assert_string_equal(testbed_get(nvmem, "nvmem"), "abcdefghijklmnopqrstuvwxEve");
	assert_int_equal(memory_write(&memory, "body-id", "abcdefghijklmnopqrstuvwxy"), -EMSGSIZE);
	assert_int_equal(memory_write(&memory, "nick", "x"), -EOPNOTSUPP);
	assert_string_equal(testbed_get(nvmem, "nvmem"), "abcdefghijklmnopqrstuvwxEve");
	memory_close(&memory);
}

/* A kernel before 6.8: they are where NAO's chest has them, which alone has any. */
static void an_older_kernel_shows_no_cells(void **state)
{
	const char *const none[] = { NULL };
	char whole[SIZE] = "P0000073A07S94700012";
	struct memory memory;
	const char *older;
	char text[32];

	(void)state;
	older = testbed_add("nvmem", "1-200", add_board("1-200", "Chest\n"), none, NULL);
	strcpy(whole + 24, "Nao7");
	testbed_write(older, "nvmem", whole, SIZE);
	assert_int_equal(memory_open(&memory, "Chest"), 0);
	assert_int_equal(memory_read(&memory, "body-id", text, sizeof(text)), 0);
	assert_string_equal(text, "P0000073A07S94700012");
	assert_int_equal(memory_write(&memory, "nick-name", "Eve"), 0);
	assert_string_equal(testbed_get(older, "nvmem") + 24, "Eve");
	assert_int_equal(memory_write(&memory, "nick-name", "abcdefghijklmnopqrstuvwxy"),
			 -EMSGSIZE);
	assert_int_equal(memory_read(&memory, "body", text, sizeof(text)), -ENOENT);
	/* Old firmware has not kept it. */
	assert_int_equal(memory_read(&memory, "body-a", text, sizeof(text)), -ENOENT);
	testbed_remove(older);
	assert_int_equal(memory_read(&memory, "body-id", text, sizeof(text)), -ENODEV);
	memory_close(&memory);
}

static void what_is_gone_says_so(void **state)
{
	struct memory memory;
	char text[32];

	(void)state;
	assert_int_equal(memory_open(&memory, "ChestBoard"), 0);
	testbed_remove(nvmem);
	assert_int_equal(memory_read(&memory, "body-id", text, sizeof(text)), -ENODEV);
	assert_int_equal(memory_write(&memory, "body-id", "x"), -ENODEV);
	memory_close(&memory);
	assert_int_equal(memory_open(&memory, "ChestBoard"), -ENODEV);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, testbed_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_cell_is_text),
		TEST(a_full_cell_has_no_nul),
		TEST(a_board_is_found_by_label_or_name),
		TEST(of_two_none_is_taken),
		TEST(a_cell_has_its_whole_name),
		TEST(text_is_written_where_the_cell_is),
		TEST(an_older_kernel_shows_no_cells),
		TEST(what_is_gone_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
