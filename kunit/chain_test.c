// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of requests that are answered by several devices in turn
 */
#include <linux/delay.h>

#include <kunit/test.h>

#include <linux/dxl/transport.h>

#include "../drivers/bus/base/base.h"
#include "../drivers/bus/queue/state.h"
#include "fake_chain.h"

static int chain_test_init(struct kunit *test)
{
	test->priv = fake_chain_create(test);

	return 0;
}

/* Ask the devices 1, 2 and 3. */
static struct fake_chain *ask(struct kunit *test)
{
	struct fake_chain *chain = test->priv;

	fake_chain_submit(test, chain, DXL_SYNC_READ, 3);

	return chain;
}

static bool is_pending(struct fake_chain *chain)
{
	return !READ_ONCE(chain->completions);
}

static void expect_faults(struct kunit *test, struct fake_chain *chain, u8 id,
			  unsigned int faults)
{
	KUNIT_EXPECT_EQ_MSG(test, chain->line->ddevs[id - 1].faults, faults,
			    "device %u", id);
}

/* --- as it should be --- */

static void chain_answered(struct kunit *test)
{
	struct fake_chain *chain = ask(test);
	struct fake_line *line = chain->line;

	KUNIT_EXPECT_TRUE(test, FAKE_LINE_WROTE(line, 0xff, 0xff, 0xfd, 0x00,
						0xfe, 0x0a, 0x00, 0x82, 0x84,
						0x00, 0x02, 0x00, 0x01, 0x02,
						0x03, 0x3a, 0x6d));
	fake_chain_answer(chain, 1, 11);
	fake_chain_answer(chain, 2, 12);
	KUNIT_EXPECT_TRUE(test, is_pending(chain));
	fake_chain_answer(chain, 3, 13);

	KUNIT_EXPECT_EQ(test, fake_chain_result(chain), 0);
	KUNIT_EXPECT_EQ(test, chain->completions, 1);
	fake_chain_expect(test, chain, 1, 0, 11);
	fake_chain_expect(test, chain, 2, 0, 12);
	fake_chain_expect(test, chain, 3, 0, 13);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_PACKETS), 1);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_ACK), 3);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_NACK), 0);
	KUNIT_EXPECT_EQ(test, fake_device_stat(&line->ddevs[1], DXL_STAT_ACK),
			1);
}

/* In whatever pieces the answers come. */
static void chain_in_pieces(struct kunit *test)
{
	static const u8 wire[] = {
		0xff, 0xff, 0xfd, 0x00, 0x01, 0x06, 0x00, 0x55, 0x00, 0x01,
		0x0b, 0xfc, 0xdd,
		0xff, 0xff, 0xfd, 0x00, 0x02, 0x06, 0x00, 0x55, 0x00, 0x02,
		0x0c, 0xdd, 0x54,
		0xff, 0xff, 0xfd, 0x00, 0x03, 0x06, 0x00, 0x55, 0x00, 0x03,
		0x0d, 0xc8, 0xd3,
	};
	struct fake_chain *chain = test->priv;
	size_t at;

	for (at = 0; at < sizeof(wire); at++) {
		ask(test);
		memset(chain->data, 0, sizeof(chain->data));
		dxl_bus_receive(chain->line->bus, wire, at);
		dxl_bus_receive(chain->line->bus, wire + at, sizeof(wire) - at);
		KUNIT_EXPECT_EQ(test, fake_chain_result(chain), 0);
		fake_chain_expect(test, chain, 1, 0, 11);
		fake_chain_expect(test, chain, 2, 0, 12);
		fake_chain_expect(test, chain, 3, 0, 13);
	}
	KUNIT_EXPECT_EQ(test, fake_line_stat(chain->line, DXL_STAT_STALE_BYTES),
			0);
}

/* Each device has its own time, from the answer of the one before. */
static void chain_deadline_moves(struct kunit *test)
{
	struct fake_chain *chain = test->priv;
	struct dxl_queue *q = chain->line->bus->queue;
	ktime_t before;

	fake_chain_submit(test, chain, DXL_SYNC_READ, 3);
	chain->replies[1].return_delay_us = 1000000;
	before = q->engine.deadline;
	fake_chain_answer(chain, 1, 11);
	KUNIT_EXPECT_GE(test, ktime_us_delta(q->engine.deadline, before), 900000);
	fake_chain_answer(chain, 2, 12);
	KUNIT_EXPECT_LT(test, ktime_us_delta(q->engine.deadline, ktime_get()),
			FAKE_NEVER_US + 900000LL);
	fake_chain_answer(chain, 3, 13);
	KUNIT_EXPECT_EQ(test, fake_chain_result(chain), 0);
}

/* A second device that is asked for less has less time than the first. */
static void chain_deadline_comes_nearer(struct kunit *test)
{
	struct fake_chain *chain = test->priv;

	/* The timer runs for the first one's, 600 s from now. */
	fake_chain_submit(test, chain, DXL_SYNC_READ, 2);
	fake_line_set_margin(chain->line, 0);
	fake_chain_answer(chain, 1, 11);
	KUNIT_EXPECT_EQ(test, fake_chain_result(chain), -ETIMEDOUT);
}

