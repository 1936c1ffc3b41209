// SPDX-License-Identifier: GPL-2.0
/*
 * Whose an answer is
 *
 * The answers to a group read come in the order of the request, each device having
 * heard the one before it. So one that comes while too little was seen of those before
 * it answers something else, and where one comes behind its successor neither is to be
 * trusted, as two different ones from the same device are not: who sent them may be
 * wrong about its ID. Nor is one that comes where as much was dropped as those before
 * it and it send: it was among that. So what is seen since the last good answer tells
 * whose turn it is: bytes that make no packet, answers that were refused, and strangers'
 * packets, of which one can be the answer of a device that is wrong about its ID, but
 * need not.
 */
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "chain.h"
#include "echo.h"

/* The first fault is the cause, what follows from a damaged packet is not. */
void dxl_chain_fault(struct dxl_engine *e, int fault)
{
	if (e->fault == -ETIMEDOUT)
		e->fault = fault;
}

static bool device_refused(const struct dxl_packet *packet)
{
	if (packet->protocol == DXL_PROTOCOL_1)
		return packet->error & DXL1_ERR_REFUSED;

	return packet->error & DXL2_ERR_MASK;
}

static struct dxl_reply *find_reply(const struct dxl_engine *e, u8 id)
{
	unsigned int i;

	for (i = 0; i < e->num_replies; i++)
		if (e->replies[i].id == id)
			return &e->replies[i];

	return NULL;
}

/* Whether @reply has been settled by the very same answer. */
static bool is_same_answer(const struct dxl_reply *reply,
			   const struct dxl_packet *packet)
{
	if (reply->error != packet->error)
		return false;
	if (reply->status)
		return device_refused(packet);

	return packet->len == reply->len &&
	       !memcmp(reply->buf, packet->params, packet->len);
}

/*
 * Whether the devices that answer before that of @reply cannot all have been heard
 * since the last answer: of one of them anything will do, of more there have to be
 * as many bytes as they send, but for half an answer.
 */
static bool is_early(const struct dxl_engine *e, const struct dxl_reply *reply)
{
	size_t seen = e->decoder.skipped - e->skipped_before + e->refused;
	size_t size, missing = 0, spare = 0;
	unsigned int count = 0;

	while (reply-- > e->replies && reply->status == -EINPROGRESS) {
		size = dxl_answer_size(e->request, reply->len);
		missing += size;
		spare = max(spare, size / 2);
		count++;
	}
	if (count < 2)
		return count && !seen;

	return seen + spare < missing;
}

/*
 * Whether the answer of @reply, or half of it, has gone by already, with those before
 * it: what comes now is of a device behind it then. Where more was dropped it was
 * none of their answers, but something longer.
 */
static bool is_overdue(const struct dxl_engine *e, const struct dxl_reply *reply)
{
	size_t dropped = e->decoder.skipped - e->skipped_before;
	size_t size = dxl_answer_size(e->request, reply->len);
	size_t due = size;

	if (reply + 1 == e->replies + e->num_replies)
		return false;

	while (reply > e->replies && reply[-1].status == -EINPROGRESS) {
		reply--;
		due += dxl_answer_size(e->request, reply->len);
	}
	if (reply == e->replies)
		due += dxl_echo_lost(&e->echo);

	if (dropped > due)
		dropped = 0;

	return dropped + e->claimed >= due - size / 2;
}

/* Forget the answers that belong behind @reply; how many bytes they had. */
static size_t forget_later_replies(const struct dxl_engine *e,
				   struct dxl_reply *reply)
{
	struct dxl_reply *end = e->replies + e->num_replies;
	size_t size = 0;

	while (++reply < end) {
		if (reply->status != -EINPROGRESS)
			size += dxl_answer_size(e->request, reply->len);
		reply->status = -EINPROGRESS;
	}

	return size;
}

/* Bytes of devices that have had their turn, and were not who they said. */
static void count_claim(struct dxl_engine *e, size_t size)
{
	e->refused += size;
	e->claimed += size;
}

