// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of fast group reads, which several devices answer with one packet
 */
#include <linux/string.h>

#include <kunit/test.h>

#include <linux/dxl/transport.h>

#include "../drivers/bus/base/base.h"
#include "../drivers/bus/queue/state.h"
#include "fake_chain.h"

/* Where the part of the device with this ID begins, and its ID in it. */
#define PART(id)	(DXL_FAST_HEADER + ((id) - 1) *			\
			 (FAKE_CHAIN_DATA + DXL_FAST_OVERHEAD))
#define PART_ID(id)	(PART(id) + 1)
#define PART_DATA(id)	(PART(id) + 2)

static int fast_test_init(struct kunit *test)
{
	test->priv = fake_chain_create(test);

	return 0;
}

/* Ask the devices 1, 2 and 3. */
static struct fake_chain *ask(struct kunit *test)
{
	struct fake_chain *chain = test->priv;

	memset(chain->data, 0, sizeof(chain->data));
	fake_chain_submit(test, chain, DXL_FAST_SYNC_READ, 3);

	return chain;
}

/* What they say to it, as it should be. */
static struct fake_fast right_answer(void)
{
	struct fake_fast fast;
	u8 id;

	fake_fast_begin(&fast, 3);
	for (id = 1; id <= 3; id++)
		fake_fast_add(&fast, id, 0, 10 + id);

	return fast;
}

static bool is_pending(struct fake_chain *chain)
{
	return !READ_ONCE(chain->completions);
}

static void expect_statuses(struct kunit *test, struct fake_chain *chain,
			    int first, int second, int third)
{
	fake_chain_expect(test, chain, 1, first, 11);
	fake_chain_expect(test, chain, 2, second, 12);
	fake_chain_expect(test, chain, 3, third, 13);
}

static void expect_all(struct kunit *test, struct fake_chain *chain)
{
	KUNIT_EXPECT_EQ(test, fake_chain_result(chain), 0);
	expect_statuses(test, chain, 0, 0, 0);
}

/* --- the decoder --- */

/* The example in the maker's description of the protocol. */
static const u8 example[] = {
	0xff, 0xff, 0xfd, 0x00, 0xfe, 0x19, 0x00, 0x55,
	0x00, 0x03, 0xa6, 0x00, 0x00, 0x00, 0x84, 0x08,
	0x00, 0x07, 0x1f, 0x08, 0x00, 0x00, 0x16, 0xca,
	0x00, 0x04, 0xff, 0x03, 0x00, 0x00, 0xd1, 0x9e,
};

static void expect_part(struct kunit *test, struct dxl_decoder *dec,
			struct dxl_fast *fast, u8 id, u16 position)
{
	const u8 params[] = { position & 0xff, position >> 8, 0, 0 };
	struct dxl_packet packet;

	KUNIT_ASSERT_EQ(test, dxl_decoder_next_slot(dec, fast, id, 4, &packet),
			0);
	KUNIT_EXPECT_EQ(test, packet.protocol, DXL_PROTOCOL_2);
	KUNIT_EXPECT_EQ(test, packet.instruction, DXL_STATUS_RETURN);
	KUNIT_EXPECT_EQ(test, packet.id, id);
	KUNIT_EXPECT_EQ(test, packet.error, 0);
	KUNIT_ASSERT_EQ(test, packet.len, sizeof(params));
	KUNIT_EXPECT_MEMEQ(test, packet.params, params, sizeof(params));
}

static void fast_example(struct kunit *test)
{
	struct dxl_fast fast = { .size = 24 };
	struct dxl_packet packet;
	struct dxl_decoder dec;
	u8 buf[sizeof(example)];

	dxl_decoder_init(&dec, DXL_STATUS, buf, sizeof(buf));
	dxl_decoder_feed(&dec, example, sizeof(example));
	expect_part(test, &dec, &fast, 3, 166);
	expect_part(test, &dec, &fast, 7, 2079);
	expect_part(test, &dec, &fast, 4, 1023);
	KUNIT_EXPECT_EQ(test, dxl_decoder_next_slot(&dec, &fast, 4, 4, &packet),
			-EAGAIN);
	KUNIT_EXPECT_EQ(test, dec.skipped, 0);
}

