// SPDX-License-Identifier: GPL-2.0-or-later
/* What the board in a NAO's chest keeps for its body. */
#include "cmocka_all.h"

#include <string.h>

#include "harness.h"

#define CHEST		200

#define BODY_ID		80
#define NICK_NAME	104
#define CONFIG		128
#define END		256

#define BODY_A		256
#define BODY_B		4352
#define PAGES_END	8448

static int set_up(void **state)
{
	struct rig *rig = rig_new();

	rig_add(rig, &model_nao_chest, CHEST);
	*state = rig;

	return 0;
}

static int tear_down(void **state)
{
	rig_free(*state);

	return 0;
}

static void keep(struct rig *rig, u16 addr, const char *text)
{
	assert_int_equal(rig_write2(rig, CHEST, addr, (const u8 *)text,
				    strlen(text)).error, 0);
	rig_wait(rig, 1);
}

static void expect(struct rig *rig, u16 addr, const char *text)
{
	struct reply reply = rig_read2(rig, CHEST, addr, strlen(text));

	assert_int_equal(reply.error, 0);
	assert_int_equal(reply.len, strlen(text));
	assert_memory_equal(reply.params, text, strlen(text));
}

static void fill(struct rig *rig)
{
	keep(rig, BODY_ID, "P0000073A07S94700012");
	keep(rig, NICK_NAME, "Nao7");
	keep(rig, END - 2, "zz");
}

static void expect_filled(struct rig *rig)
{
	expect(rig, BODY_ID, "P0000073A07S94700012");
	expect(rig, NICK_NAME, "Nao7");
	expect(rig, END - 2, "zz");
	assert_int_equal(rig_value2(rig, CHEST, CONFIG, 1), 0);
}

static void it_is_kept(void **state)
{
	struct rig *rig = *state;

	fill(rig);
	expect_filled(rig);
	rig_set2(rig, CHEST, 64, 1, 9);
	order(rig, "power-cycle 200");
	rig_wait(rig, 1);
	assert_int_equal(rig_value2(rig, CHEST, 64, 1), 0);
	expect_filled(rig);
	assert_int_equal(rig_ask2(rig, CHEST, 8, NULL, 0).error, 0);
	rig_wait(rig, 1);
	expect_filled(rig);
	keep(rig, NICK_NAME, "Bob");
	expect(rig, NICK_NAME, "Bob7");
}

/* A body is still the same one. */
static void a_factory_reset_leaves_it(void **state)
{
	struct rig *rig = *state;

	fill(rig);
	assert_int_equal(rig_set2(rig, CHEST, 5, 1, 77), 0);
	rig_wait(rig, 1);
	assert_int_equal(rig_ask2(rig, CHEST, 6, (u8[]){ 2 }, 1).error, 0);
	rig_wait(rig, 1);
	assert_int_equal(rig_value2(rig, CHEST, 5, 1), 0);
	expect_filled(rig);
}

/* The two copies behind it, a page at a time */
static void pages_are_kept(void **state)
{
	struct rig *rig = *state;

	keep(rig, BODY_A, "all thirty-two bytes of the page");
	keep(rig, BODY_B - 5, "aaaaa");
	keep(rig, BODY_B, "b");
	keep(rig, PAGES_END - 3, "end");
	order(rig, "power-cycle 200");
	rig_wait(rig, 1);
	assert_int_equal(rig_ask2(rig, CHEST, 6, (u8[]){ 2 }, 1).error, 0);
	rig_wait(rig, 1);
	expect(rig, BODY_A, "all thirty-two bytes of the page");
	expect(rig, BODY_B - 5, "aaaaab");
	expect(rig, PAGES_END - 3, "end");
	assert_int_equal(rig_value2(rig, CHEST, BODY_A + 32, 1), 0);
	assert_int_equal(rig_value2(rig, CHEST, END - 1, 1), 0);
}

static void a_write_keeps_to_one_page(void **state)
{
	static const u16 across[] = { BODY_A - 1, BODY_A + 31, BODY_B - 1 };
	struct rig *rig = *state;
	const u8 bytes[33] = { 1, 2, 3 };
	size_t i;

	for (i = 0; i < sizeof(across) / sizeof(across[0]); i++) {
		assert_int_equal(rig_write2(rig, CHEST, across[i], bytes, 2).error,
				 DXL2_ERR_LENGTH);
		assert_int_equal(rig_value2(rig, CHEST, across[i], 2), 0);
	}
	assert_int_equal(rig_write2(rig, CHEST, BODY_A, bytes, 33).error,
			 DXL2_ERR_LENGTH);
	assert_int_equal(rig_write2(rig, CHEST, PAGES_END - 1, bytes, 2).error,
			 DXL2_ERR_ACCESS);
	assert_int_equal(rig_write2(rig, CHEST, PAGES_END, bytes, 1).error,
			 DXL2_ERR_ACCESS);
	assert_int_equal(rig_read2(rig, CHEST, PAGES_END - 1, 2).error,
			 DXL2_ERR_ACCESS);
	assert_int_equal(rig_read2(rig, CHEST, BODY_A, 1025).error,
			 DXL2_ERR_LENGTH);
	assert_int_equal(rig_read2(rig, CHEST, BODY_A, 1024).len, 1024);
}

