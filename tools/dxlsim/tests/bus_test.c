// SPDX-License-Identifier: GPL-2.0-or-later
/* Instructions, who answers them, when, and what is counted. */
#include "cmocka_all.h"

#include <string.h>

#include "../base/base.h"
#include "harness.h"

#define BROADCAST	254

#define RANGE		0x08
#define CHECKSUM	0x10
#define INSTRUCTION	0x40

#define USEC		1000

static struct rig *rig_of(int ax, int mx)
{
	struct rig *rig = rig_new();
	int i;

	for (i = 1; i <= ax; i++)
		rig_add(rig, &model_ax12, i);
	for (; i <= ax + mx; i++)
		rig_add(rig, &model_mx28, i);

	return rig;
}

static void manual_examples(void **state)
{
	static const u8 ping[] = { 0xff, 0xff, 0x01, 0x02, 0x01, 0xfb };
	static const u8 pong[] = { 0xff, 0xff, 0x01, 0x02, 0x00, 0xfc };
	static const u8 read[] = { 0xff, 0xff, 0x01, 0x04, 0x02, 0x2b, 0x01,
				   0xcc };
	static const u8 warm[] = { 0xff, 0xff, 0x01, 0x03, 0x00, 0x20, 0xdb };
	struct rig *rig = rig_of(1, 0);
	u8 bytes[LINE_BYTES];

	(void)state;
	bus_receive(&rig->bus, ping, sizeof(ping), rig->now);
	assert_int_equal(bus_send(&rig->bus, bytes, rig->now), sizeof(pong));
	assert_memory_equal(bytes, pong, sizeof(pong));

	rig->bus.devices[0].servo.temperature = 32;
	bus_receive(&rig->bus, read, sizeof(read), rig->now);
	assert_int_equal(bus_send(&rig->bus, bytes, rig->now), sizeof(warm));
	assert_memory_equal(bytes, warm, sizeof(warm));
	rig_free(rig);
}

static void nobody_else_answers(void **state)
{
	struct rig *rig = rig_of(3, 0);
	int id;

	(void)state;
	for (id = 0; id < 254; id++)
		assert_int_equal(rig_ping(rig, id).id, id >= 1 && id <= 3 ? id : -1);
	rig_free(rig);
}

static void broadcast_is_done_and_not_answered(void **state)
{
	struct rig *rig = rig_of(2, 1);
	int id;

	(void)state;
	assert_int_equal(rig_read(rig, BROADCAST, 0, 2).id, -1);
	assert_int_equal(rig_write(rig, BROADCAST, 25, (u8[]){ 1 }, 1).id, -1);
	for (id = 1; id <= 3; id++)
		assert_int_equal(rig_read8(rig, id, 25), 1);
	rig_free(rig);
}

/* Of all instructions that go to everybody only PING is, at any Status Return Level. */
static void broadcast_ping(void **state)
{
	struct rig *rig = rig_of(2, 1);
	int id;

	(void)state;
	rig_add(rig, &model_fsr, 112);
	for (id = 1; id <= 3; id++)
		rig_poke(rig, id, 16, 1, 0);
	rig_send(rig, BROADCAST, 1, NULL, 0);
	for (id = 1; id <= 3; id++)
		assert_int_equal(rig_reply(rig).id, id);
	/* A board is silent. */
	assert_int_equal(rig_reply(rig).id, -1);
	rig_free(rig);
}

/* Each after its own return delay, and no ID has a time of its own. */
static void answers_to_a_broadcast_ping_collide(void **state)
{
	struct rig *rig = rig_of(2, 0);

	(void)state;
	rig->bus.wire_time = true;
	rig_send(rig, BROADCAST, 1, NULL, 0);
	rig_forget(rig);
	assert_int_equal(bus_count(&rig->bus, COUNT_COLLISIONS), 2);
	rig_poke(rig, 2, 5, 1, 0);
	rig_send(rig, BROADCAST, 1, NULL, 0);
	rig_run(rig);
	assert_int_equal(rig_reply(rig).id, 2);
	assert_int_equal(rig_reply(rig).id, 1);
	rig_free(rig);
}

