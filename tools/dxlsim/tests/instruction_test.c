// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Instructions of Protocol 2.0: the packets that the maker's manual gives as
 * examples, byte for byte, and every way to have one refused.
 */
#include "cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

#define RESULT		1
#define INSTRUCTION	2
#define CRC		3
#define RANGE		4
#define LENGTH		5
#define LIMIT		6
#define ACCESS		7
#define ALERT		0x80

#define PING		0x01
#define READ		0x02
#define WRITE		0x03
#define REG_WRITE	0x04
#define ACTION		0x05
#define RESET		0x06
#define REBOOT		0x08
#define CLEAR		0x10
#define BACKUP		0x20
#define SYNC_WRITE	0x83
#define BULK_WRITE	0x93

#define ALL		254

/* A device needs that long to start, to write its EEPROM, or to be reset. */
#define LONG		1.1

static int set_up(void **state)
{
	struct rig *rig = rig_new();

	rig_add(rig, &model_xm430_w210, 1);
	rig_add(rig, &model_xm430_w210, 2);
	*state = rig;

	return 0;
}

static int tear_down(void **state)
{
	rig_free(*state);

	return 0;
}

static size_t bytes_of(const char *text, u8 *bytes)
{
	size_t len = 0;
	char *end;

	while (*text) {
		bytes[len++] = strtoul(text, &end, 16);
		text = end;
	}

	return len;
}

/* Send these bytes; these must come back, in one packet or several. */
static void exchange(struct rig *rig, const char *request, const char *answer)
{
	u8 bytes[256], expected[256];
	size_t len = bytes_of(request, bytes);

	bus_receive(&rig->bus, bytes, len, rig->now);
	rig_run(rig);
	len = bytes_of(answer, expected);
	assert_int_equal(rig->len, len);
	assert_memory_equal(rig->bytes, expected, len);
	rig_forget(rig);
}

#define DONE	"FF FF FD 00 01 04 00 55 00 A1 0C"

/* --- the manual's examples --- */

static void example_of_ping(void **state)
{
	struct rig *rig = *state;

	rig_poke(rig, 1, 6, 1, 0x26);
	rig_poke(rig, 2, 6, 1, 0x26);
	exchange(rig, "FF FF FD 00 01 03 00 01 19 4E",
		 "FF FF FD 00 01 07 00 55 00 06 04 26 65 5D");
	exchange(rig, "FF FF FD 00 FE 03 00 01 31 42",
		 "FF FF FD 00 01 07 00 55 00 06 04 26 65 5D "
		 "FF FF FD 00 02 07 00 55 00 06 04 26 6F 6D");
}

static void example_of_read(void **state)
{
	struct rig *rig = *state;

	rig_poke(rig, 1, 132, 4, 166);
	exchange(rig, "FF FF FD 00 01 07 00 02 84 00 04 00 1D 15",
		 "FF FF FD 00 01 08 00 55 00 A6 00 00 00 8C C0");
}

static void example_of_write(void **state)
{
	struct rig *rig = *state;

	exchange(rig, "FF FF FD 00 01 09 00 03 74 00 00 02 00 00 CA 89", DONE);
	assert_int_equal(rig_value2(rig, 1, 116, 4), 512);
}

static void example_of_reg_write_and_action(void **state)
{
	struct rig *rig = *state;

	exchange(rig, "FF FF FD 00 01 09 00 04 68 00 C8 00 00 00 AE 8E", DONE);
	assert_int_equal(rig_value2(rig, 1, 69, 1), 1);
	assert_int_equal(rig_value2(rig, 1, 104, 4), 0);
	exchange(rig, "FF FF FD 00 01 03 00 05 02 CE", DONE);
	assert_int_equal(rig_value2(rig, 1, 69, 1), 0);
	assert_int_equal(rig_value2(rig, 1, 104, 4), 200);
}

