// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of late answers, and of requests that are sent again
 */
#include <linux/ktime.h>

#include <kunit/test.h>

#include "../drivers/bus/base/base.h"
#include "../drivers/bus/queue/state.h"
#include "fake_line.h"

static int late_test_init(struct kunit *test)
{
	struct fake_line *line = fake_line_create(test, 1000000, NULL);

	test->priv = line;
	fake_line_add(test, line);

	return 0;
}

static void answer(struct fake_line *line, u8 id, u8 value)
{
	const u8 params[] = { id, value };

	fake_line_status(line, DXL_PROTOCOL_1, id, 0, params, sizeof(params));
}

static void expect_answered(struct kunit *test, struct fake_request *req,
			    u8 value)
{
	KUNIT_EXPECT_EQ(test, fake_request_result(req), 0);
	KUNIT_EXPECT_EQ(test, req->rx[0], req->xfer.request.id);
	KUNIT_EXPECT_EQ(test, req->rx[1], value);
}

static struct fake_request *submit_read(struct kunit *test, u8 id)
{
	struct fake_request *req = fake_line_read(test->priv, id, 36, 2);

	KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);

	return req;
}

/* A read that may be sent again. */
static struct fake_request *submit_repeatable(struct kunit *test, u8 id)
{
	struct fake_request *req = fake_line_read(test->priv, id, 36, 2);

	req->xfer.repeatable = true;
	KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);

	return req;
}

static ktime_t quiet_until(struct fake_line *line, u8 id)
{
	struct dxl_queue *q = line->bus->queue;
	ktime_t until;

	spin_lock_bh(&q->lock);
	until = q->quiet_until[id];
	spin_unlock_bh(&q->lock);

	return until;
}

/* --- a device that has not answered --- */

static void late_device_rests(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *first = submit_read(test, 1), *again, *other;

	fake_line_expire(line);
	KUNIT_EXPECT_EQ(test, fake_request_result(first), -ETIMEDOUT);

	again = submit_read(test, 1);
	KUNIT_EXPECT_EQ(test, line->writes, 1);
	other = submit_read(test, 2);
	KUNIT_EXPECT_EQ(test, line->writes, 2);
	answer(line, 2, 8);
	expect_answered(test, other, 8);
	KUNIT_EXPECT_EQ(test, line->writes, 2);
	KUNIT_EXPECT_TRUE(test, fake_request_pending(again));

	fake_line_rested(line);
	KUNIT_EXPECT_EQ(test, line->writes, 3);
	answer(line, 1, 7);
	expect_answered(test, again, 7);
}

/* The time is that of one margin, and nobody has to wake the queue. */
static void late_rest_ends(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *first, *again;
	ktime_t failed;

	fake_line_set_margin(line, 20000);
	first = submit_read(test, 1);
	KUNIT_EXPECT_EQ(test, fake_request_result(first), -ETIMEDOUT);
	failed = ktime_sub_us(quiet_until(line, 1), 20000);
	fake_line_set_margin(line, FAKE_NEVER_US);
	again = submit_read(test, 1);
	KUNIT_ASSERT_TRUE(test, fake_line_wait_writes(line, 2));
	KUNIT_EXPECT_GE(test, ktime_us_delta(ktime_get(), failed), 20000);
	answer(line, 1, 7);
	expect_answered(test, again, 7);
}

