// SPDX-License-Identifier: GPL-2.0-or-later
/* Each kind of fault: what it does, to whom, how often, and how it is counted. */
#include "cmocka_all.h"

#include <string.h>

#include "harness.h"

#define USEC	1000
#define MSEC	1000000

/* AX-12 with ID 1, Protocol 2.0 with ID 2, and one of each beside them. */
static int set_up(void **state)
{
	struct rig *rig = rig_new();

	rig_add(rig, &model_ax12, 1);
	rig_add(rig, &model_xm430_w350, 2);
	rig_add(rig, &model_ax12, 3);
	rig_add(rig, &model_xm430_w350, 4);
	rig->bus.wire_time = true;
	*state = rig;

	return 0;
}

static int tear_down(void **state)
{
	rig_free(*state);

	return 0;
}

static struct fault_setting *setting(struct rig *rig, const char *fault,
				     unsigned int id)
{
	return &rig->bus.faults.setting[fault_find(fault)][id];
}

static void next(struct rig *rig, const char *fault, uint32_t value)
{
	setting(rig, fault, FAULT_ANY_ID)->next = 1;
	setting(rig, fault, FAULT_ANY_ID)->value = value;
}

static uint64_t counted(struct rig *rig, const char *fault)
{
	return faults_count(&rig->bus.faults, fault_find(fault));
}

static void ask_1(struct rig *rig)
{
	rig_send(rig, 1, 2, (u8[]){ 0, 4 }, 2);
}

static void ask_2(struct rig *rig)
{
	rig_send2(rig, 2, 2, (u8[]){ 0, 0, 4, 0 }, 4);
}

/* What the undamaged answers are. */
static const u8 answer_1[] = { 0xff, 0xff, 1, 6, 0, 12, 0, 24, 1, 0xd3 };

static size_t answer_2(struct rig *rig, u8 *bytes)
{
	size_t len;

	ask_2(rig);
	rig_run(rig);
	len = rig->len;
	memcpy(bytes, rig->bytes, len);
	rig->len = 0;
	bus_clear_stats(&rig->bus);

	return len;
}

static void assert_sound(struct rig *rig)
{
	rig_wait(rig, 1);
	ask_1(rig);
	rig_run(rig);
	assert_int_equal(rig->len, sizeof(answer_1));
	assert_memory_equal(rig->bytes, answer_1, sizeof(answer_1));
	rig->len = 0;
}

static void dropped(void **state)
{
	struct rig *rig = *state;

	assert_sound(rig);
	next(rig, "drop", 0);
	ask_1(rig);
	rig_run(rig);
	assert_int_equal(rig->len, 0);
	assert_int_equal(counted(rig, "drop"), 1);
	assert_int_equal(bus_count(&rig->bus, COUNT_LOST), 1);
	assert_sound(rig);
	assert_int_equal(bus_count(&rig->bus, COUNT_GOOD), 2);
}

static int different_bits(const u8 *a, const u8 *b, size_t len)
{
	int bits = 0;

	while (len--)
		bits += __builtin_popcount(*a++ ^ *b++);

	return bits;
}

static void corrupted(void **state)
{
	struct rig *rig = *state;

	next(rig, "corrupt", 0);
	ask_1(rig);
	rig_run(rig);
	assert_int_equal(rig->len, sizeof(answer_1));
	assert_int_equal(different_bits(rig->bytes, answer_1, rig->len), 1);
	assert_int_equal(bus_count(&rig->bus, COUNT_DAMAGED), 1);
	rig->len = 0;
	assert_sound(rig);
}

/* Packets that start somewhere in @bytes and say something else than device 1. */
static int mistakable(const u8 *bytes, size_t len)
{
	size_t at, i, size;
	int count = 0;
	u8 sum;

	for (at = 0; at + 6 <= len; at++) {
		size = bytes[at + 3] + 4;
		if (bytes[at] != 0xff || bytes[at + 1] != 0xff ||
		    bytes[at + 2] != 1 || size < 6 || at + size > len)
			continue;
		for (sum = 0, i = 2; i < size; i++)
			sum += bytes[at + i];
		count += sum == 0xff && (size != sizeof(answer_1) ||
					 memcmp(bytes + at, answer_1, size));
	}

	return count;
}

