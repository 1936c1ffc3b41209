// SPDX-License-Identifier: GPL-2.0-or-later
/* What the line does to time and to bytes, both protocols on it. */
#include "cmocka_all.h"

#include <string.h>

#include "../base/base.h"
#include "harness.h"

#define BROADCAST	254
#define USEC		1000

static struct rig *timed_rig(unsigned int baud)
{
	struct rig *rig = rig_new();

	rig->bus.baud = baud;
	rig->bus.wire_time = true;

	return rig;
}

/* ID 1 and 3 speak 1.0, ID 2 and 4 speak 2.0. */
static struct rig *mixed_rig(void)
{
	struct rig *rig = timed_rig(1000000);

	rig_add(rig, &model_ax12, 1);
	rig_add(rig, &model_xm430_w350, 2);
	rig_add(rig, &model_mx28, 3);
	rig_add(rig, &model_mx64_2, 4);

	return rig;
}

/* --- both protocols --- */

static void each_answers_in_its_own(void **state)
{
	struct rig *rig = mixed_rig();
	int id;

	(void)state;
	for (id = 1; id <= 4; id++) {
		struct reply reply;

		rig_send(rig, id, 1, NULL, 0);
		rig_run(rig);
		reply = rig_reply(rig);
		assert_int_equal(reply.id, id & 1 ? id : -1);
		rig_send2(rig, id, 1, NULL, 0);
		rig_run(rig);
		reply = rig_reply(rig);
		assert_int_equal(reply.id, id & 1 ? -1 : id);
	}
	rig_free(rig);
}

static void ping_of_the_manual(void **state)
{
	static const u8 ask[] = { 0xff, 0xff, 0xfd, 0, 1, 3, 0, 1, 0x19, 0x4e };
	struct rig *rig = timed_rig(1000000);
	struct reply reply;

	(void)state;
	rig_add(rig, &model_xm430_w350, 1);
	bus_receive(&rig->bus, ask, sizeof(ask), rig->now);
	rig_run(rig);
	reply = rig_reply(rig);
	assert_int_equal(reply.id, 1);
	assert_int_equal(reply.params[0] | reply.params[1] << 8, 1020);
	rig_free(rig);
}

/* Patterns of a header in what is written and in what is read. */
static void stuffing_both_ways(void **state)
{
	static const u8 header[] = { 0xff, 0xff, 0xfd };
	struct rig *rig = mixed_rig();
	struct device *dev = &rig->bus.devices[1];
	struct reply reply;

	(void)state;
	/* Indirect Data addresses take any bytes: Goal PWM and what follows. */
	assert_int_equal(device_poke(dev, (struct span){ 116, 3 }, header,
				     rig->now), 0);
	rig_send2(rig, 2, 2, (u8[]){ 116, 0, 3, 0 }, 4);
	rig_run(rig);
	assert_int_equal(rig->len, 11 + 3 + 1);
	reply = rig_reply(rig);
	assert_int_equal(reply.id, 2);
	assert_memory_equal(reply.params, header, 3);

	/* 0x00fdffff is no position; the refusal tells that it was read whole. */
	rig_send2(rig, 2, 3, (u8[]){ 116, 0, 0xff, 0xff, 0xfd, 0x00 }, 6);
	rig_run(rig);
	reply = rig_reply(rig);
	assert_int_equal(reply.id, 2);
	assert_in_range(reply.error & 0x7f, 4, 6);
	rig_free(rig);
}

static void a_packet_of_two_kilobytes(void **state)
{
	struct rig *rig = timed_rig(4000000);
	u8 params[4 + 253 * 9] = { 65, 0, 8, 0 };
	int id;

	(void)state;
	rig_add(rig, &model_xm430_w350, 252);
	params[2] = 1;
	for (id = 0; id < 253; id++) {
		params[4 + id * 2] = id;
		params[5 + id * 2] = id == 252;
	}
	rig_send2(rig, BROADCAST, 0x83, params, 4 + 253 * 2);
	rig_run(rig);
	assert_int_equal(rig->bus.devices[0].table[65], 1);

	/* And one that is longer for what nobody looks at. */
	memset(params, 0, sizeof(params));
	params[0] = 65;
	params[2] = 8;
	rig_send2(rig, BROADCAST, 0x83, params, sizeof(params));
	rig_run(rig);
	assert_int_equal(rig->bus.stats.rx_packets, 2);
	rig_send2(rig, 252, 1, NULL, 0);
	rig_run(rig);
	assert_int_equal(rig_reply(rig).id, 252);
	rig_free(rig);
}

