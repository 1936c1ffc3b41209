// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the transfer queue
 */
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/string.h>

#include <kunit/test.h>

#include <linux/dxl/transport.h>

#include "../drivers/bus/receive/receive.h"
#include "fake_line.h"

#define BAUD	1000000

static int queue_test_init(struct kunit *test)
{
	struct fake_line *line = fake_line_create(test, BAUD, NULL);

	test->priv = line;
	fake_line_add(test, line);

	return 0;
}

/* What a servo with @id says to a read of two bytes: its ID and @value. */
static void answer(struct fake_line *line, u8 id, u8 value)
{
	const u8 params[] = { id, value };

	fake_line_status(line, DXL_PROTOCOL_1, id, 0, params, sizeof(params));
}

static void expect_answered(struct kunit *test, struct fake_request *req,
			    u8 value)
{
	const u8 params[] = { req->xfer.request.id, value };

	KUNIT_EXPECT_EQ(test, fake_request_result(req), 0);
	KUNIT_EXPECT_MEMEQ(test, req->rx, params, sizeof(params));
}

/* A read of two bytes; what its device may still say to an earlier one is over. */
static struct fake_request *submit_read(struct kunit *test, u8 id)
{
	struct fake_request *req = fake_line_read(test->priv, id, 36, 2);

	fake_line_rested(test->priv);
	KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);

	return req;
}

/* A write to all servos, which none answers. */
static struct fake_request *broadcast(struct fake_line *line)
{
	struct fake_request *req = fake_line_request(line);

	req->xfer.request.protocol = DXL_PROTOCOL_1;
	req->xfer.request.id = DXL_ID_BROADCAST;
	req->xfer.request.instruction = DXL_ACTION;

	return req;
}

static struct fake_request *ping(struct fake_line *line, u8 id)
{
	struct fake_request *req = fake_line_read(line, id, 0, 0);

	req->xfer.request.instruction = DXL_PING;
	req->xfer.request.len = 0;

	return req;
}

/* --- requests and answers --- */

static void queue_read(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *req = submit_read(test, 1);

	KUNIT_EXPECT_TRUE(test, FAKE_LINE_WROTE(line, 0xff, 0xff, 0x01, 0x04,
						0x02, 0x24, 0x02, 0xd2));
	KUNIT_EXPECT_TRUE(test, fake_request_pending(req));

	FAKE_LINE_RECEIVE(line, 0xff, 0xff, 0x01, 0x04, 0x00, 0x34, 0x02, 0xc4);
	KUNIT_EXPECT_EQ(test, fake_request_result(req), 0);
	KUNIT_EXPECT_EQ(test, req->rx[0], 0x34);
	KUNIT_EXPECT_EQ(test, req->rx[1], 0x02);
	KUNIT_EXPECT_EQ(test, req->reply.error, 0);

	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_PACKETS), 1);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_TX_BYTES), 8);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_RX_BYTES), 8);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_ACK), 1);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_NACK), 0);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_STALE_BYTES), 0);
	KUNIT_EXPECT_EQ(test, line->flushes, 0);
}

/* Both the bus and the device concerned count; other devices do not. */
static void queue_device_statistics(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct dxl_device *first = &line->ddevs[0], *second = &line->ddevs[1];

	submit_read(test, 1);
	answer(line, 1, 0);
	submit_read(test, 2);
	fake_line_expire(line);
	KUNIT_EXPECT_EQ(test, fake_request_result(&line->requests[1]),
			-ETIMEDOUT);

	KUNIT_EXPECT_EQ(test, fake_device_stat(first, DXL_STAT_PACKETS), 1);
	KUNIT_EXPECT_EQ(test, fake_device_stat(first, DXL_STAT_TX_BYTES), 8);
	KUNIT_EXPECT_EQ(test, fake_device_stat(first, DXL_STAT_RX_BYTES), 8);
	KUNIT_EXPECT_EQ(test, fake_device_stat(first, DXL_STAT_ACK), 1);
	KUNIT_EXPECT_EQ(test, fake_device_stat(first, DXL_STAT_NACK), 0);
	KUNIT_EXPECT_EQ(test, fake_device_stat(second, DXL_STAT_PACKETS), 1);
	KUNIT_EXPECT_EQ(test, fake_device_stat(second, DXL_STAT_RX_BYTES), 0);
	KUNIT_EXPECT_EQ(test, fake_device_stat(second, DXL_STAT_ACK), 0);
	KUNIT_EXPECT_EQ(test, fake_device_stat(second, DXL_STAT_NACK), 1);
	KUNIT_EXPECT_EQ(test, fake_device_stat(second, DXL_STAT_TIMEOUTS), 1);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_PACKETS), 2);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_ACK), 1);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_NACK), 1);
}

static void queue_answer_split(struct kunit *test)
{
	static const u8 wire[] = {
		0xff, 0xff, 0x01, 0x04, 0x00, 0x01, 0x07, 0xf2,
	};
	struct fake_line *line = test->priv;
	struct fake_request *req;
	size_t at, i;

	for (at = 1; at < sizeof(wire); at++) {
		req = submit_read(test, 1);
		dxl_bus_receive(line->bus, wire, at);
		KUNIT_EXPECT_TRUE(test, fake_request_pending(req));
		dxl_bus_receive(line->bus, wire + at, sizeof(wire) - at);
		expect_answered(test, req, 7);
	}

	req = submit_read(test, 1);
	for (i = 0; i < sizeof(wire); i++)
		dxl_bus_receive(line->bus, wire + i, 1);
	expect_answered(test, req, 7);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_STALE_BYTES), 0);
}

static void queue_answer_after_noise(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *req = submit_read(test, 1);

	FAKE_LINE_RECEIVE(line, 0x00, 0xff, 0xfd, 0x00, 0xff, 0xff);
	answer(line, 1, 7);
	expect_answered(test, req, 7);
}