/* No part is given before its last byte is there, and each at once then. */
static void fast_example_bytewise(struct kunit *test)
{
	static const u8 ids[] = { 3, 3, 7, 4 };
	struct dxl_fast fast = { .size = 24 };
	struct dxl_packet packet;
	struct dxl_decoder dec;
	u8 buf[sizeof(example)];
	size_t i;

	dxl_decoder_init(&dec, DXL_STATUS, buf, sizeof(buf));
	for (i = 0; i < sizeof(example); i++) {
		KUNIT_EXPECT_EQ(test, dxl_decoder_next_slot(&dec, &fast, ids[i / 8],
							    4, &packet),
				-EAGAIN);
		dxl_decoder_feed(&dec, example + i, 1);
		if (i == 15)
			expect_part(test, &dec, &fast, 3, 166);
		if (i == 23)
			expect_part(test, &dec, &fast, 7, 2079);
		if (i == 31)
			expect_part(test, &dec, &fast, 4, 1023);
	}
}

static void fast_example_bit_flips(struct kunit *test)
{
	static const u8 ids[] = { 3, 7, 4 };
	struct dxl_packet packet;
	struct dxl_decoder dec;
	u8 buf[sizeof(example)], bytes[sizeof(example)];
	unsigned int bit, good, i;

	for (bit = 0; bit < 8 * sizeof(example); bit++) {
		struct dxl_fast fast = { .size = 24 };

		memcpy(bytes, example, sizeof(bytes));
		bytes[bit / 8] ^= BIT(bit % 8);
		dxl_decoder_init(&dec, DXL_STATUS, buf, sizeof(buf));
		dxl_decoder_feed(&dec, bytes, sizeof(bytes));
		for (i = 0, good = 0; i < 3; i++)
			good += !dxl_decoder_next_slot(&dec, &fast, ids[i], 4,
						       &packet);
		/*
		 * Without its header nothing of it is known; where a CRC is
		 * hit, the part behind it does not fit that either.
		 */
		if (bit < 64)
			KUNIT_EXPECT_EQ_MSG(test, good, 0, "bit %u", bit);
		else
			KUNIT_EXPECT_LE_MSG(test, good, 2, "bit %u", bit);
	}
}

/* --- as it should be --- */

static void fast_answered(struct kunit *test)
{
	struct fake_chain *chain = ask(test);
	struct fake_fast fast = right_answer();

	KUNIT_EXPECT_TRUE(test, FAKE_LINE_WROTE(chain->line, 0xff, 0xff, 0xfd,
						0x00, 0xfe, 0x0a, 0x00, 0x8a,
						0x84, 0x00, 0x02, 0x00, 0x01,
						0x02, 0x03, 0x0a, 0xed));
	fake_fast_send(chain->line, &fast, 0, fast.len);
	expect_all(test, chain);
	KUNIT_EXPECT_EQ(test, chain->completions, 1);
	KUNIT_EXPECT_EQ(test, fake_line_stat(chain->line, DXL_STAT_ACK), 3);
	KUNIT_EXPECT_EQ(test, fake_line_stat(chain->line, DXL_STAT_PACKETS), 1);
}

static void fast_in_pieces(struct kunit *test)
{
	struct fake_fast fast = right_answer();
	struct fake_chain *chain = test->priv;
	size_t at, i;

	for (at = 0; at < fast.len; at++) {
		ask(test);
		fake_fast_send(chain->line, &fast, 0, at);
		fake_fast_send(chain->line, &fast, at, fast.len);
		expect_all(test, chain);
	}

	ask(test);
	for (i = 0; i < fast.len; i++)
		fake_fast_send(chain->line, &fast, i, i + 1);
	expect_all(test, chain);
	KUNIT_EXPECT_EQ(test, fake_line_stat(chain->line, DXL_STAT_STALE_BYTES),
			0);
}