static void a_long_answer(void **state)
{
	struct rig *rig = mixed_rig();
	struct reply reply;

	(void)state;
	rig_send2(rig, 2, 2, (u8[]){ 0, 0, 146, 0 }, 4);
	rig_run(rig);
	reply = rig_reply(rig);
	assert_int_equal(reply.id, 2);
	assert_int_equal(reply.len, 146);
	rig_free(rig);
}

/* --- time --- */

static nsec_t exchange(struct rig *rig)
{
	nsec_t start = rig->now;

	rig_send2(rig, 1, 2, (u8[]){ 0, 0, 4, 0 }, 4);
	rig_run(rig);
	assert_int_equal(rig_reply(rig).id, 1);

	return rig->heard - start;
}

static void every_rate_within_a_thousandth(void **state)
{
	static const unsigned int bauds[] = { 9600, 57600, 115200, 1000000,
					      2000000, 3000000, 4000000, 4500000 };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bauds) / sizeof(bauds[0]); i++) {
		struct rig *rig = timed_rig(bauds[i]);
		/* 14 bytes there, 15 back, 500 us in between */
		double ideal = 29 * 10 * 1e9 / bauds[i] + 500 * USEC;
		double took;

		rig_add(rig, &model_xm430_w350, 1);
		took = exchange(rig);
		assert_true(took > ideal * 0.999 && took < ideal * 1.001);
		rig_free(rig);
	}
}

/* Whoever serves the bus may be late: its times are those of the line. */
static void lateness_does_not_add_up(void **state)
{
	struct rig *rig = timed_rig(1000000);
	static u8 bytes[LINE_BYTES];
	nsec_t start = rig->now;

	(void)state;
	rig_add(rig, &model_xm430_w350, 1);
	rig_add(rig, &model_xm430_w350, 2);
	rig_send2(rig, BROADCAST, 0x82, (u8[]){ 0, 0, 4, 0, 1, 2 }, 6);
	/* 16 bytes; 500 us and 15 bytes for each of two. */
	assert_int_equal(bus_due(&rig->bus) - start, (160 + 650) * USEC);
	rig->now = bus_due(&rig->bus) + 300 * USEC;
	assert_int_equal(bus_send(&rig->bus, bytes, rig->now), 15);
	assert_int_equal(bus_due(&rig->bus) - start, (160 + 1300) * USEC);
	rig_free(rig);
}

static void turnaround_is_added(void **state)
{
	struct rig *rig = timed_rig(1000000);

	(void)state;
	rig_add(rig, &model_xm430_w350, 1);
	rig->bus.turnaround = 50 * USEC;
	device_poke(&rig->bus.devices[0], (struct span){ 9, 1 }, (u8[]){ 0 },
		    rig->now);
	assert_int_equal(exchange(rig), (290 + 50) * USEC);
	rig->bus.turnaround = 0;
	assert_int_equal(exchange(rig), 290 * USEC);
	rig_free(rig);
}

static void a_fast_answer_is_one_packet_in_time(void **state)
{
	struct rig *rig = timed_rig(1000000);
	nsec_t start = rig->now;
	int id;

	(void)state;
	for (id = 1; id <= 20; id++)
		rig_add(rig, &model_xm430_w350, id);
	rig_send2(rig, BROADCAST, 0x8a,
		  (u8[]){ 132, 0, 4, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
			  13, 14, 15, 16, 17, 18, 19, 20 }, 24);
	rig_run(rig);
	assert_int_equal(rig->len, 8 + 20 * 8);
	assert_int_equal(rig->heard - start, (340 + 500 + 80 + 1600) * USEC);
	rig_free(rig);
}

static void protocol_2_waits_less_for_a_byte(void **state)
{
	u8 bytes[32];
	struct rig *rig = mixed_rig();
	size_t len = frame2(bytes, 2, 1, NULL, 0);

	(void)state;
	bus_receive(&rig->bus, bytes, 5, rig->now);
	rig->now += 50 * USEC + 1400 * USEC;
	bus_receive(&rig->bus, bytes + 5, len - 5, rig->now);
	rig_run(rig);
	assert_int_equal(rig_reply(rig).id, 2);
	bus_receive(&rig->bus, bytes, 5, rig->now);
	rig->now += 50 * USEC + 1600 * USEC;
	bus_receive(&rig->bus, bytes + 5, len - 5, rig->now);
	rig_run(rig);
	assert_int_equal(rig_reply(rig).id, -1);
	assert_int_equal(rig->bus.stats.gaps, 1);
	rig_free(rig);
}