static void queue_protocol2(struct kunit *test)
{
	static const u8 params[] = { 0xff, 0xff, 0xfd };
	struct fake_line *line = test->priv;
	struct fake_request *req = fake_line_read2(line, 7, 132, sizeof(params));

	KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);
	KUNIT_EXPECT_TRUE(test, FAKE_LINE_WROTE(line, 0xff, 0xff, 0xfd, 0x00,
						0x07, 0x07, 0x00, 0x02, 0x84,
						0x00, 0x03, 0x00, 0x0a, 0xe7));

	/* What only looks like the answer: the other protocol's framing. */
	fake_line_status(line, DXL_PROTOCOL_1, 7, 0, params, sizeof(params));
	KUNIT_EXPECT_TRUE(test, fake_request_pending(req));
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_STRAY_PACKETS), 1);

	/* The alert bit is no refusal. */
	FAKE_LINE_RECEIVE(line, 0xff, 0xff, 0xfd, 0x00, 0x07, 0x08, 0x00, 0x55,
			  0x80, 0xff, 0xff, 0xfd, 0xfd, 0xd9, 0x9d);
	KUNIT_EXPECT_EQ(test, fake_request_result(req), 0);
	KUNIT_EXPECT_EQ(test, req->reply.error, DXL2_ERR_ALERT);
	KUNIT_EXPECT_MEMEQ(test, req->rx, params, sizeof(params));
}

/* In 2.0 an instruction is told from an answer, however well it would fit. */
static void queue_protocol2_instruction(struct kunit *test)
{
	static const u8 params[] = { 7 };
	const struct dxl_packet other = {
		.protocol = DXL_PROTOCOL_2,
		.id = 1,
		.instruction = DXL_REG_WRITE,
		.params = params,
		.len = sizeof(params),
	};
	struct fake_line *line = test->priv;
	struct fake_request *req = fake_line_read2(line, 1, 25, sizeof(params));

	KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);

	KUNIT_ASSERT_EQ(test, fake_line_send(line, &other), 0);
	KUNIT_EXPECT_TRUE(test, fake_request_pending(req));
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_STRAY_PACKETS), 1);

	fake_line_status(line, DXL_PROTOCOL_2, 1, 0, params, sizeof(params));
	KUNIT_EXPECT_EQ(test, fake_request_result(req), 0);
}

/* --- order --- */

static void queue_next_in_same_call(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *first, *second;

	first = submit_read(test, 1);
	second = submit_read(test, 2);
	KUNIT_EXPECT_TRUE(test, FAKE_LINE_WROTE(line, 0xff, 0xff, 0x01, 0x04,
						0x02, 0x24, 0x02, 0xd2));

	answer(line, 1, 7);
	KUNIT_EXPECT_TRUE(test, FAKE_LINE_WROTE(line, 0xff, 0xff, 0x02, 0x04,
						0x02, 0x24, 0x02, 0xd1));
	KUNIT_EXPECT_TRUE(test, fake_request_pending(second));
	expect_answered(test, first, 7);

	answer(line, 2, 8);
	expect_answered(test, second, 8);
	KUNIT_EXPECT_EQ(test, line->writes, 2);
}

static void queue_in_order(struct kunit *test)
{
	struct fake_line *line = test->priv;
	unsigned int i;

	for (i = 0; i < 20; i++)
		submit_read(test, 1 + i % 3);
	for (i = 0; i < 20; i++)
		answer(line, 1 + i % 3, i);
	for (i = 0; i < 20; i++) {
		expect_answered(test, &line->requests[i], i);
		KUNIT_EXPECT_EQ(test, line->requests[i].order, i);
	}
}

static void resubmit_once(struct fake_request *req)
{
	req->then = NULL;
	fake_request_submit(req);
}

static void queue_resubmit(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *req = fake_line_read(line, 1, 36, 2);
	struct fake_request *second;

	req->then = resubmit_once;
	KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);
	second = submit_read(test, 2);

	answer(line, 1, 7);
	KUNIT_EXPECT_EQ(test, req->completions, 1);
	answer(line, 2, 8);
	expect_answered(test, second, 8);
	KUNIT_EXPECT_EQ(test, req->completions, 1);
	answer(line, 1, 9);
	KUNIT_EXPECT_EQ(test, req->completions, 2);
	KUNIT_EXPECT_EQ(test, req->xfer.status, 0);
	KUNIT_EXPECT_EQ(test, req->rx[1], 9);
}

/* --- answers that are none --- */

/* Each request in these ends, once its deadline has passed, with @status. */
static void expect_failed(struct kunit *test, struct fake_request *req,
			  int status)
{
	struct fake_line *line = test->priv;

	KUNIT_EXPECT_TRUE(test, fake_request_pending(req));
	fake_line_expire(line);
	KUNIT_EXPECT_EQ(test, fake_request_result(req), status);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_NACK), 1);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_ACK), 0);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_TIMEOUTS),
			status == -ETIMEDOUT);
}

static void queue_no_answer(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *first, *second;

	first = submit_read(test, 1);
	second = submit_read(test, 2);
	expect_failed(test, first, -ETIMEDOUT);

	KUNIT_ASSERT_TRUE(test, fake_line_wait_writes(line, 2));
	answer(line, 2, 8);
	expect_answered(test, second, 8);
}

static void queue_checksum(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *req = submit_read(test, 1);

	FAKE_LINE_RECEIVE(line, 0xff, 0xff, 0x01, 0x04, 0x00, 0x01, 0x07, 0xf3);
	expect_failed(test, req, -EBADMSG);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_CHECKSUM_ERRORS),
			1);
	KUNIT_EXPECT_EQ(test, fake_device_stat(&line->ddevs[0],
					       DXL_STAT_CHECKSUM_ERRORS), 1);

	/* What was wrong with one request is not held against the next. */
	req = submit_read(test, 1);
	fake_line_expire(line);
	KUNIT_EXPECT_EQ(test, fake_request_result(req), -ETIMEDOUT);
}