/* The checksum of one in some hundred damaged answers would be right again. */
static void damage_that_can_be_seen(void **state)
{
	static const char *const faults[] = { "garbage", "corrupt", "overrun" };
	struct rig *rig = *state;
	int i, count = 0;

	for (i = 0; i < 9000; i++) {
		next(rig, faults[i % 3], 0);
		ask_1(rig);
		rig_run(rig);
		count += mistakable(rig->bytes, rig->len);
		rig->len = 0;
	}
	assert_int_equal(count, 0);
	assert_int_equal(counted(rig, "garbage"), 3000);
}

static void truncated(void **state)
{
	struct rig *rig = *state;
	int i;

	for (i = 0; i < 50; i++) {
		next(rig, "truncate", 0);
		ask_1(rig);
		rig_run(rig);
		assert_in_range(rig->len, 1, sizeof(answer_1) - 1);
		assert_memory_equal(rig->bytes, answer_1, rig->len);
		rig->len = 0;
	}
	assert_int_equal(bus_count(&rig->bus, COUNT_DAMAGED), 50);
	assert_sound(rig);
}

static void duplicated(void **state)
{
	struct rig *rig = *state;

	next(rig, "duplicate", 0);
	ask_1(rig);
	rig_run(rig);
	assert_int_equal(rig->len, 2 * sizeof(answer_1));
	assert_memory_equal(rig->bytes, answer_1, sizeof(answer_1));
	assert_memory_equal(rig->bytes + sizeof(answer_1), answer_1,
			    sizeof(answer_1));
	assert_int_equal(bus_count(&rig->bus, COUNT_GOOD), 1);
	rig->len = 0;
	assert_sound(rig);
}

static void late(void **state)
{
	struct rig *rig = *state;
	nsec_t start = rig->now;

	next(rig, "late", 20000);
	ask_1(rig);
	rig_run(rig);
	/* 8 bytes, return delay, the fault, 10 bytes */
	assert_int_equal(rig->heard - start, (80 + 500 + 20000 + 100) * USEC);
	assert_memory_equal(rig->bytes, answer_1, sizeof(answer_1));
	assert_int_equal(bus_count(&rig->bus, COUNT_GOOD), 1);
	assert_int_equal(counted(rig, "late"), 1);
}

/* It comes into the answer to another request, as one that still counts. */
static void a_late_answer_meets_the_next_request(void **state)
{
	struct rig *rig = *state;

	next(rig, "late", 3000);
	ask_1(rig);
	rig_wait(rig, 0.0035);
	rig_send(rig, 3, 1, NULL, 0);
	rig_run(rig);
	assert_int_equal(rig->len, sizeof(answer_1) + 6);
	assert_memory_equal(rig->bytes, answer_1, sizeof(answer_1));
	assert_int_equal(rig->bytes[sizeof(answer_1) + 2], 3);
}

/* The device hears in the meantime, and answers what is asked then at once. */
static void a_late_answer_is_overtaken(void **state)
{
	struct rig *rig = *state;

	next(rig, "late", 20000);
	ask_1(rig);
	rig_wait(rig, 0.002);
	rig_send(rig, 1, 1, NULL, 0);
	rig_run(rig);
	assert_int_equal(rig_reply(rig).len, 0);
	assert_int_equal(rig_reply(rig).len, 4);
	assert_int_equal(rig->len, 0);
	assert_int_equal(bus_count(&rig->bus, COUNT_GOOD), 2);
}

/* The answer is there whole, or with something in its middle. */
static void garbage_around_and_within(void **state)
{
	struct rig *rig = *state;
	int i, places[3] = { 0 };

	for (i = 0; i < 200; i++) {
		size_t more;

		next(rig, "garbage", 5);
		ask_1(rig);
		rig_run(rig);
		assert_in_range(rig->len, sizeof(answer_1) + 1,
				sizeof(answer_1) + 5);
		more = rig->len - sizeof(answer_1);
		if (!memcmp(rig->bytes, answer_1, sizeof(answer_1)))
			places[0]++;
		else if (!memcmp(rig->bytes + more, answer_1, sizeof(answer_1)))
			places[2]++;
		else
			places[1]++;
		rig->len = 0;
	}
	assert_in_range(places[0], 30, 110);
	assert_in_range(places[1], 30, 110);
	assert_in_range(places[2], 30, 110);
	assert_int_equal(counted(rig, "garbage"), 200);
	assert_sound(rig);
}

