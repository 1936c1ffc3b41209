// SPDX-License-Identifier: GPL-2.0-or-later
/* The firmware's core on this machine: what is no matter of pins and times. */
#include "../../../dxlsim/tests/cmocka_all.h"

#include <string.h>

#include "../slave.h"
#include "cases.h"

/* A board without a line: bytes go in at once, and answers come out. */
struct core {
	struct slave slave;
	struct receiver receiver;
	uint8_t eeprom[MAP_KEPT];
	uint8_t said[300];
	size_t len;
};

static void start(struct core *core)
{
	slave_init(&core->slave);
	table_recall(&core->slave.table, core->eeprom);
	receiver_reset(&core->receiver);
}

static void renew(void *board)
{
	struct core *core = board;

	memset(core, 0, sizeof(*core));
	memset(core->eeprom, 0xff, sizeof(core->eeprom));
	start(core);
}

/* Whoever writes it has the time for it. */
static void keep(struct core *core)
{
	struct table *table = &core->slave.table;

	if (table->unkept)
		memcpy(core->eeprom, table->bytes, MAP_KEPT);
	table->unkept = false;
}

static void execute(struct core *core, enum received received)
{
	struct answer answer;

	slave_execute(&core->slave, &core->receiver, received, &answer);
	assert_true(core->len + answer.len <= sizeof(core->said));
	memcpy(core->said + core->len, answer.bytes, answer.len);
	core->len += answer.len;
	if (core->slave.reset)
		slave_restart(&core->slave);
	keep(core);
}

static void take(struct core *core, const uint8_t *bytes, size_t len)
{
	enum received received;
	uint8_t taken;

	for (; len; len -= taken, bytes += taken) {
		taken = receiver_take(&core->receiver, bytes, len, &received);
		assert_in_range(taken, 1, len);
		if (received != RECEIVED_PART)
			execute(core, received);
	}
}

static void send(void *board, const uint8_t *bytes, size_t len)
{
	struct core *core = board;

	assert_true(len < 256);
	take(core, bytes, len);
	/* The pause after it */
	receiver_reset(&core->receiver);
}

static size_t heard(void *board, uint8_t *bytes, size_t size)
{
	struct core *core = board;
	size_t len = core->len;

	assert_true(len <= size);
	memcpy(bytes, core->said, len);
	core->len = 0;

	return len;
}

static const struct board_under_test ops = {
	.renew = renew,
	.power_cycle = (void (*)(void *))start,
	.send = send,
	.heard = heard,
};

static void cases_of_the_page(void **state)
{
	struct core core;

	(void)state;
	testcases_run(&ops, &core);
}

/* --- however the bytes are cut --- */

static void in_any_pieces(void **state)
{
	static const uint8_t bytes[] = {
		0xff, 0xff, 200, 2, 1, 0x34, 0,	   0xff, 0xff, 0xff, 1, 2, 1, 0xfb,
		0xff, 0xff, 200, 4, 2, 3,    5, 0x29, 0xff, 0xff, 200, 1, 0xff,
		0xff, 200,  2,	 1, 0x34,
	};
	struct core whole, cut;
	size_t first, second;

	(void)state;
	renew(&whole);
	take(&whole, bytes, sizeof(bytes));
	assert_int_equal(whole.len, 6 + 11 + 6);
	for (first = 0; first < sizeof(bytes); first++) {
		for (second = first; second < sizeof(bytes); second++) {
			renew(&cut);
			take(&cut, bytes, first);
			take(&cut, bytes + first, second - first);
			take(&cut, bytes + second, sizeof(bytes) - second);
			assert_int_equal(cut.len, whole.len);
			assert_memory_equal(cut.said, whole.said, whole.len);
		}
	}
}

/* --- EEPROM that is not ours, or not as we have left it --- */