/* --- one is missing --- */

/* The one that is silent is at fault; those behind it were not reached. */
static void chain_gap(struct kunit *test)
{
	struct fake_chain *chain = test->priv;
	struct fake_line *line = chain->line;
	unsigned int acks = 0;
	u8 missing, id;

	for (missing = 1; missing <= 3; missing++) {
		ask(test);
		for (id = 1; id < missing; id++, acks++)
			fake_chain_answer(chain, id, id);
		fake_line_expire(line);
		KUNIT_EXPECT_EQ(test, fake_chain_result(chain), -ETIMEDOUT);

		for (id = 1; id < missing; id++)
			fake_chain_expect(test, chain, id, 0, id);
		fake_chain_expect(test, chain, id++, -ETIMEDOUT, 0);
		for (; id <= 3; id++)
			fake_chain_expect(test, chain, id, -ENODATA, 0);

		expect_faults(test, chain, missing, 1);
		KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_ACK), acks);
		KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_NACK),
				missing);
		KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_TIMEOUTS),
				missing);
		fake_line_rested(line);
	}
	KUNIT_EXPECT_EQ(test, chain->completions, 3);
}

/* A chain is not asked again as a whole. */
static void chain_not_repeated(struct kunit *test)
{
	struct fake_chain *chain = test->priv;

	chain->xfer.repeatable = true;
	ask(test);
	fake_line_give_up(chain->line);
	KUNIT_EXPECT_EQ(test, fake_chain_result(chain), -ETIMEDOUT);
	KUNIT_EXPECT_EQ(test, chain->line->writes, 1);
}

/* --- one is damaged --- */

static void chain_damaged_first(struct kunit *test)
{
	struct fake_chain *chain = ask(test);

	fake_chain_damaged(chain, 1, 11);
	fake_chain_answer(chain, 2, 12);
	KUNIT_EXPECT_TRUE(test, is_pending(chain));
	fake_chain_answer(chain, 3, 13);
	KUNIT_EXPECT_EQ(test, fake_chain_result(chain), -EBADMSG);
	fake_chain_expect(test, chain, 1, -EBADMSG, 0);
	fake_chain_expect(test, chain, 2, 0, 12);
	fake_chain_expect(test, chain, 3, 0, 13);
}

/* Two at once: both were reached, as the third has been. */
static void chain_damaged_two(struct kunit *test)
{
	struct fake_chain *chain = ask(test);

	fake_chain_damaged(chain, 1, 11);
	fake_chain_damaged(chain, 2, 12);
	fake_chain_answer(chain, 3, 13);
	KUNIT_EXPECT_EQ(test, fake_chain_result(chain), -EBADMSG);
	fake_chain_expect(test, chain, 1, -EBADMSG, 0);
	fake_chain_expect(test, chain, 2, -EBADMSG, 0);
	fake_chain_expect(test, chain, 3, 0, 13);
	expect_faults(test, chain, 2, 1);
}

/* The next device has heard it, and so have we: nobody has to wait. */
static void chain_damaged_middle(struct kunit *test)
{
	struct fake_chain *chain = ask(test);

	fake_chain_answer(chain, 1, 11);
	fake_chain_damaged(chain, 2, 12);
	fake_chain_answer(chain, 3, 13);
	KUNIT_EXPECT_EQ(test, fake_chain_result(chain), -EBADMSG);
	fake_chain_expect(test, chain, 1, 0, 11);
	fake_chain_expect(test, chain, 2, -EBADMSG, 0);
	fake_chain_expect(test, chain, 3, 0, 13);
	expect_faults(test, chain, 1, 0);
	expect_faults(test, chain, 2, 1);
	expect_faults(test, chain, 3, 0);
	KUNIT_EXPECT_EQ(test, fake_line_stat(chain->line, DXL_STAT_ACK), 2);
	KUNIT_EXPECT_EQ(test, fake_line_stat(chain->line, DXL_STAT_NACK), 1);
	KUNIT_EXPECT_EQ(test, fake_line_stat(chain->line, DXL_STAT_TIMEOUTS),
			0);
}

static void chain_damaged_last(struct kunit *test)
{
	struct fake_chain *chain = ask(test);

	fake_chain_answer(chain, 1, 11);
	fake_chain_answer(chain, 2, 12);
	fake_chain_damaged(chain, 3, 13);
	KUNIT_EXPECT_TRUE(test, is_pending(chain));
	fake_line_expire(chain->line);
	KUNIT_EXPECT_EQ(test, fake_chain_result(chain), -EBADMSG);
	fake_chain_expect(test, chain, 2, 0, 12);
	fake_chain_expect(test, chain, 3, -EBADMSG, 0);
}