static void undefined_instructions(void **state)
{
	static const u8 defined[] = { 1, 2, 3, 4, 5, 6, 0x83 };
	struct rig *rig = rig_of(1, 0);
	int code;

	(void)state;
	for (code = 0; code < 256; code++) {
		struct reply reply;

		if (memchr(defined, code, sizeof(defined)))
			continue;
		reply = rig_ask(rig, 1, code, NULL, 0);
		assert_int_equal(reply.id, 1);
		assert_int_equal(reply.error, INSTRUCTION);
	}
	rig_free(rig);
}

/* What is answered at each level: ping, read, write, undefined. */
static void status_return_level(void **state)
{
	static const bool answers[3][4] = {
		{ true, false, false, false },
		{ true, true, false, false },
		{ true, true, true, true },
	};
	int level;

	(void)state;
	for (level = 0; level < 3; level++) {
		struct rig *rig = rig_of(1, 0);
		const bool *a = answers[level];

		/* This one is answered as the level was before. */
		assert_int_equal(rig_write(rig, 1, 16, (u8[]){ level }, 1).id, 1);
		rig_wait(rig, 1);
		assert_int_equal(rig_ping(rig, 1).id, a[0] ? 1 : -1);
		assert_int_equal(rig_read(rig, 1, 0, 1).id, a[1] ? 1 : -1);
		assert_int_equal(rig_read(rig, 1, 200, 1).id, a[1] ? 1 : -1);
		assert_int_equal(rig_write(rig, 1, 25, (u8[]){ 1 }, 1).id,
				 a[2] ? 1 : -1);
		assert_int_equal(rig->bus.devices[0].table[25], 1);
		assert_int_equal(rig_ask(rig, 1, 0x77, NULL, 0).id,
				 a[3] ? 1 : -1);
		rig_free(rig);
	}
}

static void reg_write_waits_for_action(void **state)
{
	struct rig *rig = rig_of(2, 0);
	static const u8 goal[] = { 30, 0xf4, 0x01 };
	int id;

	(void)state;
	for (id = 1; id <= 2; id++) {
		assert_int_equal(rig_ask(rig, id, 4, goal, 3).error, 0);
		assert_int_equal(rig_read8(rig, id, 44), 1);
		assert_int_equal(rig_read16(rig, id, 30), 512);
	}
	rig_send(rig, BROADCAST, 5, NULL, 0);
	for (id = 1; id <= 2; id++) {
		assert_int_equal(rig_read8(rig, id, 44), 0);
		assert_int_equal(rig_read16(rig, id, 30), 500);
	}
	assert_int_equal(rig_ask(rig, 1, 5, NULL, 0).error, INSTRUCTION);
	rig_free(rig);
}

static void reg_write_is_checked_at_once(void **state)
{
	struct rig *rig = rig_of(1, 0);
	static const u8 bad[] = { 30, 0x00, 0x04 };

	(void)state;
	assert_int_equal(rig_ask(rig, 1, 4, bad, 3).error, RANGE);
	assert_int_equal(rig_read8(rig, 1, 44), 0);
	assert_int_equal(rig_ask(rig, 1, 5, NULL, 0).error, INSTRUCTION);
	rig_free(rig);
}

static void power_cycle_forgets_a_registered_write(void **state)
{
	struct rig *rig = rig_of(1, 0);
	static const u8 goal[] = { 30, 0xf4, 0x01 };

	(void)state;
	assert_int_equal(rig_ask(rig, 1, 4, goal, 3).error, 0);
	device_power_cycle(&rig->bus.devices[0], rig->now);
	rig_wait(rig, 10);
	assert_int_equal(rig_ask(rig, 1, 5, NULL, 0).error, INSTRUCTION);
	rig_free(rig);
}

static void sync_write_to_several(void **state)
{
	struct rig *rig = rig_of(3, 0);
	/* The manual's example, for IDs 2 and 1; 9 is not there. */
	static const u8 params[] = { 30, 4, 2, 0x10, 0x00, 0x50, 0x01,
				     9, 1, 1, 1, 1, 1, 0x20, 0x02, 0x60, 0x03 };

	(void)state;
	assert_int_equal(rig_ask(rig, BROADCAST, 0x83, params, 17).id, -1);
	assert_int_equal(rig_read16(rig, 2, 30), 0x10);
	assert_int_equal(rig_read16(rig, 2, 32), 0x150);
	assert_int_equal(rig_read16(rig, 1, 30), 0x220);
	assert_int_equal(rig_read16(rig, 1, 32), 0x360);
	assert_int_equal(rig_read16(rig, 3, 30), 512);
	assert_int_equal(rig_read16(rig, 3, 32), 0);
	rig_free(rig);
}