static uint8_t recalled(struct core *core, uint8_t addr, uint8_t value)
{
	static const uint8_t good[MAP_KEPT] = {
		0x10, 0x05, 2, 7, 1, 9, 1, 34, [16] = 1,
	};

	memcpy(core->eeprom, good, sizeof(good));
	core->eeprom[addr] = value;
	start(core);

	return core->slave.table.bytes[addr];
}

static void eeprom_of_others(void **state)
{
	struct core core = { 0 };

	(void)state;
	assert_int_equal(recalled(&core, 5, 9), 9);
	assert_int_equal(core.slave.table.bytes[MAP_ID], 7);
	assert_int_equal(core.slave.table.bytes[MAP_STATUS_LEVEL], 1);
	/* Out of its range */
	assert_int_equal(recalled(&core, 3, 255), 200);
	assert_int_equal(recalled(&core, 4, 255), 1);
	assert_int_equal(recalled(&core, 6, 255), 2);
	assert_int_equal(recalled(&core, 16, 3), 2);
	assert_int_equal(core.slave.table.bytes[MAP_ID], 7);
	/* Another model, another map */
	recalled(&core, 0, 0x11);
	assert_int_equal(core.slave.table.bytes[MAP_ID], 200);
	recalled(&core, 2, 1);
	assert_int_equal(core.slave.table.bytes[MAP_ID], 200);
	/* What is between the items stays nothing. */
	assert_int_equal(recalled(&core, 9, 5), 0);
}

/* --- any bytes --- */

static uint32_t chance(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;

	return *seed >> 16;
}

/* What is read-only stays, what has a range stays in it, and answers are whole packets. */
static void check_sane(const struct core *core)
{
	const uint8_t *bytes = core->slave.table.bytes;

	assert_int_equal(table_value(&core->slave.table, MAP_MODEL_NUMBER), MAP_MODEL);
	assert_int_equal(bytes[MAP_FIRMWARE], MAP_VERSION);
	assert_in_range(bytes[MAP_ID], 0, 253);
	assert_in_range(bytes[MAP_HOST_JACK], 0, 2);
	assert_in_range(bytes[MAP_STATUS_LEVEL], 0, 2);
	assert_in_range(bytes[MAP_LED], 0, 127);
	assert_int_equal(bytes[27], 0);
	assert_int_equal(table_value(&core->slave.table, MAP_PORT_1), 0);
}

static void check_answers(struct core *core)
{
	size_t at;

	for (at = 0; at < core->len; at += core->said[at + 3] + 4) {
		assert_memory_equal(core->said + at, "\xff\xff", 2);
		assert_true(at + core->said[at + 3] + 4 <= core->len);
	}
	core->len = 0;
}

/* Headers and the board's ID come often enough to get through. */
static uint8_t any_byte(uint32_t *seed)
{
	static const uint8_t likely[] = { 0xff, 0xff, 0xff, 200, 254, 2, 3, 4, 1, 6, 25, 0x83 };

	return chance(seed) % 3 ? likely[chance(seed) % sizeof(likely)] : chance(seed) & 0xff;
}

static void survives_any_bytes(void **state)
{
	uint32_t seed = 1;
	struct core core;
	uint8_t bytes[16];
	size_t i, len;

	(void)state;
	renew(&core);
	for (i = 0; i < 400000; i++) {
		for (len = 0; len <= i % sizeof(bytes); len++)
			bytes[len] = any_byte(&seed);
		take(&core, bytes, i % sizeof(bytes) + 1);
		check_answers(&core);
		check_sane(&core);
	}
	/* It is still there, under whatever ID. */
	core.slave.table.bytes[MAP_ID] = 200;
	receiver_reset(&core.receiver);
	send(&core, (const uint8_t[]){ 0xff, 0xff, 200, 2, 1, 0x34 }, 6);
	assert_int_equal(core.len, 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cases_of_the_page),
		cmocka_unit_test(in_any_pieces),
		cmocka_unit_test(eeprom_of_others),
		cmocka_unit_test(survives_any_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