static void queue_damaged_then_right(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *req = submit_read(test, 1);

	FAKE_LINE_RECEIVE(line, 0xff, 0xff, 0x01, 0x04, 0x00, 0x01, 0x07, 0xf3);
	KUNIT_EXPECT_TRUE(test, fake_request_pending(req));
	answer(line, 1, 7);
	expect_answered(test, req, 7);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_CHECKSUM_ERRORS),
			1);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_ACK), 1);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_NACK), 0);
}

static void queue_wrong_id(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *req = submit_read(test, 1);

	answer(line, 2, 8);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_STRAY_PACKETS), 1);
	expect_failed(test, req, -ETIMEDOUT);
}

static void queue_wrong_id_then_right(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *req = submit_read(test, 1);

	answer(line, 2, 8);
	KUNIT_EXPECT_TRUE(test, fake_request_pending(req));
	answer(line, 1, 7);
	expect_answered(test, req, 7);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_STRAY_PACKETS), 1);
}

static void queue_wrong_length(struct kunit *test)
{
	static const u8 params[FAKE_RX_MAX] = { 1, 2, 3 };
	struct fake_line *line = test->priv;
	struct fake_request *req = submit_read(test, 1);

	fake_line_status(line, DXL_PROTOCOL_1, 1, 0, params, 1);
	fake_line_status(line, DXL_PROTOCOL_1, 1, 0, params, 0);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_STRAY_PACKETS), 2);
	expect_failed(test, req, -EPROTO);
}

static void queue_too_long(struct kunit *test)
{
	static const u8 params[FAKE_RX_MAX] = { 1, 2, 3 };
	struct fake_line *line = test->priv;
	struct fake_request *req = submit_read(test, 1);

	fake_line_status(line, DXL_PROTOCOL_1, 1, 0, params, 3);
	expect_failed(test, req, -EMSGSIZE);
	KUNIT_EXPECT_EQ(test, req->rx[0], 0);
	KUNIT_EXPECT_EQ(test, req->rx[2], 0);
}

/* What came first is the cause of what came later. */
static void queue_first_fault(struct kunit *test)
{
	static const u8 params[FAKE_RX_MAX];
	struct fake_line *line = test->priv;
	struct fake_request *req = submit_read(test, 1);

	FAKE_LINE_RECEIVE(line, 0xff, 0xff, 0x01, 0x04, 0x00, 0x01, 0x07, 0xf3);
	fake_line_status(line, DXL_PROTOCOL_1, 1, 0, params, 1);
	expect_failed(test, req, -EBADMSG);
}

static void queue_malformed(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *req = submit_read(test, 1);

	FAKE_LINE_RECEIVE(line, 0xff, 0xff, 0x01, 0x00, 0xfe);
	expect_failed(test, req, -EPROTO);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_CHECKSUM_ERRORS),
			0);
}

static void queue_refused(struct kunit *test)
{
	static const u8 errors[] = { DXL1_ERR_RANGE, DXL1_ERR_CHECKSUM,
				     DXL1_ERR_INSTRUCTION };
	struct fake_line *line = test->priv;
	struct fake_request *req;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(errors); i++) {
		u8 error = errors[i] | DXL1_ERR_OVERHEAT;

		req = submit_read(test, 1);
		fake_line_status(line, DXL_PROTOCOL_1, 1, error, NULL, 0);
		KUNIT_EXPECT_EQ(test, fake_request_result(req), -EREMOTEIO);
		KUNIT_EXPECT_EQ(test, req->reply.error, error);
	}

	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_DEVICE_ERRORS), 3);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_NACK), 3);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_TIMEOUTS), 0);
}

/* A servo that is too hot has moved nevertheless, and says where it is. */
static void queue_alarm(struct kunit *test)
{
	static const u8 errors[] = { DXL1_ERR_VOLTAGE, DXL1_ERR_ANGLE,
				     DXL1_ERR_OVERHEAT, DXL1_ERR_OVERLOAD };
	static const u8 params[] = { 1, 7 };
	struct fake_line *line = test->priv;
	struct fake_request *req;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(errors); i++) {
		req = submit_read(test, 1);
		fake_line_status(line, DXL_PROTOCOL_1, 1, errors[i], params,
				 sizeof(params));
		expect_answered(test, req, 7);
		KUNIT_EXPECT_EQ(test, req->reply.error, errors[i]);
	}

	/* It stands for one answer alone. */
	req = submit_read(test, 1);
	answer(line, 1, 7);
	expect_answered(test, req, 7);
	KUNIT_EXPECT_EQ(test, req->reply.error, 0);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_DEVICE_ERRORS), 0);
}

static void queue_refused_protocol2(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *req = fake_line_read2(line, 1, 132, 4);

	KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);
	fake_line_status(line, DXL_PROTOCOL_2, 1, DXL2_ERR_ACCESS, NULL, 0);
	KUNIT_EXPECT_EQ(test, fake_request_result(req), -EREMOTEIO);
	KUNIT_EXPECT_EQ(test, req->reply.error, DXL2_ERR_ACCESS);
}

/* --- echo --- */

/* The echo of submit_read(). */
static const u8 echo[] = { 0xff, 0xff, 0x01, 0x04, 0x02, 0x24, 0x02, 0xd2 };

static void queue_echo(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *req;
	size_t at, i;

	for (at = 0; at < sizeof(echo); at++) {
		req = submit_read(test, 1);
		dxl_bus_receive(line->bus, echo, at);
		dxl_bus_receive(line->bus, echo + at, sizeof(echo) - at);
		KUNIT_EXPECT_TRUE(test, fake_request_pending(req));
		answer(line, 1, at);
		expect_answered(test, req, at);
	}

	req = submit_read(test, 1);
	for (i = 0; i < sizeof(echo); i++)
		dxl_bus_receive(line->bus, echo + i, 1);
	answer(line, 1, 9);
	expect_answered(test, req, 9);

	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_ECHOES),
			sizeof(echo) + 1);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_STRAY_PACKETS), 0);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_STALE_BYTES), 0);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_CHECKSUM_ERRORS),
			0);
}