/* Part of an answer is trace enough of its device. */
static void chain_truncated(struct kunit *test)
{
	struct fake_chain *chain = ask(test);

	fake_chain_answer(chain, 1, 11);
	FAKE_LINE_RECEIVE(chain->line, 0xfd, 0x00, 0x02, 0x06);
	fake_chain_answer(chain, 3, 13);
	KUNIT_EXPECT_NE(test, fake_chain_result(chain), 0);
	KUNIT_EXPECT_NE(test, chain->replies[1].status, 0);
	KUNIT_EXPECT_NE(test, chain->replies[1].status, -ENODATA);
	fake_chain_expect(test, chain, 3, 0, 13);
}

/*
 * One whose predecessor was heard has been reached: if it is silent it is at
 * fault itself, whatever had befallen those before.
 */
static void chain_silent_behind_damaged(struct kunit *test)
{
	struct fake_chain *chain = ask(test);

	fake_chain_damaged(chain, 1, 11);
	fake_chain_answer(chain, 2, 12);
	fake_line_expire(chain->line);
	KUNIT_EXPECT_EQ(test, fake_chain_result(chain), -EBADMSG);
	fake_chain_expect(test, chain, 1, -EBADMSG, 0);
	fake_chain_expect(test, chain, 2, 0, 12);
	KUNIT_EXPECT_NE(test, chain->replies[2].status, -ENODATA);
	expect_faults(test, chain, 3, 1);
}

static void chain_line_error(struct kunit *test)
{
	struct fake_chain *chain = ask(test);
	struct fake_line *line = chain->line;

	fake_chain_answer(chain, 1, 11);
	FAKE_LINE_RECEIVE(line, 0xff, 0xff, 0xfd, 0x00, 0x02);
	dxl_bus_line_error(line->bus);
	fake_chain_answer(chain, 3, 13);
	KUNIT_EXPECT_EQ(test, fake_chain_result(chain), -EBADMSG);
	fake_chain_expect(test, chain, 1, 0, 11);
	fake_chain_expect(test, chain, 2, -EBADMSG, 0);
	fake_chain_expect(test, chain, 3, 0, 13);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_LINE_ERRORS), 1);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_STALE_BYTES), 5);
}

/* --- answers that are none --- */

/* A device cannot have heard its turn where nothing of the one before came. */
static void chain_untraced(struct kunit *test)
{
	struct fake_chain *chain = ask(test);

	fake_chain_answer(chain, 1, 11);
	fake_chain_answer(chain, 3, 13);
	KUNIT_EXPECT_TRUE(test, is_pending(chain));
	fake_line_expire(chain->line);
	KUNIT_EXPECT_EQ(test, fake_chain_result(chain), -ETIMEDOUT);
	fake_chain_expect(test, chain, 1, 0, 11);
	fake_chain_expect(test, chain, 2, -ETIMEDOUT, 0);
	fake_chain_expect(test, chain, 3, -ENODATA, 0);
	expect_faults(test, chain, 3, 0);
}

/* The last device repeats what it said to the request before. */
static void chain_stale_then_right(struct kunit *test)
{
	struct fake_chain *chain = ask(test);

	fake_chain_answer(chain, 3, 99);
	KUNIT_EXPECT_TRUE(test, is_pending(chain));
	fake_chain_answer(chain, 1, 11);
	fake_chain_answer(chain, 2, 12);
	KUNIT_EXPECT_TRUE(test, is_pending(chain));
	fake_chain_answer(chain, 3, 13);
	KUNIT_EXPECT_EQ(test, fake_chain_result(chain), 0);
	fake_chain_expect(test, chain, 1, 0, 11);
	fake_chain_expect(test, chain, 2, 0, 12);
	fake_chain_expect(test, chain, 3, 0, 13);
	KUNIT_EXPECT_EQ(test, fake_line_stat(chain->line, DXL_STAT_ACK), 3);
}

static void chain_stale_then_gap(struct kunit *test)
{
	struct fake_chain *chain = ask(test);

	fake_chain_answer(chain, 3, 99);
	fake_chain_answer(chain, 1, 11);
	fake_line_expire(chain->line);
	KUNIT_EXPECT_EQ(test, fake_chain_result(chain), -ETIMEDOUT);
	fake_chain_expect(test, chain, 1, 0, 11);
	fake_chain_expect(test, chain, 2, -ETIMEDOUT, 0);
	fake_chain_expect(test, chain, 3, -ENODATA, 0);
}

static void chain_stale_alone(struct kunit *test)
{
	struct fake_chain *chain = ask(test);

	fake_chain_answer(chain, 3, 99);
	fake_line_expire(chain->line);
	KUNIT_EXPECT_EQ(test, fake_chain_result(chain), -ETIMEDOUT);
	fake_chain_expect(test, chain, 1, -ETIMEDOUT, 0);
	fake_chain_expect(test, chain, 2, -ENODATA, 0);
	fake_chain_expect(test, chain, 3, -ENODATA, 0);
	KUNIT_EXPECT_EQ(test, fake_line_stat(chain->line, DXL_STAT_ACK), 0);
}