static void another_id(void **state)
{
	struct rig *rig = *state;
	int i;

	for (i = 0; i < 300; i++) {
		struct reply reply;

		next(rig, "wrongid", 0);
		ask_1(rig);
		rig_run(rig);
		reply = rig_reply(rig);
		assert_in_range(reply.id, 0, 252);
		assert_int_not_equal(reply.id, 1);
		assert_int_equal(reply.len, 4);
	}
	assert_int_equal(rig->bus.faults.count[fault_find("wrongid")][1], 300);
	assert_int_equal(bus_count(&rig->bus, COUNT_GOOD), 0);
}

static void a_stray_one_beside_it(void **state)
{
	struct rig *rig = *state;
	int i, before = 0;

	for (i = 0; i < 100; i++) {
		struct reply one, two;

		next(rig, "stray", 0);
		ask_1(rig);
		rig_run(rig);
		one = rig_reply(rig);
		two = rig_reply(rig);
		assert_true((one.id == 1) != (two.id == 1));
		before += two.id == 1;
		assert_int_equal(rig->len, 0);
	}
	assert_in_range(before, 20, 80);
	assert_int_equal(bus_count(&rig->bus, COUNT_GOOD), 100);
}

static void bytes_that_the_adapter_loses(void **state)
{
	struct rig *rig = *state;
	size_t at;

	next(rig, "overrun", 3);
	ask_1(rig);
	rig_run(rig);
	assert_in_range(rig->len, sizeof(answer_1) - 3, sizeof(answer_1) - 1);
	for (at = 0; at < rig->len && rig->bytes[at] == answer_1[at]; at++)
		;
	assert_memory_equal(rig->bytes + at,
			    answer_1 + sizeof(answer_1) - (rig->len - at),
			    rig->len - at);
	rig->len = 0;
	assert_sound(rig);
}

static void a_pause_within(void **state)
{
	struct rig *rig = *state;
	nsec_t start = rig->now;

	next(rig, "stall", 0);
	ask_1(rig);
	rig->now = bus_due(&rig->bus);
	rig_listen(rig);
	assert_in_range(rig->len, 1, sizeof(answer_1) - 1);
	rig_run(rig);
	assert_int_equal(rig->heard - start, (80 + 500 + 130 + 100) * USEC);
	assert_memory_equal(rig->bytes, answer_1, sizeof(answer_1));
	assert_int_equal(bus_count(&rig->bus, COUNT_GOOD), 1);
}

static void deaf_for_a_while(void **state)
{
	struct rig *rig = *state;

	next(rig, "deafness", 50);
	ask_1(rig);
	rig_forget(rig);
	rig_wait(rig, 0.049);
	ask_1(rig);
	rig_run(rig);
	assert_int_equal(rig->len, 0);
	assert_int_equal(bus_count(&rig->bus, COUNT_DEAF), 1);
	rig_wait(rig, 0.001);
	assert_sound(rig);
}

static void resets_itself(void **state)
{
	struct rig *rig = *state;

	rig_send(rig, 1, 3, (u8[]){ 25, 1 }, 2);
	rig_forget(rig);
	next(rig, "self-reset", 0);
	ask_1(rig);
	rig_run(rig);
	assert_in_range(rig->len, 0, sizeof(answer_1) - 1);
	rig->len = 0;
	ask_1(rig);
	rig_run(rig);
	assert_int_equal(rig->len, 0);
	rig_wait(rig, 10);
	rig_send(rig, 1, 2, (u8[]){ 25, 1 }, 2);
	rig_run(rig);
	assert_int_equal(rig_reply(rig).params[0], 0);
}