static void queue_echo_with_answer(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *req = submit_read(test, 1);

	FAKE_LINE_RECEIVE(line, 0xff, 0xff, 0x01, 0x04, 0x02, 0x24, 0x02, 0xd2,
			  0xff, 0xff, 0x01, 0x04, 0x00, 0x01, 0x07, 0xf2);
	expect_answered(test, req, 7);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_ECHOES), 1);
}

/* Something else comes first, so that it is not looked for any more. */
static void queue_echo_behind_noise(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *req = submit_read(test, 1);

	answer(line, 2, 3);
	dxl_bus_receive(line->bus, echo, sizeof(echo));
	KUNIT_EXPECT_TRUE(test, fake_request_pending(req));
	answer(line, 1, 7);
	expect_answered(test, req, 7);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_ECHOES), 1);
}

/* It cannot come twice, and is no answer then either. */
static void queue_echo_twice(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *req;
	int noise;

	for (noise = 0; noise < 2; noise++) {
		req = submit_read(test, 1);
		if (noise)
			answer(line, 2, 3);
		dxl_bus_receive(line->bus, echo, sizeof(echo));
		dxl_bus_receive(line->bus, echo, sizeof(echo));
		KUNIT_EXPECT_TRUE(test, fake_request_pending(req));
		answer(line, 1, 7);
		expect_answered(test, req, 7);
	}
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_ECHOES), 2);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_STRAY_PACKETS), 3);
}

/* As an answer it would have an error bit and two parameters. */
static void queue_echo_alone(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *req = submit_read(test, 1);

	dxl_bus_receive(line->bus, echo, sizeof(echo));
	expect_failed(test, req, -ETIMEDOUT);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_STRAY_PACKETS), 0);
}

static void queue_echo_of_broadcast(struct kunit *test)
{
	struct fake_line *line = fake_line_create(test, 1, NULL);
	struct fake_request *req = broadcast(line);

	fake_line_add(test, line);
	KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);
	FAKE_LINE_RECEIVE(line, 0xff, 0xff, 0xfe, 0x02, 0x05, 0xfa);
	KUNIT_EXPECT_TRUE(test, fake_request_pending(req));
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_ECHOES), 1);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_STRAY_PACKETS), 0);
	fake_line_expire(line);
	KUNIT_EXPECT_EQ(test, fake_request_result(req), 0);
}

/* Only what comes first is an echo: another one is decoded. */
static void queue_echo_damaged(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *req = submit_read(test, 1);

	FAKE_LINE_RECEIVE(line, 0xff, 0xff, 0x01, 0x04, 0x02, 0x24, 0x02, 0xd3);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_ECHOES), 0);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_CHECKSUM_ERRORS),
			1);
	answer(line, 1, 7);
	expect_answered(test, req, 7);
}

/*
 * The next packet is handed over while an unanswered one is still being sent, so
 * the echoes of both come one after the other, in whatever pieces.
 */
static void queue_echo_behind_unanswered(struct kunit *test)
{
	static const u8 echoes[] = {
		0xff, 0xff, 0xfe, 0x02, 0x05, 0xfa,
		0xff, 0xff, 0x01, 0x04, 0x02, 0x24, 0x02, 0xd2,
	};
	struct fake_line *line;
	struct fake_request *req;
	size_t early, at;

	for (early = 0; early <= 6; early += 3) {
		for (at = early; at < sizeof(echoes); at++) {
			line = fake_line_create(test, 1, NULL);
			fake_line_add(test, line);
			req = broadcast(line);
			KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);
			dxl_bus_receive(line->bus, echoes, early);
			req = fake_line_read(line, 1, 36, 2);
			KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);
			KUNIT_ASSERT_EQ(test, line->writes, 2);
			dxl_bus_receive(line->bus, echoes + early, at - early);
			dxl_bus_receive(line->bus, echoes + at,
					sizeof(echoes) - at);
			KUNIT_EXPECT_TRUE(test, fake_request_pending(req));
			answer(line, 1, 7);
			expect_answered(test, req, 7);
			KUNIT_EXPECT_EQ(test,
					fake_line_stat(line, DXL_STAT_ECHOES),
					2);
			KUNIT_EXPECT_EQ(test,
					fake_line_stat(line,
						       DXL_STAT_STRAY_PACKETS),
					0);
			fake_line_remove(line);
		}
	}
}

/*
 * A UART hands over the rest of an echo when that has ended which it is the echo of. A
 * PING behind it is not answered by its own.
 */
static void queue_echo_when_idle(struct kunit *test)
{
	static const u8 echoes[] = {
		0xff, 0xff, 0xfe, 0x02, 0x05, 0xfa,
		0xff, 0xff, 0x01, 0x02, 0x01, 0xfb,
	};
	struct fake_line *line;
	struct fake_request *req;
	size_t early;

	for (early = 0; early <= 6; early++) {
		line = fake_line_create(test, 1, NULL);
		fake_line_add(test, line);
		req = broadcast(line);
		KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);
		dxl_bus_receive(line->bus, echoes, early);
		fake_line_expire(line);
		KUNIT_ASSERT_EQ(test, fake_request_result(req), 0);
		dxl_bus_receive(line->bus, echoes + early, 6 - early);
		req = ping(line, 1);
		KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);
		dxl_bus_receive(line->bus, echoes + 6, 6);
		KUNIT_EXPECT_TRUE(test, fake_request_pending(req));
		KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_ECHOES), 2);
		KUNIT_EXPECT_EQ(test,
				fake_line_stat(line, DXL_STAT_STALE_BYTES), 0);
		fake_line_remove(line);
	}
}