/* Two devices with one ID: nobody knows which of them is right. */
static void chain_two_differ(struct kunit *test)
{
	struct fake_chain *chain = ask(test);

	fake_chain_answer(chain, 1, 11);
	fake_chain_answer(chain, 1, 77);
	fake_chain_answer(chain, 2, 12);
	fake_chain_answer(chain, 3, 13);
	KUNIT_EXPECT_EQ(test, fake_chain_result(chain), -EPROTO);
	fake_chain_expect(test, chain, 1, -EPROTO, 0);
	fake_chain_expect(test, chain, 2, 0, 12);
	fake_chain_expect(test, chain, 3, 0, 13);
	expect_faults(test, chain, 1, 1);
	KUNIT_EXPECT_EQ(test, fake_line_stat(chain->line,
					     DXL_STAT_STRAY_PACKETS), 1);
}

/*
 * Behind one whose answer was damaged others have answered: another one that says
 * its ID afterwards is wrong about its own.
 */
static void chain_wrong_id_behind_damage(struct kunit *test)
{
	struct fake_chain *chain = ask(test);

	fake_chain_damaged(chain, 1, 11);
	fake_chain_answer(chain, 2, 12);
	fake_chain_answer(chain, 1, 13);
	fake_line_expire(chain->line);
	KUNIT_EXPECT_EQ(test, fake_chain_result(chain), -EPROTO);
	fake_chain_expect(test, chain, 1, -EPROTO, 0);
	KUNIT_EXPECT_NE(test, chain->replies[1].status, 0);
	KUNIT_EXPECT_NE(test, chain->replies[2].status, 0);
}

/* One that is wrong about its ID, and where that one would be nobody answers. */
static void chain_wrong_id_before_gap(struct kunit *test)
{
	struct fake_chain *chain = ask(test);

	fake_chain_answer(chain, 3, 11);
	fake_chain_damaged(chain, 2, 12);
	fake_line_expire(chain->line);
	KUNIT_EXPECT_NE(test, fake_chain_result(chain), 0);
	KUNIT_EXPECT_NE(test, chain->replies[0].status, 0);
	KUNIT_EXPECT_NE(test, chain->replies[1].status, 0);
	KUNIT_EXPECT_NE(test, chain->replies[2].status, 0);
}

/* What was seen of the first cannot be what was to come of three. */
static void chain_wrong_id_far_ahead(struct kunit *test)
{
	struct fake_chain *chain = test->priv;

	memset(chain->data, 0, sizeof(chain->data));
	fake_chain_submit(test, chain, DXL_SYNC_READ, FAKE_DEVICES);
	fake_chain_damaged(chain, 1, 11);
	fake_chain_answer(chain, FAKE_DEVICES, 12);
	fake_line_expire(chain->line);
	KUNIT_EXPECT_EQ(test, fake_chain_result(chain), -EBADMSG);
	KUNIT_EXPECT_NE(test,
			chain->replies[FAKE_DEVICES - 1].status, 0);
}

/* What was damaged before the last answer says nothing of what is behind it. */
static void chain_wrong_id_behind_answer(struct kunit *test)
{
	struct fake_chain *chain = test->priv;

	memset(chain->data, 0, sizeof(chain->data));
	fake_chain_submit(test, chain, DXL_SYNC_READ, FAKE_DEVICES);
	fake_chain_damaged(chain, 1, 11);
	fake_chain_answer(chain, 2, 12);
	fake_chain_answer(chain, FAKE_DEVICES, 13);
	fake_line_expire(chain->line);
	KUNIT_EXPECT_EQ(test, fake_chain_result(chain), -EBADMSG);
	fake_chain_expect(test, chain, 2, 0, 12);
	KUNIT_EXPECT_NE(test,
			chain->replies[FAKE_DEVICES - 1].status, 0);
}

/* The line is known not to give back what is sent. */
static void without_echo(struct fake_chain *chain)
{
	chain->line->bus->queue->engine.echo.unechoed = 1000;
}

/* Ask all devices on such a line. */
static struct fake_chain *ask_all(struct kunit *test)
{
	struct fake_chain *chain = test->priv;

	fake_chain_submit(test, chain, DXL_SYNC_READ, FAKE_DEVICES);
	without_echo(chain);

	return chain;
}

/* The answer of the first was dropped, so this one is of another. */
static void chain_wrong_id_overdue(struct kunit *test)
{
	struct fake_chain *chain = ask_all(test);

	fake_chain_damaged(chain, 1, 11);
	fake_chain_answer(chain, 1, 12);
	fake_chain_answer(chain, 3, 13);
	fake_line_expire(chain->line);
	KUNIT_EXPECT_NE(test, fake_chain_result(chain), 0);
	fake_chain_expect(test, chain, 1, -EPROTO, 0);
	KUNIT_EXPECT_NE(test, chain->replies[1].status, 0);
	fake_chain_expect(test, chain, 3, 0, 13);
}