/* Each part counts when it has come, and sets the next one's time. */
static void fast_one_by_one(struct kunit *test)
{
	struct fake_chain *chain = ask(test);
	struct fake_fast fast = right_answer();
	struct dxl_queue *q = chain->line->bus->queue;
	ktime_t before = q->engine.deadline;

	chain->replies[1].return_delay_us = 1000000;
	fake_fast_send(chain->line, &fast, 0, PART(2));
	expect_statuses(test, chain, 0, -EINPROGRESS, -EINPROGRESS);
	KUNIT_EXPECT_GE(test, ktime_us_delta(q->engine.deadline, before), 900000);
	fake_fast_send(chain->line, &fast, PART(2), PART(3));
	expect_statuses(test, chain, 0, 0, -EINPROGRESS);
	KUNIT_EXPECT_TRUE(test, is_pending(chain));
	fake_fast_send(chain->line, &fast, PART(3), fast.len);
	expect_all(test, chain);
}

static void fast_bulk(struct kunit *test)
{
	struct fake_chain *chain = test->priv;
	struct fake_fast fast = right_answer();

	fake_chain_submit(test, chain, DXL_FAST_BULK_READ, 3);
	fake_fast_send(chain->line, &fast, 0, fast.len);
	expect_all(test, chain);
}

static void fast_after_noise(struct kunit *test)
{
	struct fake_chain *chain = ask(test);
	struct fake_fast fast = right_answer();

	FAKE_LINE_RECEIVE(chain->line, 0x00, 0xff, 0xff, 0xfd, 0x00, 0xff);
	fake_fast_send(chain->line, &fast, 0, fast.len);
	expect_all(test, chain);
}

static void fast_after_echo(struct kunit *test)
{
	struct fake_chain *chain = ask(test);
	struct fake_fast fast = right_answer();

	dxl_bus_receive(chain->line->bus, chain->line->tx, chain->line->tx_len);
	KUNIT_EXPECT_EQ(test, fake_line_stat(chain->line, DXL_STAT_ECHOES), 1);
	fake_fast_send(chain->line, &fast, 0, fast.len);
	expect_all(test, chain);
}

/* What looks like a header is data: nothing is stuffed in these answers. */
static void fast_header_within(struct kunit *test)
{
	static const u8 bytes[] = {
		0xff, 0xff, 0xfd, 0x00, 0xfe, 0x0d, 0x00, 0x55,
		0x00, 0x01, 0xff, 0xff, 0x53, 0xbd, 0x00, 0x02, 0xfd, 0x00, 0x16, 0xf1,
	};
	struct fake_chain *chain = test->priv;

	fake_chain_submit(test, chain, DXL_FAST_SYNC_READ, 2);
	dxl_bus_receive(chain->line->bus, bytes, sizeof(bytes));
	KUNIT_EXPECT_EQ(test, fake_chain_result(chain), 0);
	KUNIT_EXPECT_EQ(test, chain->data[0][0], 0xff);
	KUNIT_EXPECT_EQ(test, chain->data[0][1], 0xff);
	KUNIT_EXPECT_EQ(test, chain->data[1][0], 0xfd);
	KUNIT_EXPECT_EQ(test, chain->data[1][1], 0x00);
}

/* --- errors of the devices --- */

static void fast_refused(struct kunit *test)
{
	struct fake_chain *chain = ask(test);
	struct fake_fast fast;

	fake_fast_begin(&fast, 3);
	fake_fast_add(&fast, 1, DXL2_ERR_ALERT, 11);
	fake_fast_add(&fast, 2, DXL2_ERR_ACCESS, 12);
	fake_fast_add(&fast, 3, 0, 13);
	fake_fast_send(chain->line, &fast, 0, fast.len);
	KUNIT_EXPECT_EQ(test, fake_chain_result(chain), -EREMOTEIO);
	expect_statuses(test, chain, 0, -EREMOTEIO, 0);
	KUNIT_EXPECT_EQ(test, chain->replies[0].error, DXL2_ERR_ALERT);
	KUNIT_EXPECT_EQ(test, chain->replies[1].error, DXL2_ERR_ACCESS);
	KUNIT_EXPECT_EQ(test, fake_line_stat(chain->line, DXL_STAT_ALERTS), 1);
	KUNIT_EXPECT_EQ(test, fake_line_stat(chain->line,
					     DXL_STAT_DEVICE_ERRORS), 1);
}

