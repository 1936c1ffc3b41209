// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The control tables against a second statement of the manual's numbers, and
 * the rules of reading and writing, all through packets.
 */
#include "cmocka_all.h"

#include <string.h>

#include "burn.h"
#include "harness.h"

#define ID	7

#define OK		0x00
#define RANGE		0x08
#define INSTRUCTION	0x40

/* Every writable item: where, how long, least, most. */
struct limits {
	u8 addr;
	u8 size;
	int min;
	int max;
};

static const struct limits ax_limits[] = {
	{ 3, 1, 0, 253 }, { 4, 1, 0, 254 }, { 5, 1, 0, 254 },
	{ 6, 2, 0, 1023 }, { 8, 2, 0, 1023 }, { 11, 1, 0, 100 },
	{ 12, 1, 50, 250 }, { 13, 1, 50, 250 }, { 14, 2, 0, 1023 },
	{ 16, 1, 0, 2 }, { 17, 1, 0, 127 }, { 18, 1, 0, 127 },
	{ 24, 1, 0, 1 }, { 25, 1, 0, 1 }, { 26, 1, 0, 255 },
	{ 27, 1, 0, 255 }, { 28, 1, 0, 254 }, { 29, 1, 0, 254 },
	{ 30, 2, 0, 1023 }, { 32, 2, 0, 1023 }, { 34, 2, 0, 1023 },
	{ 47, 1, 0, 1 }, { 48, 2, 0x20, 0x3ff },
};

static const struct limits mx_limits[] = {
	{ 3, 1, 0, 253 }, { 4, 1, 0, 254 }, { 5, 1, 0, 254 },
	{ 6, 2, 0, 4095 }, { 8, 2, 0, 4095 }, { 11, 1, 0, 100 },
	{ 12, 1, 50, 160 }, { 13, 1, 50, 160 }, { 14, 2, 0, 1023 },
	{ 16, 1, 0, 2 }, { 17, 1, 0, 127 }, { 18, 1, 0, 127 },
	{ 20, 2, -24576, 24576 }, { 22, 1, 1, 4 },
	{ 24, 1, 0, 1 }, { 25, 1, 0, 1 }, { 26, 1, 0, 254 },
	{ 27, 1, 0, 254 }, { 28, 1, 0, 254 }, { 30, 2, 0, 4095 },
	{ 32, 2, 0, 1023 }, { 34, 2, 0, 1023 }, { 47, 1, 0, 1 },
	{ 48, 2, 0, 1023 }, { 73, 1, 0, 254 },
};

/* The tables as they come from the factory, but for the firmware's version. */
static const u8 ax_factory[50] = {
	[0] = 12, [3] = 1, [4] = 1, [5] = 250, [8] = 0xff, [9] = 3, [11] = 70,
	[12] = 60, [13] = 140, [14] = 0xff, [15] = 3, [16] = 2, [17] = 36,
	[18] = 36, [26] = 1, [27] = 1, [28] = 32, [29] = 32, [30] = 0, [31] = 2,
	[34] = 0xff, [35] = 3, [36] = 0, [37] = 2, [42] = 120, [43] = 25,
	[48] = 32,
};

static const u8 mx_factory[74] = {
	[0] = 29, [3] = 1, [4] = 34, [5] = 250, [8] = 0xff, [9] = 15,
	[11] = 80, [12] = 60, [13] = 160, [14] = 0xff, [15] = 3, [16] = 2,
	[17] = 36, [18] = 36, [22] = 1, [28] = 32, [31] = 8, [34] = 0xff,
	[35] = 3, [37] = 8, [42] = 120, [43] = 25,
};

struct kind {
	const struct model *model;
	const struct limits *limits;
	size_t limit_count;
	const u8 *factory;
	u8 size;
	unsigned int factory_baud;
};

