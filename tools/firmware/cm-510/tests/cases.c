// SPDX-License-Identifier: GPL-2.0-or-later
#include "cases.h"

#define ID		200
#define ALL		254
#define PING		1
#define READ		2
#define WRITE		3
#define REG_WRITE	4
#define ACTION		5
#define RESET		6
#define SYNC_WRITE	0x83
#define BULK_READ	0x92

#define RANGE		0x08
#define CHECKSUM	0x10
#define INSTRUCTION	0x40

#define BYTES(...)	{ sizeof((uint8_t[]){ __VA_ARGS__ }), { __VA_ARGS__ } }
#define SEND(...)	.send = BYTES(__VA_ARGS__)
#define RAW(...)	.raw = BYTES(__VA_ARGS__)
#define GETS(...)	.answer = BYTES(__VA_ARGS__)
#define POWER		.power = true

static const struct step pings[] = {
	{ SEND(ID, PING), GETS(ID, 0) },
	{ SEND(ID, PING, 1), GETS(ID, INSTRUCTION) },
	{ SEND(ALL, PING) },
	{ SEND(1, PING) },
	{ SEND(253, PING) },
};

static const struct step head[] = {
	{ SEND(ID, READ, 0, 3), GETS(ID, 0, 0x10, 0x05, 2) },
	{ SEND(ID, READ, 3, 5), GETS(ID, 0, 200, 1, 0, 2, 1) },
	{ SEND(ID, READ, 16, 1), GETS(ID, 0, 2) },
	{ SEND(ID, READ, 24, 6), GETS(ID, 0, 0, 0, 0, 0, 0, 0) },
};

static const struct step reads_within_the_table[] = {
	{ SEND(ID, READ, 45, 1), GETS(ID, 0, 0) },
	{ SEND(ID, READ, 45, 2), GETS(ID, RANGE) },
	{ SEND(ID, READ, 46, 1), GETS(ID, RANGE) },
	{ SEND(ID, READ, 255, 255), GETS(ID, RANGE) },
	{ SEND(ID, READ, 0, 0), GETS(ID, RANGE) },
	{ SEND(ID, READ, 0), GETS(ID, INSTRUCTION) },
	{ SEND(ID, READ, 0, 1, 2), GETS(ID, INSTRUCTION) },
	{ SEND(ALL, READ, 0, 1) },
};

static const struct step writes[] = {
	{ SEND(ID, WRITE, 25, 0x55), GETS(ID, 0) },
	{ SEND(ID, READ, 25, 1), GETS(ID, 0, 0x55) },
	{ SEND(ID, WRITE, 25, 0x80), GETS(ID, RANGE) },
	{ SEND(ID, READ, 25, 1), GETS(ID, 0, 0x55) },
	{ SEND(ID, WRITE, 26, 63), GETS(ID, 0) },
	{ SEND(ID, WRITE, 26, 64), GETS(ID, RANGE) },
	{ SEND(ID, WRITE, 28, 0xb8, 0x01), GETS(ID, 0) },
	{ SEND(ID, READ, 28, 2), GETS(ID, 0, 0xb8, 0x01) },
	{ SEND(ALL, WRITE, 25, 1) },
	{ SEND(ID, READ, 25, 2), GETS(ID, 0, 1, 63) },
	{ SEND(1, WRITE, 25, 2) },
	{ SEND(ID, READ, 25, 1), GETS(ID, 0, 1) },
	{ SEND(ID, WRITE), GETS(ID, INSTRUCTION) },
	{ SEND(ID, WRITE, 25), GETS(ID, INSTRUCTION) },
};

