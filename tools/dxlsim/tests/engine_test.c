// SPDX-License-Identifier: GPL-2.0-or-later
/* The receiving side of the bus core: bytes and time go in, events come out. */
#include "cmocka_all.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include <linux/time64.h>

#include "../../../drivers/bus/receive/receive.h"

#define DEVICES		3
#define LEN		2
#define BYTE_NS		10000
#define MARGIN_NS	1000000

/**
 * struct fixture - an engine and a request on its line
 * @engine: the engine
 * @timing: 1 Mbaud
 * @request: the request
 * @params: its parameters
 * @packet: its packet
 * @packet_len: the length of that
 * @replies: the answers to it
 * @data: what they bring
 * @now: the time
 * @stale: bytes that belonged to nothing
 */
struct fixture {
	struct dxl_engine engine;
	struct dxl_timing timing;
	struct dxl_packet request;
	u8 params[16];
	u8 packet[64];
	size_t packet_len;
	struct dxl_reply replies[DEVICES];
	u8 data[DEVICES][LEN];
	s64 now;
	size_t stale;
};

static int setup(void **state)
{
	static struct fixture f;

	f = (struct fixture){
		.timing = { .baud = 1000000, .margin_us = 1000 },
		.now = NSEC_PER_SEC,
	};
	dxl_engine_init(&f.engine, &f.timing);
	*state = &f;

	return 0;
}

/* A request to the first @num devices is on the line, whose last bit has left it. */
static void start(struct fixture *f, u8 instruction, enum dxl_protocol protocol,
		  unsigned int num)
{
	unsigned int i;
	u8 *buf;

	f->request = (struct dxl_packet){
		.protocol = protocol,
		.id = num == 1 ? 1 : DXL_ID_BROADCAST,
		.instruction = instruction,
		.params = f->params,
	};
	if (instruction != DXL_PING)
		f->request.len = dxl_put_range(protocol, f->params, 36, LEN);
	for (i = 0; i < num; i++)
		f->replies[i] = (struct dxl_reply){
			.id = i + 1,
			.buf = f->data[i],
			.len = instruction == DXL_PING ? 0 : LEN,
		};
	buf = dxl_engine_buffer(&f->engine, f->now);
	f->packet_len = dxl_packet_encode(&f->request, buf, DXL_PACKET_MAX);
	memcpy(f->packet, buf, f->packet_len);
	f->stale += dxl_engine_start(&f->engine, &f->request, f->replies, num,
				     f->packet_len, f->now);
	f->now = f->engine.line_free;
}

static void feed(struct fixture *f, const u8 *bytes, size_t len)
{
	dxl_engine_feed(&f->engine, bytes, len, f->now);
}

/* An answer of @id with @len parameters that are all the same. */
static size_t put_answer(u8 *bytes, enum dxl_protocol protocol, u8 id, u16 len)
{
	u8 params[8];
	struct dxl_packet packet = {
		.protocol = protocol,
		.id = id,
		.instruction = DXL_STATUS_RETURN,
		.len = len,
		.params = params,
	};

	memset(params, 0x10 + id, len);

	return dxl_packet_encode(&packet, bytes, 64);
}

static void answer(struct fixture *f, u8 id)
{
	static u8 bytes[64];
	size_t len = put_answer(bytes, f->request.protocol, id, LEN);

	f->now += len * BYTE_NS;
	feed(f, bytes, len);
}

static struct dxl_event next(struct fixture *f)
{
	struct dxl_event event;

	assert_true(dxl_engine_next(&f->engine, &event));

	return event;
}

static void expect(struct fixture *f, enum dxl_event_type type)
{
	assert_int_equal(next(f).type, type);
}

static void expect_nothing(struct fixture *f)
{
	struct dxl_event event;

	assert_false(dxl_engine_next(&f->engine, &event));
	f->stale += dxl_engine_end_input(&f->engine);
}

static void expect_statuses(struct fixture *f, int first, int second, int third)
{
	assert_int_equal(f->replies[0].status, first);
	assert_int_equal(f->replies[1].status, second);
	assert_int_equal(f->replies[2].status, third);
}