/* Asked for from outside, in the middle of an answer. */
static void reset_in_the_middle(void **state)
{
	struct rig *rig = *state;

	ask_1(rig);
	rig->now += (80 + 500 + 45) * USEC;
	bus_reset_device(&rig->bus, &rig->bus.devices[0], rig->now);
	rig_run(rig);
	assert_int_equal(rig->len, 5);
	assert_int_equal(bus_count(&rig->bus, COUNT_DAMAGED), 1);
	assert_int_equal(bus_count(&rig->bus, COUNT_GOOD), 0);
	rig->len = 0;
	rig_wait(rig, 10);
	assert_sound(rig);
}

static void a_request_that_nobody_hears(void **state)
{
	struct rig *rig = *state;

	next(rig, "lose-request", 0);
	rig_send(rig, 1, 3, (u8[]){ 25, 1 }, 2);
	rig_run(rig);
	assert_int_equal(rig->len, 0);
	assert_int_equal(rig->bus.devices[0].table[25], 0);
	assert_sound(rig);
}

static void a_request_that_arrives_damaged(void **state)
{
	struct rig *rig = *state;
	struct reply reply;

	next(rig, "spoil-request", 0);
	rig_send(rig, 1, 3, (u8[]){ 25, 1 }, 2);
	rig_run(rig);
	reply = rig_reply(rig);
	assert_int_equal(reply.id, 1);
	assert_int_equal(reply.error, 0x10);
	assert_int_equal(rig->bus.devices[0].table[25], 0);
	next(rig, "spoil-request", 0);
	ask_2(rig);
	rig_run(rig);
	reply = rig_reply(rig);
	assert_int_equal(reply.id, 2);
	assert_int_equal(reply.error & 0x7f, 3);
	assert_int_equal(bus_count(&rig->bus, COUNT_REFUSED), 2);
	assert_int_equal(rig->bus.stats.checksum_errors, 2);
}

static void echoed(void **state)
{
	static const u8 ask[] = { 0xff, 0xff, 1, 4, 2, 0, 4, 0xf4 };
	struct rig *rig = *state;
	nsec_t start = rig->now;

	next(rig, "echo", 0);
	ask_1(rig);
	assert_int_equal(bus_due(&rig->bus) - start, 80 * USEC);
	rig_run(rig);
	assert_int_equal(rig->len, sizeof(ask) + sizeof(answer_1));
	assert_memory_equal(rig->bytes, ask, sizeof(ask));
	assert_memory_equal(rig->bytes + sizeof(ask), answer_1,
			    sizeof(answer_1));
	rig->len = 0;
	assert_sound(rig);
}

/* Wired so: what is no packet comes back, too. */
static void echo_by_wiring(void **state)
{
	struct rig *rig = *state;

	setting(rig, "echo", FAULT_ANY_ID)->share = FAULT_SCALE;
	bus_receive(&rig->bus, (const u8 *)"abc", 3, rig->now);
	rig_run(rig);
	assert_int_equal(rig->len, 3);
	assert_memory_equal(rig->bytes, "abc", 3);
}

static void unplugged_for_a_while(void **state)
{
	struct rig *rig = *state;
	nsec_t start = rig->now;

	next(rig, "disconnect", 40);
	ask_1(rig);
	assert_true(bus_unplugged(&rig->bus, rig->now));
	rig_run(rig);
	assert_int_equal(rig->len, 0);
	rig_wait(rig, 0.01);
	ask_1(rig);
	rig_run(rig);
	assert_int_equal(rig->len, 0);
	assert_int_equal(rig->bus.stats.unplugged_bytes, 8);
	rig->now = start + 80 * USEC + 40 * MSEC;
	assert_false(bus_unplugged(&rig->bus, rig->now));
	assert_sound(rig);
}

static void unplugged_for_good(void **state)
{
	struct rig *rig = *state;

	bus_unplug(&rig->bus, NSEC_NEVER);
	rig_wait(rig, 1e6);
	ask_1(rig);
	rig_run(rig);
	assert_int_equal(rig->len, 0);
	bus_plug(&rig->bus);
	assert_sound(rig);
}