static const struct step writes_whole_items[] = {
	{ SEND(ID, WRITE, 28, 1), GETS(ID, RANGE) },
	{ SEND(ID, WRITE, 29, 1), GETS(ID, RANGE) },
	{ SEND(ID, WRITE, 25, 3, 2, 9, 0x10), GETS(ID, RANGE) },
	{ SEND(ID, READ, 25, 5), GETS(ID, 0, 0, 0, 0, 0, 0) },
	/* The byte between them keeps nothing. */
	{ SEND(ID, WRITE, 25, 3, 2, 9, 0x10, 0x27), GETS(ID, 0) },
	{ SEND(ID, READ, 25, 5), GETS(ID, 0, 3, 2, 0, 0x10, 0x27) },
	{ SEND(ID, WRITE, 27, 1), GETS(ID, RANGE) },
	{ SEND(ID, WRITE, 8, 1, 2, 3), GETS(ID, RANGE) },
	{ SEND(ID, WRITE, 46, 1), GETS(ID, RANGE) },
	{ SEND(ID, WRITE, 255, 1, 2, 3), GETS(ID, RANGE) },
};

static const struct step nothing_measured_is_written[] = {
	{ SEND(ID, WRITE, 0, 1, 2), GETS(ID, RANGE) },
	{ SEND(ID, WRITE, 2, 9, 7), GETS(ID, RANGE) },
	{ SEND(ID, WRITE, 28, 1, 0, 1), GETS(ID, RANGE) },
	{ SEND(ID, WRITE, 32, 1, 0), GETS(ID, RANGE) },
	{ SEND(ID, WRITE, 44, 1, 0), GETS(ID, RANGE) },
	{ SEND(ID, WRITE, 22, 1, 0), GETS(ID, RANGE) },
	{ SEND(ID, READ, 22, 2), GETS(ID, 0, 0, 0) },
	{ SEND(ID, READ, 0, 4), GETS(ID, 0, 0x10, 0x05, 2, 200) },
	{ SEND(ID, READ, 28, 2), GETS(ID, 0, 0, 0) },
};

static const struct step ranges_of_what_is_kept[] = {
	{ SEND(ID, WRITE, 3, 254), GETS(ID, RANGE) },
	{ SEND(ID, WRITE, 4, 0), GETS(ID, RANGE) },
	{ SEND(ID, WRITE, 4, 255), GETS(ID, RANGE) },
	{ SEND(ID, WRITE, 5, 255), GETS(ID, RANGE) },
	{ SEND(ID, WRITE, 6, 3), GETS(ID, RANGE) },
	{ SEND(ID, WRITE, 7, 0), GETS(ID, RANGE) },
	{ SEND(ID, WRITE, 7, 255), GETS(ID, RANGE) },
	{ SEND(ID, WRITE, 16, 3), GETS(ID, RANGE) },
	/* All or nothing */
	{ SEND(ID, WRITE, 5, 7, 3), GETS(ID, RANGE) },
	{ SEND(ID, READ, 3, 5), GETS(ID, 0, 200, 1, 0, 2, 1) },
};

static const struct step an_id_holds_from_the_next_on[] = {
	{ SEND(ID, WRITE, 3, 7), GETS(ID, 0) },
	{ SEND(ID, PING) },
	{ SEND(7, READ, 3, 1), GETS(7, 0, 7) },
	{ POWER },
	{ SEND(7, PING), GETS(7, 0) },
	{ SEND(ALL, WRITE, 3, 8) },
	{ SEND(7, PING) },
	{ SEND(8, PING), GETS(8, 0) },
};

static const struct step status_return_levels[] = {
	{ SEND(ID, WRITE, 16, 1), GETS(ID, 0) },
	{ SEND(ID, WRITE, 25, 4) },
	{ SEND(ID, WRITE, 25, 255) },
	{ SEND(ID, REG_WRITE, 25, 5) },
	{ SEND(ID, ACTION) },
	{ SEND(ID, BULK_READ) },
	{ SEND(ID, READ, 25, 1), GETS(ID, 0, 5) },
	{ SEND(ID, READ, 46, 1), GETS(ID, RANGE) },
	{ SEND(ID, WRITE, 16, 0) },
	{ SEND(ID, READ, 25, 1) },
	{ SEND(ID, PING), GETS(ID, 0) },
	{ POWER },
	{ SEND(ID, READ, 25, 1) },
	{ SEND(ID, WRITE, 16, 2) },
	{ SEND(ID, READ, 25, 1), GETS(ID, 0, 0) },
};

