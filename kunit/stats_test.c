// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of what a bus counts, and of the faults made on purpose
 */
#include <linux/atomic.h>
#include <linux/ktime.h>

#include <kunit/test.h>

#include <linux/dxl/transport.h>

#include "../drivers/bus/base/base.h"
#include "../drivers/bus/queue/inject.h"
#include "../drivers/bus/queue/state.h"
#include "fake_line.h"

static int stats_test_init(struct kunit *test)
{
	struct fake_line *line = fake_line_create(test, 1000000, NULL);

	test->priv = line;
	fake_line_add(test, line);

	return 0;
}

static void answer(struct fake_line *line, u8 id, u8 error)
{
	const u8 params[] = { id, 7 };

	fake_line_status(line, DXL_PROTOCOL_1, id, error, params,
			 sizeof(params));
}

static struct fake_request *submit_read(struct kunit *test, u8 id)
{
	struct fake_request *req = fake_line_read(test->priv, id, 36, 2);

	fake_line_rested(test->priv);
	KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);

	return req;
}

/* --- turnaround --- */

/* Have the device on the wire answer that long after it could have begun to. */
static void answer_after(struct fake_line *line, u8 id, s64 us)
{
	struct dxl_queue *q = line->bus->queue;

	spin_lock_bh(&q->lock);
	q->engine.turn = ktime_sub_us(ktime_get(), us);
	spin_unlock_bh(&q->lock);
	answer(line, id, 0);
}

static void stats_turnaround(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct dxl_stats *bus = &line->bus->stats;
	struct dxl_stats *first = &line->ddevs[0].stats;
	struct dxl_stats *second = &line->ddevs[1].stats;
	u64 sum;

	/* The eight bytes of the answer last 80 us. */
	submit_read(test, 1);
	answer_after(line, 1, 1000000 + 80);
	KUNIT_EXPECT_GE(test, first->turnaround_max_ns, 1000000000ULL);
	KUNIT_EXPECT_EQ(test, first->turnaround_ns, first->turnaround_max_ns);
	KUNIT_EXPECT_EQ(test, bus->turnaround_ns, first->turnaround_ns);

	submit_read(test, 2);
	answer_after(line, 2, 9000000 + 80);
	KUNIT_EXPECT_GE(test, second->turnaround_max_ns, 9000000000ULL);
	KUNIT_EXPECT_EQ(test, bus->turnaround_max_ns,
			second->turnaround_max_ns);
	sum = first->turnaround_ns + second->turnaround_ns;
	KUNIT_EXPECT_EQ(test, bus->turnaround_ns, sum);

	/* A line that is faster than its baud rate, as emulated ones are. */
	submit_read(test, 3);
	answer_after(line, 3, -1000000);
	KUNIT_EXPECT_EQ(test, line->ddevs[2].stats.turnaround_ns, 0);
	KUNIT_EXPECT_EQ(test, bus->turnaround_ns, sum);
	KUNIT_EXPECT_EQ(test, bus->turnaround_max_ns,
			second->turnaround_max_ns);
}

/* The mean is that of the good answers, so others do not count. */
static void stats_turnaround_of_refusal(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct dxl_queue *q = line->bus->queue;

	submit_read(test, 1);
	spin_lock_bh(&q->lock);
	q->engine.turn = ktime_sub_us(ktime_get(), 1000000);
	spin_unlock_bh(&q->lock);
	fake_line_status(line, DXL_PROTOCOL_1, 1, DXL1_ERR_RANGE, NULL, 0);
	KUNIT_EXPECT_EQ(test, line->bus->stats.turnaround_ns, 0);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_ACK), 0);
}

/* --- what devices say of themselves --- */