static void one_bad_value_in_a_sync_write(void **state)
{
	struct rig *rig = rig_of(2, 0);
	static const u8 params[] = { 30, 2, 1, 0xff, 0x7f, 2, 0x20, 0x02 };

	(void)state;
	assert_int_equal(rig_ask(rig, BROADCAST, 0x83, params, 8).id, -1);
	assert_int_equal(rig_read16(rig, 1, 30), 512);
	assert_int_equal(rig_read16(rig, 2, 30), 0x220);
	rig_free(rig);
}

static void malformed_sync_writes(void **state)
{
	struct rig *rig = rig_of(1, 0);
	static const u8 params[] = { 25, 1, 1, 1, 1 };
	static const u8 none[] = { 25, 0, 1, 1 };

	(void)state;
	rig_ask(rig, BROADCAST, 0x83, params, 0);
	rig_ask(rig, BROADCAST, 0x83, params, 2);
	rig_ask(rig, BROADCAST, 0x83, params, 3);
	rig_ask(rig, BROADCAST, 0x83, params, 5);
	rig_ask(rig, BROADCAST, 0x83, none, 4);
	assert_int_equal(rig_ask(rig, 1, 0x83, params, 4).error, INSTRUCTION);
	assert_int_equal(rig_read8(rig, 1, 25), 0);
	rig_ask(rig, BROADCAST, 0x83, params, 4);
	assert_int_equal(rig_read8(rig, 1, 25), 1);
	rig_free(rig);
}

static void bulk_read_in_the_order_asked(void **state)
{
	struct rig *rig = rig_of(0, 3);
	static const u8 params[] = { 0, 2, 3, 30, 1, 1, 3, 2, 2, 36, 1, 3, 43 };
	struct reply reply;

	(void)state;
	rig_send(rig, BROADCAST, 0x92, params, sizeof(params));
	reply = rig_reply(rig);
	assert_int_equal(reply.id, 3);
	assert_int_equal(reply.len, 2);
	assert_int_equal(reply.params[0] | reply.params[1] << 8, 2048);
	reply = rig_reply(rig);
	assert_int_equal(reply.id, 1);
	assert_int_equal(reply.params[0], 1);
	assert_int_equal(rig_reply(rig).id, 2);
	/* 3 has been asked already. */
	assert_int_equal(rig_reply(rig).id, -1);
	rig_free(rig);
}

/* Each waits for the one before: an AX-12 does not know the instruction. */
static void bulk_read_ends_at_a_gap(void **state)
{
	struct rig *rig = rig_of(1, 3);
	static const u8 gap[] = { 0, 1, 2, 3, 1, 9, 3, 1, 3, 3 };
	static const u8 ax[] = { 0, 1, 2, 3, 1, 1, 3, 1, 3, 3 };
	static const u8 all[] = { 0, 1, 2, 3, 1, 3, 3, 1, 4, 3 };

	(void)state;
	assert_int_equal(rig_ask(rig, BROADCAST, 0x92, gap, 10).id, 2);
	assert_int_equal(rig_ask(rig, BROADCAST, 0x92, ax, 10).id, 2);
	rig->bus.devices[2].silenced = true;
	assert_int_equal(rig_ask(rig, BROADCAST, 0x92, all, 10).id, 2);
	rig->bus.devices[2].silenced = false;
	rig_send(rig, BROADCAST, 0x92, all, 10);
	assert_int_equal(rig_reply(rig).id, 2);
	assert_int_equal(rig_reply(rig).id, 3);
	assert_int_equal(rig_reply(rig).id, 4);
	assert_int_equal(rig_ask(rig, BROADCAST, 0x92, all, 3).id, -1);
	assert_int_equal(rig_ask(rig, BROADCAST, 0x92, all, 9).id, -1);
	assert_int_equal(rig_ask(rig, 2, 0x92, all, 10).error, INSTRUCTION);
	rig_free(rig);
}