/* It rests after whatever was wrong with its answer, and only then. */
static void late_who_rests(struct kunit *test)
{
	static const u8 params[] = { 1, 2, 3 };
	struct fake_line *line = test->priv;

	submit_read(test, 1);
	FAKE_LINE_RECEIVE(line, 0xff, 0xff, 0x01, 0x04, 0x00, 0x01, 0x07, 0xf3);
	fake_line_expire(line);
	KUNIT_EXPECT_NE(test, quiet_until(line, 1), 0);

	submit_read(test, 2);
	fake_line_status(line, DXL_PROTOCOL_1, 2, 0, params, 1);
	fake_line_expire(line);
	KUNIT_EXPECT_NE(test, quiet_until(line, 2), 0);

	submit_read(test, 3);
	fake_line_status(line, DXL_PROTOCOL_1, 3, 0, params, 3);
	fake_line_expire(line);
	KUNIT_EXPECT_NE(test, quiet_until(line, 3), 0);

	submit_read(test, 4);
	answer(line, 4, 7);
	KUNIT_EXPECT_EQ(test, quiet_until(line, 4), 0);

	submit_read(test, 5);
	fake_line_status(line, DXL_PROTOCOL_1, 5, DXL1_ERR_RANGE, NULL, 0);
	KUNIT_EXPECT_EQ(test, quiet_until(line, 5), 0);

	/* One that the bus does not know rests as well. */
	submit_read(test, 100);
	fake_line_expire(line);
	KUNIT_EXPECT_NE(test, quiet_until(line, 100), 0);
	submit_read(test, 100);
	KUNIT_EXPECT_EQ(test, line->writes, 6);
}

/* Nothing that it says then is an answer to anything. */
static void late_answer_dropped(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *first = submit_read(test, 1), *again;

	fake_line_expire(line);
	KUNIT_EXPECT_EQ(test, fake_request_result(first), -ETIMEDOUT);
	again = submit_read(test, 1);

	answer(line, 1, 66);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_STALE_BYTES), 8);
	KUNIT_EXPECT_TRUE(test, fake_request_pending(again));

	fake_line_rested(line);
	answer(line, 1, 7);
	expect_answered(test, again, 7);
	KUNIT_EXPECT_EQ(test, first->completions, 1);
	KUNIT_EXPECT_EQ(test, first->rx[1], 0);
}

/* --- a line that is late --- */

/* Have device 8 fail and be late. */
static void fail_eighth(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *req = submit_read(test, 8);

	fake_line_expire(line);
	KUNIT_EXPECT_EQ(test, fake_request_result(req), -ETIMEDOUT);
}

/* What is under way cannot be told from what may come late: it is given up. */
static void late_line_held(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct dxl_queue *q = line->bus->queue;
	struct fake_request *req, *other;
	ktime_t deadline;

	fail_eighth(test);
	req = submit_read(test, 1);
	other = submit_read(test, 2);
	deadline = q->engine.deadline;
	answer(line, 8, 66);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_STRAY_PACKETS), 1);
	KUNIT_EXPECT_EQ(test, fake_request_result(req), -ENODATA);
	KUNIT_EXPECT_EQ(test, line->ddevs[0].faults, 0);
	KUNIT_EXPECT_EQ(test, fake_device_stat(&line->ddevs[0], DXL_STAT_NACK),
			0);

	/* Its device may answer by the deadline, and late. */
	KUNIT_EXPECT_EQ(test, ktime_us_delta(q->hold_until, deadline),
			FAKE_NEVER_US);
	KUNIT_EXPECT_EQ(test, line->writes, 2);
	answer(line, 1, 66);
	answer(line, 2, 66);
	KUNIT_EXPECT_TRUE(test, fake_request_pending(other));
	KUNIT_EXPECT_EQ(test, line->writes, 2);

	fake_line_rested(line);
	KUNIT_EXPECT_EQ(test, line->writes, 3);
	answer(line, 2, 8);
	expect_answered(test, other, 8);
}

static void late_line_held_retry(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *req;

	fail_eighth(test);
	req = submit_repeatable(test, 1);
	answer(line, 8, 66);
	KUNIT_EXPECT_TRUE(test, fake_request_pending(req));
	KUNIT_EXPECT_EQ(test, line->writes, 2);
	fake_line_rested(line);
	KUNIT_EXPECT_EQ(test, line->writes, 3);
	answer(line, 1, 7);
	expect_answered(test, req, 7);
}