/* --- damage --- */

/* One bit of a device's data: the others heard it right and so do we them. */
static void fast_damaged(struct kunit *test)
{
	static const int statuses[3][3] = {
		{ -EBADMSG, 0, 0 }, { 0, -EBADMSG, 0 }, { 0, 0, -EBADMSG },
	};
	struct fake_chain *chain = test->priv;
	struct fake_fast fast;
	u8 id;

	for (id = 1; id <= 3; id++) {
		fast = right_answer();
		fast.bytes[PART_DATA(id)] ^= 0x10;
		ask(test);
		fake_fast_send(chain->line, &fast, 0, fast.len);
		KUNIT_EXPECT_EQ(test, fake_chain_result(chain), -EBADMSG);
		expect_statuses(test, chain, statuses[id - 1][0],
				statuses[id - 1][1], statuses[id - 1][2]);
		KUNIT_EXPECT_EQ(test, fake_device_stat(chain->replies[id - 1].ddev,
						       DXL_STAT_NACK), 1);
		KUNIT_EXPECT_EQ(test, chain->data[id - 1][0], 0);
		fake_line_rested(chain->line);
	}
	KUNIT_EXPECT_EQ(test, fake_line_stat(chain->line,
					     DXL_STAT_CHECKSUM_ERRORS), 3);
}

/* A part of somebody else, however right it is. */
static void fast_wrong_id(struct kunit *test)
{
	struct fake_chain *chain = ask(test);
	struct fake_fast fast;

	fake_fast_begin(&fast, 3);
	fake_fast_add(&fast, 1, 0, 11);
	fake_fast_add(&fast, 7, 0, 12);
	fake_fast_add(&fast, 3, 0, 13);
	fake_fast_send(chain->line, &fast, 0, fast.len);
	KUNIT_EXPECT_EQ(test, fake_chain_result(chain), -EPROTO);
	expect_statuses(test, chain, 0, -EPROTO, 0);
}

/*
 * Once the ID of one is damaged it is not to be looked for further on, where another
 * that is wrong about its own may stand.
 */
static void fast_wrong_id_behind_damage(struct kunit *test)
{
	struct fake_chain *chain = ask(test);
	struct fake_fast fast;

	fake_fast_begin(&fast, 3);
	fake_fast_add(&fast, 1, 0, 11);
	fast.bytes[PART_ID(1)] ^= 0x10;
	fake_fast_add(&fast, 2, 0, 12);
	fake_fast_add(&fast, 1, 0, 13);
	fake_fast_send(chain->line, &fast, 0, fast.len);
	fake_line_expire(chain->line);
	KUNIT_EXPECT_EQ(test, fake_chain_result(chain), -EBADMSG);
	expect_statuses(test, chain, -EBADMSG, -ENODATA, -ENODATA);
}

/* Nobody is asked before all of what is of no use any more has passed. */
static void fast_rest_passes(struct kunit *test)
{
	struct fake_chain *chain = test->priv;
	struct dxl_queue *q = chain->line->bus->queue;
	u64 bits = 10 * 2 * (FAKE_CHAIN_DATA + DXL_FAST_OVERHEAD);
	u64 rest = div_u64(bits * NSEC_PER_SEC, chain->line->bus->timing.baud);
	struct fake_fast fast = right_answer();
	ktime_t deadline;
	size_t at;

	/* An ID, and the header, without which nothing else is found. */
	for (at = PART_ID(1); at >= DXL_FAST_HEADER - 1; at -= 2) {
		fast = right_answer();
		fast.bytes[at] ^= 0x10;
		ask(test);
		deadline = q->engine.deadline;
		fake_fast_send(chain->line, &fast, 0, PART(2));
		KUNIT_EXPECT_EQ(test, q->engine.deadline,
				ktime_add_ns(deadline, rest));
		fake_fast_send(chain->line, &fast, PART(2), fast.len);
		KUNIT_EXPECT_EQ(test, q->engine.deadline,
				ktime_add_ns(deadline, rest));
		fake_line_expire(chain->line);
		KUNIT_EXPECT_NE(test, fake_chain_result(chain), 0);
		fake_line_rested(chain->line);
	}
}