/* The same with two dropped: the second is not where the third is. */
static void chain_wrong_id_overdue_two(struct kunit *test)
{
	struct fake_chain *chain = ask_all(test);

	fake_chain_damaged(chain, 1, 11);
	fake_chain_damaged(chain, 2, 12);
	fake_chain_answer(chain, 2, 13);
	fake_chain_answer(chain, 4, 14);
	fake_line_expire(chain->line);
	KUNIT_EXPECT_NE(test, fake_chain_result(chain), 0);
	KUNIT_EXPECT_NE(test, chain->replies[0].status, 0);
	fake_chain_expect(test, chain, 2, -EPROTO, 0);
	KUNIT_EXPECT_NE(test, chain->replies[2].status, 0);
	fake_chain_expect(test, chain, 4, 0, 14);
}

/* What is longer than an answer may be is dropped, and was not one of theirs. */
static void chain_behind_long_stray(struct kunit *test)
{
	static const u8 params[8] = {};
	struct fake_chain *chain = ask_all(test);

	fake_chain_answer(chain, 1, 11);
	fake_line_status(chain->line, DXL_PROTOCOL_2, 0xc1, 0, params,
			 sizeof(params));
	fake_chain_answer(chain, 2, 12);
	fake_line_expire(chain->line);
	KUNIT_EXPECT_EQ(test, fake_chain_result(chain), -EMSGSIZE);
	fake_chain_expect(test, chain, 1, 0, 11);
	fake_chain_expect(test, chain, 2, 0, 12);
}

/* The first says it is the fourth, and the fourth the first. Who is between is right. */
static void chain_wrong_ids_crossed(struct kunit *test)
{
	struct fake_chain *chain = ask_all(test);

	fake_chain_answer(chain, 4, 11);
	fake_chain_answer(chain, 2, 12);
	fake_chain_answer(chain, 3, 13);
	fake_chain_answer(chain, 1, 14);
	fake_line_expire(chain->line);
	KUNIT_EXPECT_NE(test, fake_chain_result(chain), 0);
	KUNIT_EXPECT_NE(test, chain->replies[0].status, 0);
	KUNIT_EXPECT_NE(test, chain->replies[3].status, 0);
}

/* The third says it is the first, which has answered. Those behind it are right. */
static void chain_behind_settled(struct kunit *test)
{
	struct fake_chain *chain = ask_all(test);

	fake_chain_answer(chain, 1, 11);
	fake_chain_answer(chain, 2, 12);
	fake_chain_answer(chain, 1, 13);
	fake_chain_answer(chain, 4, 14);
	fake_chain_answer(chain, 5, 15);
	fake_line_expire(chain->line);
	KUNIT_EXPECT_NE(test, fake_chain_result(chain), 0);
	fake_chain_expect(test, chain, 1, -EPROTO, 0);
	fake_chain_expect(test, chain, 2, 0, 12);
	KUNIT_EXPECT_NE(test, chain->replies[2].status, 0);
	fake_chain_expect(test, chain, 4, 0, 14);
	fake_chain_expect(test, chain, 5, 0, 15);
}

/* So are those behind one that says it is the first, which is missing. */
static void chain_behind_forgotten(struct kunit *test)
{
	struct fake_chain *chain = ask_all(test);

	fake_chain_answer(chain, 0xc1, 11);
	fake_chain_answer(chain, 2, 12);
	fake_chain_answer(chain, 1, 13);
	fake_chain_answer(chain, 4, 14);
	fake_line_expire(chain->line);
	KUNIT_EXPECT_NE(test, fake_chain_result(chain), 0);
	fake_chain_expect(test, chain, 1, -EPROTO, 0);
	KUNIT_EXPECT_NE(test, chain->replies[1].status, 0);
	KUNIT_EXPECT_NE(test, chain->replies[2].status, 0);
	fake_chain_expect(test, chain, 4, 0, 14);
}

/* Two that are early, and then one that says it is the first. */
static void chain_wrong_ids_shifted(struct kunit *test)
{
	struct fake_chain *chain = ask_all(test);

	fake_chain_answer(chain, 5, 11);
	fake_chain_answer(chain, 6, 12);
	fake_chain_answer(chain, 1, 13);
	fake_line_expire(chain->line);
	KUNIT_EXPECT_NE(test, fake_chain_result(chain), 0);
	fake_chain_expect(test, chain, 1, -EPROTO, 0);
}

/* What is longer than an answer excuses none that had its turn. */
static void chain_wrong_id_behind_noise(struct kunit *test)
{
	static const u8 noise[20] = { 1 };
	struct fake_chain *chain = ask_all(test);

	dxl_bus_receive(chain->line->bus, noise, sizeof(noise));
	fake_chain_answer(chain, 5, 11);
	fake_chain_answer(chain, 6, 12);
	fake_chain_answer(chain, 1, 13);
	fake_line_expire(chain->line);
	KUNIT_EXPECT_NE(test, fake_chain_result(chain), 0);
	fake_chain_expect(test, chain, 1, -EPROTO, 0);
}