/* A packet of somebody who has nothing to answer is just that. */
static void late_line_not_held(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *req;

	fail_eighth(test);
	req = submit_read(test, 1);
	answer(line, 7, 66);
	KUNIT_EXPECT_TRUE(test, fake_request_pending(req));
	answer(line, 1, 7);
	expect_answered(test, req, 7);
}

/* A group read waits for the one of its devices that rests. */
static void late_chain_waits(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *req;
	struct dxl_reply *replies;

	replies = kunit_kcalloc(test, 2, sizeof(*replies), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, replies);
	submit_read(test, 1);
	fake_line_expire(line);

	req = fake_line_request(line);
	req->xfer.request.protocol = DXL_PROTOCOL_1;
	req->xfer.request.id = DXL_ID_BROADCAST;
	req->xfer.request.instruction = DXL_BULK_READ;
	replies[0] = (struct dxl_reply){ .id = 2, .buf = req->rx, .len = 2 };
	replies[1] = (struct dxl_reply){ .id = 1, .buf = req->rx, .len = 2 };
	req->xfer.replies = replies;
	req->xfer.num_replies = 2;
	KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);
	KUNIT_EXPECT_EQ(test, line->writes, 1);

	fake_line_rested(line);
	KUNIT_EXPECT_EQ(test, line->writes, 2);
	answer(line, 2, 8);
	answer(line, 1, 7);
	KUNIT_EXPECT_EQ(test, fake_request_result(req), 0);
	fake_line_remove(line);
}

/* Also requests that it does not answer, which it would not hear. */
static void late_unanswered_waits(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *req;

	submit_read(test, 1);
	fake_line_expire(line);

	req = fake_line_read(line, 1, 36, 2);
	req->xfer.num_replies = 0;
	KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);
	KUNIT_EXPECT_EQ(test, line->writes, 1);
	fake_line_rested(line);
	KUNIT_EXPECT_EQ(test, line->writes, 2);
	KUNIT_EXPECT_EQ(test, fake_request_result(req), 0);
}

/* --- a device that has answered, and says it again --- */

/* At 1 baud the repetition may take two minutes. */
static void late_last_settles(struct kunit *test)
{
	struct fake_line *line = fake_line_create(test, 1, NULL);
	struct fake_request *first, *again, *other;

	fake_line_add(test, line);
	first = fake_line_read(line, 1, 36, 2);
	KUNIT_ASSERT_EQ(test, fake_request_submit(first), 0);
	answer(line, 1, 6);
	expect_answered(test, first, 6);

	again = fake_line_read(line, 1, 36, 2);
	KUNIT_ASSERT_EQ(test, fake_request_submit(again), 0);
	KUNIT_EXPECT_EQ(test, line->writes, 1);
	answer(line, 1, 6);
	KUNIT_EXPECT_TRUE(test, fake_request_pending(again));

	/* Any other may be asked, and then this one again. */
	other = fake_line_read(line, 2, 36, 2);
	KUNIT_ASSERT_EQ(test, fake_request_submit(other), 0);
	KUNIT_EXPECT_EQ(test, line->writes, 2);
	answer(line, 1, 6);
	answer(line, 2, 8);
	expect_answered(test, other, 8);
	KUNIT_EXPECT_EQ(test, line->writes, 3);
	answer(line, 1, 7);
	expect_answered(test, again, 7);
}

/* The time ends by itself. */
static void late_last_settled(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *again;

	submit_read(test, 1);
	answer(line, 1, 6);
	again = submit_read(test, 1);
	KUNIT_ASSERT_TRUE(test, fake_line_wait_writes(line, 2));
	answer(line, 1, 7);
	expect_answered(test, again, 7);
}

/* --- requests that are sent again --- */