static void wrong_checksum_is_answered(void **state)
{
	static const u8 bad[] = { 0xff, 0xff, 0x01, 0x04, 0x03, 0x19, 0x01, 0x00 };
	struct rig *rig = rig_of(2, 0);
	struct reply reply;

	(void)state;
	bus_receive(&rig->bus, bad, sizeof(bad), rig->now);
	reply = rig_reply(rig);
	assert_int_equal(reply.id, 1);
	assert_int_equal(reply.error, CHECKSUM);
	assert_int_equal(rig_reply(rig).id, -1);
	assert_int_equal(rig_read8(rig, 1, 25), 0);
	assert_int_equal(rig->bus.stats.checksum_errors, 1);

	/* At level 1 a damaged write is as silent as a good one. */
	rig_write8(rig, 1, 16, 1);
	rig_wait(rig, 1);
	bus_receive(&rig->bus, bad, sizeof(bad), rig->now);
	assert_int_equal(rig_reply(rig).id, -1);
	rig_free(rig);
}

static void damaged_broadcast_is_silent(void **state)
{
	static const u8 bad[] = { 0xff, 0xff, 0xfe, 0x02, 0x01, 0x00 };
	struct rig *rig = rig_of(2, 0);

	(void)state;
	bus_receive(&rig->bus, bad, sizeof(bad), rig->now);
	assert_int_equal(rig_reply(rig).id, -1);
	rig_free(rig);
}

/* 1.0 devices take no part in what is said in 2.0. */
static void protocol2_is_let_pass(void **state)
{
	static const u8 ping2[] = { 0xff, 0xff, 0xfd, 0, 1, 3, 0, 1, 0x19, 0x4e };
	static const u8 bad2[] = { 0xff, 0xff, 0xfd, 0, 1, 3, 0, 1, 0x19, 0x4f };
	struct rig *rig = rig_of(2, 0);

	(void)state;
	bus_receive(&rig->bus, ping2, sizeof(ping2), rig->now);
	bus_receive(&rig->bus, bad2, sizeof(bad2), rig->now);
	assert_int_equal(rig_reply(rig).id, -1);
	assert_int_equal(rig->bus.stats.rx_protocol2, 1);
	assert_int_equal(rig_ping(rig, 1).id, 1);
	rig_free(rig);
}

static void requests_byte_by_byte_and_merged(void **state)
{
	struct rig *rig = rig_of(2, 0);
	u8 bytes[64];
	size_t len, i;

	(void)state;
	len = frame(bytes, 1, 1, NULL, 0);
	len += frame(bytes + len, 2, 1, NULL, 0);
	for (i = 0; i < len; i++)
		bus_receive(&rig->bus, bytes + i, 1, rig->now);
	assert_int_equal(rig_reply(rig).id, 1);
	assert_int_equal(rig_reply(rig).id, 2);
	bus_receive(&rig->bus, bytes, len, rig->now);
	assert_int_equal(rig_reply(rig).id, 1);
	assert_int_equal(rig_reply(rig).id, 2);
	rig_free(rig);
}

static void silenced_is_as_unplugged(void **state)
{
	struct rig *rig = rig_of(2, 0);
	struct device *dev = &rig->bus.devices[0];

	(void)state;
	dev->silenced = true;
	assert_int_equal(rig_ping(rig, 1).id, -1);
	assert_int_equal(rig_write(rig, 1, 25, (u8[]){ 1 }, 1).id, -1);
	rig_write(rig, BROADCAST, 25, (u8[]){ 1 }, 1);
	assert_int_equal(bus_count(&rig->bus, COUNT_SILENCED), 2);
	assert_int_equal(rig_ping(rig, 2).id, 2);
	dev->silenced = false;
	assert_int_equal(rig_read8(rig, 1, 25), 0);
	rig_free(rig);
}

/* Both answer; without wire time one behind the other. */
static void two_of_one_id(void **state)
{
	struct rig *rig = rig_of(2, 0);

	(void)state;
	rig_write8(rig, 2, 3, 1);
	rig_wait(rig, 1);
	rig_send(rig, 1, 1, NULL, 0);
	assert_int_equal(rig_reply(rig).id, 1);
	assert_int_equal(rig_reply(rig).id, 1);
	rig_free(rig);
}

/* --- wire time --- */