static void example_of_factory_reset(void **state)
{
	struct rig *rig = *state;

	rig_set2(rig, 1, 31, 1, 50);
	rig_wait(rig, LONG);
	exchange(rig, "FF FF FD 00 01 04 00 06 01 A1 E6", DONE);
	rig_wait(rig, LONG);
	/* 57600 baud again, but the ID as it was. */
	assert_int_equal(device_baud(&rig->bus.devices[0]), 57600);
	rig->bus.baud = 57600;
	assert_int_equal(rig_value2(rig, 1, 31, 1), 80);
}

static void example_of_reboot(void **state)
{
	struct rig *rig = *state;

	rig_set2(rig, 1, 65, 1, 1);
	exchange(rig, "FF FF FD 00 01 03 00 08 2F 4E", DONE);
	rig_wait(rig, LONG);
	assert_int_equal(rig_value2(rig, 1, 65, 1), 0);
}

static void example_of_clear(void **state)
{
	struct rig *rig = *state;

	rig_set2(rig, 1, 11, 1, 4);
	rig_wait(rig, LONG);
	rig_poke(rig, 1, 132, 4, 4096 * 3 + 5);
	exchange(rig, "FF FF FD 00 01 08 00 10 01 44 58 4C 22 B1 DC", DONE);
	assert_int_equal(rig_value2(rig, 1, 132, 4), 5);
}

static void example_of_backup(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(rig_value2(rig, 1, 147, 1), 0);
	rig_set2(rig, 1, 24, 4, 33);
	rig_wait(rig, LONG);
	exchange(rig, "FF FF FD 00 01 08 00 20 01 43 54 52 4C 16 F5", DONE);
	assert_int_equal(rig_value2(rig, 1, 147, 1), 1);
	rig_set2(rig, 1, 24, 4, 44);
	rig_wait(rig, LONG);
	/* The manual has 92 F5 here, which is not the CRC of this packet. */
	exchange(rig, "FF FF FD 00 01 08 00 20 02 43 54 52 4C 9E F5", DONE);
	rig_wait(rig, LONG);
	assert_int_equal(rig_value2(rig, 1, 24, 4), 33);
}

static void example_of_sync_read(void **state)
{
	struct rig *rig = *state;

	rig_poke(rig, 1, 132, 4, 166);
	rig_poke(rig, 2, 132, 4, 2079);
	exchange(rig, "FF FF FD 00 FE 09 00 82 84 00 04 00 01 02 CE FA",
		 "FF FF FD 00 01 08 00 55 00 A6 00 00 00 8C C0 "
		 "FF FF FD 00 02 08 00 55 00 1F 08 00 00 BA BE");
}

static void example_of_sync_write(void **state)
{
	struct rig *rig = *state;

	exchange(rig, "FF FF FD 00 FE 11 00 83 74 00 04 00 "
		      "01 96 00 00 00 02 AA 00 00 00 82 87", "");
	assert_int_equal(rig_value2(rig, 1, 116, 4), 150);
	assert_int_equal(rig_value2(rig, 2, 116, 4), 170);
}

/* The manual has XC330s here, which have these items at the same addresses. */
static void example_of_fast_sync_read(void **state)
{
	struct rig *rig = rig_new();

	(void)state;
	rig_add(rig, &model_xm430_w210, 3);
	rig_add(rig, &model_xm430_w210, 7);
	rig_add(rig, &model_xm430_w210, 4);
	rig_poke(rig, 3, 132, 4, 166);
	rig_poke(rig, 7, 132, 4, 2079);
	rig_poke(rig, 4, 132, 4, 1023);
	exchange(rig, "FF FF FD 00 FE 0A 00 8A 84 00 04 00 03 07 04 20 F2",
		 "FF FF FD 00 FE 19 00 55 00 03 A6 00 00 00 84 08 "
		 "00 07 1F 08 00 00 16 CA 00 04 FF 03 00 00 D1 9E");
	rig_free(rig);
}

