// SPDX-License-Identifier: GPL-2.0-or-later
/* Group reads of both protocols, whole and broken, and broadcast PING. */
#include "cmocka_all.h"

#include <string.h>

#include "harness.h"

#define BROADCAST	254
#define USEC		1000
#define DEVICES		4

/* A group read, and how long the answer of one device is on the line. */
struct group {
	const char *name;
	int protocol;
	u8 instruction;
	bool fast;
};

static const struct group groups[] = {
	{ "bulk read 1.0", 1, 0x92, false },
	{ "bulk read 2.0", 2, 0x92, false },
	{ "sync read", 2, 0x82, false },
	{ "fast sync read", 2, 0x8a, true },
	{ "fast bulk read", 2, 0x9a, true },
};

#define GROUPS (sizeof(groups) / sizeof(groups[0]))

/* IDs 1 to DEVICES. */
static struct rig *rig_for(const struct group *group)
{
	struct rig *rig = rig_new();
	int id;

	for (id = 1; id <= DEVICES; id++)
		rig_add(rig, group->protocol == 1 ? &model_mx28 :
			&model_xm430_w350, id);

	return rig;
}

/* The first two bytes of the control table, the model number, of each ID. */
static size_t group_params(const struct group *group, u8 *params, const u8 *ids,
			   size_t count)
{
	size_t len = 0, i;

	if (group->protocol == 1)
		params[len++] = 0;
	if (group->instruction == 0x82 || group->instruction == 0x8a) {
		memcpy(params, (u8[]){ 0, 0, 2, 0 }, 4);
		memcpy(params + 4, ids, count);
		return 4 + count;
	}
	for (i = 0; i < count; i++) {
		if (group->protocol == 1)
			memcpy(params + len, (u8[]){ 2, ids[i], 0 }, 3);
		else
			memcpy(params + len, (u8[]){ ids[i], 0, 0, 2, 0 }, 5);
		len += group->protocol == 1 ? 3 : 5;
	}

	return len;
}

static void ask(struct rig *rig, const struct group *group, const u8 *ids,
		size_t count)
{
	u8 params[300];
	size_t len = group_params(group, params, ids, count);

	if (group->protocol == 1)
		rig_send(rig, BROADCAST, group->instruction, params, len);
	else
		rig_send2(rig, BROADCAST, group->instruction, params, len);
}

/* Parts that are whole, in a packet that may have broken off. */
static size_t fast_parts(struct rig *rig, u8 *ids, size_t count)
{
	static const u8 header[] = { 255, 255, 253, 0, 254 };
	size_t at = 8, n = 0;

	if (!rig->len)
		return 0;
	assert_in_range(rig->len, 8 + 6, sizeof(rig->bytes));
	assert_memory_equal(rig->bytes, header, sizeof(header));
	assert_int_equal(rig->bytes[5] | rig->bytes[6] << 8, 1 + count * 6);
	assert_int_equal(rig->bytes[7], 0x55);
	for (; at + 6 <= rig->len; at += 6) {
		assert_int_equal(rig->bytes[at], 0);
		assert_int_equal(rig->bytes[at + 4] | rig->bytes[at + 5] << 8,
				 crc_of(rig->bytes, at + 4));
		ids[n++] = rig->bytes[at + 1];
	}
	assert_int_equal(at, rig->len);
	rig->len = 0;

	return n;
}

/* Whose answers come, all of them sound. */
static size_t answers(struct rig *rig, const struct group *group, u8 *ids,
		      size_t count)
{
	struct reply reply;
	size_t n = 0;

	rig_run(rig);
	if (group->fast)
		return fast_parts(rig, ids, count);
	while ((reply = rig_reply(rig)).id >= 0) {
		assert_int_equal(reply.protocol, group->protocol);
		assert_int_equal(reply.len, 2);
		ids[n++] = reply.id;
	}

	return n;
}

