// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fuzz target: the receiving side alone. The input is a script of requests, of bytes
 * that arrive, and of time.
 *
 * What is checked, whatever arrives: a request that has ended has a status for each
 * answer, and what an answer brings has arrived since the request, in a packet of the
 * right device; it ends at its deadline, and that is never moved further than the
 * answers need; an echo is no answer; and nothing depends on the pieces in which bytes
 * arrive.
 */
#include <errno.h>

#include <linux/minmax.h>
#include <linux/time64.h>

#include "fuzz.h"
#include "receive/receive.h"

#define REPLIES		4
#define ANSWER_MAX	12
#define LOG_MAX		4096
#define PARAMS_MAX	(DXL_RANGE_MAX + REPLIES)

/* After so many answers without one the line is known for having no echo. */
#define ECHOES_MISSED	16

enum op {
	OP_REQUEST,
	OP_TIME,
	OP_DEADLINE,
	OP_ANSWER,
	OP_ANSWERS,
	OP_SLOTS,
	OP_ECHO,
	OP_BYTES,
	OP_LINE_ERROR,
	OP_GIVE_UP,
	OPS
};

/**
 * struct receiver - an engine and the request on its line
 * @engine: the engine
 * @replies: the answers to it
 * @data: what they bring
 * @stale: bytes that belonged to nothing
 * @events: what was found out, by type
 * @busy: the request has not ended
 */
struct receiver {
	struct dxl_engine engine;
	struct dxl_reply replies[REPLIES];
	u8 data[REPLIES][ANSWER_MAX];
	size_t stale;
	unsigned int events[DXL_EVENT_DONE + 1];
	bool busy;
};

/**
 * struct script - two engines that are fed the same, one of them byte by byte
 * @in: what happens
 * @now: the time
 * @timing: that of the line
 * @request: the request
 * @params: its parameters
 * @num_replies: answers to it
 * @latest: when it must have ended, whatever arrives
 * @packet: its packet
 * @packet_len: the length of that
 * @pristine: nothing has come since, and nothing is to come of a packet before
 * @log: what has arrived since
 * @log_len: how much that is
 * @whole: gets all at once
 * @bytewise: gets it byte by byte
 */
struct script {
	struct input in;
	s64 now;
	struct dxl_timing timing;
	struct dxl_packet request;
	u8 params[PARAMS_MAX];
	unsigned int num_replies;
	s64 latest;
	u8 packet[DXL_PACKET_MAX];
	size_t packet_len;
	bool pristine;
	u8 log[LOG_MAX];
	size_t log_len;
	struct receiver whole;
	struct receiver bytewise;
};

static struct script s;

/* --- what must be true --- */

static bool arrived(const u8 *bytes, size_t len)
{
	return memmem(s.log, s.log_len, bytes, len);
}

/* The data came in a packet of their own, or in the part of a fast answer. */
static void check_data(const struct dxl_reply *reply)
{
	struct dxl_packet packet = {
		.protocol = s.request.protocol,
		.id = reply->id,
		.instruction = DXL_STATUS_RETURN,
		.error = reply->error,
		.len = reply->len,
		.params = reply->buf,
	};
	u8 bytes[64];
	int len = dxl_packet_encode(&packet, bytes, sizeof(bytes));

	CHECK(len > 0);
	if (!dxl_is_fast(&s.request)) {
		CHECK(arrived(bytes, len));
		return;
	}
	bytes[0] = reply->error;
	bytes[1] = reply->id;
	memcpy(bytes + 2, reply->buf, reply->len);
	CHECK(arrived(bytes, reply->len + 2));
}

static void check_ended(const struct receiver *r)
{
	unsigned int i;

	CHECK(!r->engine.request);
	for (i = 0; i < s.num_replies; i++) {
		CHECK(r->replies[i].status != -EINPROGRESS);
		if (!r->replies[i].status)
			check_data(&r->replies[i]);
	}
}

/* What came behind the last answer may be in the decoder until the next request. */
static size_t stale_bytes(const struct receiver *r)
{
	const struct dxl_decoder *decoder = &r->engine.decoder;

	return r->stale + (r->busy ? 0 : decoder->tail - decoder->head);
}