static void example_of_bulk_read(void **state)
{
	struct rig *rig = *state;

	rig_poke(rig, 1, 144, 2, 119);
	rig_poke(rig, 2, 146, 1, 36);
	exchange(rig, "FF FF FD 00 FE 0D 00 92 01 90 00 02 00 02 92 00 01 00 1A 05",
		 "FF FF FD 00 01 06 00 55 00 77 00 C3 69 "
		 "FF FF FD 00 02 05 00 55 00 24 8B A9");
}

static void example_of_bulk_write(void **state)
{
	struct rig *rig = *state;

	rig_set2(rig, 1, 32, 2, 150);
	rig_set2(rig, 2, 31, 1, 60);
	rig_wait(rig, LONG);
	exchange(rig, "FF FF FD 00 FE 10 00 93 01 20 00 02 00 A0 00 "
		      "02 1F 00 01 00 50 B7 68", "");
	rig_wait(rig, LONG);
	assert_int_equal(rig_value2(rig, 1, 32, 2), 160);
	assert_int_equal(rig_value2(rig, 2, 31, 1), 80);
}

/* --- refused --- */

static u8 error_of(struct rig *rig, u8 instruction, const u8 *params, size_t len)
{
	struct reply reply = rig_ask2(rig, 1, instruction, params, len);

	assert_int_equal(reply.id, 1);

	return reply.error;
}

#define ERROR(rig, code, ...) \
	error_of(rig, code, (const u8[]){ __VA_ARGS__ }, \
		 sizeof((const u8[]){ __VA_ARGS__ }))

static void unknown_instructions(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(error_of(rig, 0x07, NULL, 0), INSTRUCTION);
	assert_int_equal(error_of(rig, 0x00, NULL, 0), INSTRUCTION);
	assert_int_equal(error_of(rig, 0xff, NULL, 0), INSTRUCTION);
	/* Nothing has been registered. */
	assert_int_equal(error_of(rig, ACTION, NULL, 0), INSTRUCTION);
}

static void wrong_numbers_of_parameters(void **state)
{
	static const u8 some[8];
	struct rig *rig = *state;

	assert_int_equal(error_of(rig, PING, some, 1), LENGTH);
	assert_int_equal(error_of(rig, READ, some, 3), LENGTH);
	assert_int_equal(error_of(rig, READ, some, 5), LENGTH);
	assert_int_equal(error_of(rig, WRITE, some, 2), LENGTH);
	assert_int_equal(error_of(rig, REG_WRITE, some, 2), LENGTH);
	assert_int_equal(error_of(rig, RESET, some, 0), LENGTH);
	assert_int_equal(error_of(rig, RESET, some, 2), LENGTH);
	assert_int_equal(error_of(rig, REBOOT, some, 1), LENGTH);
	assert_int_equal(error_of(rig, CLEAR, some, 4), LENGTH);
	assert_int_equal(error_of(rig, BACKUP, some, 6), LENGTH);
	/* Group writes are for all. */
	assert_int_equal(error_of(rig, SYNC_WRITE, some, 5), LENGTH);
	assert_int_equal(error_of(rig, BULK_WRITE, some, 5), LENGTH);
}

static void reads_outside_the_table(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(rig_read2(rig, 1, 662, 1).error, ACCESS);
	assert_int_equal(rig_read2(rig, 1, 661, 2).error, ACCESS);
	assert_int_equal(rig_read2(rig, 1, 661, 2).len, 0);
	assert_int_equal(rig_read2(rig, 1, 65535, 65535).error, ACCESS);
	assert_int_equal(rig_read2(rig, 1, 132, 0).error, ACCESS);
	/* Nothing is there. */
	assert_int_equal(rig_read2(rig, 1, 300, 4).error, ACCESS);
	/* A block may span what is not there. */
	assert_int_equal(rig_read2(rig, 1, 64, 83).error, 0);
	assert_int_equal(rig_read2(rig, 1, 0, 662).len, 662);
}