/* Lost bytes shift all that follows, of which nothing is to be believed. */
static void fast_lost_bytes(struct kunit *test)
{
	struct fake_chain *chain = test->priv;
	struct fake_fast fast = right_answer();
	size_t at;

	for (at = PART(2); at < PART(3); at++) {
		ask(test);
		fake_fast_send(chain->line, &fast, 0, at);
		fake_fast_send(chain->line, &fast, at + 1, fast.len);
		KUNIT_EXPECT_TRUE(test, chain->line->bus->queue->current_xfer);
		fake_line_expire(chain->line);
		KUNIT_EXPECT_NE(test, fake_chain_result(chain), 0);
		fake_chain_expect(test, chain, 1, 0, 11);
		KUNIT_EXPECT_NE(test, chain->replies[1].status, 0);
		KUNIT_EXPECT_NE(test, chain->replies[1].status, -ENODATA);
		KUNIT_EXPECT_NE(test, chain->replies[2].status, 0);
		KUNIT_EXPECT_EQ(test, chain->data[1][0], 0);
		KUNIT_EXPECT_EQ(test, chain->data[2][0], 0);
		fake_line_rested(chain->line);
	}
}

/* The whole of it cannot be told apart from where an ID is not where it was. */
static void fast_misaligned(struct kunit *test)
{
	struct fake_chain *chain = ask(test);
	struct fake_fast fast = right_answer();

	fake_fast_send(chain->line, &fast, 0, PART(2));
	fake_fast_send(chain->line, &fast, PART_DATA(2), fast.len);
	fake_line_expire(chain->line);
	KUNIT_EXPECT_EQ(test, fake_chain_result(chain), -EBADMSG);
	expect_statuses(test, chain, 0, -EBADMSG, -ENODATA);
}

static void fast_line_error(struct kunit *test)
{
	struct fake_chain *chain = ask(test);
	struct fake_fast fast = right_answer();

	fake_fast_send(chain->line, &fast, 0, PART_DATA(2));
	dxl_bus_line_error(chain->line->bus);
	fake_fast_send(chain->line, &fast, PART_DATA(2) + 1, fast.len);
	KUNIT_EXPECT_TRUE(test, is_pending(chain));
	fake_line_expire(chain->line);
	KUNIT_EXPECT_EQ(test, fake_chain_result(chain), -EBADMSG);
	expect_statuses(test, chain, 0, -EBADMSG, -ENODATA);
	KUNIT_EXPECT_EQ(test, fake_line_stat(chain->line, DXL_STAT_LINE_ERRORS),
			1);
}

/* --- silence --- */

static void fast_gap(struct kunit *test)
{
	struct fake_chain *chain = test->priv;
	struct fake_fast fast = right_answer();

	ask(test);
	fake_line_expire(chain->line);
	KUNIT_EXPECT_EQ(test, fake_chain_result(chain), -ETIMEDOUT);
	expect_statuses(test, chain, -ETIMEDOUT, -ENODATA, -ENODATA);
	fake_line_rested(chain->line);

	ask(test);
	fake_fast_send(chain->line, &fast, 0, PART(2));
	fake_line_expire(chain->line);
	KUNIT_EXPECT_EQ(test, fake_chain_result(chain), -ETIMEDOUT);
	expect_statuses(test, chain, 0, -ETIMEDOUT, -ENODATA);
	fake_line_rested(chain->line);

	ask(test);
	fake_fast_send(chain->line, &fast, 0, PART(3));
	fake_line_expire(chain->line);
	KUNIT_EXPECT_EQ(test, fake_chain_result(chain), -ETIMEDOUT);
	expect_statuses(test, chain, 0, 0, -ETIMEDOUT);
	KUNIT_EXPECT_EQ(test, fake_line_stat(chain->line, DXL_STAT_TIMEOUTS),
			3);
}