/* --- one answer --- */

static void answered(void **state)
{
	struct fixture *f = *state;
	struct dxl_event event;

	start(f, DXL_READ, DXL_PROTOCOL_1, 1);
	f->now += 50000;
	answer(f, 1);
	event = next(f);
	assert_int_equal(event.type, DXL_EVENT_ANSWER);
	assert_ptr_equal(event.reply, &f->replies[0]);
	assert_int_equal(event.turnaround_ns, 50000);
	assert_int_equal(f->replies[0].status, 0);
	assert_int_equal(f->data[0][1], 0x11);
	expect(f, DXL_EVENT_DONE);
	expect_nothing(f);
	assert_int_equal(f->stale, 0);
}

static void byte_by_byte(void **state)
{
	struct fixture *f = *state;
	u8 bytes[64];
	size_t i, len;

	start(f, DXL_READ, DXL_PROTOCOL_2, 1);
	len = put_answer(bytes, DXL_PROTOCOL_2, 1, LEN);
	for (i = 0; i < len - 1; i++) {
		feed(f, bytes + i, 1);
		expect_nothing(f);
	}
	feed(f, bytes + i, 1);
	expect(f, DXL_EVENT_ANSWER);
	expect(f, DXL_EVENT_DONE);
}

/* What comes in one piece with the last answer was sent before the next request. */
static void stale_behind_answer(void **state)
{
	struct fixture *f = *state;
	u8 bytes[128];
	size_t len;

	start(f, DXL_READ, DXL_PROTOCOL_1, 1);
	len = put_answer(bytes, DXL_PROTOCOL_1, 1, LEN);
	len += put_answer(bytes + len, DXL_PROTOCOL_1, 2, LEN);
	feed(f, bytes, len);
	expect(f, DXL_EVENT_ANSWER);
	expect(f, DXL_EVENT_DONE);
	expect_nothing(f);
	start(f, DXL_READ, DXL_PROTOCOL_1, 1);
	assert_int_equal(f->stale, len / 2);
	expect_nothing(f);
}

static void wrong_length(void **state)
{
	struct fixture *f = *state;
	u8 bytes[64];

	start(f, DXL_READ, DXL_PROTOCOL_1, 1);
	feed(f, bytes, put_answer(bytes, DXL_PROTOCOL_1, 1, LEN - 1));
	expect(f, DXL_EVENT_STRAY);
	expect_nothing(f);
	assert_true(dxl_engine_expire(&f->engine, f->engine.deadline));
	assert_int_equal(f->replies[0].status, -EPROTO);
}

static void damaged(void **state)
{
	struct fixture *f = *state;
	struct dxl_event event;
	u8 bytes[64];
	size_t len;

	start(f, DXL_READ, DXL_PROTOCOL_1, 1);
	len = put_answer(bytes, DXL_PROTOCOL_1, 1, LEN);
	bytes[len - 1] ^= 1;
	feed(f, bytes, len);
	event = next(f);
	assert_int_equal(event.type, DXL_EVENT_DAMAGED);
	assert_int_equal(event.fault, -EBADMSG);
	expect_nothing(f);
	/* The right one may still follow. */
	answer(f, 1);
	expect(f, DXL_EVENT_ANSWER);
	expect(f, DXL_EVENT_DONE);
}

static void foreign(void **state)
{
	struct fixture *f = *state;
	struct dxl_event event;

	start(f, DXL_READ, DXL_PROTOCOL_1, 1);
	answer(f, 9);
	event = next(f);
	assert_int_equal(event.type, DXL_EVENT_FOREIGN);
	assert_int_equal(event.id, 9);
	assert_null(event.reply);
	expect_nothing(f);
}