static void writes_that_are_refused(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(ERROR(rig, WRITE, 132, 0, 0, 0, 0, 0), ACCESS);
	assert_int_equal(ERROR(rig, WRITE, 0, 0, 0, 0), ACCESS);
	assert_int_equal(ERROR(rig, WRITE, 66, 0, 0), ACCESS);
	assert_int_equal(ERROR(rig, WRITE, 0xff, 0xff, 0), ACCESS);
	assert_int_equal(ERROR(rig, WRITE, 116, 0, 1, 0), LENGTH);
	assert_int_equal(ERROR(rig, WRITE, 117, 0, 1, 0, 0, 0), LENGTH);
	assert_int_equal(ERROR(rig, WRITE, 64, 0, 2), RANGE);
	assert_int_equal(ERROR(rig, WRITE, 98, 0, 128), RANGE);
	/* Beyond what other items allow. */
	assert_int_equal(rig_set2(rig, 1, 116, 4, 4096), LIMIT);
	assert_int_equal(rig_set2(rig, 1, 116, 4, -1), LIMIT);
	assert_int_equal(rig_set2(rig, 1, 116, 4, 1048576), RANGE);
	assert_int_equal(rig_set2(rig, 1, 104, 4, 331), LIMIT);
	assert_int_equal(rig_set2(rig, 1, 104, 4, -331), LIMIT);
	assert_int_equal(rig_set2(rig, 1, 104, 4, 1024), RANGE);
	assert_int_equal(rig_set2(rig, 1, 104, 4, -330), 0);
	/* Nothing is done by halves. */
	assert_int_equal(ERROR(rig, WRITE, 64, 0, 1, 2), RANGE);
	assert_int_equal(rig_value2(rig, 1, 64, 1), 0);
	/* A write that is registered is judged at once. */
	assert_int_equal(ERROR(rig, REG_WRITE, 64, 0, 2), RANGE);
	assert_int_equal(rig_value2(rig, 1, 69, 1), 0);
}

static void torque_locks_the_eeprom(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(rig_set2(rig, 1, 64, 1, 1), 0);
	assert_int_equal(rig_set2(rig, 1, 31, 1, 70), ACCESS);
	assert_int_equal(rig_set2(rig, 1, 7, 1, 9), ACCESS);
	assert_int_equal(rig_set2(rig, 1, 64, 1, 0), 0);
	assert_int_equal(rig_set2(rig, 1, 31, 1, 70), 0);
}

static void a_wrong_crc(void **state)
{
	struct rig *rig = *state;

	exchange(rig, "FF FF FD 00 01 03 00 01 19 4F",
		 "FF FF FD 00 01 04 00 55 03 AB 0C");
	/* Whose ID nobody has, or everybody: silence. */
	exchange(rig, "FF FF FD 00 09 03 00 01 19 4F", "");
	exchange(rig, "FF FF FD 00 FE 03 00 01 31 43", "");
}

static void the_other_protocol_is_not_heard(void **state)
{
	struct rig *rig = *state;

	rig_add(rig, &model_ax12, 3);
	assert_int_equal(rig_ping(rig, 1).id, -1);
	assert_int_equal(rig_ping2(rig, 3).id, -1);
	assert_int_equal(rig_ping(rig, 3).id, 3);
	assert_int_equal(rig_ping2(rig, 1).id, 1);
	/* Protocol Type 1 */
	assert_int_equal(rig_set2(rig, 1, 13, 1, 1), 0);
	rig_wait(rig, LONG);
	assert_int_equal(rig_ping2(rig, 1).id, -1);
	assert_int_equal(rig_ping(rig, 1).id, 1);
	assert_int_equal(rig_read16(rig, 1, 0), 1030);
	assert_int_equal(rig_write8(rig, 1, 64, 2), 8);
}

/* --- answers --- */