static void two_with_one_id(void **state)
{
	struct rig *rig = *state;

	/* Both say the same, in the same moment. */
	assert_true(bus_add_twin(&rig->bus, &rig->bus.devices[0], rig->now));
	assert_sound(rig);
	assert_int_equal(bus_count(&rig->bus, COUNT_SENT), 2);
	assert_int_equal(bus_count(&rig->bus, COUNT_COLLISIONS), 2);

	/* One of them is elsewhere: nothing sound comes of it. */
	rig->bus.devices[4].table[25] = 1;
	rig_send(rig, 1, 2, (u8[]){ 24, 2 }, 2);
	rig_run(rig);
	assert_int_equal(rig->len, 8);
	assert_int_equal(rig->bytes[6], 0);
	assert_int_not_equal(rig->bytes[7], 0xfc);
	rig->len = 0;
	bus_remove_twins(&rig->bus, 1);
	assert_int_equal(rig->bus.device_count, 4);
	assert_sound(rig);
}

/* --- protocol 2.0 goes the same way --- */

static void faults_in_2(void **state)
{
	struct rig *rig = *state;
	u8 bytes[64];
	size_t len = answer_2(rig, bytes);

	next(rig, "duplicate", 0);
	ask_2(rig);
	rig_run(rig);
	assert_int_equal(rig->len, 2 * len);
	assert_memory_equal(rig->bytes + len, bytes, len);
	rig->len = 0;
	next(rig, "wrongid", 0);
	ask_2(rig);
	rig_run(rig);
	assert_int_not_equal(rig_reply(rig).id, 2);
	next(rig, "stray", 0);
	ask_2(rig);
	rig_run(rig);
	assert_true((rig_reply(rig).id == 2) != (rig_reply(rig).id == 2));
	next(rig, "corrupt", 0);
	ask_2(rig);
	rig_run(rig);
	assert_int_equal(different_bits(rig->bytes, bytes, len), 1);
}

/* --- how often, and whom --- */

static void one_id_alone(void **state)
{
	struct rig *rig = *state;
	int i;

	setting(rig, "drop", 3)->share = FAULT_SCALE;
	for (i = 0; i < 20; i++) {
		ask_1(rig);
		rig_run(rig);
		assert_int_equal(rig_reply(rig).id, 1);
		rig_send(rig, 3, 1, NULL, 0);
		rig_run(rig);
		assert_int_equal(rig_reply(rig).id, -1);
	}
	assert_int_equal(rig->bus.faults.count[fault_find("drop")][3], 20);
	assert_int_equal(counted(rig, "drop"), 20);
}

static void a_number_of_packets(void **state)
{
	struct rig *rig = *state;
	int i, lost = 0;

	setting(rig, "drop", FAULT_ANY_ID)->next = 7;
	for (i = 0; i < 20; i++) {
		ask_1(rig);
		rig_run(rig);
		lost += rig_reply(rig).id < 0;
	}
	assert_int_equal(lost, 7);
}

/* Each kind as a share; what comes then is never taken for sound. */
static void every_kind_at_random(void **state)
{
	struct rig *rig = *state;
	const struct fault_kind *kind;
	unsigned int k, i;

	for (k = 0; (kind = fault_kind(k)); k++) {
		unsigned int hits = 0;

		rig->bus.faults.setting[k][FAULT_ANY_ID].share = FAULT_SCALE / 4;
		for (i = 0; i < 400; i++) {
			uint64_t before = faults_count(&rig->bus.faults, k);

			if (i & 1)
				ask_1(rig);
			else
				ask_2(rig);
			rig_forget(rig);
			hits += faults_count(&rig->bus.faults, k) > before;
			rig_wait(rig, 2);
		}
		assert_in_range(hits, 60, 140);
		faults_clear(&rig->bus.faults);
		assert_sound(rig);
	}
}