/* Those behind one that is wrong about its ID are not taken for early as well. */
static void chain_behind_early(struct kunit *test)
{
	struct fake_chain *chain = ask_all(test);

	fake_chain_answer(chain, 4, 11);
	fake_chain_answer(chain, 2, 12);
	fake_chain_answer(chain, 3, 13);
	fake_line_expire(chain->line);
	KUNIT_EXPECT_NE(test, fake_chain_result(chain), 0);
	KUNIT_EXPECT_NE(test, chain->replies[0].status, 0);
	fake_chain_expect(test, chain, 2, 0, 12);
	fake_chain_expect(test, chain, 3, 0, 13);
}

/* Somebody who says the same again and again does not hold up the bus. */
static void chain_babble(struct kunit *test)
{
	struct fake_chain *chain = test->priv;
	unsigned int i;

	fake_line_set_margin(chain->line, 30000);
	fake_chain_submit(test, chain, DXL_SYNC_READ, 3);
	without_echo(chain);
	for (i = 0; i < 100 && !chain->completions; i++) {
		fake_chain_answer(chain, 2, 12);
		msleep(20);
	}
	KUNIT_EXPECT_LT(test, i, 100);
	KUNIT_EXPECT_NE(test, fake_chain_result(chain), 0);
	KUNIT_EXPECT_NE(test, chain->replies[0].status, 0);
}

/* Nobody has the ID that the second says, and the fifth says the second's. */
static void chain_wrong_id_of_nobody(struct kunit *test)
{
	static const u8 params[] = { 2, 12 };
	struct fake_chain *chain = test->priv;

	memset(chain->data, 0, sizeof(chain->data));
	fake_chain_submit(test, chain, DXL_SYNC_READ, FAKE_DEVICES);
	fake_chain_answer(chain, 1, 11);
	fake_line_status(chain->line, DXL_PROTOCOL_2, 0xc1, 0, params,
			 sizeof(params));
	fake_chain_answer(chain, 3, 13);
	fake_chain_answer(chain, 4, 14);
	fake_chain_answer(chain, 2, 15);
	fake_line_expire(chain->line);
	KUNIT_EXPECT_NE(test, fake_chain_result(chain), 0);
	fake_chain_expect(test, chain, 1, 0, 11);
	fake_chain_expect(test, chain, 2, -EPROTO, 0);
}

/* Those behind it have answered all the same. */
static void chain_behind_nobody(struct kunit *test)
{
	static const u8 params[] = { 2, 12 };
	struct fake_chain *chain = ask(test);

	fake_chain_answer(chain, 1, 11);
	fake_line_status(chain->line, DXL_PROTOCOL_2, 0xc1, 0, params,
			 sizeof(params));
	fake_chain_answer(chain, 3, 13);
	fake_line_expire(chain->line);
	KUNIT_EXPECT_NE(test, fake_chain_result(chain), 0);
	fake_chain_expect(test, chain, 1, 0, 11);
	KUNIT_EXPECT_NE(test, chain->replies[1].status, 0);
	fake_chain_expect(test, chain, 3, 0, 13);
}

/* Noise that is less than half an answer hides none. */
static void chain_behind_noise(struct kunit *test)
{
	struct fake_chain *chain = ask(test);

	FAKE_LINE_RECEIVE(chain->line, 0x12, 0xff, 0x34, 0xff, 0x56);
	fake_chain_answer(chain, 1, 11);
	FAKE_LINE_RECEIVE(chain->line, 0x12, 0xff, 0x34, 0xff, 0x56);
	fake_chain_answer(chain, 2, 12);
	fake_chain_answer(chain, 3, 13);
	KUNIT_EXPECT_EQ(test, fake_chain_result(chain), 0);
	fake_chain_expect(test, chain, 1, 0, 11);
	fake_chain_expect(test, chain, 2, 0, 12);
	fake_chain_expect(test, chain, 3, 0, 13);
}

/* What is more may have hidden the one that comes, but none behind it. */
static void chain_behind_much_noise(struct kunit *test)
{
	struct fake_chain *chain = ask(test);

	without_echo(chain);
	FAKE_LINE_RECEIVE(chain->line, 0x12, 0xff, 0x34, 0xff, 0x56, 0x78,
			  0x12, 0xff, 0x34, 0xff, 0x56, 0x78);
	fake_chain_answer(chain, 1, 11);
	fake_chain_answer(chain, 2, 12);
	fake_chain_answer(chain, 3, 13);
	KUNIT_EXPECT_EQ(test, fake_chain_result(chain), -EPROTO);
	fake_chain_expect(test, chain, 1, -EPROTO, 0);
	fake_chain_expect(test, chain, 2, 0, 12);
	fake_chain_expect(test, chain, 3, 0, 13);
}