/* --- collisions --- */

/* It does not wait for the answer: request and answer spoil each other. */
static void the_controller_into_an_answer(void **state)
{
	struct rig *rig = mixed_rig();

	(void)state;
	rig_send(rig, 1, 1, NULL, 0);
	rig->now += (60 + 500 + 15) * USEC;
	rig_send(rig, 3, 1, NULL, 0);
	rig_run(rig);
	assert_in_range(bus_count(&rig->bus, COUNT_COLLISIONS), 2, 3);
	assert_int_equal(bus_count(&rig->bus, COUNT_GOOD), 0);
	assert_int_equal(rig->bus.stats.rx_packets, 1);
	/* Six bytes were on the line when the second came, not twelve. */
	assert_in_range(rig->len, 6, 8);
	rig->len = 0;
	rig_wait(rig, 1);
	rig_send(rig, 3, 1, NULL, 0);
	rig_run(rig);
	assert_int_equal(rig_reply(rig).id, 3);
	rig_free(rig);
}

/* Two requests without a break: the first one's answer meets the second. */
static void requests_without_a_break(void **state)
{
	struct rig *rig = mixed_rig();
	u8 bytes[64];
	size_t len;

	(void)state;
	device_poke(&rig->bus.devices[0], (struct span){ 5, 1 }, (u8[]){ 0 },
		    rig->now);
	len = frame(bytes, 1, 1, NULL, 0);
	len += frame(bytes + len, 3, 1, NULL, 0);
	bus_receive(&rig->bus, bytes, len, rig->now);
	rig_run(rig);
	assert_int_equal(bus_count(&rig->bus, COUNT_COLLISIONS), 2);
	assert_int_equal(bus_count(&rig->bus, COUNT_SENT), 1);
	rig_free(rig);
}

static void what_is_not_at_once_does_not_collide(void **state)
{
	struct rig *rig = mixed_rig();
	int i;

	(void)state;
	for (i = 0; i < 100; i++) {
		rig_send(rig, 1, 1, NULL, 0);
		rig_run(rig);
		assert_int_equal(rig_reply(rig).id, 1);
		rig_send2(rig, 2, 1, NULL, 0);
		rig_run(rig);
		assert_int_equal(rig_reply(rig).id, 2);
	}
	assert_int_equal(bus_count(&rig->bus, COUNT_COLLISIONS), 0);
	assert_int_equal(bus_count(&rig->bus, COUNT_GOOD), 200);
	rig_free(rig);
}

/* A late answer, into that of the next device. */
static void two_devices_at_once(void **state)
{
	struct rig *rig = mixed_rig();
	struct fault_setting *late =
		&rig->bus.faults.setting[fault_find("late")][1];

	(void)state;
	late->next = 1;
	late->value = 1020;
	rig_send(rig, 1, 1, NULL, 0);
	rig->now += 1000 * USEC;
	/* Device 1 talks from 1580 us on, device 3 from 1560. */
	rig_send(rig, 3, 1, NULL, 0);
	rig_run(rig);
	assert_int_equal(bus_count(&rig->bus, COUNT_COLLISIONS), 2);
	assert_int_equal(rig->bus.stats.id[1].of[COUNT_COLLISIONS], 1);
	assert_int_equal(rig->bus.stats.id[3].of[COUNT_COLLISIONS], 1);
	assert_int_equal(bus_count(&rig->bus, COUNT_GOOD), 0);
	assert_int_equal(rig->len, 8);
	rig_free(rig);
}

/* One that talks does not listen. */
static void a_device_is_deaf_while_it_talks(void **state)
{
	struct rig *rig = mixed_rig();
	u8 bytes[16];
	size_t len = frame(bytes, 1, 3, (u8[]){ 25, 1 }, 2);

	(void)state;
	device_poke(&rig->bus.devices[0], (struct span){ 5, 1 }, (u8[]){ 0 },
		    rig->now);
	rig_send(rig, 1, 2, (u8[]){ 0, 40 }, 2);
	rig->now += 100 * USEC;
	/* Not harmed on its way, only unheard. */
	rig->bus.line.count = 0;
	bus_receive(&rig->bus, bytes, len, rig->now);
	rig_run(rig);
	assert_int_equal(rig->bus.devices[0].table[25], 0);
	assert_int_equal(rig->bus.stats.id[1].of[COUNT_DEAF], 1);
	rig_free(rig);
}