/* What was seen of the line from here on is of the devices behind this one. */
static void count_from_here(struct dxl_engine *e, size_t refused)
{
	e->skipped_before = e->decoder.skipped;
	e->refused = refused;
	e->claimed = 0;
}

/* Whether something other than good answers was seen since the request. */
static bool has_traces(const struct dxl_engine *e)
{
	return e->fault != -ETIMEDOUT || e->skipped != e->decoder.skipped;
}

static bool is_any_left(const struct dxl_engine *e)
{
	unsigned int i;

	for (i = 0; i < e->num_replies; i++)
		if (e->replies[i].status == -EINPROGRESS)
			return true;

	return false;
}

/* The device of @reply has had its turn, with @size bytes: go on to the next. */
static void end_turn(struct dxl_engine *e, struct dxl_reply *reply, size_t size,
		     struct dxl_event *event)
{
	event->size = size;
	event->turnaround_ns = e->now - e->turn - dxl_wire_ns(e->timing, size);
	e->echo.unechoed++;
	e->last_id = reply->id;
	e->settled = e->now + dxl_repetition_ns(e->timing, size);
	e->turn = e->now;

	if (reply + 1 < e->replies + e->num_replies) {
		e->deadline = e->now + dxl_answer_ns(e->timing, e->request,
						     reply + 1);
		return;
	}

	/* One that was hidden by something may still be found in that. */
	if (!is_any_left(e) || has_traces(e))
		dxl_chain_conclude(e);
}

/* Settle @reply by an answer that belongs to it. */
static void take_answer(struct dxl_engine *e, struct dxl_reply *reply,
			const struct dxl_packet *packet,
			struct dxl_event *event)
{
	event->type = DXL_EVENT_ANSWER;
	reply->error = packet->error;
	if (device_refused(packet)) {
		reply->status = -EREMOTEIO;
	} else {
		if (packet->len)
			memcpy(reply->buf, packet->params, packet->len);
		reply->status = 0;
	}

	count_from_here(e, 0);
	end_turn(e, reply, dxl_answer_size(e->request, packet->len), event);
}

/*
 * Our own packet, behind something that hid its beginning: in Protocol 1.0 the
 * echo of a request is a valid answer, with the instruction for an error byte.
 */
static bool is_own_request(const struct dxl_packet *request,
			   const struct dxl_packet *packet)
{
	return request->len && request->protocol == DXL_PROTOCOL_1 &&
	       packet->protocol == DXL_PROTOCOL_1 &&
	       packet->id == request->id &&
	       packet->error == request->instruction &&
	       packet->len == request->len &&
	       !memcmp(packet->params, request->params, request->len);
}

/* The packet is on the line once: a second copy of it is nobody's. */
static void take_own_request(struct dxl_engine *e, struct dxl_event *event)
{
	event->type = e->echo.known ? DXL_EVENT_STRAY : DXL_EVENT_ECHO;
	e->echo.known = true;
	e->echo.unechoed = 0;
}

/* Hold an answer of a device that was asked against those that have come. */
static void take_reply(struct dxl_engine *e, struct dxl_reply *reply,
		       const struct dxl_packet *packet, struct dxl_event *event)
{
	size_t forgotten, size = dxl_answer_size(e->request, packet->len);

	event->type = DXL_EVENT_STRAY;
	event->reply = reply;

	if (reply->status != -EINPROGRESS) {
		if (is_same_answer(reply, packet))
			return;
		reply->status = -EPROTO;
		/* Two with one ID answer together. */
		if (reply->id != e->last_id)
			count_claim(e, size);
		return;
	}

	if (is_early(e, reply)) {
		count_claim(e, size);
		end_turn(e, reply, size, event);
		return;
	}

	if (is_overdue(e, reply)) {
		reply->status = -EPROTO;
		count_from_here(e, size);
		end_turn(e, reply, size, event);
		return;
	}

	forgotten = forget_later_replies(e, reply);
	if (forgotten) {
		reply->status = -EPROTO;
		count_claim(e, size + forgotten);
		return;
	}

	if (!device_refused(packet) && packet->len != reply->len) {
		e->refused += size;
		dxl_chain_fault(e, -EPROTO);
		return;
	}

	take_answer(e, reply, packet, event);
}