/* On a line without echo the answer is what comes first. */
static void queue_answer_behind_unanswered(struct kunit *test)
{
	struct fake_line *line = fake_line_create(test, 1, NULL);
	struct fake_request *req = broadcast(line);

	fake_line_add(test, line);
	KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);
	req = fake_line_read(line, 1, 36, 2);
	KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);
	answer(line, 1, 7);
	expect_answered(test, req, 7);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_ECHOES), 0);
}

/* --- bytes that belong to no request --- */

static void queue_bytes_when_idle(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *req;

	answer(line, 1, 6);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_STALE_BYTES), 8);

	/* The beginning of a packet that would swallow the answer. */
	FAKE_LINE_RECEIVE(line, 0xff, 0xff, 0x01, 0x40);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_STALE_BYTES), 12);

	req = submit_read(test, 1);
	KUNIT_EXPECT_TRUE(test, fake_request_pending(req));
	answer(line, 1, 7);
	expect_answered(test, req, 7);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_STALE_BYTES), 12);
}

static void queue_bytes_behind_answer(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *first, *second;

	first = submit_read(test, 1);
	second = submit_read(test, 2);

	/* Both answers in one piece: the second came before its request. */
	FAKE_LINE_RECEIVE(line, 0xff, 0xff, 0x01, 0x04, 0x00, 0x01, 0x07, 0xf2,
			  0xff, 0xff, 0x02, 0x04, 0x00, 0x02, 0x06, 0xf1);
	expect_answered(test, first, 7);
	KUNIT_EXPECT_TRUE(test, fake_request_pending(second));
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_STALE_BYTES), 8);

	answer(line, 2, 8);
	expect_answered(test, second, 8);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_STRAY_PACKETS), 0);
}

/* More than a decoder holds, with the second answer at its very end. */
static void queue_much_behind_answer(struct kunit *test)
{
	static const u8 first_answer[] = {
		0xff, 0xff, 0x01, 0x04, 0x00, 0x01, 0x07, 0xf2,
	};
	static const u8 second_answer[] = {
		0xff, 0xff, 0x02, 0x04, 0x00, 0x02, 0x06, 0xf1,
	};
	const size_t size = 2 * DXL_PACKET_MAX;
	struct fake_line *line = test->priv;
	struct fake_request *first, *second;
	u8 *bytes;

	bytes = kunit_kzalloc(test, size, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, bytes);
	memcpy(bytes, first_answer, sizeof(first_answer));
	memcpy(bytes + size - sizeof(second_answer), second_answer,
	       sizeof(second_answer));

	first = submit_read(test, 1);
	second = submit_read(test, 2);
	dxl_bus_receive(line->bus, bytes, size);
	expect_answered(test, first, 7);
	KUNIT_EXPECT_TRUE(test, fake_request_pending(second));
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_STALE_BYTES),
			size - sizeof(first_answer));
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_RX_BYTES), size);

	answer(line, 2, 8);
	expect_answered(test, second, 8);
}

/* Half an answer came in time, the other half in the time of the next. */
static void queue_late_half(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *first, *second;

	first = submit_read(test, 1);
	second = submit_read(test, 2);
	FAKE_LINE_RECEIVE(line, 0xff, 0xff, 0x01, 0x04, 0x00);
	fake_line_expire(line);
	KUNIT_EXPECT_EQ(test, fake_request_result(first), -ETIMEDOUT);
	KUNIT_ASSERT_TRUE(test, fake_line_wait_writes(line, 2));
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_STALE_BYTES), 5);

	answer(line, 2, 8);
	expect_answered(test, second, 8);

	FAKE_LINE_RECEIVE(line, 0x01, 0x07, 0xf2);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_STALE_BYTES), 8);
}

/* --- time --- */

/* The only clock that these tests look at says that it was not too early. */
static void expect_lasted(struct kunit *test, struct fake_request *req,
			  int status, u64 least_us)
{
	ktime_t start = ktime_get();

	KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);
	KUNIT_EXPECT_EQ(test, fake_request_result(req), status);
	KUNIT_EXPECT_GE(test, ktime_us_delta(ktime_get(), start), least_us);
}

static void queue_timeout_computed(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *req = fake_line_read(line, 1, 36, 2);

	/* Eight bytes each way of 10 us, then the rest. */
	req->reply.return_delay_us = 3000;
	fake_line_set_margin(line, 2000);
	expect_lasted(test, req, -ETIMEDOUT, 160 + 3000 + 2000);
}

static void queue_unanswered(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *req = broadcast(line);

	KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);
	KUNIT_EXPECT_EQ(test, fake_request_result(req), 0);
	KUNIT_EXPECT_TRUE(test, FAKE_LINE_WROTE(line, 0xff, 0xff, 0xfe, 0x02,
						0x05, 0xfa));
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_PACKETS), 1);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_ACK), 0);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_NACK), 0);
}

/* At 1200 baud six bytes last 50 ms, and none may be sent into them. */
static void queue_unanswered_lasts(struct kunit *test)
{
	struct fake_line *line = fake_line_create(test, 1200, NULL);

	fake_line_add(test, line);
	expect_lasted(test, broadcast(line), 0, 50000);
}

/* Nothing answers a broadcast, which lasts a minute at this speed. */
static void queue_unanswered_stray(struct kunit *test)
{
	struct fake_line *line = fake_line_create(test, 1, NULL);
	struct fake_request *req = broadcast(line);

	fake_line_add(test, line);
	KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);
	fake_line_status(line, DXL_PROTOCOL_1, DXL_ID_BROADCAST, 0, NULL, 0);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_STRAY_PACKETS), 1);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_ACK), 0);
	fake_line_expire(line);
	KUNIT_EXPECT_EQ(test, fake_request_result(req), 0);
}

/* --- a line that does not take packets --- */