static void status_return_level(void **state)
{
	static const u8 position[] = { 132, 0, 4, 0 };
	struct rig *rig = *state;

	/* The answer is due as it was before. */
	assert_int_equal(rig_set2(rig, 1, 68, 1, 1), 0);
	assert_int_equal(rig_write2(rig, 1, 65, (u8[]){ 1 }, 1).id, -1);
	assert_int_equal(rig_ask2(rig, 1, READ, position, 4).id, 1);
	assert_int_equal(rig_ask2(rig, 1, 0x07, NULL, 0).id, -1);
	assert_int_equal(rig_write2(rig, 1, 68, (u8[]){ 0 }, 1).id, -1);
	assert_int_equal(rig_ask2(rig, 1, READ, position, 4).id, -1);
	assert_int_equal(rig_ping2(rig, 1).id, 1);
	/* It has been done all the same. */
	assert_int_equal(rig->bus.devices[0].table[65], 1);
}

static void broadcast_is_done_and_not_answered(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(rig_ask2(rig, ALL, WRITE, (u8[]){ 65, 0, 1 }, 3).id, -1);
	assert_int_equal(rig_value2(rig, 1, 65, 1), 1);
	assert_int_equal(rig_value2(rig, 2, 65, 1), 1);
	assert_int_equal(rig_ask2(rig, ALL, READ, (u8[]){ 65, 0, 1, 0 }, 4).id, -1);
	assert_int_equal(rig_ask2(rig, ALL, REBOOT, NULL, 0).id, -1);
	rig_wait(rig, LONG);
	assert_int_equal(rig_value2(rig, 2, 65, 1), 0);
}

static void alert_tells_of_a_hardware_error(void **state)
{
	struct rig *rig = *state;

	rig_poke(rig, 1, 144, 2, 90);
	assert_int_equal(rig_ping2(rig, 1).error, ALERT);
	assert_int_equal(rig_read2(rig, 1, 70, 1).params[0], 1);
	assert_int_equal(rig_set2(rig, 1, 64, 1, 2), ALERT | RANGE);
	rig_poke(rig, 1, 144, 2, 120);
	assert_int_equal(rig_ping2(rig, 1).error, 0);
}

/* As LeRobot sets up a servo: it goes on at once, under the new ID. */
static void a_new_id(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(rig_write2(rig, 1, 7, (u8[]){ 9 }, 1).id, 1);
	assert_int_equal(rig_ping2(rig, 1).id, -1);
	assert_int_equal(rig_ping2(rig, 9).id, 9);
}

/* --- factory reset, clear, backup --- */

static void factory_reset_keeps_what_it_is_told_to(void **state)
{
	struct rig *rig = *state;
	struct device *dev = &rig->bus.devices[1];

	assert_int_equal(rig_ask2(rig, 2, RESET, (u8[]){ 0x02 }, 1).error, 0);
	rig_wait(rig, LONG);
	assert_int_equal(device_id(dev), 2);
	assert_int_equal(device_baud(dev), 1000000);
	assert_int_equal(rig_ask2(rig, 2, RESET, (u8[]){ 0x03 }, 1).error, RANGE);
	/* Not all of them at once: they would all have ID 1. */
	rig_ask2(rig, ALL, RESET, (u8[]){ 0xff }, 1);
	assert_int_equal(device_id(dev), 2);
	assert_int_equal(rig_ask2(rig, 2, RESET, (u8[]){ 0xff }, 1).id, 2);
	assert_int_equal(device_id(dev), 1);
	assert_int_equal(device_baud(dev), 57600);
}

static void old_firmware_takes_a_reset_by_broadcast(void **state)
{
	struct rig *rig = *state;

	rig_poke(rig, 2, 6, 1, 41);
	rig_ask2(rig, ALL, RESET, (u8[]){ 0xff }, 1);
	assert_int_equal(device_id(&rig->bus.devices[1]), 1);
	assert_int_equal(device_baud(&rig->bus.devices[0]), 1000000);
}

#define CLEAR_TURNS	1, 0x44, 0x58, 0x4c, 0x22
#define STORE		1, 0x43, 0x54, 0x52, 0x4c
#define RESTORE		2, 0x43, 0x54, 0x52, 0x4c