/* A part of an answer is none, and nor is its rest behind a loss. */
static void line_error(void **state)
{
	struct fixture *f = *state;
	u8 bytes[64];
	size_t len;

	start(f, DXL_READ, DXL_PROTOCOL_2, 1);
	len = put_answer(bytes, DXL_PROTOCOL_2, 1, LEN);
	feed(f, bytes, len - 2);
	expect_nothing(f);
	assert_int_equal(dxl_engine_line_error(&f->engine), len - 2);
	feed(f, bytes + len - 2, 2);
	expect_nothing(f);
	assert_true(dxl_engine_expire(&f->engine, f->engine.deadline));
	assert_int_equal(f->replies[0].status, -EBADMSG);
}

/* --- echo --- */

static void echo(void **state)
{
	struct fixture *f = *state;

	start(f, DXL_READ, DXL_PROTOCOL_1, 1);
	feed(f, f->packet, f->packet_len);
	expect(f, DXL_EVENT_ECHO);
	expect_nothing(f);
	answer(f, 1);
	expect(f, DXL_EVENT_ANSWER);
	expect(f, DXL_EVENT_DONE);
	assert_int_equal(f->stale, 0);
}

/* It begins like the echo, as all packets do. */
static void no_echo(void **state)
{
	struct fixture *f = *state;
	u8 bytes[64];
	size_t len;

	start(f, DXL_READ, DXL_PROTOCOL_2, 1);
	len = put_answer(bytes, DXL_PROTOCOL_2, 1, LEN);
	feed(f, bytes, 3);
	expect_nothing(f);
	feed(f, bytes + 3, len - 3);
	expect(f, DXL_EVENT_ANSWER);
	expect(f, DXL_EVENT_DONE);
}

/* That of a packet that nobody answers may come when the next has been sent. */
static void echo_of_two(void **state)
{
	struct fixture *f = *state;
	u8 first[64];
	size_t len;

	start(f, DXL_ACTION, DXL_PROTOCOL_1, 0);
	memcpy(first, f->packet, f->packet_len);
	len = f->packet_len;
	feed(f, first, len - 1);
	expect_nothing(f);
	start(f, DXL_READ, DXL_PROTOCOL_1, 1);
	feed(f, first + len - 1, 1);
	expect(f, DXL_EVENT_ECHO);
	feed(f, f->packet, f->packet_len);
	expect(f, DXL_EVENT_ECHO);
	answer(f, 1);
	expect(f, DXL_EVENT_ANSWER);
	expect(f, DXL_EVENT_DONE);
}

/* Nor is it forgotten when something else turns out not to fit behind it. */
static void echo_kept(void **state)
{
	struct fixture *f = *state;

	start(f, DXL_PING, DXL_PROTOCOL_1, 0);
	dxl_engine_buffer(&f->engine, f->now);
	dxl_engine_buffer(&f->engine, f->now);
	feed(f, f->packet, f->packet_len);
	expect(f, DXL_EVENT_ECHO);
	expect_nothing(f);
}

/* What came of it before a loss is not held against what comes behind. */
static void echo_lost(void **state)
{
	struct fixture *f = *state;

	start(f, DXL_READ, DXL_PROTOCOL_1, 1);
	feed(f, f->packet, 4);
	expect_nothing(f);
	assert_int_equal(dxl_engine_line_error(&f->engine), 4);
	answer(f, 1);
	expect(f, DXL_EVENT_ANSWER);
	expect(f, DXL_EVENT_DONE);
}

/*
 * To a PING that can be the same as its answer, to the byte. On a line that has not
 * echoed for long it is one, unless it is there as soon as the request.
 */
static void ping_that_looks_like_echo(void **state)
{
	struct fixture *f = *state;

	start(f, DXL_PING, DXL_PROTOCOL_1, 1);
	f->engine.echo.unechoed = 1000;
	feed(f, f->packet, f->packet_len);
	expect(f, DXL_EVENT_ECHO);
	dxl_engine_stop(&f->engine);

	start(f, DXL_PING, DXL_PROTOCOL_1, 1);
	f->engine.echo.unechoed = 1000;
	f->now += f->packet_len * BYTE_NS;
	feed(f, f->packet, f->packet_len);
	expect(f, DXL_EVENT_ANSWER);
	expect(f, DXL_EVENT_DONE);
	assert_int_equal(f->replies[0].error, DXL_PING);
}