static void queue_line_refuses(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *req;

	line->refusal = -ENODEV;
	req = submit_read(test, 1);
	KUNIT_EXPECT_EQ(test, fake_request_result(req), -ENODEV);

	line->refusal = 3;
	req = submit_read(test, 1);
	KUNIT_EXPECT_EQ(test, fake_request_result(req), -EIO);

	KUNIT_EXPECT_EQ(test, line->flushes, 2);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_PACKETS), 0);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_TX_BYTES), 0);
	/* Nobody was asked. */
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_NACK), 0);

	line->refusal = 0;
	req = submit_read(test, 1);
	answer(line, 1, 7);
	expect_answered(test, req, 7);
}

/* What was leaving is lost with what the line did not take, which then has room. */
static void queue_line_refuses_behind(struct kunit *test)
{
	struct fake_line *line = fake_line_create(test, 1, NULL);
	struct fake_request *before, *req;

	fake_line_add(test, line);
	before = broadcast(line);
	KUNIT_ASSERT_EQ(test, fake_request_submit(before), 0);
	line->refusal_once = 3;
	req = fake_line_read(line, 1, 36, 2);
	KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);
	KUNIT_EXPECT_EQ(test, fake_request_result(before), -EIO);
	KUNIT_EXPECT_EQ(test, line->flushes, 1);
	answer(line, 1, 7);
	expect_answered(test, req, 7);
}

static void queue_line_refuses_many(struct kunit *test)
{
	enum { COUNT = 1000 };
	struct fake_line *line = test->priv;
	struct fake_request *first = submit_read(test, 1), *req;
	unsigned int i;

	for (i = 0; i < COUNT; i++) {
		req = fake_line_read(line, 1, 36, 2);
		req->then = resubmit_once;
		KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);
	}

	line->refusal = -EIO;
	answer(line, 1, 7);
	expect_answered(test, first, 7);
	fake_line_rested(line);

	for (i = 1; i <= COUNT; i++) {
		req = &line->requests[i];
		KUNIT_EXPECT_EQ(test, req->completions, 2);
		KUNIT_EXPECT_EQ(test, req->xfer.status, -EIO);
	}
	KUNIT_EXPECT_EQ(test, line->completed, 1 + 2 * COUNT);
	KUNIT_EXPECT_EQ(test, line->depth_max, 1);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_NACK), 0);
}

static void queue_impossible_request(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_request *req;

	req = fake_line_read(line, 255, 36, 2);
	KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);
	KUNIT_EXPECT_EQ(test, fake_request_result(req), -EINVAL);

	/* No answer as long as this fits the core's buffer. */
	req = fake_line_read2(line, 1, 36, DXL_PACKET_MAX);
	KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);
	KUNIT_EXPECT_EQ(test, fake_request_result(req), -EMSGSIZE);

	/* No parameter of it is looked at, as it is too long. */
	req = fake_line_read(line, 1, 36, 2);
	req->xfer.request.len = 254;
	KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);
	KUNIT_EXPECT_EQ(test, fake_request_result(req), -EMSGSIZE);

	KUNIT_EXPECT_EQ(test, line->writes, 0);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_PACKETS), 0);
}

/* --- the end of the bus --- */

static void queue_remove(struct kunit *test)
{
	enum { COUNT = 10 };
	struct fake_line *line = test->priv;
	struct fake_request *req;
	unsigned int i;

	for (i = 0; i < COUNT; i++) {
		req = fake_line_read(line, 1, 36, 2);
		/* Refused, and so not completed a second time. */
		req->then = resubmit_once;
		KUNIT_ASSERT_EQ(test, fake_request_submit(req), 0);
	}

	fake_line_remove(line);
	for (i = 0; i < COUNT; i++) {
		req = &line->requests[i];
		KUNIT_EXPECT_EQ(test, fake_request_result(req), -ESHUTDOWN);
		KUNIT_EXPECT_EQ(test, req->order, i);
	}
	KUNIT_EXPECT_EQ(test, line->writes, 1);
	KUNIT_EXPECT_EQ(test, line->flushes, 1);

	req = fake_line_read(line, 1, 36, 2);
	KUNIT_EXPECT_EQ(test, fake_request_submit(req), -ESHUTDOWN);
	KUNIT_EXPECT_EQ(test, dxl_transfer_sync(line->bus, &req->xfer),
			-ESHUTDOWN);

	/* A line has bytes for us as long as it is open. */
	answer(line, 1, 7);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_STALE_BYTES), 8);
	KUNIT_EXPECT_EQ(test, line->completed, COUNT);
}

static void queue_before_add(struct kunit *test)
{
	struct fake_line *line = fake_line_create(test, BAUD, NULL);
	struct fake_request *req = fake_line_read(line, 1, 36, 2);

	KUNIT_EXPECT_EQ(test, fake_request_submit(req), -ESHUTDOWN);
	KUNIT_EXPECT_EQ(test, line->writes, 0);
	KUNIT_EXPECT_EQ(test, req->completions, 0);
}

/* --- many submitters --- */

#define SUBMITTERS	4
#define ROUNDS		250

enum fault {
	FAULT_NONE,
	FAULT_SPLIT,
	FAULT_STRAY_FIRST,
	FAULT_DAMAGED_FIRST,
	FAULT_REFUSED,
	FAULT_DROPPED,
	FAULT_DAMAGED,
	FAULT_WRONG_LENGTH,
	FAULT_UNANSWERED,
	FAULTS
};

struct submitter {
	struct fake_line *line;
	u8 id;
	struct completion done;
	unsigned int wrong;
	unsigned int results[FAULTS];
};

static u32 mix(u8 id, u16 round)
{
	return (id * 0x9e3779b1u + round * 0x85ebca6bu) ^ 0x5bd1e995;
}

/* Submitter and device agree on what befalls a request. */
static enum fault fault_of(u8 id, u16 round)
{
	u32 r = mix(id, round) >> 27;

	return r < FAULTS ? r : FAULT_NONE;
}