static void expect(struct rig *rig, const struct group *group, const u8 *asked,
		   size_t count, size_t come)
{
	u8 ids[300];

	ask(rig, group, asked, count);
	assert_int_equal(answers(rig, group, ids, count), come);
	assert_memory_equal(ids, asked, come);
}

static void all_in_the_order_asked(void **state)
{
	static const u8 ids[] = { 3, 1, 4, 2 };
	size_t i;

	(void)state;
	for (i = 0; i < GROUPS; i++) {
		struct rig *rig = rig_for(&groups[i]);

		expect(rig, &groups[i], ids, 4, 4);
		rig->bus.wire_time = true;
		expect(rig, &groups[i], ids, 4, 4);
		expect(rig, &groups[i], ids, 1, 1);
		rig_free(rig);
	}
}

/* One that is not there ends the chain, be it the first, one within, the last. */
static void a_gap_ends_the_chain(void **state)
{
	size_t i, gap;
	int timed;

	(void)state;
	for (i = 0; i < GROUPS; i++)
		for (gap = 0; gap < DEVICES; gap++)
			for (timed = 0; timed < 2; timed++) {
				struct rig *rig = rig_for(&groups[i]);
				u8 ids[] = { 1, 2, 3, 4 };

				rig->bus.wire_time = timed;
				rig->bus.devices[gap].silenced = true;
				expect(rig, &groups[i], ids, 4, gap);
				rig_wait(rig, 0.1);
				ids[gap] = 77;
				expect(rig, &groups[i], ids, 4, gap);
				assert_int_equal(bus_count(&rig->bus,
					COUNT_GAPS_IN_CHAINS), 2);
				rig_free(rig);
			}
}

static void one_at_another_rate_is_missing(void **state)
{
	static const u8 ids[] = { 1, 2, 3, 4 };
	const struct group *group = &groups[2];
	struct rig *rig = rig_for(group);

	(void)state;
	device_poke(&rig->bus.devices[1], (struct span){ 8, 1 }, (u8[]){ 1 },
		    rig->now);
	expect(rig, group, ids, 4, 1);
	rig_free(rig);
}

static void set_next(struct rig *rig, const char *fault, u8 id, u32 value)
{
	struct fault_setting *setting =
		&rig->bus.faults.setting[fault_find(fault)][id];

	setting->next = 1;
	setting->value = value;
}

/* What has been heard counts, whether it was right or not. */
static void a_damaged_answer_is_heard(void **state)
{
	static const u8 ids[] = { 1, 2, 3, 4 };
	size_t i;

	(void)state;
	for (i = 0; i < GROUPS; i++) {
		struct rig *rig = rig_for(&groups[i]);
		size_t whole;

		rig->bus.wire_time = true;
		ask(rig, &groups[i], ids, 4);
		rig_run(rig);
		whole = rig->len;
		rig->len = 0;
		set_next(rig, "corrupt", 2, 0);
		ask(rig, &groups[i], ids, 4);
		rig_run(rig);
		assert_int_equal(rig->len, whole);
		assert_int_equal(bus_count(&rig->bus, COUNT_DAMAGED), 1);
		assert_int_equal(bus_count(&rig->bus, COUNT_GOOD), 7);
		rig_free(rig);
	}
}

/* The CRC goes on from what was heard: only the damaged part's own is wrong. */
static void damage_in_a_fast_answer_stays_where_it_is(void **state)
{
	static const u8 ids[] = { 1, 2, 3, 4 };
	struct rig *rig = rig_for(&groups[3]);
	size_t at, wrong = 0;

	(void)state;
	set_next(rig, "corrupt", 2, 0);
	ask(rig, &groups[3], ids, 4);
	rig_run(rig);
	assert_int_equal(rig->len, 8 + 4 * 6);
	for (at = 8; at < rig->len; at += 6)
		if ((rig->bytes[at + 4] | rig->bytes[at + 5] << 8) !=
		    crc_of(rig->bytes, at + 4)) {
			assert_int_equal(at, 8 + 6);
			wrong++;
		}
	assert_int_equal(wrong, 1);
	rig_free(rig);
}

