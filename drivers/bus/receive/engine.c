// SPDX-License-Identifier: GPL-2.0
/*
 * What arrives on a Dynamixel bus, held against the request on it
 *
 * Who uses it starts it with a request, feeds it what arrives, and takes event by
 * event what that means, until all that was fed is used up or the request is done.
 *
 * Echo. The first bytes after a request may be it itself, come back: echo.c.
 *
 * Stale bytes. What arrives while no request is on the line, or in one piece with
 * the final answer but behind it, was sent before the next request and is dropped.
 *
 * Time. The request has a deadline, which counts from the last bit that was written
 * or from the answer before. A damaged or foreign packet does not end it, since the
 * right answer may follow; it only decides which error is reported at the deadline.
 */
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/minmax.h>

#include "chain.h"
#include "echo.h"

/* Bytes of the longest packet to be expected while @request is on the line. */
static size_t answer_limit(const struct dxl_packet *request,
			   const struct dxl_reply *replies,
			   unsigned int num_replies)
{
	size_t size, limit = num_replies ? 0 : DXL_PACKET_MAX;
	unsigned int i;

	for (i = 0; i < num_replies; i++) {
		size = dxl_packet_max_size(request->protocol, replies[i].len);
		limit = max(limit, size);
	}

	return limit;
}

/* What a fast group read is answered by, beside header and instruction. */
static size_t fast_size(const struct dxl_reply *replies,
			unsigned int num_replies)
{
	size_t size = 0;
	unsigned int i;

	for (i = 0; i < num_replies; i++)
		size += replies[i].len + DXL_FAST_OVERHEAD;

	return size;
}

void dxl_engine_init(struct dxl_engine *e, const struct dxl_timing *timing)
{
	e->timing = timing;
	e->last_id = DXL_ID_BROADCAST;
	dxl_decoder_init(&e->decoder, DXL_STATUS, e->buf, sizeof(e->buf));
}

/* Drop what was fed and is not used up; how many bytes it was. */
size_t dxl_engine_end_input(struct dxl_engine *e)
{
	size_t len = e->replay.len + e->input.len;

	e->replay.len = 0;
	e->input.len = 0;

	return len;
}

/* --- a request begins --- */

/* Whether there is room for the answers to a request. */
bool dxl_engine_accepts(const struct dxl_packet *request,
			const struct dxl_reply *replies,
			unsigned int num_replies)
{
	if (answer_limit(request, replies, num_replies) > DXL_PACKET_MAX)
		return false;

	return !dxl_is_fast(request) ||
	       fast_size(replies, num_replies) < U16_MAX;
}

/*
 * Where the next packet is to be encoded, which may be %DXL_PACKET_MAX bytes long.
 * It is sent only when dxl_engine_start() says so.
 */
u8 *dxl_engine_buffer(struct dxl_engine *e, s64 now)
{
	s64 echo_end = e->line_free + dxl_margin_ns(e->timing);

	dxl_echo_prepare(&e->echo, now > echo_end);

	return e->echo.buf + e->echo.at;
}

/**
 * dxl_engine_start() - a request has been handed to the line
 * @e: the engine; on the line is nothing, or a request that nobody answers, which
 *	is forgotten
 * @request: the request; must stay until it is done, given up or stopped
 * @replies: the answers to it; the same
 * @num_replies: their number
 * @len: bytes of its packet in dxl_engine_buffer()
 * @now: the time
 *
 * Return: bytes that had come before and belonged to nothing
 */
size_t dxl_engine_start(struct dxl_engine *e, const struct dxl_packet *request,
			struct dxl_reply *replies, unsigned int num_replies,
			size_t len, s64 now)
{
	size_t stale = dxl_decoder_reset(&e->decoder) + dxl_engine_end_input(e);
	unsigned int i;

	for (i = 0; i < num_replies; i++) {
		replies[i].status = -EINPROGRESS;
		replies[i].error = 0;
	}

	e->request = request;
	e->replies = replies;
	e->num_replies = num_replies;
	e->done = false;
	dxl_echo_sent(&e->echo, len);

	dxl_decoder_limit(&e->decoder,
			  answer_limit(request, replies, num_replies));
	e->fed = false;
	e->fast = (struct dxl_fast){ .size = fast_size(replies, num_replies) };
	e->fault = -ETIMEDOUT;
	e->skipped = e->decoder.skipped;
	e->skipped_before = e->skipped;
	e->refused = 0;
	e->claimed = 0;

	e->started = max(now, e->line_free);
	e->line_free = e->started + dxl_wire_ns(e->timing, len);
	e->turn = e->line_free;
	e->deadline = e->turn;
	if (num_replies)
		e->deadline += dxl_answer_ns(e->timing, request, replies);

	return stale;
}

/* --- bytes --- */

/* Bytes have arrived. Those that were fed before have been used up. */
void dxl_engine_feed(struct dxl_engine *e, const u8 *data, size_t len, s64 now)
{
	e->input = (struct dxl_bytes){ data, len };
	e->now = now;
}

/*
 * An answer of Protocol 1.0 can be the same as its request, to the byte: that to
 * a PING, from a device with a voltage alarm. It is complete one packet's time
 * behind the request, at the earliest; an echo is there with the request's end.
 * Where there is data to be mistaken for, this is not certain enough.
 */
static bool is_answer_after_all(const struct dxl_engine *e)
{
	s64 ns = dxl_wire_ns(e->timing, dxl_echo_packet(&e->echo).len);

	return !dxl_echo_pending(&e->echo) && e->request &&
	       e->request->instruction == DXL_PING &&
	       e->echo.unechoed >= DXL_UNECHOED_MANY && e->now >= e->turn + ns;
}