/* A glitch as the transceiver turns, before anything of it has come. */
static void echo_behind_error(void **state)
{
	struct fixture *f = *state;

	start(f, DXL_PING, DXL_PROTOCOL_1, 1);
	assert_int_equal(dxl_engine_line_error(&f->engine), 0);
	feed(f, f->packet, f->packet_len);
	expect(f, DXL_EVENT_ECHO);
	expect_nothing(f);
	assert_int_equal(f->replies[0].status, -EINPROGRESS);
}

/* A line that is cleared of a packet brings no more of it, or some, or all. */
static void flushed(struct fixture *f, bool refused, size_t before,
		    size_t behind)
{
	u8 first[64];

	start(f, DXL_ACTION, DXL_PROTOCOL_1, 0);
	memcpy(first, f->packet, f->packet_len);
	feed(f, first, before);
	expect_nothing(f);
	if (refused)
		dxl_engine_buffer(&f->engine, f->now);
	dxl_engine_flushed(&f->engine);
	start(f, DXL_PING, DXL_PROTOCOL_1, 1);
	feed(f, first + before, behind);
	if (before + behind == 8)
		expect(f, DXL_EVENT_ECHO);
	expect_nothing(f);
	feed(f, f->packet, f->packet_len);
	expect(f, DXL_EVENT_ECHO);
	expect_nothing(f);
	assert_int_equal(f->replies[0].status, -EINPROGRESS);
	dxl_engine_stop(&f->engine);
}

static void echo_flushed(void **state)
{
	struct fixture *f = *state;

	int refused;

	for (refused = 0; refused < 2; refused++) {
		flushed(f, refused, 0, 0);
		flushed(f, refused, 3, 0);
		flushed(f, refused, 3, 2);
		flushed(f, refused, 3, 5);
		flushed(f, refused, 0, 8);
	}
}

/* --- chains --- */

static void chain(void **state)
{
	struct fixture *f = *state;
	s64 deadline;

	start(f, DXL_SYNC_READ, DXL_PROTOCOL_2, 3);
	answer(f, 1);
	expect(f, DXL_EVENT_ANSWER);
	expect_nothing(f);
	deadline = f->engine.deadline;
	answer(f, 2);
	expect(f, DXL_EVENT_ANSWER);
	assert_true(f->engine.deadline > deadline);
	answer(f, 3);
	expect(f, DXL_EVENT_ANSWER);
	expect(f, DXL_EVENT_DONE);
	expect_statuses(f, 0, 0, 0);
}

/* Those behind one that is missing were not reached. */
static void chain_breaks(void **state)
{
	struct fixture *f = *state;

	start(f, DXL_SYNC_READ, DXL_PROTOCOL_2, 3);
	answer(f, 1);
	expect(f, DXL_EVENT_ANSWER);
	expect_nothing(f);
	assert_false(dxl_engine_expire(&f->engine, f->engine.deadline - 1));
	assert_true(dxl_engine_expire(&f->engine, f->engine.deadline));
	expect_statuses(f, 0, -ETIMEDOUT, -ENODATA);
}

/* It cannot have heard the one before it, of which nothing came. */
static void chain_early(void **state)
{
	struct fixture *f = *state;
	struct dxl_event event;

	start(f, DXL_SYNC_READ, DXL_PROTOCOL_2, 3);
	answer(f, 2);
	event = next(f);
	assert_int_equal(event.type, DXL_EVENT_STRAY);
	assert_ptr_equal(event.reply, &f->replies[1]);
	assert_true(event.size > 0);
	expect_nothing(f);
	expect_statuses(f, -EINPROGRESS, -EINPROGRESS, -EINPROGRESS);
}

/* As much was dropped as it and the one before it send: it was among that. */
static void chain_overdue(void **state)
{
	struct fixture *f = *state;
	u8 noise[26];

	memset(noise, 0x5a, sizeof(noise));
	start(f, DXL_SYNC_READ, DXL_PROTOCOL_2, 3);
	f->engine.echo.unechoed = 1000;
	feed(f, noise, sizeof(noise));
	while (dxl_engine_next(&f->engine, &(struct dxl_event){}))
		;
	answer(f, 2);
	expect(f, DXL_EVENT_STRAY);
	assert_int_equal(f->replies[1].status, -EPROTO);
}