static void a_page_takes_as_long_as_any(void **state)
{
	struct rig *rig = *state;
	const u8 bytes[32] = { 0 };

	assert_int_equal(rig_write2(rig, CHEST, BODY_A, bytes, 32).error, 0);
	rig_wait(rig, 0.003);
	assert_int_equal(rig_ping2(rig, CHEST).id, -1);
	rig_wait(rig, 0.003);
	assert_int_equal(rig_ping2(rig, CHEST).id, CHEST);
}

static void a_page_may_be_registered(void **state)
{
	struct rig *rig = *state;
	const u8 one[] = { BODY_A & 0xff, BODY_A >> 8, 'x' };
	const u8 two[] = { (BODY_A - 1) & 0xff, (BODY_A - 1) >> 8, 'y', 'z' };

	assert_int_equal(rig_ask2(rig, CHEST, DXL_REG_WRITE, one, sizeof(one)).error, 0);
	assert_int_equal(rig_ask2(rig, CHEST, DXL_REG_WRITE, two, sizeof(two)).error,
			 DXL2_ERR_LENGTH);
	assert_int_equal(rig_value2(rig, CHEST, BODY_A, 1), 0);
	assert_int_equal(rig_ask2(rig, CHEST, DXL_ACTION, NULL, 0).error, 0);
	rig_wait(rig, 1);
	assert_int_equal(rig_value2(rig, CHEST, BODY_A, 1), 'x');
}

/* It is lost when the power goes, but nothing before or behind it. */
static void a_page_is_cut(void **state)
{
	struct rig *rig = *state;

	keep(rig, BODY_A + 32, "old!old!");
	keep(rig, BODY_A + 64, "old!old!");
	rig_set2(rig, CHEST, 64, 1, 9);
	order(rig, "power-cut 200 1");
	keep(rig, BODY_A, "new");
	assert_int_equal(rig_value2(rig, CHEST, 64, 1), 9);
	assert_int_equal(rig_write2(rig, CHEST, BODY_A + 32,
				    (const u8 *)"new?new?", 8).error, 0);
	rig_wait(rig, 0.1);
	assert_int_equal(rig_ping2(rig, CHEST).id, -1);
	rig_wait(rig, 1);
	assert_int_equal(rig_value2(rig, CHEST, 64, 1), 0);
	expect(rig, BODY_A, "new");
	expect(rig, BODY_A + 32, "nlw!nlw!");
	expect(rig, BODY_A + 64, "old!old!");
	keep(rig, BODY_A + 32, "new?new?");
	expect(rig, BODY_A + 32, "new?new?");

	/* The cells before them are not written in pages. */
	order(rig, "power-cut 200 0");
	keep(rig, NICK_NAME, "Nao7");
	expect(rig, NICK_NAME, "Nao7");
	keep(rig, BODY_A + 64, "new!");
	expect(rig, BODY_A + 64, "nlw!");
}

/* A board of the first map has what that has. */
static void old_firmware_has_no_pages(void **state)
{
	struct rig *rig = *state;
	const u8 byte = 1;

	order(rig, "write 200 2 1");
	assert_int_equal(rig_read2(rig, CHEST, END - 1, 1).len, 1);
	assert_int_equal(rig_read2(rig, CHEST, END, 1).error, DXL2_ERR_ACCESS);
	assert_int_equal(rig_write2(rig, CHEST, BODY_A, &byte, 1).error,
			 DXL2_ERR_ACCESS);
	told(rig, "power-cut 200 1", "error: the NAO-chest-board writes nothing in pages\n");
}

/* From the control socket, as everything else */
static void pages_are_seen(void **state)
{
	struct rig *rig = *state;

	told(rig, "write 200 254 1 2 3 4", "ok\n");
	told(rig, "read 200 253 6", "0 1 2 3 4 0\nok\n");
	assert_int_equal(rig_value2(rig, CHEST, BODY_A + 1, 1), 4);
}

/* 1 ms a byte, after the answer. */
static void it_takes_its_time(void **state)
{
	struct rig *rig = *state;
	const u8 bytes[20] = { 0 };

	assert_int_equal(rig_write2(rig, CHEST, CONFIG, bytes, 20).error, 0);
	rig_wait(rig, 0.015);
	assert_int_equal(rig_ping2(rig, CHEST).id, -1);
	rig_wait(rig, 0.006);
	assert_int_equal(rig_ping2(rig, CHEST).id, CHEST);
}

static void it_ends(void **state)
{
	struct rig *rig = *state;
	const u8 bytes[3] = { 1, 2, 3 };

	assert_int_equal(rig_write2(rig, CHEST, END - 2, bytes, 3).error,
			 DXL2_ERR_LENGTH);
	assert_int_equal(rig_write2(rig, CHEST, BODY_ID - 1, bytes, 3).error,
			 DXL2_ERR_ACCESS);
	assert_int_equal(rig_value2(rig, CHEST, BODY_ID, 1), 0);
	assert_int_equal(rig_value2(rig, CHEST, END - 1, 1), 0);
}

#define STORAGE_TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		STORAGE_TEST(it_is_kept),
		STORAGE_TEST(a_factory_reset_leaves_it),
		STORAGE_TEST(it_takes_its_time),
		STORAGE_TEST(it_ends),
		STORAGE_TEST(pages_are_kept),
		STORAGE_TEST(a_write_keeps_to_one_page),
		STORAGE_TEST(a_page_takes_as_long_as_any),
		STORAGE_TEST(a_page_may_be_registered),
		STORAGE_TEST(a_page_is_cut),
		STORAGE_TEST(old_firmware_has_no_pages),
		STORAGE_TEST(pages_are_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