static int status_of(enum fault fault)
{
	switch (fault) {
	case FAULT_REFUSED:
		return -EREMOTEIO;
	case FAULT_DROPPED:
		return -ETIMEDOUT;
	case FAULT_DAMAGED:
		return -EBADMSG;
	case FAULT_WRONG_LENGTH:
		return -EPROTO;
	default:
		return 0;
	}
}

static void send_damaged(struct fake_line *line, u8 id, const u8 *data)
{
	const struct dxl_packet status = {
		.protocol = DXL_PROTOCOL_2,
		.id = id,
		.instruction = DXL_STATUS_RETURN,
		.len = sizeof(u32),
		.params = data,
	};
	u8 wire[32];
	int len = dxl_packet_encode(&status, wire, sizeof(wire));

	wire[10] ^= 0x10;
	dxl_bus_receive(line->bus, wire, len);
}

static void send_split(struct fake_line *line, u8 id, const u8 *data)
{
	const struct dxl_packet status = {
		.protocol = DXL_PROTOCOL_2,
		.id = id,
		.instruction = DXL_STATUS_RETURN,
		.len = sizeof(u32),
		.params = data,
	};
	u8 wire[32];
	int len = dxl_packet_encode(&status, wire, sizeof(wire));

	dxl_bus_receive(line->bus, wire, 6);
	dxl_bus_receive(line->bus, wire + 6, len - 6);
}

static void respond_with_fault(struct fake_line *line,
			       const struct dxl_packet *request)
{
	u16 round = request->params[0] | request->params[1] << 8;
	enum fault fault = fault_of(request->id, round);
	u32 data = mix(request->id, round), other = ~data;
	u8 id = request->id;

	switch (fault) {
	case FAULT_SPLIT:
		send_split(line, id, (u8 *)&data);
		return;
	case FAULT_STRAY_FIRST:
		fake_line_status(line, DXL_PROTOCOL_2, id + SUBMITTERS, 0,
				 (u8 *)&other, sizeof(other));
		break;
	case FAULT_DAMAGED_FIRST:
		send_damaged(line, id, (u8 *)&data);
		break;
	case FAULT_REFUSED:
		fake_line_status(line, DXL_PROTOCOL_2, id, DXL2_ERR_RANGE, NULL,
				 0);
		return;
	case FAULT_DROPPED:
		fake_line_give_up(line);
		return;
	case FAULT_DAMAGED:
		send_damaged(line, id, (u8 *)&data);
		fake_line_give_up(line);
		return;
	case FAULT_WRONG_LENGTH:
		fake_line_status(line, DXL_PROTOCOL_2, id, 0, (u8 *)&data, 3);
		fake_line_give_up(line);
		return;
	case FAULT_UNANSWERED:
		return;
	default:
		break;
	}

	fake_line_status(line, DXL_PROTOCOL_2, id, 0, (u8 *)&data,
			 sizeof(data));
}

static bool submit_round(struct submitter *s, u16 round)
{
	enum fault fault = fault_of(s->id, round);
	u8 params[DXL_RANGE_MAX];
	u32 data = 0;
	struct dxl_reply reply = {
		.ddev = &s->line->ddevs[s->id - 1],
		.id = s->id,
		.buf = (u8 *)&data,
		.len = sizeof(data),
	};
	struct dxl_transfer xfer = {
		.request = {
			.protocol = DXL_PROTOCOL_2,
			.id = s->id,
			.instruction = DXL_READ,
			.params = params,
			.len = dxl_put_range(DXL_PROTOCOL_2, params, round,
					     sizeof(data)),
		},
		.replies = &reply,
		.num_replies = fault != FAULT_UNANSWERED,
		.priority = DXL_PRIO_REQUEST,
	};
	int status = dxl_transfer_sync(s->line->bus, &xfer);

	s->results[fault]++;
	if (status != status_of(fault))
		return false;

	return status || !xfer.num_replies || data == mix(s->id, round);
}

static int submitter_thread(void *arg)
{
	struct submitter *s = arg;
	u16 round;

	for (round = 0; round < ROUNDS; round++)
		if (!submit_round(s, round))
			s->wrong++;

	/* The module's code may be gone once the test goes on. */
	kthread_complete_and_exit(&s->done, 0);
}

static void expect_submitter(struct kunit *test, struct submitter *s)
{
	struct dxl_device *ddev = &s->line->ddevs[s->id - 1];
	const unsigned int *n = s->results;

	KUNIT_EXPECT_EQ(test, s->wrong, 0);
	/* Whom an unanswered packet is for is not known to the queue. */
	KUNIT_EXPECT_EQ(test, fake_device_stat(ddev, DXL_STAT_PACKETS),
			ROUNDS - n[FAULT_UNANSWERED]);
	KUNIT_EXPECT_EQ(test, fake_device_stat(ddev, DXL_STAT_ACK),
			n[FAULT_NONE] + n[FAULT_SPLIT] + n[FAULT_STRAY_FIRST] +
			n[FAULT_DAMAGED_FIRST]);
	KUNIT_EXPECT_EQ(test, fake_device_stat(ddev, DXL_STAT_NACK),
			n[FAULT_REFUSED] + n[FAULT_DROPPED] +
			n[FAULT_DAMAGED] + n[FAULT_WRONG_LENGTH]);
	KUNIT_EXPECT_EQ(test, fake_device_stat(ddev, DXL_STAT_TIMEOUTS),
			n[FAULT_DROPPED]);
	KUNIT_EXPECT_EQ(test, fake_device_stat(ddev, DXL_STAT_DEVICE_ERRORS),
			n[FAULT_REFUSED]);
	KUNIT_EXPECT_EQ(test, fake_device_stat(ddev, DXL_STAT_CHECKSUM_ERRORS),
			n[FAULT_DAMAGED]);
	KUNIT_EXPECT_EQ(test, fake_device_stat(ddev, DXL_STAT_STRAY_PACKETS),
			n[FAULT_WRONG_LENGTH]);
}