static void clear_needs_rest_and_the_right_word(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(ERROR(rig, CLEAR, 1, 0x44, 0x58, 0x4c, 0x23), RANGE);
	assert_int_equal(ERROR(rig, CLEAR, 2, 0x44, 0x58, 0x4c, 0x22), RANGE);
	rig_set2(rig, 1, 64, 1, 1);
	rig_set2(rig, 1, 116, 4, 3000);
	rig_wait(rig, 0.1);
	assert_int_equal(ERROR(rig, CLEAR, CLEAR_TURNS), RESULT);
	rig_wait(rig, 5);
	assert_int_equal(ERROR(rig, CLEAR, CLEAR_TURNS), 0);
	assert_int_equal(rig_value2(rig, 1, 132, 4), 3000);
}

static void backup_needs_torque_off(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(ERROR(rig, BACKUP, RESTORE), RESULT);
	rig_set2(rig, 1, 64, 1, 1);
	assert_int_equal(ERROR(rig, BACKUP, STORE), RESULT);
	rig_set2(rig, 1, 64, 1, 0);
	assert_int_equal(ERROR(rig, BACKUP, 1, 0, 0, 0, 0), RANGE);
	assert_int_equal(ERROR(rig, BACKUP, 3, 0x43, 0x54, 0x52, 0x4c), RANGE);
	assert_int_equal(ERROR(rig, BACKUP, STORE), 0);
	rig_set2(rig, 1, 64, 1, 1);
	assert_int_equal(ERROR(rig, BACKUP, RESTORE), RESULT);
}

/* To start. */
static void how_long_it_is_deaf(void **state)
{
	struct rig *rig = *state;

	error_of(rig, REBOOT, NULL, 0);
	rig_wait(rig, 0.399);
	assert_int_equal(rig_ping2(rig, 1).id, -1);
	rig_wait(rig, 0.002);
	assert_int_equal(rig_ping2(rig, 1).id, 1);
}

/* Whichever it is, and whatever of it is reset. */
static void how_long_a_reset_takes(void **state)
{
	struct rig *rig = *state;
	struct device *dev = &rig->bus.devices[0];

	error_of(rig, RESET, (u8[]){ 2 }, 1);
	assert_int_equal(dev->deaf_until - rig->now, NSEC_PER_SEC);
	device_init(dev, &model_ax12, 1, 1000000, "Joint", rig->now);
	assert_int_equal(rig_ask(rig, 1, RESET, NULL, 0).id, 1);
	assert_int_equal(dev->deaf_until - rig->now, NSEC_PER_SEC);
}

/* As LeRobot writes a calibration; others of Protocol 2.0 would not hear the second. */
static void items_of_the_eeprom_back_to_back(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(rig_write2(rig, 1, 20, (u8[]){ 100, 0, 0, 0 }, 4).id, 1);
	assert_int_equal(rig_write2(rig, 1, 52, (u8[]){ 0, 2, 0, 0 }, 4).id, 1);
	assert_int_equal(rig_write2(rig, 1, 48, (u8[]){ 0, 8, 0, 0 }, 4).id, 1);
	assert_int_equal(rig_value2(rig, 1, 20, 4), 100);
	assert_int_equal(rig_value2(rig, 1, 52, 4), 512);
	assert_int_equal(rig_value2(rig, 1, 48, 4), 2048);

	rig_add(rig, &model_mx28_2, 3);
	rig_add(rig, &model_xl320, 4);
	assert_int_equal(rig_write2(rig, 3, 31, (u8[]){ 70 }, 1).id, 3);
	assert_int_equal(rig_ping2(rig, 3).id, -1);
	assert_int_equal(rig_write2(rig, 4, 12, (u8[]){ 60 }, 1).id, 4);
	assert_int_equal(rig_ping2(rig, 4).id, -1);
}