static void what_breaks_off_or_gets_lost_ends_the_chain(void **state)
{
	static const char *const faults[] = { "truncate", "drop", "self-reset" };
	static const u8 ids[] = { 1, 2, 3, 4 };
	size_t i, j;

	(void)state;
	for (i = 0; i < GROUPS; i++)
		for (j = 0; j < 3; j++) {
			struct rig *rig = rig_for(&groups[i]);

			rig->bus.wire_time = true;
			set_next(rig, faults[j], 2, 0);
			ask(rig, &groups[i], ids, 4);
			rig_run(rig);
			assert_int_equal(bus_count(&rig->bus, COUNT_ANSWERS), 2);
			assert_int_equal(bus_count(&rig->bus,
						   COUNT_GAPS_IN_CHAINS), 1);
			rig->len = 0;
			rig_wait(rig, 5);
			expect(rig, &groups[i], ids, 4, 4);
			rig_free(rig);
		}
}

static void a_late_answer_is_waited_for(void **state)
{
	static const u8 ids[] = { 1, 2, 3, 4 };
	size_t i;

	(void)state;
	for (i = 0; i < GROUPS; i++) {
		struct rig *rig = rig_for(&groups[i]);
		nsec_t start = rig->now;

		set_next(rig, "late", 3, 20000);
		expect(rig, &groups[i], ids, 4, 4);
		assert_int_equal(rig->heard - start, 20000 * USEC);
		rig_free(rig);
	}
}

/* The one that is waited for is late; the controller does not wait for it. */
static void a_new_instruction_ends_the_waiting(void **state)
{
	static const u8 ids[] = { 1, 2, 3, 4 };
	size_t i;

	(void)state;
	for (i = 0; i < GROUPS; i++) {
		struct rig *rig = rig_for(&groups[i]);

		if (groups[i].fast) {
			rig_free(rig);
			continue;
		}
		rig->bus.wire_time = true;
		set_next(rig, "late", 2, 20000);
		ask(rig, &groups[i], ids, 4);
		rig_wait(rig, 0.01);
		assert_int_equal(rig_reply(rig).id, 1);
		if (groups[i].protocol == 1)
			rig_send(rig, 4, 1, NULL, 0);
		else
			rig_send2(rig, 4, 1, NULL, 0);
		rig_run(rig);
		assert_int_equal(rig_reply(rig).id, 4);
		assert_int_equal(rig_reply(rig).id, 2);
		assert_int_equal(rig_reply(rig).id, -1);
		rig_free(rig);
	}
}

/* --- the manual's examples --- */

static struct rig *rig_of_xm430(const u8 *ids, const int *positions, int count)
{
	struct rig *rig = rig_new();
	int i;

	for (i = 0; i < count; i++) {
		struct device *dev = rig_add(rig, &model_xm430_w350, ids[i]);
		u8 bytes[4] = { positions[i] & 255, positions[i] >> 8 };

		assert_int_equal(device_poke(dev, (struct span){ 132, 4 },
					     bytes, rig->now), 0);
	}

	return rig;
}

static void assert_heard(struct rig *rig, const u8 *bytes, size_t len)
{
	rig_run(rig);
	assert_int_equal(rig->len, len);
	assert_memory_equal(rig->bytes, bytes, len);
	rig->len = 0;
}