/* Hold a valid packet against the request. */
void dxl_chain_packet(struct dxl_engine *e, const struct dxl_packet *packet,
		      struct dxl_event *event)
{
	struct dxl_reply *reply = find_reply(e, packet->id);

	event->id = packet->id;
	if (is_own_request(e->request, packet)) {
		take_own_request(e, event);
		return;
	}

	if (!reply || packet->protocol != e->request->protocol ||
	    packet->instruction != DXL_STATUS_RETURN) {
		event->type = DXL_EVENT_FOREIGN;
		/* It may be the next one's that is wrong about its ID. */
		if (packet->instruction == DXL_STATUS_RETURN)
			e->refused += dxl_answer_size(e->request, packet->len);
		return;
	}

	take_reply(e, reply, packet, event);
}

/* --- the one answer to a fast group read --- */

/* The device whose part is next; NULL when all have come. */
struct dxl_reply *dxl_chain_next_slot(const struct dxl_engine *e)
{
	unsigned int i;

	for (i = 0; i < e->num_replies; i++)
		if (e->replies[i].status == -EINPROGRESS)
			return &e->replies[i];

	return NULL;
}

/* The part of @reply has come, or something that is none, with @fault. */
void dxl_chain_slot(struct dxl_engine *e, struct dxl_reply *reply,
		    const struct dxl_packet *packet, int fault,
		    struct dxl_event *event)
{
	event->id = reply->id;
	event->reply = reply;
	if (!fault) {
		take_answer(e, reply, packet, event);
		return;
	}

	event->type = DXL_EVENT_DAMAGED;
	event->fault = fault;
	dxl_chain_fault(e, fault);
	/* Something foreign has got in: whose part is where is not known any more. */
	if (e->fast.lost)
		return;

	reply->status = fault;
	end_turn(e, reply, dxl_answer_size(e->request, packet->len), event);
}

/*
 * All that is still to come of a fast answer comes, though it cannot be told from
 * noise any more: what is sent meanwhile would run into it.
 */
void dxl_chain_wait_for_rest(struct dxl_engine *e, const struct dxl_reply *next)
{
	s64 end = e->turn + dxl_answer_ns(e->timing, e->request, next);

	while (++next < e->replies + e->num_replies)
		end += dxl_wire_ns(e->timing,
				   dxl_answer_size(e->request, next->len));

	e->deadline = max(e->deadline, end);
}

/* --- how it ends --- */

/*
 * No more answers will come. In a chain each device waits for the answer of the
 * one before: the first that is missing is at fault, and those behind it were
 * never reached, -ENODATA. Where one behind it has answered it was heard by that
 * one, and has come here damaged.
 */
void dxl_chain_conclude(struct dxl_engine *e)
{
	unsigned int i, behind = 0;
	bool gap = false;

	for (i = 0; i < e->num_replies; i++)
		if (e->replies[i].status != -EINPROGRESS)
			behind = i;

	for (i = 0; i < e->num_replies; i++) {
		struct dxl_reply *reply = &e->replies[i];

		if (reply->status != -EINPROGRESS) {
			gap = false;
			continue;
		}

		if (!gap || i < behind)
			reply->status = e->fault;
		else
			reply->status = -ENODATA;
		gap = true;
	}

	e->done = true;
}

/*
 * The request is given up, and nobody is to blame for the answers that have not
 * come: they are -ENODATA. So are those that seem to have come behind one that
 * has not.
 */
void dxl_chain_give_up(struct dxl_engine *e)
{
	bool gap = false;
	unsigned int i;

	for (i = 0; i < e->num_replies; i++) {
		gap = gap || e->replies[i].status == -EINPROGRESS;
		if (gap)
			e->replies[i].status = -ENODATA;
	}
}