/* What was dropped is our own request. */
static void chain_behind_damaged_echo(struct kunit *test)
{
	struct fake_chain *chain = ask(test);
	struct dxl_queue *q = chain->line->bus->queue;
	size_t len = q->engine.echo.len - q->engine.echo.at;
	u8 echo[64];

	KUNIT_ASSERT_LE(test, len, sizeof(echo));
	memcpy(echo, q->engine.echo.buf + q->engine.echo.at, len);
	echo[len - 3] ^= 0x10;
	dxl_bus_receive(chain->line->bus, echo, len);
	fake_chain_answer(chain, 1, 11);
	fake_chain_answer(chain, 2, 12);
	fake_chain_answer(chain, 3, 13);
	KUNIT_EXPECT_EQ(test, fake_chain_result(chain), 0);
	fake_chain_expect(test, chain, 1, 0, 11);
}

static void chain_repeated(struct kunit *test)
{
	struct fake_chain *chain = ask(test);

	fake_chain_answer(chain, 1, 11);
	fake_chain_answer(chain, 1, 11);
	fake_chain_answer(chain, 2, 12);
	fake_chain_answer(chain, 2, 12);
	fake_chain_answer(chain, 3, 13);
	KUNIT_EXPECT_EQ(test, fake_chain_result(chain), 0);
	fake_chain_expect(test, chain, 1, 0, 11);
	fake_chain_expect(test, chain, 2, 0, 12);
	fake_chain_expect(test, chain, 3, 0, 13);
	KUNIT_EXPECT_EQ(test, fake_line_stat(chain->line,
					     DXL_STAT_STRAY_PACKETS), 2);
	KUNIT_EXPECT_EQ(test, fake_line_stat(chain->line, DXL_STAT_ACK), 3);
}

static void chain_wrong_protocol(struct kunit *test)
{
	static const u8 params[] = { 2, 66 };
	struct fake_chain *chain = ask(test);

	fake_chain_answer(chain, 1, 11);
	fake_line_status(chain->line, DXL_PROTOCOL_1, 2, 0, params,
			 sizeof(params));
	fake_chain_answer(chain, 2, 12);
	fake_chain_answer(chain, 3, 13);
	KUNIT_EXPECT_EQ(test, fake_chain_result(chain), 0);
	fake_chain_expect(test, chain, 2, 0, 12);
	KUNIT_EXPECT_EQ(test, fake_line_stat(chain->line,
					     DXL_STAT_STRAY_PACKETS), 1);
}

static void chain_wrong_length(struct kunit *test)
{
	static const u8 params[] = { 2 };
	struct fake_chain *chain = ask(test);

	fake_chain_answer(chain, 1, 11);
	fake_line_status(chain->line, DXL_PROTOCOL_2, 2, 0, params,
			 sizeof(params));
	fake_chain_answer(chain, 3, 13);
	KUNIT_EXPECT_EQ(test, fake_chain_result(chain), -EPROTO);
	fake_chain_expect(test, chain, 1, 0, 11);
	fake_chain_expect(test, chain, 2, -EPROTO, 0);
	fake_chain_expect(test, chain, 3, 0, 13);
}

static void chain_refused(struct kunit *test)
{
	struct fake_chain *chain = ask(test);

	fake_chain_answer(chain, 1, 11);
	fake_line_status(chain->line, DXL_PROTOCOL_2, 2, DXL2_ERR_ACCESS, NULL,
			 0);
	KUNIT_EXPECT_TRUE(test, is_pending(chain));
	fake_chain_answer(chain, 3, 13);
	KUNIT_EXPECT_EQ(test, fake_chain_result(chain), -EREMOTEIO);
	fake_chain_expect(test, chain, 1, 0, 11);
	fake_chain_expect(test, chain, 2, -EREMOTEIO, 0);
	fake_chain_expect(test, chain, 3, 0, 13);
	KUNIT_EXPECT_EQ(test, chain->replies[1].error, DXL2_ERR_ACCESS);
	/* It has answered. */
	expect_faults(test, chain, 2, 0);
	KUNIT_EXPECT_EQ(test, fake_line_stat(chain->line,
					     DXL_STAT_DEVICE_ERRORS), 1);
}

/* --- a line that is late --- */

/*
 * The device before it was late, and gives those behind it their turn in a
 * request that has been given up: what they say is no answer to this one.
 */
static void chain_on_late_line(struct kunit *test)
{
	struct fake_chain *chain = test->priv;
	struct fake_line *line = chain->line;
	struct fake_request *req = fake_line_read2(line, 8, 132, 2);

	KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);
	fake_line_expire(line);
	KUNIT_EXPECT_EQ(test, fake_request_result(req), -ETIMEDOUT);

	ask(test);
	fake_chain_answer(chain, 1, 11);
	fake_chain_answer(chain, 3, 99);
	fake_chain_answer(chain, 8, 66);
	KUNIT_EXPECT_EQ(test, fake_chain_result(chain), -ENODATA);
	fake_chain_expect(test, chain, 1, 0, 11);
	fake_chain_expect(test, chain, 2, -ENODATA, 0);
	fake_chain_expect(test, chain, 3, -ENODATA, 0);
	expect_faults(test, chain, 2, 0);
	expect_faults(test, chain, 3, 0);

	chain->completions = 0;
	ask(test);
	KUNIT_EXPECT_EQ(test, line->writes, 2);
	fake_chain_answer(chain, 2, 66);
	fake_chain_answer(chain, 3, 66);
	KUNIT_EXPECT_TRUE(test, is_pending(chain));
	fake_line_rested(line);
	KUNIT_EXPECT_EQ(test, line->writes, 3);
	fake_chain_answer(chain, 1, 11);
	fake_chain_answer(chain, 2, 12);
	fake_chain_answer(chain, 3, 13);
	KUNIT_EXPECT_EQ(test, fake_chain_result(chain), 0);
	fake_chain_expect(test, chain, 2, 0, 12);
}