static const struct step eeprom_outlives_the_power[] = {
	{ SEND(ID, WRITE, 4, 1, 9, 1, 34), GETS(ID, 0) },
	{ SEND(ID, WRITE, 25, 0x7f, 1, 0, 1, 2), GETS(ID, 0) },
	{ POWER },
	{ SEND(ID, READ, 3, 5), GETS(ID, 0, 200, 1, 9, 1, 34) },
	{ SEND(ID, READ, 25, 5), GETS(ID, 0, 0, 0, 0, 0, 0) },
	{ SEND(ID, WRITE, 5, 0), GETS(ID, 0) },
	{ POWER },
	{ SEND(ID, READ, 3, 5), GETS(ID, 0, 200, 1, 0, 1, 34) },
};

static const struct step registered_writes[] = {
	{ SEND(ID, ACTION), GETS(ID, INSTRUCTION) },
	{ SEND(ID, REG_WRITE, 25, 3), GETS(ID, 0) },
	{ SEND(ID, READ, 25, 1), GETS(ID, 0, 0) },
	{ SEND(ID, REG_WRITE, 25, 0x80), GETS(ID, RANGE) },
	{ SEND(ID, REG_WRITE, 30, 1), GETS(ID, RANGE) },
	{ SEND(ID, REG_WRITE), GETS(ID, INSTRUCTION) },
	{ SEND(ID, ACTION), GETS(ID, 0) },
	{ SEND(ID, READ, 25, 1), GETS(ID, 0, 3) },
	{ SEND(ID, ACTION), GETS(ID, INSTRUCTION) },
	{ SEND(ALL, REG_WRITE, 28, 9, 0) },
	{ SEND(ID, REG_WRITE, 28, 8, 0), GETS(ID, 0) },
	{ SEND(ALL, ACTION) },
	{ SEND(ID, READ, 28, 2), GETS(ID, 0, 8, 0) },
	{ SEND(ID, REG_WRITE, 25, 1), GETS(ID, 0) },
	{ POWER },
	{ SEND(ID, ACTION), GETS(ID, INSTRUCTION) },
};

static const struct step sync_writes[] = {
	{ SEND(ALL, SYNC_WRITE, 25, 1, 1, 9, ID, 6, 2, 7) },
	{ SEND(ID, READ, 25, 1), GETS(ID, 0, 6) },
	{ SEND(ALL, SYNC_WRITE, 28, 2, ID, 4, 1) },
	{ SEND(ID, READ, 28, 2), GETS(ID, 0, 4, 1) },
	/* Without it, and not of a whole number of entries */
	{ SEND(ALL, SYNC_WRITE, 25, 1, 1, 9, 2, 9) },
	{ SEND(ALL, SYNC_WRITE, 25, 1, ID, 9, 2) },
	{ SEND(ALL, SYNC_WRITE, 25, 0, ID) },
	{ SEND(ALL, SYNC_WRITE, 25, 255, ID, 9) },
	{ SEND(ALL, SYNC_WRITE, 25) },
	{ SEND(ALL, SYNC_WRITE, 25, 1, ID, 0x80) },
	{ SEND(ID, READ, 25, 1), GETS(ID, 0, 6) },
	{ SEND(ID, SYNC_WRITE, 25, 1, ID, 1), GETS(ID, INSTRUCTION) },
	{ SEND(ID, READ, 25, 1), GETS(ID, 0, 6) },
};

static const struct step unknown_instructions[] = {
	{ SEND(ID, 0), GETS(ID, INSTRUCTION) },
	{ SEND(ID, 7), GETS(ID, INSTRUCTION) },
	{ SEND(ID, BULK_READ, 0, 1, ID, 0), GETS(ID, INSTRUCTION) },
	{ SEND(ALL, BULK_READ, 0, 1, ID, 0) },
	{ SEND(ALL, 0x77) },
	{ SEND(ID, PING), GETS(ID, 0) },
};