static void stats_error_bits(struct kunit *test)
{
	struct fake_line *line = test->priv;

	submit_read(test, 1);
	answer(line, 1, DXL1_ERR_OVERHEAT);
	submit_read(test, 2);
	answer(line, 2, DXL1_ERR_OVERLOAD | DXL1_ERR_VOLTAGE);
	submit_read(test, 1);
	answer(line, 1, DXL1_ERR_ANGLE);
	submit_read(test, 3);
	answer(line, 3, 0);
	submit_read(test, 4);
	fake_line_status(line, DXL_PROTOCOL_1, 4, DXL1_ERR_RANGE, NULL, 0);

	KUNIT_EXPECT_EQ(test, line->ddevs[0].stats.error_bits,
			DXL1_ERR_OVERHEAT | DXL1_ERR_ANGLE);
	KUNIT_EXPECT_EQ(test, line->ddevs[1].stats.error_bits,
			DXL1_ERR_OVERLOAD | DXL1_ERR_VOLTAGE);
	KUNIT_EXPECT_EQ(test, line->ddevs[2].stats.error_bits, 0);
	KUNIT_EXPECT_EQ(test, line->bus->stats.error_bits,
			DXL1_ERR_OVERHEAT | DXL1_ERR_ANGLE | DXL1_ERR_OVERLOAD |
			DXL1_ERR_VOLTAGE | DXL1_ERR_RANGE);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_ALERTS), 3);
	KUNIT_EXPECT_EQ(test, fake_device_stat(&line->ddevs[0],
					       DXL_STAT_ALERTS), 2);
	/* A refusal says nothing of its condition. */
	KUNIT_EXPECT_EQ(test, fake_device_stat(&line->ddevs[3],
					       DXL_STAT_ALERTS), 0);
}

static void stats_alert(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *req = fake_line_read2(line, 1, 132, 2);

	KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);
	fake_line_status(line, DXL_PROTOCOL_2, 1,
			 DXL2_ERR_ALERT | DXL2_ERR_ACCESS, NULL, 0);
	KUNIT_EXPECT_EQ(test, fake_request_result(req), -EREMOTEIO);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_ALERTS), 1);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_DEVICE_ERRORS), 1);

	fake_line_rested(line);
	req = fake_line_read2(line, 1, 132, 2);
	KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);
	fake_line_status(line, DXL_PROTOCOL_2, 1, DXL2_ERR_ACCESS, NULL, 0);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_ALERTS), 1);
}

/* --- what the line tells of --- */

static void stats_line_error(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *req;

	dxl_bus_line_error(line->bus);
	req = submit_read(test, 1);
	answer(line, 1, 0);
	KUNIT_EXPECT_EQ(test, fake_request_result(req), 0);

	/* The end of a packet is not sought in what follows the error. */
	req = submit_read(test, 2);
	FAKE_LINE_RECEIVE(line, 0xff, 0xff, 0x02, 0x04, 0x00, 0x02);
	dxl_bus_line_error(line->bus);
	FAKE_LINE_RECEIVE(line, 0x07, 0xf0);
	KUNIT_EXPECT_TRUE(test, fake_request_pending(req));
	fake_line_expire(line);
	KUNIT_EXPECT_EQ(test, fake_request_result(req), -EBADMSG);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_LINE_ERRORS), 2);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_TIMEOUTS), 0);

	/* What follows it may be right. */
	req = submit_read(test, 3);
	FAKE_LINE_RECEIVE(line, 0xff);
	dxl_bus_line_error(line->bus);
	answer(line, 3, 0);
	KUNIT_EXPECT_EQ(test, fake_request_result(req), 0);
}

/*
 * What is left of a damaged echo is no beginning of an answer: here its checksum
 * would be right together with the first byte of that.
 */