/* Startup Configuration: RAM from the backup, and torque on. */
static void startup_configuration(void **state)
{
	struct rig *rig = *state;

	rig_set2(rig, 1, 60, 1, 3);
	rig_wait(rig, LONG);
	rig_set2(rig, 1, 84, 2, 123);
	rig_set2(rig, 1, 168, 2, 65);
	rig_set2(rig, 1, 65, 1, 1);
	assert_int_equal(ERROR(rig, BACKUP, STORE), 0);
	error_of(rig, REBOOT, NULL, 0);
	rig_wait(rig, LONG);
	assert_int_equal(rig_value2(rig, 1, 84, 2), 123);
	assert_int_equal(rig_value2(rig, 1, 168, 2), 65);
	assert_int_equal(rig_value2(rig, 1, 64, 1), 1);
	/* The LED is none of what is kept. */
	assert_int_equal(rig_value2(rig, 1, 65, 1), 0);
}

static void abilities_come_with_firmware(void **state)
{
	struct rig *rig = *state;

	rig_poke(rig, 1, 6, 1, 41);
	assert_int_equal(ERROR(rig, CLEAR, CLEAR_TURNS), INSTRUCTION);
	rig_poke(rig, 1, 6, 1, 44);
	assert_int_equal(ERROR(rig, CLEAR, CLEAR_TURNS), 0);
	assert_int_equal(ERROR(rig, BACKUP, STORE), INSTRUCTION);
	assert_false(device_supports(&rig->bus.devices[0], 0x8a));
	rig_poke(rig, 1, 6, 1, 45);
	assert_int_equal(ERROR(rig, BACKUP, STORE), 0);
	assert_true(device_supports(&rig->bus.devices[0], 0x8a));
	assert_true(device_supports(&rig->bus.devices[0], 0x9a));
	rig_add(rig, &model_mx64_2, 3);
	assert_false(device_supports(&rig->bus.devices[2], 0x8a));
	assert_true(device_supports(&rig->bus.devices[2], 0x82));
	assert_true(device_supports(&rig->bus.devices[2], 0x92));
}

/* --- group writes --- */

static void malformed_group_writes_are_left_alone(void **state)
{
	static const u8 sync[] = { 65, 0, 1, 0, 1, 1, 2 };
	static const u8 bulk[] = { 1, 65, 0, 1, 0, 1, 2, 65, 0, 2, 0, 1 };
	struct rig *rig = *state;

	rig_ask2(rig, ALL, SYNC_WRITE, sync, sizeof(sync));
	assert_int_equal(rig_value2(rig, 1, 65, 1), 0);
	rig_ask2(rig, ALL, BULK_WRITE, bulk, sizeof(bulk));
	assert_int_equal(rig_value2(rig, 2, 65, 1), 0);
}

static void a_secondary_id(void **state)
{
	struct rig *rig = *state;

	assert_int_equal(rig_set2(rig, 1, 12, 1, 50), 0);
	assert_int_equal(rig_set2(rig, 2, 12, 1, 50), 0);
	rig_wait(rig, LONG);
	assert_int_equal(rig_write2(rig, 50, 65, (u8[]){ 1 }, 1).id, -1);
	assert_int_equal(rig_value2(rig, 1, 65, 1), 1);
	assert_int_equal(rig_value2(rig, 2, 65, 1), 1);
	assert_int_equal(rig_ping2(rig, 50).id, -1);
	/* The EEPROM is out of its reach. */
	rig_write2(rig, 50, 31, (u8[]){ 44 }, 1);
	assert_int_equal(rig_value2(rig, 1, 31, 1), 80);
	/* Another one's ID: that one answers, both do it. */
	assert_int_equal(rig_set2(rig, 1, 12, 1, 2), 0);
	rig_wait(rig, LONG);
	assert_int_equal(rig_write2(rig, 2, 65, (u8[]){ 0 }, 1).id, 2);
	assert_int_equal(rig_value2(rig, 1, 65, 1), 0);
}

/* --- indirect items --- */