static void eeprom_takes_its_time(void **state)
{
	struct rig *rig = mixed_rig();

	(void)state;
	rig_send(rig, 1, 3, (u8[]){ 17, 1 }, 2);
	rig_run(rig);
	assert_int_equal(rig_reply(rig).id, 1);
	rig_send(rig, 1, 1, NULL, 0);
	rig_run(rig);
	assert_int_equal(rig_reply(rig).id, -1);
	assert_int_equal(rig->bus.stats.id[1].of[COUNT_DEAF], 1);
	rig_wait(rig, 0.1);
	rig_send(rig, 1, 1, NULL, 0);
	rig_run(rig);
	assert_int_equal(rig_reply(rig).id, 1);
	rig_free(rig);
}

/* One of what a controller may say, in pieces, damaged, and at any time. */
static void babble(struct rig *rig, uint64_t *seed)
{
	static const u8 reads[] = { 1, 2, 0x82, 0x92, 0x8a, 0x9a, 0x77 };
	u8 params[40], bytes[128];
	size_t len = random_below(seed, sizeof(params)), i;
	u8 id = random_below(seed, 3) ? 2 + 2 * random_below(seed, 2) :
		BROADCAST;

	for (i = 0; i < len; i++)
		params[i] = random_below(seed, 4) ? random_below(seed, 5) :
						    random_below(seed, 256);
	len = frame2(bytes, id, reads[random_below(seed, sizeof(reads))],
		     params, len);
	if (!random_below(seed, 3))
		bytes[random_below(seed, len)] ^= 1 << random_below(seed, 8);
	if (!random_below(seed, 5))
		len = 1 + random_below(seed, len);
	bus_receive(&rig->bus, bytes, len, rig->now);
}

/* Talk into everything: all is accounted for, and the devices are still there. */
static void noise(void **state)
{
	struct rig *rig = mixed_rig();
	uint64_t seed = 12;
	unsigned int round, kind;

	(void)state;
	bus_add_twin(&rig->bus, &rig->bus.devices[1], rig->now);
	for (kind = 0; fault_kind(kind); kind++)
		rig->bus.faults.setting[kind][FAULT_ANY_ID].share =
			FAULT_SCALE / 50;
	for (round = 0; round < 20000; round++) {
		babble(rig, &seed);
		rig->now += random_below(&seed, 4) ?
			    random_below(&seed, 1000) * USEC :
			    random_below(&seed, 20000) * USEC;
		rig_listen(rig);
		rig->len = 0;
		assert_true(rig->bus.line.count < LINE_BYTES / 2);
	}
	assert_true(bus_count(&rig->bus, COUNT_COLLISIONS) > 1000);
	assert_true(bus_count(&rig->bus, COUNT_GOOD) > 1000);
	assert_int_equal(bus_count(&rig->bus, COUNT_ANSWERS),
			 bus_count(&rig->bus, COUNT_SENT) +
			 bus_count(&rig->bus, COUNT_LOST));
	assert_int_equal(bus_count(&rig->bus, COUNT_SENT),
			 bus_count(&rig->bus, COUNT_GOOD) +
			 bus_count(&rig->bus, COUNT_DAMAGED));
	faults_clear(&rig->bus.faults);
	bus_remove_twins(&rig->bus, 2);
	rig_wait(rig, 2);
	rig_forget(rig);
	rig_wait(rig, 2);
	rig_send2(rig, 2, 1, NULL, 0);
	rig_run(rig);
	assert_int_equal(rig_reply(rig).id, 2);
	rig_send2(rig, 4, 1, NULL, 0);
	rig_run(rig);
	assert_int_equal(rig_reply(rig).id, 4);
	rig_free(rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_answers_in_its_own),
		cmocka_unit_test(ping_of_the_manual),
		cmocka_unit_test(stuffing_both_ways),
		cmocka_unit_test(a_packet_of_two_kilobytes),
		cmocka_unit_test(a_long_answer),
		cmocka_unit_test(every_rate_within_a_thousandth),
		cmocka_unit_test(lateness_does_not_add_up),
		cmocka_unit_test(turnaround_is_added),
		cmocka_unit_test(a_fast_answer_is_one_packet_in_time),
		cmocka_unit_test(protocol_2_waits_less_for_a_byte),
		cmocka_unit_test(the_controller_into_an_answer),
		cmocka_unit_test(requests_without_a_break),
		cmocka_unit_test(what_is_not_at_once_does_not_collide),
		cmocka_unit_test(two_devices_at_once),
		cmocka_unit_test(a_device_is_deaf_while_it_talks),
		cmocka_unit_test(eeprom_takes_its_time),
		cmocka_unit_test(noise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