static void stats_line_error_in_echo(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *req = fake_line_read(line, 1, 0xff, 2);

	KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);
	FAKE_LINE_RECEIVE(line, 0xff, 0xff, 0x01, 0x04, 0x02);
	dxl_bus_line_error(line->bus);
	FAKE_LINE_RECEIVE(line, 0x02, 0xf7);
	answer(line, 1, 0);
	KUNIT_EXPECT_EQ(test, fake_request_result(req), 0);
	KUNIT_EXPECT_EQ(test, req->rx[0], 1);
	KUNIT_EXPECT_EQ(test, req->rx[1], 7);
	KUNIT_EXPECT_EQ(test, req->reply.error, 0);

	/* A device whose answer does not come has not answered. */
	fake_line_rested(line);
	req = fake_line_read(line, 1, 0xff, 2);
	KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);
	FAKE_LINE_RECEIVE(line, 0xff, 0xff, 0x01, 0x04, 0x02);
	dxl_bus_line_error(line->bus);
	FAKE_LINE_RECEIVE(line, 0x02, 0xf7);
	fake_line_expire(line);
	KUNIT_EXPECT_EQ(test, fake_request_result(req), -EBADMSG);
}

/* --- faults made on purpose --- */

#ifdef CONFIG_FAULT_INJECTION

static void inject_once(struct fault_attr *attr)
{
	atomic_set(&attr->times, 1);
	WRITE_ONCE(attr->probability, 100);
}

static void inject_write(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *req;

	inject_once(&line->bus->inject->write);
	req = submit_read(test, 1);
	KUNIT_EXPECT_EQ(test, fake_request_result(req), -EIO);
	KUNIT_EXPECT_EQ(test, line->writes, 0);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_PACKETS), 0);

	req = submit_read(test, 1);
	answer(line, 1, 0);
	KUNIT_EXPECT_EQ(test, fake_request_result(req), 0);
}

static void inject_tx(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *req;

	inject_once(&line->bus->inject->tx);
	req = submit_read(test, 1);
	KUNIT_EXPECT_EQ(test, line->writes, 0);
	KUNIT_EXPECT_TRUE(test, fake_request_pending(req));
	fake_line_expire(line);
	KUNIT_EXPECT_EQ(test, fake_request_result(req), -ETIMEDOUT);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_PACKETS), 1);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_TIMEOUTS), 1);

	req = submit_read(test, 1);
	KUNIT_EXPECT_EQ(test, line->writes, 1);
	answer(line, 1, 0);
	KUNIT_EXPECT_EQ(test, fake_request_result(req), 0);
}

static void inject_rx(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *req = submit_read(test, 1);

	inject_once(&line->bus->inject->rx);
	answer(line, 1, 0);
	KUNIT_EXPECT_TRUE(test, fake_request_pending(req));
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_RX_BYTES), 0);
	answer(line, 1, 0);
	KUNIT_EXPECT_EQ(test, fake_request_result(req), 0);
}

static void inject_corrupt(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *req = submit_read(test, 1);

	/* The first byte of a piece, which is a parameter here. */
	FAKE_LINE_RECEIVE(line, 0xff, 0xff, 0x01, 0x04, 0x00);
	inject_once(&line->bus->inject->corrupt);
	FAKE_LINE_RECEIVE(line, 0x01, 0x07, 0xf2);
	KUNIT_EXPECT_TRUE(test, fake_request_pending(req));
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_CHECKSUM_ERRORS),
			1);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_RX_BYTES), 8);
	fake_line_expire(line);
	KUNIT_EXPECT_EQ(test, fake_request_result(req), -EBADMSG);

	req = submit_read(test, 2);
	answer(line, 2, 0);
	KUNIT_EXPECT_EQ(test, fake_request_result(req), 0);
}

#endif

static struct kunit_case stats_cases[] = {
	KUNIT_CASE(stats_turnaround),
	KUNIT_CASE(stats_turnaround_of_refusal),
	KUNIT_CASE(stats_error_bits),
	KUNIT_CASE(stats_alert),
	KUNIT_CASE(stats_line_error),
	KUNIT_CASE(stats_line_error_in_echo),
#ifdef CONFIG_FAULT_INJECTION
	KUNIT_CASE(inject_write),
	KUNIT_CASE(inject_tx),
	KUNIT_CASE(inject_rx),
	KUNIT_CASE(inject_corrupt),
#endif
	{}
};

static struct kunit_suite stats_suite = {
	.name = "dxl_stats",
	.init = stats_test_init,
	.test_cases = stats_cases,
};

kunit_test_suite(stats_suite);