static void given_up(void **state)
{
	struct fixture *f = *state;

	start(f, DXL_SYNC_READ, DXL_PROTOCOL_2, 3);
	answer(f, 1);
	expect(f, DXL_EVENT_ANSWER);
	dxl_engine_give_up(&f->engine);
	expect_statuses(f, 0, -ENODATA, -ENODATA);
	answer(f, 2);
	expect_nothing(f);
	assert_true(f->stale > 0);
}

/* --- time --- */

static void deadline(void **state)
{
	struct fixture *f = *state;

	start(f, DXL_READ, DXL_PROTOCOL_1, 1);
	/* The answer and what a UART may keep back, each byte ten bits, and the margin. */
	assert_int_equal(f->engine.deadline - f->engine.line_free,
			 (6 + LEN + 5) * BYTE_NS + MARGIN_NS);
	assert_true(dxl_engine_expire(&f->engine, f->engine.deadline));
	assert_int_equal(f->replies[0].status, -ETIMEDOUT);
}

/* What nobody answers is done when it has left the line. */
static void unanswered(void **state)
{
	struct fixture *f = *state;

	start(f, DXL_ACTION, DXL_PROTOCOL_1, 0);
	assert_int_equal(f->engine.deadline, f->engine.line_free);
	assert_int_equal(f->engine.line_free - f->engine.started,
			 f->packet_len * BYTE_NS);
	assert_true(dxl_engine_expire(&f->engine, f->now));
}

/* A second copy follows the first at once, and is not to be taken for the next. */
static void settled(void **state)
{
	struct fixture *f = *state;

	start(f, DXL_READ, DXL_PROTOCOL_1, 1);
	answer(f, 1);
	expect(f, DXL_EVENT_ANSWER);
	assert_int_equal(dxl_engine_settled(&f->engine, 1),
			 f->now + (6 + LEN + 5) * BYTE_NS);
	assert_int_equal(dxl_engine_settled(&f->engine, 2), 0);
}

static void too_long(void **state)
{
	struct fixture *f = *state;
	struct dxl_reply *reply = &f->replies[0];

	f->request.protocol = DXL_PROTOCOL_2;
	f->request.instruction = DXL_READ;
	reply->len = 1000;
	assert_true(dxl_engine_accepts(&f->request, reply, 1));
	reply->len = 3000;
	assert_false(dxl_engine_accepts(&f->request, reply, 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(answered, setup),
		cmocka_unit_test_setup(byte_by_byte, setup),
		cmocka_unit_test_setup(stale_behind_answer, setup),
		cmocka_unit_test_setup(wrong_length, setup),
		cmocka_unit_test_setup(damaged, setup),
		cmocka_unit_test_setup(foreign, setup),
		cmocka_unit_test_setup(line_error, setup),
		cmocka_unit_test_setup(echo, setup),
		cmocka_unit_test_setup(no_echo, setup),
		cmocka_unit_test_setup(echo_of_two, setup),
		cmocka_unit_test_setup(echo_kept, setup),
		cmocka_unit_test_setup(echo_lost, setup),
		cmocka_unit_test_setup(echo_behind_error, setup),
		cmocka_unit_test_setup(echo_flushed, setup),
		cmocka_unit_test_setup(ping_that_looks_like_echo, setup),
		cmocka_unit_test_setup(chain, setup),
		cmocka_unit_test_setup(chain_breaks, setup),
		cmocka_unit_test_setup(chain_early, setup),
		cmocka_unit_test_setup(chain_overdue, setup),
		cmocka_unit_test_setup(given_up, setup),
		cmocka_unit_test_setup(deadline, setup),
		cmocka_unit_test_setup(unanswered, setup),
		cmocka_unit_test_setup(settled, setup),
		cmocka_unit_test_setup(too_long, setup),
	};

	return cmocka_run_group_tests_name("engine", tests, NULL, NULL);
}