/* When the next answer leaves, counted from the request's first byte. */
static nsec_t answer_after(struct rig *rig, nsec_t start)
{
	nsec_t due = bus_due(&rig->bus);

	assert_true(due != NSEC_NEVER);
	rig->now = due - 1;
	assert_int_equal(rig_reply(rig).id, -1);
	rig->now = due;
	assert_true(rig_reply(rig).id >= 0);

	return due - start;
}

static void answers_take_their_time(void **state)
{
	struct rig *rig = rig_of(1, 0);
	nsec_t start = rig->now;

	(void)state;
	rig->bus.wire_time = true;
	/* 6 bytes, 500 us, 6 bytes at 10 us each */
	rig_send(rig, 1, 1, NULL, 0);
	assert_int_equal(answer_after(rig, start), (60 + 500 + 60) * USEC);

	/* 8 bytes there, 8 bytes of data in 14 back */
	start = rig->now;
	rig_send(rig, 1, 2, (u8[]){ 36, 8 }, 2);
	assert_int_equal(answer_after(rig, start), (80 + 500 + 140) * USEC);

	/* A return delay of 2 us counts from the next instruction on. */
	start = rig->now;
	rig_send(rig, 1, 3, (u8[]){ 5, 1 }, 2);
	assert_int_equal(answer_after(rig, start), (80 + 500 + 60) * USEC);
	rig_wait(rig, 1);
	start = rig->now;
	rig_send(rig, 1, 1, NULL, 0);
	assert_int_equal(answer_after(rig, start), (60 + 2 + 60) * USEC);
	rig_free(rig);
}

static void a_slower_line_takes_longer(void **state)
{
	struct rig *rig = rig_new();
	nsec_t start = rig->now;

	(void)state;
	rig->bus.baud = 500000;
	rig->bus.wire_time = true;
	rig_add(rig, &model_ax12, 1);
	rig_send(rig, 1, 1, NULL, 0);
	assert_int_equal(answer_after(rig, start), (120 + 500 + 120) * USEC);
	rig_free(rig);
}

static void bulk_answers_follow_one_another(void **state)
{
	struct rig *rig = rig_of(0, 2);
	nsec_t start = rig->now;

	(void)state;
	rig->bus.wire_time = true;
	/* 13 bytes there; each answer is 500 us and 8 bytes */
	rig_send(rig, BROADCAST, 0x92, (u8[]){ 0, 2, 1, 30, 2, 2, 36 }, 7);
	assert_int_equal(answer_after(rig, start), (130 + 500 + 80) * USEC);
	assert_int_equal(answer_after(rig, start), (130 + 2 * 580) * USEC);
	rig_free(rig);
}

static void without_wire_time_all_is_at_once(void **state)
{
	struct rig *rig = rig_of(1, 0);

	(void)state;
	rig_send(rig, 1, 1, NULL, 0);
	assert_int_equal(bus_due(&rig->bus), rig->now);
	rig_free(rig);
}

/* A servo waits 100 ms for the rest of a packet. */
static void a_gap_ends_a_packet(void **state)
{
	struct rig *rig = rig_of(1, 0);
	u8 bytes[16];
	size_t len = frame(bytes, 1, 1, NULL, 0);

	(void)state;
	rig->bus.wire_time = true;
	bus_receive(&rig->bus, bytes, 3, rig->now);
	rig_wait(rig, 0.09);
	bus_receive(&rig->bus, bytes + 3, len - 3, rig->now);
	assert_int_equal(rig->bus.stats.gaps, 0);
	assert_true(bus_due(&rig->bus) != NSEC_NEVER);

	rig_wait(rig, 1);
	assert_int_equal(rig_reply(rig).id, 1);
	bus_receive(&rig->bus, bytes, 3, rig->now);
	rig_wait(rig, 0.11);
	bus_receive(&rig->bus, bytes + 3, len - 3, rig->now);
	assert_int_equal(rig->bus.stats.gaps, 1);
	assert_int_equal(bus_due(&rig->bus), NSEC_NEVER);
	rig_free(rig);
}