static void check_alike(void)
{
	const struct receiver *a = &s.whole, *b = &s.bytewise;
	unsigned int i;

	CHECK(a->busy == b->busy);
	CHECK(stale_bytes(a) == stale_bytes(b));
	CHECK(!memcmp(a->events, b->events, sizeof(a->events)));
	CHECK(a->engine.echo.echoed == b->engine.echo.echoed);
	for (i = 0; i < s.num_replies; i++) {
		CHECK(a->replies[i].status == b->replies[i].status);
		CHECK(a->replies[i].error == b->replies[i].error);
	}
	CHECK(!memcmp(a->data, b->data, sizeof(a->data)));
	/* What of a fast answer has come late cannot be told from noise at first. */
	if (!dxl_is_fast(&s.request))
		CHECK(a->engine.deadline == b->engine.deadline);
}

static void end(struct receiver *r)
{
	check_ended(r);
	r->busy = false;
}

static void take_events(struct receiver *r)
{
	struct dxl_event event;
	unsigned int events = 0;

	while (dxl_engine_next(&r->engine, &event)) {
		/* One packet or echo has more bytes than it makes events. */
		CHECK(events++ <= s.log_len + 2 * DXL_PACKET_MAX);
		CHECK(event.type <= DXL_EVENT_DONE);
		CHECK(r->busy || event.type == DXL_EVENT_ECHO);
		r->events[event.type]++;
		if (event.type == DXL_EVENT_ANSWER)
			CHECK(event.reply && event.reply->status != -EINPROGRESS);
		if (event.type == DXL_EVENT_DONE)
			end(r);
	}
	r->stale += dxl_engine_end_input(&r->engine);
	CHECK(!r->busy || r->engine.deadline <= s.latest);
}

/* --- what happens --- */

static void arrive(const u8 *bytes, size_t len)
{
	size_t i;

	if (!len || len > LOG_MAX - s.log_len)
		return;
	memcpy(s.log + s.log_len, bytes, len);
	s.log_len += len;
	s.pristine = false;

	dxl_engine_feed(&s.whole.engine, bytes, len, s.now);
	take_events(&s.whole);
	for (i = 0; i < len; i++) {
		dxl_engine_feed(&s.bytewise.engine, bytes + i, 1, s.now);
		take_events(&s.bytewise);
	}
	check_alike();
}

static void start(struct receiver *r)
{
	u8 *buf;
	int len;

	memset(r->data, 0, sizeof(r->data));
	buf = dxl_engine_buffer(&r->engine, s.now);
	len = dxl_packet_encode(&s.request, buf, DXL_PACKET_MAX);
	CHECK(len > 0);
	s.packet_len = len;
	memcpy(s.packet, buf, len);
	r->stale += dxl_engine_start(&r->engine, &s.request, r->replies,
				     s.num_replies, len, s.now);
	r->busy = true;
}

/*
 * When the request must have ended: each answer may come as late as it can, and be
 * kept waiting for once more by something else in its place.
 */
static s64 latest_end(void)
{
	s64 end = s.whole.engine.line_free;
	unsigned int i;

	for (i = 0; i < s.num_replies; i++)
		end += 2 * dxl_answer_ns(&s.timing, &s.request,
					 &s.whole.replies[i]);

	return end;
}

static void add_reply(u8 id, u16 len, u32 return_delay_us)
{
	unsigned int i = s.num_replies++;

	s.whole.replies[i] = (struct dxl_reply){
		.id = id,
		.buf = s.whole.data[i],
		.len = len,
		.return_delay_us = return_delay_us,
	};
	s.bytewise.replies[i] = s.whole.replies[i];
	s.bytewise.replies[i].buf = s.bytewise.data[i];
}