static const struct step a_reset[] = {
	{ SEND(ID, WRITE, 3, 9), GETS(ID, 0) },
	{ SEND(9, WRITE, 5, 4, 0, 60), GETS(9, 0) },
	{ SEND(9, WRITE, 25, 7), GETS(9, 0) },
	{ SEND(9, REG_WRITE, 25, 1), GETS(9, 0) },
	{ SEND(9, RESET), GETS(9, 0) },
	{ SEND(9, PING) },
	{ SEND(ID, READ, 3, 5), GETS(ID, 0, 200, 1, 0, 2, 1) },
	{ SEND(ID, READ, 25, 1), GETS(ID, 0, 0) },
	{ SEND(ID, ACTION), GETS(ID, INSTRUCTION) },
	{ POWER },
	{ SEND(ID, READ, 3, 5), GETS(ID, 0, 200, 1, 0, 2, 1) },
	{ SEND(ID, WRITE, 3, 9), GETS(ID, 0) },
	{ SEND(ALL, RESET) },
	{ SEND(ID, PING), GETS(ID, 0) },
};

/* Checksums: ~(200 + 2 + 1) = 0x34 */
static const struct step damage[] = {
	{ RAW(0xff, 0xff, ID, 2, PING, 0x34), GETS(ID, 0) },
	{ RAW(0xff, 0xff, ID, 2, PING, 0x35), GETS(ID, CHECKSUM) },
	{ RAW(0xff, 0xff, 1, 2, PING, 0x35) },
	{ RAW(0xff, 0xff, ALL, 2, PING, 0x35) },
	{ RAW(0xff, 0xff, ID, 4, WRITE, 25, 9, 0x35), GETS(ID, CHECKSUM) },
	{ SEND(ID, READ, 25, 1), GETS(ID, 0, 0) },
	{ SEND(ID, WRITE, 16, 0), GETS(ID, 0) },
	{ RAW(0xff, 0xff, ID, 2, PING, 0x35), GETS(ID, CHECKSUM) },
	{ RAW(0xff, 0xff, ID, 4, READ, 25, 1, 0x35) },
};

static const struct step noise[] = {
	{ RAW(0, 1, 0xff, 2, 0xfe, 0xff, 0, 3) },
	{ SEND(ID, PING), GETS(ID, 0) },
	{ RAW(0xff, 0xff, 0xff, ID, 2, PING, 0x34), GETS(ID, 0) },
	{ RAW(0xff, 0xff, 0xff, 0xff, 0xff, ID, 2, PING, 0x34), GETS(ID, 0) },
	/* What has no length is no packet. */
	{ RAW(0xff, 0xff, ID, 1, 0xff, 0xff, ID, 2, PING, 0x34), GETS(ID, 0) },
	{ RAW(0xff, 0xff, ID, 0, 0xff, 0xff, ID, 2, PING, 0x34), GETS(ID, 0) },
	/* One that has broken off is given up after a pause. */
	{ RAW(0xff, 0xff, ID, 200, WRITE) },
	{ SEND(ID, PING), GETS(ID, 0) },
	/* What others answer is not for the board. */
	{ RAW(0xff, 0xff, 1, 2, 0, 0xfc, 0xff, 0xff, ID, 2, PING, 0x34), GETS(ID, 0) },
};

#define CASE(name)	{ #name, name, sizeof(name) / sizeof((name)[0]) }

const struct testcase testcases[] = {
	CASE(pings),
	CASE(head),
	CASE(reads_within_the_table),
	CASE(writes),
	CASE(writes_whole_items),
	CASE(nothing_measured_is_written),
	CASE(ranges_of_what_is_kept),
	CASE(an_id_holds_from_the_next_on),
	CASE(status_return_levels),
	CASE(eeprom_outlives_the_power),
	CASE(registered_writes),
	CASE(sync_writes),
	CASE(unknown_instructions),
	CASE(a_reset),
	CASE(damage),
	CASE(noise),
};

const size_t testcase_count = sizeof(testcases) / sizeof(testcases[0]);