static void sync_read_of_the_manual(void **state)
{
	static const u8 ask[] = { 0xff, 0xff, 0xfd, 0x00, 0xfe, 0x09, 0x00, 0x82,
				  0x84, 0x00, 0x04, 0x00, 0x01, 0x02, 0xce, 0xfa };
	static const u8 answer[] = {
		0xff, 0xff, 0xfd, 0x00, 0x01, 0x08, 0x00, 0x55, 0x00, 0xa6, 0x00,
		0x00, 0x00, 0x8c, 0xc0,
		0xff, 0xff, 0xfd, 0x00, 0x02, 0x08, 0x00, 0x55, 0x00, 0x1f, 0x08,
		0x00, 0x00, 0xba, 0xbe,
	};
	struct rig *rig = rig_of_xm430((u8[]){ 1, 2 }, (int[]){ 166, 2079 }, 2);

	(void)state;
	bus_receive(&rig->bus, ask, sizeof(ask), rig->now);
	assert_heard(rig, answer, sizeof(answer));
	rig_free(rig);
}

static void fast_sync_read_of_the_manual(void **state)
{
	static const u8 ask[] = { 0xff, 0xff, 0xfd, 0x00, 0xfe, 0x0a, 0x00, 0x8a,
				  0x84, 0x00, 0x04, 0x00, 0x03, 0x07, 0x04, 0x20,
				  0xf2 };
	static const u8 answer[] = {
		0xff, 0xff, 0xfd, 0x00, 0xfe, 0x19, 0x00, 0x55,
		0x00, 0x03, 0xa6, 0x00, 0x00, 0x00, 0x84, 0x08,
		0x00, 0x07, 0x1f, 0x08, 0x00, 0x00, 0x16, 0xca,
		0x00, 0x04, 0xff, 0x03, 0x00, 0x00, 0xd1, 0x9e,
	};
	struct rig *rig = rig_of_xm430((u8[]){ 3, 7, 4 },
				       (int[]){ 166, 2079, 1023 }, 3);

	(void)state;
	bus_receive(&rig->bus, ask, sizeof(ask), rig->now);
	assert_heard(rig, answer, sizeof(answer));
	rig_free(rig);
}

/* --- behind the gap of a fast chain --- */

static struct rig *broken_fast_chain(void)
{
	static const u8 ids[] = { 1, 2, 3, 4 };
	struct rig *rig = rig_for(&groups[3]);

	rig->bus.wire_time = true;
	rig->bus.devices[0].silenced = true;
	ask(rig, &groups[3], ids, 4);
	rig->bus.devices[0].silenced = false;

	return rig;
}

static bool answers_ping_after(double seconds)
{
	struct rig *rig = broken_fast_chain();
	struct reply reply;

	rig_wait(rig, seconds);
	rig_send2(rig, 3, 1, NULL, 0);
	rig_run(rig);
	reply = rig_reply(rig);
	rig_free(rig);

	return reply.id == 3;
}

static void those_behind_a_gap_are_deaf_for_a_while(void **state)
{
	(void)state;
	/* The request has 18 bytes, of 10 us each. */
	assert_false(answers_ping_after(0.000180));
	assert_false(answers_ping_after(0.001170));
	assert_true(answers_ping_after(0.001190));
	assert_true(answers_ping_after(0.01));
}

/* Talk without a pause of 1 ms keeps them deaf, but for no more than 3 ms. */
static void patience_ends(void **state)
{
	struct rig *rig = broken_fast_chain();
	nsec_t start = rig->now + 180 * USEC;
	int pings;

	(void)state;
	for (pings = 0; pings < 20; pings++) {
		rig->now += 500 * USEC;
		rig_send2(rig, 3, 1, NULL, 0);
		rig_run(rig);
		if (rig_reply(rig).id == 3)
			break;
	}
	assert_in_range(rig->now - start, 3000 * USEC, 5000 * USEC);
	assert_in_range(bus_count(&rig->bus, COUNT_DEAF), 2, 7);
	rig_free(rig);
}

static void the_one_in_front_of_the_gap_hears(void **state)
{
	static const u8 ids[] = { 1, 2, 3, 4 };
	struct rig *rig = rig_for(&groups[3]);

	(void)state;
	rig->bus.devices[1].silenced = true;
	expect(rig, &groups[3], ids, 4, 1);
	assert_int_equal(rig_ping2(rig, 1).id, 1);
	assert_int_equal(rig_ping2(rig, 4).id, -1);
	rig_wait(rig, 0.002);
	assert_int_equal(rig_ping2(rig, 4).id, 4);
	rig_free(rig);
}