static void retry_answered(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *req = submit_repeatable(test, 1);

	fake_line_forget(line);
	fake_line_expire(line);
	KUNIT_EXPECT_TRUE(test, fake_request_pending(req));
	KUNIT_EXPECT_EQ(test, line->writes, 1);
	fake_line_rested(line);
	KUNIT_EXPECT_TRUE(test, FAKE_LINE_WROTE(line, 0xff, 0xff, 0x01, 0x04,
						0x02, 0x24, 0x02, 0xd2));
	answer(line, 1, 7);
	expect_answered(test, req, 7);
	KUNIT_EXPECT_EQ(test, req->completions, 1);

	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_PACKETS), 2);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_RETRIES), 1);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_TIMEOUTS), 1);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_NACK), 1);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_ACK), 1);
	KUNIT_EXPECT_EQ(test, fake_device_stat(&line->ddevs[0],
					       DXL_STAT_RETRIES), 1);
}

/* How often @req is sent if nobody answers. */
static unsigned int count_attempts(struct kunit *test, u32 retries)
{
	struct fake_line *line = test->priv;
	unsigned int writes = line->writes;
	struct fake_request *req;
	unsigned int i;

	/* A fresh device: the ladder knows when retries are in vain. */
	line->ddevs[0].faults = 0;
	line->ddevs[0].state = DXL_ACTIVE;
	WRITE_ONCE(line->bus->queue->retries, retries);
	req = submit_repeatable(test, 1);
	for (i = 0; i < 10 && fake_request_pending(req); i++)
		fake_line_give_up(line);
	KUNIT_EXPECT_EQ(test, fake_request_result(req), -ETIMEDOUT);

	return line->writes - writes;
}

static void retry_bounded(struct kunit *test)
{
	struct fake_line *line = test->priv;

	KUNIT_EXPECT_EQ(test, line->bus->queue->retries, 1);
	KUNIT_EXPECT_EQ(test, count_attempts(test, 0), 1);
	KUNIT_EXPECT_EQ(test, count_attempts(test, 1), 2);
	KUNIT_EXPECT_EQ(test, count_attempts(test, 2), 3);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_RETRIES), 3);
}

/* A device that is passive gets no second chance: it would use it up. */
static void retry_until_passive(struct kunit *test)
{
	struct fake_line *line = test->priv;

	KUNIT_EXPECT_EQ(test, count_attempts(test, 9), 4);
	KUNIT_EXPECT_EQ(test, line->ddevs[0].state, DXL_PASSIVE);
}

/* Each use of a transfer has its own. */
static void submit_again(struct fake_request *req)
{
	req->then = NULL;
	fake_request_submit(req);
}

static void retry_anew(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *req = fake_line_read(line, 1, 36, 2);

	req->xfer.repeatable = true;
	req->then = submit_again;
	KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);
	fake_line_give_up(line);
	KUNIT_EXPECT_EQ(test, req->completions, 0);
	answer(line, 1, 7);
	KUNIT_EXPECT_EQ(test, req->completions, 1);
	fake_line_rested(line);
	fake_line_give_up(line);
	KUNIT_EXPECT_EQ(test, req->completions, 1);
	answer(line, 1, 7);
	KUNIT_EXPECT_EQ(test, req->completions, 2);
	KUNIT_EXPECT_EQ(test, req->xfer.status, 0);
	KUNIT_EXPECT_EQ(test, line->writes, 4);
}

static void retry_not_repeatable(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *req = submit_read(test, 1);

	fake_line_give_up(line);
	KUNIT_EXPECT_EQ(test, fake_request_result(req), -ETIMEDOUT);
	KUNIT_EXPECT_EQ(test, line->writes, 1);
}

/* A scan asks for devices that most likely do not exist. */
static void retry_unknown_device(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *req = submit_repeatable(test, 100);

	fake_line_give_up(line);
	KUNIT_EXPECT_EQ(test, fake_request_result(req), -ETIMEDOUT);
	KUNIT_EXPECT_EQ(test, line->writes, 1);
}

static void retry_after_damage(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *req = submit_repeatable(test, 1);

	FAKE_LINE_RECEIVE(line, 0xff, 0xff, 0x01, 0x04, 0x00, 0x01, 0x07, 0xf3);
	fake_line_give_up(line);
	KUNIT_EXPECT_EQ(test, line->writes, 2);
	answer(line, 1, 7);
	expect_answered(test, req, 7);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_RETRIES), 1);
}