/* --- used again --- */

static void submit_again(struct fake_chain *chain)
{
	chain->then = NULL;
	dxl_transfer_submit(chain->line->bus, &chain->xfer);
}

/* What came in one piece with the last answer was sent before the request. */
static void chain_again_with_leftovers(struct kunit *test)
{
	static const u8 wire[] = {
		0xff, 0xff, 0xfd, 0x00, 0x01, 0x06, 0x00, 0x55, 0x00, 0x01,
		0x0b, 0xfc, 0xdd,
		0xff, 0xff, 0xfd, 0x00, 0x02, 0x06, 0x00, 0x55, 0x00, 0x02,
		0x0c, 0xdd, 0x54,
	};
	struct fake_chain *chain = test->priv;
	struct fake_line *line = chain->line;
	u8 twice[2 * sizeof(wire)];

	memcpy(twice, wire, sizeof(wire));
	memcpy(twice + sizeof(wire), wire, sizeof(wire));
	chain->then = submit_again;
	fake_chain_submit(test, chain, DXL_SYNC_READ, 2);
	dxl_bus_receive(line->bus, twice, sizeof(twice));
	KUNIT_EXPECT_EQ(test, chain->completions, 1);
	KUNIT_EXPECT_EQ(test, line->writes, 2);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_STALE_BYTES),
			sizeof(wire));

	dxl_bus_receive(line->bus, wire, sizeof(wire));
	KUNIT_EXPECT_EQ(test, chain->completions, 2);
	KUNIT_EXPECT_EQ(test, chain->xfer.status, 0);
}

static struct kunit_case chain_cases[] = {
	KUNIT_CASE(chain_answered),
	KUNIT_CASE(chain_in_pieces),
	KUNIT_CASE(chain_deadline_moves),
	KUNIT_CASE(chain_deadline_comes_nearer),
	KUNIT_CASE(chain_gap),
	KUNIT_CASE(chain_not_repeated),
	KUNIT_CASE(chain_damaged_first),
	KUNIT_CASE(chain_damaged_two),
	KUNIT_CASE(chain_damaged_middle),
	KUNIT_CASE(chain_damaged_last),
	KUNIT_CASE(chain_truncated),
	KUNIT_CASE(chain_silent_behind_damaged),
	KUNIT_CASE(chain_line_error),
	KUNIT_CASE(chain_untraced),
	KUNIT_CASE(chain_stale_then_right),
	KUNIT_CASE(chain_stale_then_gap),
	KUNIT_CASE(chain_stale_alone),
	KUNIT_CASE(chain_two_differ),
	KUNIT_CASE(chain_wrong_id_behind_damage),
	KUNIT_CASE(chain_wrong_id_before_gap),
	KUNIT_CASE(chain_wrong_id_far_ahead),
	KUNIT_CASE(chain_wrong_id_behind_answer),
	KUNIT_CASE(chain_wrong_id_overdue),
	KUNIT_CASE(chain_wrong_id_overdue_two),
	KUNIT_CASE(chain_behind_long_stray),
	KUNIT_CASE(chain_wrong_ids_crossed),
	KUNIT_CASE(chain_wrong_ids_shifted),
	KUNIT_CASE(chain_wrong_id_behind_noise),
	KUNIT_CASE(chain_behind_early),
	KUNIT_CASE(chain_behind_settled),
	KUNIT_CASE(chain_behind_forgotten),
	KUNIT_CASE(chain_babble),
	KUNIT_CASE(chain_wrong_id_of_nobody),
	KUNIT_CASE(chain_behind_nobody),
	KUNIT_CASE(chain_behind_noise),
	KUNIT_CASE(chain_behind_much_noise),
	KUNIT_CASE(chain_behind_damaged_echo),
	KUNIT_CASE(chain_repeated),
	KUNIT_CASE(chain_wrong_protocol),
	KUNIT_CASE(chain_wrong_length),
	KUNIT_CASE(chain_refused),
	KUNIT_CASE(chain_on_late_line),
	KUNIT_CASE(chain_again_with_leftovers),
	{}
};

static struct kunit_suite chain_suite = {
	.name = "dxl_chain",
	.init = chain_test_init,
	.test_cases = chain_cases,
};

kunit_test_suite(chain_suite);