static void op_request(void)
{
	static const u8 instructions[] = {
		DXL_PING, DXL_READ, DXL_WRITE, DXL_SYNC_READ, DXL_BULK_READ,
		DXL_FAST_SYNC_READ, DXL_FAST_BULK_READ, DXL_SYNC_WRITE,
	};
	u8 how = input_u8(&s.in), count = input_u8(&s.in) % (REPLIES + 1);
	u16 len = input_u8(&s.in) % (ANSWER_MAX + 1);
	unsigned int i;

	/* Only what nobody answers may be followed before it has ended. */
	if (s.whole.busy && s.num_replies)
		return;
	s.request = (struct dxl_packet){
		.protocol = how & 1 ? DXL_PROTOCOL_1 : DXL_PROTOCOL_2,
		.id = count > 1 ? DXL_ID_BROADCAST : 1,
		.instruction = instructions[how >> 1 & 7],
		.params = s.params,
	};
	s.request.len = dxl_put_range(s.request.protocol, s.params, 36, len);
	s.num_replies = 0;
	for (i = 0; i < count; i++)
		add_reply(i + 1, how & 0x10 ? len : i + 1, how >> 5 << 6);
	CHECK(dxl_engine_accepts(&s.request, s.whole.replies, s.num_replies));
	/* What came for the one before is none of this. */
	s.log_len = 0;
	start(&s.whole);
	start(&s.bytewise);
	s.pristine = !s.whole.engine.echo.at;
	s.latest = latest_end();
	check_alike();
}

/* The deadline has not come, or has. */
static void expire(struct receiver *r)
{
	s64 deadline = r->engine.deadline;
	bool ended = r->busy && dxl_engine_expire(&r->engine, s.now);

	CHECK(!r->busy || ended == (s.now >= deadline));
	if (ended)
		end(r);
}

static void pass_time(s64 ns)
{
	s.now += ns;
	expire(&s.whole);
	/* With a fast answer in pieces it may be later, see check_alike(). */
	if (!s.whole.busy && s.bytewise.busy)
		s.now = max(s.now, s.bytewise.engine.deadline);
	expire(&s.bytewise);
	if (!s.bytewise.busy && s.whole.busy)
		s.now = max(s.now, s.whole.engine.deadline);
	expire(&s.whole);
	check_alike();
}

static size_t put_answer(u8 *bytes, size_t size, u8 how, u8 id, u16 len)
{
	u8 params[ANSWER_MAX];
	struct dxl_packet packet = {
		.protocol = how & 0x80 ? DXL_PROTOCOL_1 : s.request.protocol,
		.id = id,
		.instruction = DXL_STATUS_RETURN,
		.error = how & 0x40 ? input_u8(&s.in) : 0,
		.len = min(len, ANSWER_MAX),
		.params = params,
	};
	unsigned int i;
	int ret;

	for (i = 0; i < packet.len; i++)
		params[i] = how & 0x20 ? input_u8(&s.in) : id;
	ret = dxl_packet_encode(&packet, bytes, size);
	CHECK(ret > 0);

	return ret;
}

/* Whole, cut, or with a bit flipped. */
static void deliver(u8 *bytes, size_t len, u8 how)
{
	u8 at = input_u8(&s.in);

	if (how % 4 == 2)
		len = at % (len + 1);
	else if (how % 4 == 3 && len)
		bytes[at % len] ^= 1 << at % 8;
	arrive(bytes, len);
}

static void op_answer(void)
{
	u8 bytes[64], how = input_u8(&s.in), who = input_u8(&s.in);
	u8 id = who % (REPLIES + 2);
	u16 len = id && id <= s.num_replies ? s.whole.replies[id - 1].len :
					      who >> 4;

	if (how & 0x10)
		len++;
	deliver(bytes, put_answer(bytes, sizeof(bytes), how, id, len), how);
}

/* All in one piece, but some. */
static void op_answers(void)
{
	u8 bytes[64 * REPLIES], how = input_u8(&s.in), who = input_u8(&s.in);
	unsigned int i;
	size_t len = 0;

	for (i = 0; i < s.num_replies; i++) {
		if (who >> i & 1)
			continue;
		len += put_answer(bytes + len, 64, how & 0x60, i + 1,
				  s.whole.replies[i].len);
	}
	deliver(bytes, len, how);
}