static void hanging_up_forgets(void **state)
{
	struct rig *rig = rig_of(1, 0);
	u8 bytes[16];

	(void)state;
	frame(bytes, 1, 1, NULL, 0);
	bus_receive(&rig->bus, bytes, 6, rig->now);
	bus_receive(&rig->bus, bytes, 4, rig->now);
	bus_hang_up(&rig->bus);
	assert_int_equal(rig_reply(rig).id, -1);
	assert_int_equal(bus_count(&rig->bus, COUNT_DAMAGED), 1);
	assert_int_equal(bus_count(&rig->bus, COUNT_GOOD), 0);
	assert_int_equal(rig_ping(rig, 1).id, 1);
	rig_free(rig);
}

/* --- faults and counts --- */

static void answers_are_counted(void **state)
{
	struct rig *rig = rig_of(2, 0);

	(void)state;
	rig_ping(rig, 1);
	rig_read(rig, 2, 0, 10);
	rig_ping(rig, 3);
	assert_int_equal(rig->bus.stats.rx_packets, 3);
	assert_int_equal(rig->bus.stats.rx_bytes, 6 + 8 + 6);
	assert_int_equal(rig->bus.stats.rx_kind[1], 2);
	assert_int_equal(rig->bus.stats.rx_kind[2], 1);
	assert_int_equal(bus_count(&rig->bus, COUNT_SENT), 2);
	assert_int_equal(rig->bus.stats.tx_bytes, 6 + 16);
	bus_clear_stats(&rig->bus);
	assert_int_equal(rig->bus.stats.rx_packets, 0);
	rig_free(rig);
}

static uint32_t *share(struct rig *rig, const char *kind)
{
	return &rig->bus.faults.setting[fault_find(kind)][FAULT_ANY_ID].share;
}

static int pings_lost(struct rig *rig, int count)
{
	int lost = 0;

	while (count--)
		lost += rig_ping(rig, 1).id < 0;

	return lost;
}

static void dropped_answers(void **state)
{
	struct rig *rig = rig_of(1, 0);
	int lost;

	(void)state;
	*share(rig, "drop") = FAULT_SCALE / 10;
	lost = pings_lost(rig, 10000);
	assert_in_range(lost, 850, 1150);
	assert_int_equal(faults_count(&rig->bus.faults, fault_find("drop")), lost);
	assert_int_equal(bus_count(&rig->bus, COUNT_SENT), 10000 - lost);

	*share(rig, "drop") = FAULT_SCALE;
	assert_int_equal(pings_lost(rig, 100), 100);
	*share(rig, "drop") = 0;
	assert_int_equal(pings_lost(rig, 100), 0);
	rig_free(rig);
}

static int bits_of_difference(const u8 *a, const u8 *b, size_t len)
{
	int bits = 0;

	while (len--)
		bits += __builtin_popcount(*a++ ^ *b++);

	return bits;
}

static void corrupted_answers(void **state)
{
	static const u8 pong[] = { 0xff, 0xff, 0x01, 0x02, 0x00, 0xfc };
	struct rig *rig = rig_of(1, 0);
	int i, damaged = 0, seen[6] = { 0 };

	(void)state;
	*share(rig, "corrupt") = FAULT_SCALE / 2;
	for (i = 0; i < 1000; i++) {
		u8 bytes[LINE_BYTES];
		int at;

		rig_send(rig, 1, 1, NULL, 0);
		assert_int_equal(bus_send(&rig->bus, bytes, rig->now), 6);
		if (!memcmp(bytes, pong, 6))
			continue;
		assert_int_equal(bits_of_difference(bytes, pong, 6), 1);
		damaged++;
		for (at = 0; bytes[at] == pong[at]; at++)
			;
		seen[at]++;
	}
	assert_in_range(damaged, 400, 600);
	assert_int_equal(faults_count(&rig->bus.faults, fault_find("corrupt")), damaged);
	for (i = 0; i < 6; i++)
		assert_in_range(seen[i], 30, 150);
	rig_free(rig);
}

static uint64_t loss_pattern(uint64_t seed, uint32_t corrupt)
{
	struct rig *rig = rig_of(1, 0);
	uint64_t pattern = 0;
	int i;

	faults_seed(&rig->bus.faults, seed);
	*share(rig, "drop") = FAULT_SCALE / 2;
	*share(rig, "corrupt") = corrupt;
	for (i = 0; i < 64; i++) {
		u8 bytes[LINE_BYTES];

		rig_send(rig, 1, 1, NULL, 0);
		pattern = pattern << 1 | !bus_send(&rig->bus, bytes, rig->now);
	}
	rig_free(rig);

	return pattern;
}