/* All of a packet has come back; whether that is something to be told. */
static bool take_echo(struct dxl_engine *e, struct dxl_event *event)
{
	if (is_answer_after_all(e)) {
		e->replay = dxl_echo_packet(&e->echo);
		return false;
	}

	e->echo.known = !dxl_echo_pending(&e->echo);
	e->echo.unechoed = 0;
	event->type = DXL_EVENT_ECHO;

	return true;
}

/* An echo is to be looked for in what has arrived. */
static bool may_be_echo(const struct dxl_engine *e)
{
	if (!dxl_echo_pending(&e->echo))
		return false;

	/* A late answer can be the same as its request. */
	return e->request || e->echo.unechoed < DXL_UNECHOED_MANY;
}

/*
 * Take our own packet out of what has arrived: the echo of a Protocol 1.0 read can be
 * a valid answer to it. The end of one may come when that which it is the echo of has
 * ended. What begins like an echo and turns out to be none is decoded after all.
 */
static bool next_echo(struct dxl_engine *e, struct dxl_event *event)
{
	while (e->input.len && may_be_echo(e)) {
		if (!dxl_echo_match(&e->echo, *e->input.data)) {
			e->replay = dxl_echo_drop(&e->echo);
			return false;
		}
		e->input.data++;
		e->input.len--;
		if (dxl_echo_is_whole(&e->echo))
			return take_echo(e, event);
	}

	return false;
}

/* What the decoder holds; whether it is something to be told. */
static bool next_packet(struct dxl_engine *e, struct dxl_event *event)
{
	struct dxl_packet packet;
	int ret = dxl_decoder_next(&e->decoder, &packet);

	if (ret == -EAGAIN)
		return false;

	if (ret) {
		event->type = DXL_EVENT_DAMAGED;
		event->fault = ret;
		dxl_chain_fault(e, ret);
	} else {
		dxl_chain_packet(e, &packet, event);
	}

	return true;
}

/* The same of the answer to a fast group read. */
static bool next_slot(struct dxl_engine *e, struct dxl_event *event)
{
	struct dxl_reply *reply = dxl_chain_next_slot(e);
	struct dxl_packet packet;
	int ret = dxl_decoder_next_slot(&e->decoder, &e->fast, reply->id,
					reply->len, &packet);

	if (ret == -EAGAIN) {
		if (!e->fast.started || e->fast.lost)
			dxl_chain_wait_for_rest(e, reply);
		return false;
	}

	dxl_chain_slot(e, reply, &packet, ret, event);

	return true;
}

static bool next_decoded(struct dxl_engine *e, struct dxl_event *event)
{
	if (!e->fed)
		return false;

	if (dxl_is_fast(e->request) && e->num_replies)
		e->fed = next_slot(e, event);
	else
		e->fed = next_packet(e, event);

	return e->fed;
}

/* Give the decoder what it has room for. */
static void feed_decoder(struct dxl_engine *e)
{
	struct dxl_bytes *from = e->replay.len ? &e->replay : &e->input;
	size_t taken = dxl_decoder_feed(&e->decoder, from->data, from->len);

	from->data += taken;
	from->len -= taken;
	e->fed = true;
}

/**
 * dxl_engine_next() - find out what has arrived
 * @e: the engine
 * @event: what, if anything
 *
 * With %DXL_EVENT_DONE the engine is done with the request. What is left then of what
 * was fed is of no request, see dxl_engine_end_input().
 *
 * Return: false if all that was fed is used up, or no request is on the line
 */
bool dxl_engine_next(struct dxl_engine *e, struct dxl_event *event)
{
	*event = (struct dxl_event){ .id = DXL_ID_BROADCAST };

	for (;;) {
		if (e->done) {
			dxl_engine_stop(e);
			event->type = DXL_EVENT_DONE;
			return true;
		}
		if (e->request && next_decoded(e, event))
			return true;
		if (!e->replay.len && next_echo(e, event))
			return true;
		if (!e->request || !(e->replay.len + e->input.len))
			return false;
		feed_decoder(e);
	}
}

/**
 * dxl_engine_line_error() - the line has lost or damaged something
 * @e: the engine
 *
 * What has come of a packet is dropped, lest its end be sought in the next one; so is
 * what has come like an echo: it is the beginning of one that has been damaged, or of
 * an answer that has.
 *
 * Return: number of bytes dropped
 */
size_t dxl_engine_line_error(struct dxl_engine *e)
{
	size_t dropped = dxl_decoder_reset(&e->decoder);

	if (dxl_echo_has_begun(&e->echo))
		dropped += dxl_echo_drop(&e->echo).len;

	e->refused += dropped + 1;
	dxl_chain_fault(e, -EBADMSG);

	return dropped;
}

/* --- a request ends --- */

/* Whether the deadline has passed: no more answers come then. */
bool dxl_engine_expire(struct dxl_engine *e, s64 now)
{
	if (!e->request || now < e->deadline)
		return false;

	dxl_chain_conclude(e);
	dxl_engine_stop(e);

	return true;
}

/* Wait no longer, and blame nobody. */
void dxl_engine_give_up(struct dxl_engine *e)
{
	dxl_chain_give_up(e);
	dxl_engine_stop(e);
}

/* Forget the request, whatever has become of it. */
void dxl_engine_stop(struct dxl_engine *e)
{
	e->request = NULL;
	e->done = false;
}

/* The same, as what is still leaving of its packet is cut off. */
void dxl_engine_flushed(struct dxl_engine *e)
{
	dxl_engine_stop(e);
	dxl_echo_cut(&e->echo);
}

/*
 * When @id may be asked again, as a repetition of its last answer cannot come any
 * more: it follows that at once, and would be taken for the next.
 */
s64 dxl_engine_settled(const struct dxl_engine *e, u8 id)
{
	return id == e->last_id ? e->settled : 0;
}
