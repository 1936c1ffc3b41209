// SPDX-License-Identifier: GPL-2.0
/*
 * What arrives on a Dynamixel bus, held against the transfer on the wire
 *
 * Owners, contexts and locks are those of queue.c.
 *
 * Echo. Wirings that give back what is sent are common. The first bytes after a
 * request are compared with it, and with a packet before it that was not
 * answered, and dropped if they are the same.
 *
 * Stale bytes. What arrives while no transfer is on the wire, or in one piece
 * with the final answer but behind it, was sent before the next request and is
 * dropped.
 *
 * Chains. The answers to a group read come in the order of the request, each
 * device having heard the one before it. So one that comes while too little was seen
 * of those before it answers something else, and where one comes behind its
 * successor neither is to be trusted, as two different ones from the same device
 * are not: who sent them may be wrong about its ID. Nor is one that comes where
 * as much was dropped as those before it and it send: it was among that. So what is
 * seen since the last good answer tells whose turn it is: bytes that make no packet,
 * answers that were refused, and strangers' packets, of which one can be the answer
 * of a device that is wrong about its ID, but need not.
 */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "core.h"
#include "trace.h"

/* The first fault is the cause, what follows from a damaged packet is not. */
static void receive_fault(struct dxl_queue *q, int fault)
{
	if (q->fault == -ETIMEDOUT)
		q->fault = fault;
}

static bool device_refused(const struct dxl_packet *packet)
{
	if (packet->protocol == DXL_PROTOCOL_1)
		return packet->error & DXL1_ERR_REFUSED;

	return packet->error & DXL2_ERR_MASK;
}

/* Whether the packet that was the @sent'th is still to be answered. */
static bool is_waiting(const struct dxl_queue *q, u64 sent)
{
	return q->current_xfer && q->sent == sent;
}

static struct dxl_reply *find_reply(const struct dxl_transfer *xfer, u8 id)
{
	unsigned int i;

	for (i = 0; i < xfer->num_replies; i++)
		if (xfer->replies[i].id == id)
			return &xfer->replies[i];

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
static bool is_early(const struct dxl_queue *q, const struct dxl_reply *reply)
{
	const struct dxl_transfer *xfer = q->current_xfer;
	size_t seen = q->decoder.skipped - q->skipped_before + q->refused;
	size_t size, missing = 0, spare = 0;
	unsigned int count = 0;

	while (reply-- > xfer->replies && reply->status == -EINPROGRESS) {
		size = dxl_answer_size(xfer, reply->len);
		missing += size;
		spare = max(spare, size / 2);
		count++;
	}
	if (count < 2)
		return count && !seen;

	return seen + spare < missing;
}

/* A line that has not echoed for so many answers is none that does so always. */
#define UNECHOED_MANY	16

/* What has been dropped at first may be our own packet, that has come damaged. */
static size_t lost_echo(const struct dxl_queue *q)
{
	if (q->echo_known || q->unechoed >= UNECHOED_MANY)
		return 0;

	return q->tx_len - q->tx_at;
}

/*
 * Whether the answer of @reply, or half of it, has gone by already, with those before
 * it: what comes now is of a device behind it then. Where more was dropped it was
 * none of their answers, but something longer.
 */
static bool is_overdue(const struct dxl_queue *q, const struct dxl_reply *reply)
{
	const struct dxl_transfer *xfer = q->current_xfer;
	size_t dropped = q->decoder.skipped - q->skipped_before;
	size_t size = dxl_answer_size(xfer, reply->len);
	size_t due = size;

	if (reply + 1 == xfer->replies + xfer->num_replies)
		return false;

	while (reply > xfer->replies && reply[-1].status == -EINPROGRESS) {
		reply--;
		due += dxl_answer_size(xfer, reply->len);
	}
	if (reply == xfer->replies)
		due += lost_echo(q);

	if (dropped > due)
		dropped = 0;

	return dropped + q->claimed >= due - size / 2;
}

/* Forget the answers that belong behind @reply; how many bytes they had. */
static size_t forget_later_replies(const struct dxl_transfer *xfer,
				   struct dxl_reply *reply)
{
	struct dxl_reply *end = xfer->replies + xfer->num_replies;
	size_t size = 0;

	while (++reply < end) {
		if (reply->status != -EINPROGRESS)
			size += dxl_answer_size(xfer, reply->len);
		reply->status = -EINPROGRESS;
	}