/* All of them together: it goes on, and it can all be accounted for. */
static void all_kinds_together(void **state)
{
	struct rig *rig = *state;
	unsigned int k, i;

	for (k = 0; fault_kind(k); k++)
		rig->bus.faults.setting[k][FAULT_ANY_ID].share = FAULT_SCALE / 20;
	rig->bus.faults.setting[fault_find("echo")][FAULT_ANY_ID].share = 0;
	for (i = 0; i < 5000; i++) {
		if (i % 3)
			ask_1(rig);
		else
			rig_send2(rig, 254, i & 1 ? 0x82 : 0x8a,
				  (u8[]){ 0, 0, 4, 0, 2, 4 }, 6);
		rig_forget(rig);
		rig_wait(rig, 0.003);
	}
	assert_int_equal(bus_count(&rig->bus, COUNT_ANSWERS),
			 bus_count(&rig->bus, COUNT_SENT) +
			 bus_count(&rig->bus, COUNT_LOST));
	assert_int_equal(bus_count(&rig->bus, COUNT_SENT),
			 bus_count(&rig->bus, COUNT_GOOD) +
			 bus_count(&rig->bus, COUNT_DAMAGED));
	assert_int_equal(rig->bus.stats.overflows, 0);
	faults_clear(&rig->bus.faults);
	rig_wait(rig, 1);
	assert_sound(rig);
}

/* Kinds choose for themselves, and so do seeds that lie close together. */
static void kinds_are_independent(void **state)
{
	struct rig *rig = *state;
	int i, one, two, both = 0, neither = 0;

	setting(rig, "duplicate", FAULT_ANY_ID)->share = FAULT_SCALE / 2;
	setting(rig, "late", FAULT_ANY_ID)->share = FAULT_SCALE / 2;
	for (i = 0; i < 400; i++) {
		faults_seed(&rig->bus.faults, i);
		one = counted(rig, "duplicate");
		two = counted(rig, "late");
		ask_1(rig);
		rig_forget(rig);
		one = counted(rig, "duplicate") - one;
		two = counted(rig, "late") - two;
		both += one && two;
		neither += !one && !two;
	}
	assert_in_range(both, 60, 140);
	assert_in_range(neither, 60, 140);
}

static uint64_t trail(uint64_t seed)
{
	struct rig *rig = rig_new();
	uint64_t hash = 0;
	unsigned int k, i;
	size_t at;

	rig_add(rig, &model_ax12, 1);
	rig->bus.wire_time = true;
	faults_seed(&rig->bus.faults, seed);
	for (k = 0; fault_kind(k); k++)
		rig->bus.faults.setting[k][FAULT_ANY_ID].share = FAULT_SCALE / 10;
	for (i = 0; i < 500; i++) {
		ask_1(rig);
		rig_run(rig);
		for (at = 0; at < rig->len; at++)
			hash = hash * 31 + rig->bytes[at];
		rig->len = 0;
		rig_wait(rig, 0.01);
	}
	rig_free(rig);

	return hash;
}

static void a_seed_repeats_a_run(void **state)
{
	(void)state;
	assert_true(trail(5) == trail(5));
	assert_true(trail(5) != trail(6));
}

#define FAULT_TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		FAULT_TEST(dropped),
		FAULT_TEST(corrupted),
		FAULT_TEST(damage_that_can_be_seen),
		FAULT_TEST(truncated),
		FAULT_TEST(duplicated),
		FAULT_TEST(late),
		FAULT_TEST(a_late_answer_meets_the_next_request),
		FAULT_TEST(a_late_answer_is_overtaken),
		FAULT_TEST(garbage_around_and_within),
		FAULT_TEST(another_id),
		FAULT_TEST(a_stray_one_beside_it),
		FAULT_TEST(bytes_that_the_adapter_loses),
		FAULT_TEST(a_pause_within),
		FAULT_TEST(deaf_for_a_while),
		FAULT_TEST(resets_itself),
		FAULT_TEST(reset_in_the_middle),
		FAULT_TEST(a_request_that_nobody_hears),
		FAULT_TEST(a_request_that_arrives_damaged),
		FAULT_TEST(echoed),
		FAULT_TEST(echo_by_wiring),
		FAULT_TEST(unplugged_for_a_while),
		FAULT_TEST(unplugged_for_good),
		FAULT_TEST(two_with_one_id),
		FAULT_TEST(faults_in_2),
		FAULT_TEST(one_id_alone),
		FAULT_TEST(a_number_of_packets),
		FAULT_TEST(every_kind_at_random),
		FAULT_TEST(all_kinds_together),
		FAULT_TEST(kinds_are_independent),
		cmocka_unit_test(a_seed_repeats_a_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