static void a_seed_repeats_a_run(void **state)
{
	(void)state;
	assert_true(loss_pattern(5, 0) == loss_pattern(5, 0));
	assert_true(loss_pattern(5, 0) != loss_pattern(6, 0));
	/* Another kind's share does not change which answers are lost. */
	assert_true(loss_pattern(5, 0) == loss_pattern(5, FAULT_SCALE));
}

/* Nobody takes the answers: they are lost and counted, nothing grows. */
static void answers_nobody_takes(void **state)
{
	struct rig *rig = rig_of(1, 0);
	u8 bytes[LINE_BYTES];
	int i;
	unsigned int taken = 0;

	(void)state;
	for (i = 0; i < 10000; i++)
		rig_send(rig, 1, 1, NULL, 0);
	while (bus_send(&rig->bus, bytes, rig->now))
		taken++;
	assert_int_equal(taken + rig->bus.stats.overflows, 10000);
	assert_in_range(taken, 2000, LINE_BYTES / 6);
	assert_int_equal(rig_ping(rig, 1).id, 1);
	rig_free(rig);
}

/* Whatever comes in, the devices keep answering. */
static void noise(void **state)
{
	struct rig *rig = rig_of(2, 2);
	uint64_t seed = 4;
	int round;

	(void)state;
	for (round = 0; round < 3000; round++) {
		u8 bytes[LINE_BYTES], params[250];
		size_t len = random_below(&seed, sizeof(params)), i;

		for (i = 0; i < len; i++)
			params[i] = random_next(&seed);
		/* Any instruction, but those that make a device hard to find. */
		len = frame(bytes, random_below(&seed, 6),
			    random_below(&seed, 256), params, len);
		if (bytes[4] == 3 || bytes[4] == 4 || bytes[4] == 6)
			bytes[4] = 2;
		if (random_below(&seed, 2))
			bytes[random_below(&seed, len)] ^= 1 << (round & 7);
		bus_receive(&rig->bus, bytes, len, rig->now);
		while (bus_send(&rig->bus, bytes, rig->now))
			;
		rig_wait(rig, 2);
	}
	assert_int_equal(rig_ping(rig, 1).id, 1);
	assert_int_equal(rig_ping(rig, 4).id, 4);
	rig_free(rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(manual_examples),
		cmocka_unit_test(nobody_else_answers),
		cmocka_unit_test(broadcast_is_done_and_not_answered),
		cmocka_unit_test(broadcast_ping),
		cmocka_unit_test(answers_to_a_broadcast_ping_collide),
		cmocka_unit_test(undefined_instructions),
		cmocka_unit_test(status_return_level),
		cmocka_unit_test(reg_write_waits_for_action),
		cmocka_unit_test(reg_write_is_checked_at_once),
		cmocka_unit_test(power_cycle_forgets_a_registered_write),
		cmocka_unit_test(sync_write_to_several),
		cmocka_unit_test(one_bad_value_in_a_sync_write),
		cmocka_unit_test(malformed_sync_writes),
		cmocka_unit_test(bulk_read_in_the_order_asked),
		cmocka_unit_test(bulk_read_ends_at_a_gap),
		cmocka_unit_test(wrong_checksum_is_answered),
		cmocka_unit_test(damaged_broadcast_is_silent),
		cmocka_unit_test(protocol2_is_let_pass),
		cmocka_unit_test(requests_byte_by_byte_and_merged),
		cmocka_unit_test(silenced_is_as_unplugged),
		cmocka_unit_test(two_of_one_id),
		cmocka_unit_test(answers_take_their_time),
		cmocka_unit_test(a_slower_line_takes_longer),
		cmocka_unit_test(bulk_answers_follow_one_another),
		cmocka_unit_test(without_wire_time_all_is_at_once),
		cmocka_unit_test(a_gap_ends_a_packet),
		cmocka_unit_test(hanging_up_forgets),
		cmocka_unit_test(answers_are_counted),
		cmocka_unit_test(dropped_answers),
		cmocka_unit_test(corrupted_answers),
		cmocka_unit_test(a_seed_repeats_a_run),
		cmocka_unit_test(answers_nobody_takes),
		cmocka_unit_test(noise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