/* The answer to a fast group read, right but for what happens on the way. */
static void op_slots(void)
{
	u8 params[64], bytes[96], how = input_u8(&s.in);
	struct dxl_packet packet = {
		.protocol = DXL_PROTOCOL_2,
		.id = DXL_ID_BROADCAST,
		.instruction = DXL_STATUS_RETURN,
		.params = params + 1,
	};
	size_t size = 0;
	unsigned int i;
	u16 crc;
	int len;

	for (i = 0; i < s.num_replies; i++)
		size += s.whole.replies[i].len + DXL_FAST_OVERHEAD;
	if (!size || size > sizeof(params))
		return;
	/* Stuffing is no part of it, and the CRC of each part is of all before. */
	packet.len = size - 3;
	memset(params, 0, sizeof(params));
	len = dxl_packet_encode(&packet, bytes, sizeof(bytes));
	CHECK(len == DXL_FAST_HEADER + (int)size);
	len = DXL_FAST_HEADER;
	for (i = 0; i < s.num_replies; i++) {
		bytes[len++] = how & 0x10 ? input_u8(&s.in) : 0;
		bytes[len++] = i + 1;
		memset(bytes + len, i + how, s.whole.replies[i].len);
		len += s.whole.replies[i].len;
		crc = dxl_crc16(0, bytes, len);
		bytes[len++] = crc & 0xff;
		bytes[len++] = crc >> 8;
	}
	deliver(bytes, len, how);
}

static void op_bytes(void)
{
	const u8 *bytes;
	size_t len = input_bytes(&s.in, &bytes, 1 + input_u8(&s.in) % 32);

	arrive(bytes, len);
}

/* The first that comes behind a request, and is whole, is told as such and as no more. */
static void check_echo(void)
{
	unsigned int before[DXL_EVENT_DONE + 1], i;
	size_t stale = s.whole.stale;

	memcpy(before, s.whole.events, sizeof(before));
	arrive(s.packet, s.packet_len);
	for (i = 0; i <= DXL_EVENT_DONE; i++)
		CHECK(s.whole.events[i] == before[i] + (i == DXL_EVENT_ECHO));
	CHECK(s.whole.stale == stale);
}

static void op_echo(void)
{
	u8 bytes[DXL_PACKET_MAX], how = input_u8(&s.in);

	if (s.pristine && !(how & 2) &&
	    s.whole.engine.echo.unechoed < ECHOES_MISSED) {
		check_echo();
		return;
	}
	memcpy(bytes, s.packet, s.packet_len);
	deliver(bytes, s.packet_len, how);
}

static void give_up(struct receiver *r)
{
	if (!r->busy)
		return;
	dxl_engine_give_up(&r->engine);
	end(r);
}

static void step(void)
{
	switch (input_u8(&s.in) % OPS) {
	case OP_REQUEST:
		op_request();
		break;
	case OP_TIME:
		pass_time(input_u16(&s.in) * 16);
		break;
	case OP_DEADLINE:
		if (s.whole.busy)
			pass_time(max(s.whole.engine.deadline - s.now, 0));
		break;
	case OP_ANSWER:
		op_answer();
		break;
	case OP_ANSWERS:
		op_answers();
		break;
	case OP_SLOTS:
		op_slots();
		break;
	case OP_ECHO:
		op_echo();
		break;
	case OP_BYTES:
		op_bytes();
		break;
	case OP_LINE_ERROR:
		s.whole.stale += dxl_engine_line_error(&s.whole.engine);
		s.bytewise.stale += dxl_engine_line_error(&s.bytewise.engine);
		check_alike();
		break;
	case OP_GIVE_UP:
		give_up(&s.whole);
		give_up(&s.bytewise);
		break;
	}
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	memset(&s, 0, sizeof(s));
	s.in = (struct input){ data, size };
	s.now = NSEC_PER_SEC;
	s.timing = (struct dxl_timing){ .baud = 1000000, .margin_us = 1000 };
	dxl_engine_init(&s.whole.engine, &s.timing);
	dxl_engine_init(&s.bytewise.engine, &s.timing);
	op_request();
	while (s.in.len)
		step();
	if (s.whole.busy || s.bytewise.busy)
		pass_time(max(s.latest - s.now, 0));
	CHECK(!s.whole.busy && !s.bytewise.busy);

	return 0;
}