static void queue_many_submitters(struct kunit *test)
{
	struct submitter *subs;
	struct fake_line *line;
	struct task_struct *task;
	unsigned int i, fault, seen[FAULTS] = {};

	/* Before the line, whose end sets free whoever still waits. */
	subs = kunit_kcalloc(test, SUBMITTERS, sizeof(*subs), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, subs);
	line = fake_line_create(test, BAUD, NULL);
	line->respond = respond_with_fault;
	fake_line_add(test, line);

	for (i = 0; i < SUBMITTERS; i++) {
		subs[i].line = line;
		subs[i].id = i + 1;
		init_completion(&subs[i].done);
		task = kthread_run(submitter_thread, &subs[i], "dxl-kunit/%u",
				   i);
		KUNIT_ASSERT_NOT_ERR_OR_NULL(test, task);
	}

	for (i = 0; i < SUBMITTERS; i++) {
		if (wait_for_completion_timeout(&subs[i].done, 60 * HZ))
			continue;
		KUNIT_FAIL(test, "submitter %u hangs", i);
		fake_line_remove(line);
		wait_for_completion(&subs[i].done);
	}

	for (i = 0; i < SUBMITTERS; i++) {
		expect_submitter(test, &subs[i]);
		for (fault = 0; fault < FAULTS; fault++)
			seen[fault] += subs[i].results[fault];
	}
	/* A seed with which some fault did not occur would test nothing. */
	for (fault = 0; fault < FAULTS; fault++)
		KUNIT_EXPECT_GT_MSG(test, seen[fault], 0, "fault %u", fault);

	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_PACKETS),
			SUBMITTERS * ROUNDS);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_PACKETS),
			fake_line_stat(line, DXL_STAT_ACK) +
			fake_line_stat(line, DXL_STAT_NACK) +
			seen[FAULT_UNANSWERED]);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_CHECKSUM_ERRORS),
			seen[FAULT_DAMAGED] + seen[FAULT_DAMAGED_FIRST]);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_STRAY_PACKETS),
			seen[FAULT_STRAY_FIRST] + seen[FAULT_WRONG_LENGTH]);
}

/* Two buses know nothing of each other. */
static void queue_two_buses(struct kunit *test)
{
	struct fake_line *line = test->priv;
	struct fake_line *other = fake_line_create(test, BAUD, NULL);
	struct fake_request *req, *req2;

	fake_line_add(test, other);
	req = submit_read(test, 1);
	req2 = fake_line_read(other, 1, 36, 2);
	KUNIT_ASSERT_EQ(test, fake_request_submit(req2), 0);

	answer(other, 1, 8);
	expect_answered(test, req2, 8);
	KUNIT_EXPECT_TRUE(test, fake_request_pending(req));
	fake_line_remove(other);
	answer(line, 1, 7);
	expect_answered(test, req, 7);
	KUNIT_EXPECT_EQ(test, fake_line_stat(line, DXL_STAT_ACK), 1);
	KUNIT_EXPECT_EQ(test, fake_line_stat(other, DXL_STAT_ACK), 1);
}

static struct kunit_case queue_cases[] = {
	KUNIT_CASE(queue_read),
	KUNIT_CASE(queue_device_statistics),
	KUNIT_CASE(queue_answer_split),
	KUNIT_CASE(queue_answer_after_noise),
	KUNIT_CASE(queue_protocol2),
	KUNIT_CASE(queue_protocol2_instruction),
	KUNIT_CASE(queue_next_in_same_call),
	KUNIT_CASE(queue_in_order),
	KUNIT_CASE(queue_resubmit),
	KUNIT_CASE(queue_no_answer),
	KUNIT_CASE(queue_checksum),
	KUNIT_CASE(queue_damaged_then_right),
	KUNIT_CASE(queue_wrong_id),
	KUNIT_CASE(queue_wrong_id_then_right),
	KUNIT_CASE(queue_wrong_length),
	KUNIT_CASE(queue_too_long),
	KUNIT_CASE(queue_first_fault),
	KUNIT_CASE(queue_malformed),
	KUNIT_CASE(queue_refused),
	KUNIT_CASE(queue_alarm),
	KUNIT_CASE(queue_refused_protocol2),
	KUNIT_CASE(queue_echo),
	KUNIT_CASE(queue_echo_with_answer),
	KUNIT_CASE(queue_echo_behind_noise),
	KUNIT_CASE(queue_echo_twice),
	KUNIT_CASE(queue_echo_alone),
	KUNIT_CASE(queue_echo_of_broadcast),
	KUNIT_CASE(queue_echo_damaged),
	KUNIT_CASE(queue_echo_behind_unanswered),
	KUNIT_CASE(queue_echo_when_idle),
	KUNIT_CASE(queue_answer_behind_unanswered),
	KUNIT_CASE(queue_bytes_when_idle),
	KUNIT_CASE(queue_bytes_behind_answer),
	KUNIT_CASE(queue_much_behind_answer),
	KUNIT_CASE(queue_late_half),
	KUNIT_CASE(queue_timeout_computed),
	KUNIT_CASE(queue_unanswered),
	KUNIT_CASE(queue_unanswered_lasts),
	KUNIT_CASE(queue_unanswered_stray),
	KUNIT_CASE(queue_line_refuses),
	KUNIT_CASE(queue_line_refuses_behind),
	KUNIT_CASE(queue_line_refuses_many),
	KUNIT_CASE(queue_impossible_request),
	KUNIT_CASE(queue_remove),
	KUNIT_CASE(queue_before_add),
	KUNIT_CASE(queue_two_buses),
	KUNIT_CASE_SLOW(queue_many_submitters),
	{}
};

static struct kunit_suite queue_suite = {
	.name = "dxl_queue",
	.init = queue_test_init,
	.test_cases = queue_cases,
};

kunit_test_suite(queue_suite);