static void indirect_data(void **state)
{
	struct rig *rig = *state;
	struct reply reply;
	int i;

	/* The LED, and Goal Position behind it. */
	assert_int_equal(rig_set2(rig, 1, 168, 2, 65), 0);
	for (i = 0; i < 4; i++)
		assert_int_equal(rig_set2(rig, 1, 170 + 2 * i, 2, 116 + i), 0);
	assert_int_equal(rig_write2(rig, 1, 224, (u8[]){ 1, 0, 4, 0, 0 }, 5).error, 0);
	assert_int_equal(rig_value2(rig, 1, 65, 1), 1);
	assert_int_equal(rig_value2(rig, 1, 116, 4), 1024);
	reply = rig_read2(rig, 1, 224, 6);
	assert_memory_equal(reply.params, ((u8[]){ 1, 0, 4, 0, 0, 0 }), 6);

	/* They have the rules of what they stand for. */
	assert_int_equal(rig_write2(rig, 1, 224, (u8[]){ 2 }, 1).error, RANGE);
	assert_int_equal(rig_write2(rig, 1, 225, (u8[]){ 0, 4, 0 }, 3).error, LENGTH);
	assert_int_equal(rig_write2(rig, 1, 225, (u8[]){ 0, 16, 0, 0 }, 4).error,
			 LIMIT);
	assert_int_equal(rig_set2(rig, 1, 168, 2, 146), 0);
	assert_int_equal(rig_write2(rig, 1, 224, (u8[]){ 1 }, 1).error, ACCESS);
	assert_int_equal(rig_read2(rig, 1, 224, 1).params[0], 25);
	/* Not the EEPROM, and nothing beyond the table. */
	assert_int_equal(rig_set2(rig, 1, 168, 2, 31), RANGE);
	assert_int_equal(rig_set2(rig, 1, 168, 2, 662), RANGE);
	/* Of itself it is just a byte. */
	assert_int_equal(rig_write2(rig, 1, 230, (u8[]){ 99 }, 1).error, 0);
	assert_int_equal(rig_read2(rig, 1, 230, 1).params[0], 99);
	/* The second row */
	assert_int_equal(rig_set2(rig, 1, 632, 2, 65), 0);
	assert_int_equal(rig_read2(rig, 1, 661, 1).params[0], 1);
}

static void nonsense_in_indirect_addresses(void **state)
{
	struct rig *rig = *state;

	rig_poke(rig, 1, 168, 2, 65535);
	assert_int_equal(rig_read2(rig, 1, 224, 1).len, 1);
	rig_poke(rig, 1, 168, 2, 300);
	assert_int_equal(rig_read2(rig, 1, 224, 1).params[0], 0);
	assert_int_equal(rig_write2(rig, 1, 224, (u8[]){ 1 }, 1).error, ACCESS);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(example_of_ping),
		TEST(example_of_read),
		TEST(example_of_write),
		TEST(example_of_reg_write_and_action),
		TEST(example_of_factory_reset),
		TEST(example_of_reboot),
		TEST(example_of_clear),
		TEST(example_of_backup),
		TEST(example_of_sync_read),
		TEST(example_of_sync_write),
		TEST(example_of_fast_sync_read),
		TEST(example_of_bulk_read),
		TEST(example_of_bulk_write),
		TEST(unknown_instructions),
		TEST(wrong_numbers_of_parameters),
		TEST(reads_outside_the_table),
		TEST(writes_that_are_refused),
		TEST(torque_locks_the_eeprom),
		TEST(a_wrong_crc),
		TEST(the_other_protocol_is_not_heard),
		TEST(status_return_level),
		TEST(broadcast_is_done_and_not_answered),
		TEST(alert_tells_of_a_hardware_error),
		TEST(a_new_id),
		TEST(factory_reset_keeps_what_it_is_told_to),
		TEST(old_firmware_takes_a_reset_by_broadcast),
		TEST(clear_needs_rest_and_the_right_word),
		TEST(backup_needs_torque_off),
		TEST(how_long_it_is_deaf),
		TEST(how_long_a_reset_takes),
		TEST(items_of_the_eeprom_back_to_back),
		TEST(startup_configuration),
		TEST(abilities_come_with_firmware),
		TEST(malformed_group_writes_are_left_alone),
		TEST(a_secondary_id),
		TEST(indirect_data),
		TEST(nonsense_in_indirect_addresses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