static const struct kind kinds[] = {
	{ &model_ax12, ax_limits, sizeof(ax_limits) / sizeof(ax_limits[0]),
	  ax_factory, sizeof(ax_factory), 1000000 },
	{ &model_mx28, mx_limits, sizeof(mx_limits) / sizeof(mx_limits[0]),
	  mx_factory, sizeof(mx_factory), 57600 },
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static struct rig *rig_with(const struct model *model)
{
	struct rig *rig = rig_new();

	rig_add(rig, model, ID);

	return rig;
}

/* Through the back door, so that ID, baud and the like do not get in the way. */
static int peek(struct rig *rig, const struct limits *l)
{
	const u8 *table = rig->bus.devices[0].table;

	if (l->size == 1)
		return table[l->addr];
	if (l->min < 0)
		return (int16_t)(table[l->addr] | table[l->addr + 1] << 8);

	return table[l->addr] | table[l->addr + 1] << 8;
}

static u8 try_value(const struct model *model, const struct limits *l, int value)
{
	struct rig *rig = rig_with(model);
	int before = peek(rig, l);
	u8 error = l->size == 1 ? rig_write8(rig, ID, l->addr, value) :
				  rig_write16(rig, ID, l->addr, value & 0xffff);

	/* A limit that is met by now is no reason to refuse it. */
	error &= RANGE | INSTRUCTION;
	assert_int_equal(peek(rig, l), error ? before : value);
	rig_free(rig);

	return error;
}

static void factory_tables(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < KINDS; i++) {
		const struct kind *k = &kinds[i];
		struct rig *rig = rig_with(k->model);
		struct reply reply;

		rig_ask(rig, ID, 6, NULL, 0);
		rig_wait(rig, RIG_RESET_TIME);
		rig->bus.baud = k->factory_baud;
		reply = rig_read(rig, 1, 0, k->size);
		assert_int_equal(reply.id, 1);
		assert_int_equal(reply.error, OK);
		assert_int_equal(reply.len, k->size);
		reply.params[2] = 0;
		/* Realtime Tick, which has gone on. */
		memset(reply.params + 50, 0, 2);
		assert_memory_equal(reply.params, k->factory, k->size);
		rig_free(rig);
	}
}

static void every_range(void **state)
{
	size_t i, j;

	(void)state;
	for (i = 0; i < KINDS; i++) {
		for (j = 0; j < kinds[i].limit_count; j++) {
			const struct model *model = kinds[i].model;
			const struct limits *l = &kinds[i].limits[j];
			int most = l->size == 1 ? 255 : 32767;

			assert_int_equal(try_value(model, l, l->min), OK);
			assert_int_equal(try_value(model, l, l->max), OK);
			if (l->max < most)
				assert_int_equal(try_value(model, l, l->max + 1),
						 RANGE);
			if (l->max < most)
				assert_int_equal(try_value(model, l, most), RANGE);
			if (l->min)
				assert_int_equal(try_value(model, l, l->min - 1),
						 RANGE);
		}
	}
}

static bool writable(const struct kind *k, unsigned int addr)
{
	size_t i;

	for (i = 0; i < k->limit_count; i++)
		if (addr >= k->limits[i].addr &&
		    addr < (unsigned int)k->limits[i].addr + k->limits[i].size)
			return true;

	return false;
}

/* Read-only items and addresses without an item alike. */
static void nothing_else_is_writable(void **state)
{
	size_t i;
	unsigned int addr;

	(void)state;
	for (i = 0; i < KINDS; i++) {
		for (addr = 0; addr < kinds[i].size; addr++) {
			struct rig *rig;

			if (writable(&kinds[i], addr))
				continue;
			rig = rig_with(kinds[i].model);
			assert_int_equal(rig_write8(rig, ID, addr, 1), RANGE);
			rig_free(rig);
		}
	}
}

static void half_an_item_is_refused(void **state)
{
	struct rig *rig = rig_with(&model_ax12);

	(void)state;
	assert_int_equal(rig_write8(rig, ID, 30, 1), RANGE);
	assert_int_equal(rig_write8(rig, ID, 31, 1), RANGE);
	assert_int_equal(rig_write(rig, ID, 28, (u8[]){ 2, 2, 1 }, 3).error, RANGE);
	assert_int_equal(rig_read16(rig, ID, 30), 512);
	assert_int_equal(rig_read8(rig, ID, 28), 32);
	rig_free(rig);
}

/* A write is done whole or not at all, and skips addresses without an item. */
static void writes_of_several_items(void **state)
{
	struct rig *rig = rig_with(&model_ax12);
	/* CW and CCW limit, hole, temperature, voltages */
	static const u8 config[] = { 10, 0, 0, 2, 99, 65, 70, 130 };

	(void)state;
	assert_int_equal(rig_write(rig, ID, 6, config, 8).error, OK);
	rig_wait(rig, RIG_BURN_TIME);
	assert_int_equal(rig_read16(rig, ID, 6), 10);
	assert_int_equal(rig_read16(rig, ID, 8), 512);
	assert_int_equal(rig_read8(rig, ID, 10), 0);
	assert_int_equal(rig_read8(rig, ID, 11), 65);
	assert_int_equal(rig_read8(rig, ID, 13), 130);

	assert_int_equal(rig_write(rig, ID, 26, (u8[]){ 5, 5, 40, 255 }, 4).error,
			 RANGE);
	assert_int_equal(rig_read8(rig, ID, 26), 1);
	/* 34 is the last writable one before the measurements. */
	assert_int_equal(rig_write(rig, ID, 34, (u8[]){ 1, 1, 1, 1 }, 4).error,
			 RANGE);
	rig_free(rig);
}