/* The first is late, not missing: the others wait, and hear nothing else. */
static void those_behind_a_late_one_wait(void **state)
{
	static const u8 ids[] = { 1, 2, 3, 4 };
	struct rig *rig = rig_for(&groups[3]);

	(void)state;
	rig->bus.wire_time = true;
	set_next(rig, "late", 1, 2000);
	ask(rig, &groups[3], ids, 4);
	rig->now += (180 + 500) * USEC;
	rig_send2(rig, 3, 1, NULL, 0);
	rig_run(rig);
	assert_int_equal(rig->bus.stats.id[3].of[COUNT_DEAF], 1);
	assert_int_equal(bus_count(&rig->bus, COUNT_COLLISIONS), 0);
	assert_int_equal(bus_count(&rig->bus, COUNT_GOOD), 4);
	rig_free(rig);
}

/* --- details --- */

static void the_first_place_of_an_id_counts(void **state)
{
	static const u8 ids[] = { 2, 1, 2, 3 };
	static const u8 once[] = { 2, 1, 3 };
	u8 come[8];
	size_t i;

	(void)state;
	for (i = 0; i < GROUPS; i++) {
		struct rig *rig = rig_for(&groups[i]);

		ask(rig, &groups[i], ids, 4);
		assert_int_equal(answers(rig, &groups[i], come, 3), 3);
		assert_memory_equal(come, once, 3);
		rig_free(rig);
	}
}

static void malformed_group_reads(void **state)
{
	static const u8 params[] = { 0, 0, 2, 0, 1, 1, 1, 1, 1 };
	size_t i, len;

	(void)state;
	for (i = 1; i < GROUPS; i++)
		for (len = 0; len < 4; len++) {
			struct rig *rig = rig_for(&groups[i]);

			assert_int_equal(rig_ask2(rig, BROADCAST,
				groups[i].instruction, params, len).id, -1);
			rig_free(rig);
		}
}

/* Of 2.0, to one device: it is no group read then. */
static void a_group_read_is_for_all(void **state)
{
	static const u8 params[] = { 0, 0, 2, 0, 1 };
	struct rig *rig = rig_for(&groups[2]);

	(void)state;
	assert_int_equal(rig_ask2(rig, 1, 0x82, params, 5).error, 2);
	rig_free(rig);
}

static void a_read_past_the_end_is_refused_in_its_place(void **state)
{
	static const u8 params[] = { 0, 4, 2, 0, 1, 2 };
	struct rig *rig = rig_for(&groups[2]);
	struct reply reply;

	(void)state;
	rig_send2(rig, BROADCAST, 0x82, params, sizeof(params));
	reply = rig_reply(rig);
	assert_int_equal(reply.id, 1);
	assert_int_not_equal(reply.error, 0);
	assert_int_equal(reply.len, 0);
	assert_int_equal(rig_reply(rig).id, 2);
	/* In a fast answer the place is there, and empty. */
	rig_send2(rig, BROADCAST, 0x8a, params, sizeof(params));
	rig_run(rig);
	assert_int_equal(rig->len, 8 + 2 * 6);
	assert_int_not_equal(rig->bytes[8], 0);
	rig_free(rig);
}

static void more_than_a_packet_can_hold(void **state)
{
	static const u8 params[] = { 0, 0, 0xff, 0xff, 1, 2 };
	struct rig *rig = rig_for(&groups[2]);

	(void)state;
	assert_int_equal(rig_ask2(rig, BROADCAST, 0x8a, params, 6).id, -1);
	assert_int_equal(rig_ping2(rig, 1).id, 1);
	rig_free(rig);
}