/* The device says that the request came to it damaged. */
static void retry_request_damaged(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *req = submit_repeatable(test, 1);

	fake_line_status(line, DXL_PROTOCOL_1, 1, DXL1_ERR_CHECKSUM, NULL, 0);
	fake_line_rested(line);
	KUNIT_EXPECT_EQ(test, line->writes, 2);
	answer(line, 1, 7);
	expect_answered(test, req, 7);

	req = fake_line_read2(line, 2, 36, 2);
	req->xfer.repeatable = true;
	KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);
	fake_line_status(line, DXL_PROTOCOL_2, 2, DXL2_ERR_CRC | DXL2_ERR_ALERT,
			 NULL, 0);
	fake_line_rested(line);
	KUNIT_EXPECT_EQ(test, line->writes, 4);
	fake_line_status(line, DXL_PROTOCOL_2, 2, 0, (u8[]){ 2, 8 }, 2);
	expect_answered(test, req, 8);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_RETRIES), 2);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_DEVICE_ERRORS), 2);
}

/* What it refuses for other reasons it will refuse again. */
static void retry_not_refused(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *req = submit_repeatable(test, 1);

	fake_line_status(line, DXL_PROTOCOL_1, 1, DXL1_ERR_RANGE, NULL, 0);
	KUNIT_EXPECT_EQ(test, fake_request_result(req), -EREMOTEIO);

	req = fake_line_read2(line, 2, 36, 2);
	req->xfer.repeatable = true;
	KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);
	fake_line_status(line, DXL_PROTOCOL_2, 2, DXL2_ERR_RANGE, NULL, 0);
	KUNIT_EXPECT_EQ(test, fake_request_result(req), -EREMOTEIO);
	fake_line_rested(line);
	KUNIT_EXPECT_EQ(test, line->writes, 2);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_RETRIES), 0);
}

/* It keeps its place: those to others overtake it, those behind it do not. */
static void retry_order(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *first = submit_repeatable(test, 1);
	struct fake_request *same = submit_read(test, 1);
	struct fake_request *other = submit_read(test, 2);

	fake_line_expire(line);
	KUNIT_EXPECT_EQ(test, line->writes, 2);
	answer(line, 2, 8);
	expect_answered(test, other, 8);

	fake_line_rested(line);
	answer(line, 1, 7);
	expect_answered(test, first, 7);
	KUNIT_EXPECT_TRUE(test, fake_request_pending(same));
	fake_line_rested(line);
	answer(line, 1, 9);
	expect_answered(test, same, 9);
}

static struct kunit_case late_cases[] = {
	KUNIT_CASE(late_device_rests),
	KUNIT_CASE(late_rest_ends),
	KUNIT_CASE(late_who_rests),
	KUNIT_CASE(late_answer_dropped),
	KUNIT_CASE(late_line_held),
	KUNIT_CASE(late_line_held_retry),
	KUNIT_CASE(late_line_not_held),
	KUNIT_CASE(late_chain_waits),
	KUNIT_CASE(late_unanswered_waits),
	KUNIT_CASE(late_last_settles),
	KUNIT_CASE(late_last_settled),
	KUNIT_CASE(retry_answered),
	KUNIT_CASE(retry_bounded),
	KUNIT_CASE(retry_until_passive),
	KUNIT_CASE(retry_anew),
	KUNIT_CASE(retry_not_repeatable),
	KUNIT_CASE(retry_unknown_device),
	KUNIT_CASE(retry_after_damage),
	KUNIT_CASE(retry_request_damaged),
	KUNIT_CASE(retry_not_refused),
	KUNIT_CASE(retry_order),
	{}
};

static struct kunit_suite late_suite = {
	.name = "dxl_late",
	.init = late_test_init,
	.test_cases = late_cases,
};

kunit_test_suite(late_suite);