static void ends_of_the_table(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < KINDS; i++) {
		struct rig *rig = rig_with(kinds[i].model);
		u8 size = kinds[i].size;

		assert_int_equal(rig_read(rig, ID, size - 1, 1).len, 1);
		assert_int_equal(rig_read(rig, ID, size - 1, 2).error, RANGE);
		assert_int_equal(rig_read(rig, ID, size - 1, 2).len, 0);
		assert_int_equal(rig_read(rig, ID, size, 1).error, RANGE);
		assert_int_equal(rig_read(rig, ID, 255, 255).error, RANGE);
		assert_int_equal(rig_read(rig, ID, 0, 0).error, RANGE);
		assert_int_equal(rig_write8(rig, ID, size, 0), RANGE);
		assert_int_equal(rig_write8(rig, ID, 255, 0), RANGE);
		assert_int_equal(rig_write16(rig, ID, size - 1, 0), RANGE);
		rig_free(rig);
	}
}

static void malformed_parameters(void **state)
{
	static const u8 zero[250];
	struct rig *rig = rig_with(&model_ax12);
	size_t len;

	(void)state;
	assert_int_equal(rig_ask(rig, ID, 2, zero, 0).error, INSTRUCTION);
	assert_int_equal(rig_ask(rig, ID, 2, zero, 1).error, INSTRUCTION);
	assert_int_equal(rig_ask(rig, ID, 2, zero, 3).error, INSTRUCTION);
	assert_int_equal(rig_ask(rig, ID, 3, zero, 0).error, INSTRUCTION);
	assert_int_equal(rig_ask(rig, ID, 3, zero, 1).error, INSTRUCTION);
	assert_int_equal(rig_ask(rig, ID, 4, zero, 1).error, INSTRUCTION);
	for (len = 2; len <= 250; len++) {
		assert_int_equal(rig_ask(rig, ID, 3, zero, len).error, RANGE);
		assert_int_equal(rig_ask(rig, ID, 4, zero, len).error, RANGE);
	}
	rig_free(rig);
}

static void eeprom_outlives_power_and_ram_does_not(void **state)
{
	struct rig *rig = rig_with(&model_ax12);
	struct device *dev = &rig->bus.devices[0];

	(void)state;
	assert_int_equal(rig_burn8(rig, ID, 11, 60), OK);
	assert_int_equal(rig_burn16(rig, ID, 14, 600), OK);
	assert_int_equal(rig_write8(rig, ID, 25, 1), OK);
	assert_int_equal(rig_write8(rig, ID, 26, 9), OK);
	assert_int_equal(rig_write16(rig, ID, 32, 77), OK);
	assert_int_equal(rig_read16(rig, ID, 34), 1023);

	device_power_cycle(dev, rig->now);
	rig_wait(rig, RIG_BURN_TIME);
	assert_int_equal(rig_read8(rig, ID, 11), 60);
	assert_int_equal(rig_read16(rig, ID, 14), 600);
	assert_int_equal(rig_read8(rig, ID, 25), 0);
	assert_int_equal(rig_read8(rig, ID, 26), 1);
	assert_int_equal(rig_read16(rig, ID, 32), 0);
	/* Torque Limit starts as Max Torque. */
	assert_int_equal(rig_read16(rig, ID, 34), 600);
	rig_free(rig);
}

static void lock_protects_the_eeprom(void **state)
{
	struct rig *rig = rig_with(&model_ax12);

	(void)state;
	assert_int_equal(rig_write8(rig, ID, 47, 1), OK);
	assert_int_equal(rig_burn8(rig, ID, 11, 60), RANGE);
	assert_int_equal(rig_read8(rig, ID, 11), 70);
	assert_int_equal(rig_write16(rig, ID, 30, 500), OK);
	/* Only the power switch unlocks. */
	assert_int_equal(rig_write8(rig, ID, 47, 0), RANGE);
	assert_int_equal(rig_read8(rig, ID, 47), 1);
	device_power_cycle(&rig->bus.devices[0], rig->now);
	rig_wait(rig, RIG_BURN_TIME);
	assert_int_equal(rig_read8(rig, ID, 47), 0);
	assert_int_equal(rig_burn8(rig, ID, 11, 60), OK);
	rig_free(rig);
}

/* Unlike later models, these may be configured with their torque on. */
static void torque_does_not_lock(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < KINDS; i++) {
		struct rig *rig = rig_with(kinds[i].model);

		assert_int_equal(rig_write8(rig, ID, 24, 1), OK);
		assert_int_equal(rig_burn8(rig, ID, 11, 60), OK);
		rig_free(rig);
	}
}