static void everybody_in_one_chain(void **state)
{
	struct rig *rig = rig_new();
	u8 ids[253], come[300];
	int id;

	(void)state;
	for (id = 0; id < 253; id++) {
		ids[id] = 252 - id;
		rig_add(rig, &model_xm430_w350, id);
	}
	ask(rig, &groups[2], ids, 253);
	assert_int_equal(answers(rig, &groups[2], come, 253), 253);
	assert_memory_equal(come, ids, 253);
	ask(rig, &groups[3], ids, 253);
	assert_int_equal(answers(rig, &groups[3], come, 253), 253);
	assert_memory_equal(come, ids, 253);
	rig_free(rig);
}

/* --- broadcast PING of 2.0 --- */

static void broadcast_ping_in_the_order_of_ids(void **state)
{
	static const u8 ids[] = { 100, 3, 252, 0, 4 };
	static const int sorted[] = { 0, 3, 4, 100, 252 };
	struct rig *rig;
	int timed;
	size_t i;

	(void)state;
	for (timed = 0; timed < 2; timed++) {
		rig = rig_new();
		for (i = 0; i < 5; i++)
			rig_add(rig, &model_xm430_w350, ids[i]);
		rig_add(rig, &model_ax12, 50);
		rig->bus.wire_time = timed;
		rig_send2(rig, BROADCAST, 1, NULL, 0);
		rig_run(rig);
		for (i = 0; i < 5; i++) {
			struct reply reply = rig_reply(rig);

			assert_int_equal(reply.id, sorted[i]);
			assert_int_equal(reply.len, 3);
		}
		assert_int_equal(rig_reply(rig).id, -1);
		assert_int_equal(bus_count(&rig->bus, COUNT_COLLISIONS), 0);
		rig_free(rig);
	}
}

/* However short or long the devices' return delays are. */
static void broadcast_ping_never_collides(void **state)
{
	struct rig *rig = rig_new();
	int id;

	(void)state;
	for (id = 0; id < 253; id++) {
		struct device *dev = rig_add(rig, &model_xm430_w350, id);

		device_poke(dev, (struct span){ 9, 1 },
			    (u8[]){ id & 1 ? 254 : 0 }, rig->now);
	}
	rig->bus.wire_time = true;
	rig_send2(rig, BROADCAST, 1, NULL, 0);
	rig_run(rig);
	for (id = 0; id < 253; id++)
		assert_int_equal(rig_reply(rig).id, id);
	assert_int_equal(bus_count(&rig->bus, COUNT_COLLISIONS), 0);
	rig_free(rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_in_the_order_asked),
		cmocka_unit_test(a_gap_ends_the_chain),
		cmocka_unit_test(one_at_another_rate_is_missing),
		cmocka_unit_test(a_damaged_answer_is_heard),
		cmocka_unit_test(damage_in_a_fast_answer_stays_where_it_is),
		cmocka_unit_test(what_breaks_off_or_gets_lost_ends_the_chain),
		cmocka_unit_test(a_late_answer_is_waited_for),
		cmocka_unit_test(a_new_instruction_ends_the_waiting),
		cmocka_unit_test(sync_read_of_the_manual),
		cmocka_unit_test(fast_sync_read_of_the_manual),
		cmocka_unit_test(those_behind_a_gap_are_deaf_for_a_while),
		cmocka_unit_test(patience_ends),
		cmocka_unit_test(the_one_in_front_of_the_gap_hears),
		cmocka_unit_test(those_behind_a_late_one_wait),
		cmocka_unit_test(the_first_place_of_an_id_counts),
		cmocka_unit_test(malformed_group_reads),
		cmocka_unit_test(a_group_read_is_for_all),
		cmocka_unit_test(a_read_past_the_end_is_refused_in_its_place),
		cmocka_unit_test(more_than_a_packet_can_hold),
		cmocka_unit_test(everybody_in_one_chain),
		cmocka_unit_test(broadcast_ping_in_the_order_of_ids),
		cmocka_unit_test(broadcast_ping_never_collides),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