	return size;
}

/* Bytes of devices that have had their turn, and were not who they said. */
static void count_claim(struct dxl_queue *q, size_t size)
{
	q->refused += size;
	q->claimed += size;
}

/* Settle @reply by an answer that belongs to it. */
static void receive_answer(struct dxl_bus *bus, struct dxl_reply *reply,
			   const struct dxl_packet *packet)
	__must_hold(&bus->queue.lock)
{
	struct dxl_queue *q = &bus->queue;

	reply->error = packet->error;
	if (device_refused(packet)) {
		reply->status = -EREMOTEIO;
	} else {
		if (packet->len)
			memcpy(reply->buf, packet->params, packet->len);
		reply->status = 0;
	}

	q->skipped_before = q->decoder.skipped;
	q->refused = 0;
	q->claimed = 0;
	dxl_count_error(bus, reply->ddev, packet->protocol, packet->error);
	dxl_queue_answered(bus, reply, packet->len);
}

/* An answer that claims to be that of @reply: a device has had its turn. */
static void receive_stranger(struct dxl_bus *bus, struct dxl_reply *reply,
			     const struct dxl_packet *packet)
	__must_hold(&bus->queue.lock)
{
	struct dxl_queue *q = &bus->queue;

	dxl_count(bus, reply->ddev, DXL_STAT_STRAY_PACKETS, 1);
	reply->status = -EPROTO;
	q->skipped_before = q->decoder.skipped;
	q->refused = dxl_answer_size(q->current_xfer, packet->len);
	q->claimed = 0;
	dxl_queue_answered(bus, reply, packet->len);
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
static void receive_own_request(struct dxl_bus *bus)
	__must_hold(&bus->queue.lock)
{
	struct dxl_queue *q = &bus->queue;

	dxl_count(bus, NULL, q->echo_known ? DXL_STAT_STRAY_PACKETS :
					     DXL_STAT_ECHOES, 1);
	q->echo_known = true;
	q->unechoed = 0;
}

/* Hold a valid packet against the transfer on the wire. */
static void receive_packet(struct dxl_bus *bus, const struct dxl_packet *packet)
	__must_hold(&bus->queue.lock)
{
	struct dxl_transfer *xfer = bus->queue.current_xfer;
	struct dxl_reply *reply = find_reply(xfer, packet->id);
	size_t forgotten, size = dxl_answer_size(xfer, packet->len);

	if (is_own_request(&xfer->request, packet)) {
		receive_own_request(bus);
		return;
	}

	if (!reply || packet->protocol != xfer->request.protocol ||
	    packet->instruction != DXL_STATUS_RETURN) {
		dxl_count(bus, NULL, DXL_STAT_STRAY_PACKETS, 1);
		/* It may be the next one's that is wrong about its ID. */
		if (packet->instruction == DXL_STATUS_RETURN)
			bus->queue.refused += size;
		if (dxl_queue_is_late(&bus->queue, packet->id))
			dxl_queue_hold(bus);
		return;
	}

	if (reply->status != -EINPROGRESS) {
		dxl_count(bus, reply->ddev, DXL_STAT_STRAY_PACKETS, 1);
		if (is_same_answer(reply, packet))
			return;
		reply->status = -EPROTO;
		/* Two with one ID answer together. */
		if (reply->id != bus->queue.last_id)
			count_claim(&bus->queue, size);
		return;
	}

	if (is_early(&bus->queue, reply)) {
		dxl_count(bus, reply->ddev, DXL_STAT_STRAY_PACKETS, 1);
		count_claim(&bus->queue, size);
		dxl_queue_answered(bus, reply, packet->len);
		return;
	}

	if (is_overdue(&bus->queue, reply)) {
		receive_stranger(bus, reply, packet);
		return;
	}

	forgotten = forget_later_replies(xfer, reply);
	if (forgotten) {
		dxl_count(bus, reply->ddev, DXL_STAT_STRAY_PACKETS, 1);
		reply->status = -EPROTO;
		count_claim(&bus->queue, size + forgotten);
		return;
	}

	if (!device_refused(packet) && packet->len != reply->len) {
		dxl_count(bus, reply->ddev, DXL_STAT_STRAY_PACKETS, 1);
		bus->queue.refused += size;
		receive_fault(&bus->queue, -EPROTO);
		return;
	}

	receive_answer(bus, reply, packet);
}

static void receive_damage(struct dxl_bus *bus, int fault)
	__must_hold(&bus->queue.lock)
{
	if (fault == -EBADMSG)
		dxl_count(bus, NULL, DXL_STAT_CHECKSUM_ERRORS, 1);
	receive_fault(&bus->queue, fault);
}

/* Take what the decoder holds, until the transfer has ended. */
static void receive_packets(struct dxl_bus *bus)
	__must_hold(&bus->queue.lock)
{
	struct dxl_queue *q = &bus->queue;
	u64 sent = q->sent;
	struct dxl_packet packet;
	int ret;

	while (is_waiting(q, sent)) {
		ret = dxl_decoder_next(&q->decoder, &packet);
		if (ret == -EAGAIN)
			return;
		if (ret)
			receive_damage(bus, ret);
		else
			receive_packet(bus, &packet);
	}
}

/* The device whose part of a fast answer is next; NULL when all have come. */
static struct dxl_reply *next_slot(const struct dxl_transfer *xfer)
{
	unsigned int i;

	for (i = 0; i < xfer->num_replies; i++)
		if (xfer->replies[i].status == -EINPROGRESS)
			return &xfer->replies[i];

	return NULL;
}

static void receive_slot(struct dxl_bus *bus, struct dxl_reply *reply,
			 const struct dxl_packet *packet, int fault)
	__must_hold(&bus->queue.lock)
{
	if (!fault) {
		receive_answer(bus, reply, packet);
		return;
	}

	receive_damage(bus, fault);
	/* Something foreign has got in: whose part is where is not known any more. */
	if (bus->queue.fast.lost)
		return;

	reply->status = fault;
	dxl_queue_answered(bus, reply, packet->len);
}

/*
 * All that is still to come of a fast answer comes, though it cannot be told from
 * noise any more: what is sent meanwhile would run into it.
 */
static void wait_for_rest(struct dxl_bus *bus, const struct dxl_reply *next)
	__must_hold(&bus->queue.lock)
{
	struct dxl_queue *q = &bus->queue;
	const struct dxl_transfer *xfer = q->current_xfer;
	u64 ns = dxl_answer_ns(bus, xfer, next);
	ktime_t end;

	while (++next < xfer->replies + xfer->num_replies)
		ns += dxl_wire_ns(bus, dxl_answer_size(xfer, next->len));

	end = ktime_add_ns(q->turn, ns);
	q->deadline = max(q->deadline, end);
}

/* The same for the answer to a fast group read. */
static void receive_slots(struct dxl_bus *bus)
	__must_hold(&bus->queue.lock)
{
	struct dxl_queue *q = &bus->queue;
	u64 sent = q->sent;
	struct dxl_packet packet;
	struct dxl_reply *reply;
	int ret;

	while (is_waiting(q, sent)) {
		reply = next_slot(q->current_xfer);
		ret = dxl_decoder_next_slot(&q->decoder, &q->fast, reply->id,
					    reply->len, &packet);
		if (ret == -EAGAIN) {
			if (!q->fast.started || q->fast.lost)
				wait_for_rest(bus, reply);
			return;
		}
		receive_slot(bus, reply, &packet, ret);
	}
}

/* Decode @len bytes; the number that is left once the transfer has ended. */
static size_t receive_bytes(struct dxl_bus *bus, const u8 *data, size_t len)
	__must_hold(&bus->queue.lock)
{
	struct dxl_queue *q = &bus->queue;
	u64 sent = q->sent;
	size_t taken;

	while (len && is_waiting(q, sent)) {
		taken = dxl_decoder_feed(&q->decoder, data, len);
		data += taken;
		len -= taken;
		if (dxl_transfer_is_fast(q->current_xfer))
			receive_slots(bus);
		else
			receive_packets(bus);
	}

	return len;
}

/*
 * What has come so far is no echo of the packet before the last one. It may be
 * one of the last, where the line gives back some packets and others not.
 */
static bool skip_first_echo(struct dxl_queue *q, u8 byte)
{
	size_t begun = q->echoed;

	if (begun >= q->tx_at || begun >= q->tx_len - q->tx_at)
		return false;
	if (memcmp(q->tx_buf, q->tx_buf + q->tx_at, begun) ||
	    q->tx_buf[q->tx_at + begun] != byte)
		return false;

	q->echoed += q->tx_at;

	return true;
}

/*
 * An answer of Protocol 1.0 can be the same as its request, to the byte: that to
 * a PING, from a device with a voltage alarm. It is complete one packet's time
 * behind the request, at the earliest; an echo is there with the request's end.
 * Where there is data to be mistaken for, this is not certain enough.
 */
static bool is_answer_after_all(const struct dxl_bus *bus)
{
	const struct dxl_queue *q = &bus->queue;
	u64 ns = dxl_wire_ns(bus, q->tx_len - q->tx_at);

	return q->current_xfer &&
	       q->current_xfer->request.instruction == DXL_PING &&
	       q->unechoed >= UNECHOED_MANY &&
	       ktime_get() >= ktime_add_ns(q->turn, ns);
}

/* Where in @tx_buf the packet begins whose echo is coming. */
static size_t echo_begin(const struct dxl_queue *q)
{
	return q->echoed < q->tx_at ? 0 : q->tx_at;
}

/* What begins like an echo and turns out to be none is decoded after all. */
static void receive_no_echo(struct dxl_bus *bus)
	__must_hold(&bus->queue.lock)
{
	struct dxl_queue *q = &bus->queue;
	size_t end = q->echoed, from = echo_begin(q);

	q->echoed = q->tx_len;
	if (q->current_xfer)
		receive_bytes(bus, q->tx_buf + from, end - from);
	else
		dxl_count(bus, NULL, DXL_STAT_STALE_BYTES, end - from);
}

/*
 * Take our own packet out of what is received: some wirings give back what is
 * sent, and the echo of a Protocol 1.0 read can be a valid answer to it. The end
 * of one may come when that which it is the echo of has ended.
 *
 * Return: number of bytes of @data taken
 */
static size_t receive_echo(struct dxl_bus *bus, const u8 *data, size_t len)
	__must_hold(&bus->queue.lock)
{
	struct dxl_queue *q = &bus->queue;
	size_t i;

	/* A late answer can be the same as its request. */
	if (!q->current_xfer && q->unechoed >= UNECHOED_MANY)
		return 0;

	for (i = 0; i < len && q->echoed < q->tx_len; i++) {
		if (data[i] != q->tx_buf[q->echoed] &&
		    !skip_first_echo(q, data[i])) {
			receive_no_echo(bus);
			return i;
		}
		q->echoed++;
		if (q->echoed != q->tx_at && q->echoed != q->tx_len)
			continue;
		if (q->echoed == q->tx_len && is_answer_after_all(bus)) {
			receive_bytes(bus, q->tx_buf + q->tx_at,
				      q->tx_len - q->tx_at);
			return i + 1;
		}
		dxl_count(bus, NULL, DXL_STAT_ECHOES, 1);
		q->echo_known = q->echoed == q->tx_len;
		q->unechoed = 0;
	}

	return i;
}

static void receive(struct dxl_bus *bus, const u8 *data, size_t len)
	__must_hold(&bus->queue.lock)
{
	struct dxl_queue *q = &bus->queue;
	u64 sent = q->sent;
	size_t echo = receive_echo(bus, data, len);

	len -= echo;
	if (q->sent == sent)
		len = receive_bytes(bus, data + echo, len);
	dxl_count(bus, NULL, DXL_STAT_STALE_BYTES, len);
}

/**
 * dxl_bus_receive() - take bytes that have arrived on the line
 * @bus: the bus
 * @data: the bytes
 * @len: their number
 *
 * Context: Process or soft interrupt context, one caller at a time for each
 * bus. May complete transfers.
 */
void dxl_bus_receive(struct dxl_bus *bus, const u8 *data, size_t len)
{
	struct dxl_queue *q = &bus->queue;

	if (!len || dxl_inject_rx(bus))
		return;

	spin_lock_bh(&q->lock);
	trace_dxl_rx(bus, data, len);
	dxl_count(bus, NULL, DXL_STAT_RX_BYTES, len);
	dxl_queue_hold_on(bus);

	if (dxl_inject_corrupt(bus)) {
		u8 damaged = *data++ ^ BIT(0);

		receive(bus, &damaged, 1);
		len--;
	}
	receive(bus, data, len);
	spin_unlock_bh(&q->lock);
}
EXPORT_SYMBOL_NS_GPL(dxl_bus_receive, "DXL");

/*
 * Drop what has come so far like an echo: it is the beginning of one that has been
 * damaged, or of an answer that has.
 *
 * Return: number of bytes dropped
 */
static size_t drop_echo(struct dxl_queue *q)
{
	size_t begun = q->echoed - echo_begin(q);

	if (!begun || q->echoed == q->tx_len)
		return 0;

	q->echoed = q->tx_len;

	return begun;
}

/**
 * dxl_bus_line_error() - the line has lost or damaged what it received
 * @bus: the bus
 *
 * To be called between what was received before and after the loss. What has
 * come of a packet is dropped, lest its end be sought in the next one.
 *
 * Context: As dxl_bus_receive().
 */
void dxl_bus_line_error(struct dxl_bus *bus)
{
	struct dxl_queue *q = &bus->queue;
	size_t dropped;

	spin_lock_bh(&q->lock);
	dropped = drop_echo(q) + dxl_decoder_reset(&q->decoder);
	q->refused += dropped + 1;
	dxl_count(bus, NULL, DXL_STAT_LINE_ERRORS, 1);
	dxl_count(bus, NULL, DXL_STAT_STALE_BYTES, dropped);
	receive_fault(q, -EBADMSG);
	spin_unlock_bh(&q->lock);
}
EXPORT_SYMBOL_NS_GPL(dxl_bus_line_error, "DXL");