static void factory_reset_forgets_everything(void **state)
{
	struct rig *rig = rig_with(&model_ax12);
	struct reply reply;

	(void)state;
	assert_int_equal(rig_burn8(rig, ID, 11, 60), OK);
	assert_int_equal(rig_write8(rig, ID, 24, 1), OK);
	/* The answer still comes from the old ID. */
	reply = rig_ask(rig, ID, 6, NULL, 0);
	assert_int_equal(reply.id, ID);
	assert_int_equal(reply.error, OK);
	rig_wait(rig, RIG_RESET_TIME);
	assert_int_equal(rig_ping(rig, ID).id, -1);
	assert_int_equal(rig_ping(rig, 1).id, 1);
	assert_int_equal(rig_read8(rig, 1, 11), 70);
	assert_int_equal(rig_read8(rig, 1, 24), 0);
	rig_free(rig);
}

/* It answers, and is deaf for 6 ms a byte. */
static void deaf_after_a_write_to_the_eeprom(void **state)
{
	struct rig *rig = rig_with(&model_ax12);

	(void)state;
	assert_int_equal(rig_write16(rig, ID, 14, 600), OK);
	rig_wait(rig, 0.0119);
	assert_int_equal(rig_ping(rig, ID).id, -1);
	rig_wait(rig, 0.0002);
	assert_int_equal(rig_ping(rig, ID).id, ID);
	/* RAM costs nothing, and what is refused neither. */
	assert_int_equal(rig_write16(rig, ID, 30, 600), OK);
	assert_int_equal(rig_write8(rig, ID, 16, 3), RANGE);
	assert_int_equal(rig_ping(rig, ID).id, ID);
	rig_free(rig);
}

static void new_id_holds_from_the_next_packet(void **state)
{
	struct rig *rig = rig_with(&model_ax12);
	struct reply reply;

	(void)state;
	reply = rig_write(rig, ID, 3, (u8[]){ 42 }, 1);
	assert_int_equal(reply.id, ID);
	rig_wait(rig, RIG_BURN_TIME);
	assert_int_equal(rig_ping(rig, ID).id, -1);
	assert_int_equal(rig_ping(rig, 42).id, 42);
	rig_free(rig);
}

static void new_baud_makes_deaf_to_the_old(void **state)
{
	struct rig *rig = rig_with(&model_mx28);
	struct reply reply;

	(void)state;
	reply = rig_write(rig, ID, 4, (u8[]){ 34 }, 1);
	assert_int_equal(reply.id, ID);
	rig_wait(rig, RIG_BURN_TIME);
	assert_int_equal(rig_ping(rig, ID).id, -1);
	rig->bus.baud = 57600;
	assert_int_equal(rig_ping(rig, ID).id, ID);
	assert_int_equal(rig_burn8(rig, ID, 4, 252), OK);
	rig->bus.baud = 3000000;
	assert_int_equal(rig_ping(rig, ID).id, ID);
	rig_free(rig);
}

static void baud_values(void **state)
{
	(void)state;
	assert_int_equal(model_baud_rate(&model_ax12, 1), 1000000);
	assert_int_equal(model_baud_rate(&model_ax12, 3), 500000);
	assert_int_equal(model_baud_rate(&model_ax12, 207), 9615);
	assert_int_equal(model_baud_rate(&model_mx28, 250), 2250000);
	assert_int_equal(model_baud_rate(&model_mx28, 251), 2500000);
	assert_int_equal(model_baud_rate(&model_mx28, 252), 3000000);
	assert_int_equal(model_baud_value(&model_ax12, 1000000), 1);
	assert_int_equal(model_baud_value(&model_ax12, 57600), 34);
	assert_int_equal(model_baud_value(&model_ax12, 115200), 16);
	assert_int_equal(model_baud_value(&model_mx28, 3000000), 252);
	assert_int_equal(model_baud_value(&model_ax12, 3000000), -1);
	assert_int_equal(model_baud_value(&model_ax12, 1500000), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(factory_tables),
		cmocka_unit_test(every_range),
		cmocka_unit_test(nothing_else_is_writable),
		cmocka_unit_test(half_an_item_is_refused),
		cmocka_unit_test(writes_of_several_items),
		cmocka_unit_test(ends_of_the_table),
		cmocka_unit_test(malformed_parameters),
		cmocka_unit_test(eeprom_outlives_power_and_ram_does_not),
		cmocka_unit_test(lock_protects_the_eeprom),
		cmocka_unit_test(torque_does_not_lock),
		cmocka_unit_test(factory_reset_forgets_everything),
		cmocka_unit_test(deaf_after_a_write_to_the_eeprom),
		cmocka_unit_test(new_id_holds_from_the_next_packet),
		cmocka_unit_test(new_baud_makes_deaf_to_the_old),
		cmocka_unit_test(baud_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