/* Answers of another kind, and those to another request, are none to this. */
static void fast_other_answers(struct kunit *test)
{
	struct fake_chain *chain = ask(test);
	struct fake_fast other;
	u8 id;

	for (id = 1; id <= 3; id++)
		fake_chain_answer(chain, id, 10 + id);
	fake_fast_begin(&other, 2);
	fake_fast_add(&other, 1, 0, 11);
	fake_fast_add(&other, 2, 0, 12);
	fake_fast_send(chain->line, &other, 0, other.len);
	KUNIT_EXPECT_TRUE(test, is_pending(chain));
	fake_line_expire(chain->line);
	KUNIT_EXPECT_NE(test, fake_chain_result(chain), 0);
	KUNIT_EXPECT_NE(test, chain->replies[0].status, 0);
	KUNIT_EXPECT_NE(test, chain->replies[1].status, 0);
	KUNIT_EXPECT_NE(test, chain->replies[2].status, 0);
}

/* More than a decoder holds, when nothing of it is of use any more. */
static void fast_flood(struct kunit *test)
{
	const size_t size = 2 * DXL_PACKET_MAX;
	struct fake_chain *chain = ask(test);
	struct fake_fast fast = right_answer();
	u8 *noise = kunit_kzalloc(test, size, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, noise);
	fake_fast_send(chain->line, &fast, 0, PART(2));
	dxl_bus_line_error(chain->line->bus);
	dxl_bus_receive(chain->line->bus, noise, size);
	fake_line_expire(chain->line);
	KUNIT_EXPECT_EQ(test, fake_chain_result(chain), -EBADMSG);
	expect_statuses(test, chain, 0, -EBADMSG, -ENODATA);
}

/* The next request begins anew. */
static void fast_after_damage(struct kunit *test)
{
	struct fake_chain *chain = ask(test);
	struct fake_fast fast = right_answer();

	fake_fast_send(chain->line, &fast, 0, PART_DATA(2));
	dxl_bus_line_error(chain->line->bus);
	fake_line_give_up(chain->line);
	KUNIT_EXPECT_EQ(test, fake_chain_result(chain), -EBADMSG);
	ask(test);
	fake_fast_send(chain->line, &fast, 0, fast.len);
	expect_all(test, chain);
}

static struct kunit_case fast_cases[] = {
	KUNIT_CASE(fast_example),
	KUNIT_CASE(fast_example_bytewise),
	KUNIT_CASE(fast_example_bit_flips),
	KUNIT_CASE(fast_answered),
	KUNIT_CASE(fast_in_pieces),
	KUNIT_CASE(fast_one_by_one),
	KUNIT_CASE(fast_bulk),
	KUNIT_CASE(fast_after_noise),
	KUNIT_CASE(fast_after_echo),
	KUNIT_CASE(fast_header_within),
	KUNIT_CASE(fast_refused),
	KUNIT_CASE(fast_damaged),
	KUNIT_CASE(fast_wrong_id),
	KUNIT_CASE(fast_wrong_id_behind_damage),
	KUNIT_CASE(fast_rest_passes),
	KUNIT_CASE(fast_lost_bytes),
	KUNIT_CASE(fast_misaligned),
	KUNIT_CASE(fast_line_error),
	KUNIT_CASE(fast_gap),
	KUNIT_CASE(fast_other_answers),
	KUNIT_CASE(fast_flood),
	KUNIT_CASE(fast_after_damage),
	{}
};

static struct kunit_suite fast_suite = {
	.name = "dxl_fast",
	.init = fast_test_init,
	.test_cases = fast_cases,
};

kunit_test_suite(fast_suite);
