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
			 DXL2_ERR_ACCESS);
	assert_int_equal(rig_write2(rig, CHEST, BODY_ID - 1, bytes, 3).error,
			 DXL2_ERR_ACCESS);
	assert_int_equal(rig_read2(rig, CHEST, END, 1).error, DXL2_ERR_ACCESS);
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
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
