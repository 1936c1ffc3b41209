// SPDX-License-Identifier: GPL-2.0
/*
 * Transfer queue of a Dynamixel bus
 *
 * The bus is half duplex and its packets carry no sequence number, so one
 * transfer is on the wire at a time and whatever arrives is held against it.
 *
 * Owners. A transfer is its submitter's until dxl_transfer_submit() accepts it.
 * From there the queue owns it: first on @pending, then as @current_xfer. It
 * leaves the queue in queue_finish() and nowhere else, which is what makes
 * complete() be called exactly once; from that call on it is its submitter's
 * again. A dxl_device on a transfer is kept by its submitter.
 *
 * Contexts. Transfers are submitted from process or soft interrupt context,
 * bytes arrive in process context (one caller at a time, as a serial line
 * has one reader), the timer runs in soft interrupt context. Completion of a
 * transfer sends the next one in whichever of them it happens; no thread is
 * woken in between.
 *
 * Locks. The queue's lock guards the queue and all statistics. It is taken
 * with soft interrupts off and held while the transport's write() runs, so it
 * nests outside the locks of the serial driver and no transport may call back
 * from write(). It is never held over complete().
 *
 * Time. Every transfer ends: on a valid answer, or at a deadline computed from
 * the length of both packets, the baud rate, the device's return delay and a
 * margin. A damaged or foreign packet does not end it, since the right answer
 * may follow; it only decides which error is reported at the deadline. A
 * transfer without answer ends when its last bit has left the line.
 *
 * Echo. Wirings that give back what is sent are common. The first bytes after a
 * request are compared with it and dropped if they are the same.
 *
 * Stale bytes. What arrives while no transfer is on the wire, or in one piece
 * with the final answer but behind it, was sent before the next request and is
 * dropped. An answer that comes after its deadline is told from the next one's
 * by its ID and length alone.
 */
#include <linux/completion.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/lockdep.h>
#include <linux/math64.h>
#include <linux/string.h>

#include "core.h"

#define CREATE_TRACE_POINTS
#include "trace.h"

/* Start bit, eight data bits, stop bit. */
#define BITS_PER_BYTE_ON_WIRE	10

/*
 * A UART keeps bytes that do not fill its FIFO until the line has been silent
 * for some time: a 16550 for four, a PL011 for a good three bytes.
 */
#define UART_RX_TIMEOUT_BYTES	5

static u64 wire_ns(const struct dxl_bus *bus, size_t bytes)
{
	return div_u64((u64)bytes * BITS_PER_BYTE_ON_WIRE * NSEC_PER_SEC,
		       bus->baud);
}

/* Count for the bus and, where @xfer concerns one, for the device. */
static void count(struct dxl_bus *bus, const struct dxl_transfer *xfer,
		  enum dxl_stat stat, u64 n)
{
	lockdep_assert_held(&bus->queue.lock);

	bus->stats.count[stat] += n;
	if (xfer && xfer->ddev)
		xfer->ddev->stats.count[stat] += n;
}

static void count_result(struct dxl_bus *bus, struct dxl_transfer *xfer)
{
	switch (xfer->status) {
	case 0:
		if (xfer->answered)
			count(bus, xfer, DXL_STAT_ACK, 1);
		return;
	case -ETIMEDOUT:
		count(bus, xfer, DXL_STAT_TIMEOUTS, 1);
		break;
	case -EREMOTEIO:
		count(bus, xfer, DXL_STAT_DEVICE_ERRORS, 1);
		break;
	}
	count(bus, xfer, DXL_STAT_NACK, 1);
}

/* Hand a transfer that is on no list any more back to its submitter. */
static void queue_finish(struct dxl_bus *bus, struct dxl_transfer *xfer,
			 int status)
	__must_hold(&bus->queue.lock)
{
	struct dxl_queue *q = &bus->queue;

	lockdep_assert_held(&q->lock);

	xfer->status = status;
	count_result(bus, xfer);
	trace_dxl_complete(bus, xfer);

	spin_unlock_bh(&q->lock);
	xfer->complete(xfer);
	spin_lock_bh(&q->lock);
}

static ktime_t queue_deadline(const struct dxl_bus *bus,
			      const struct dxl_transfer *xfer, size_t sent)
{
	u64 ns = wire_ns(bus, sent);

	if (xfer->answered) {
		ns += wire_ns(bus, dxl_packet_max_size(xfer->request.protocol,
						       xfer->rx_len));
		ns += wire_ns(bus, UART_RX_TIMEOUT_BYTES);
		ns += (u64)xfer->return_delay_us * NSEC_PER_USEC;
		ns += (u64)READ_ONCE(bus->queue.margin_us) * NSEC_PER_USEC;
	}

	return ktime_add_ns(ktime_get(), ns);
}

/* Put @xfer on the wire. */
static int queue_send(struct dxl_bus *bus, struct dxl_transfer *xfer)
	__must_hold(&bus->queue.lock)
{
	size_t answer = dxl_packet_max_size(xfer->request.protocol,
					    xfer->rx_len);
	struct dxl_queue *q = &bus->queue;
	int len, sent;

	if (answer > sizeof(q->rx_buf))
		return -EMSGSIZE;

	len = dxl_packet_encode(&xfer->request, q->tx_buf, sizeof(q->tx_buf));
	if (len < 0)
		return len;

	count(bus, NULL, DXL_STAT_STALE_BYTES, dxl_decoder_reset(&q->decoder));
	dxl_decoder_limit(&q->decoder, answer);

	sent = bus->ops->write(bus, q->tx_buf, len);
	if (sent != len) {
		bus->ops->flush(bus);
		return sent < 0 ? sent : -EIO;
	}

	trace_dxl_tx(bus, q->tx_buf, len);
	count(bus, xfer, DXL_STAT_PACKETS, 1);
	count(bus, xfer, DXL_STAT_TX_BYTES, len);

	q->current_xfer = xfer;
	q->fault = -ETIMEDOUT;
	q->tx_len = len;
	q->echoed = 0;
	q->deadline = queue_deadline(bus, xfer, len);
	hrtimer_start(&q->timer, q->deadline, HRTIMER_MODE_ABS_SOFT);

	return 0;
}

/*
 * Send the next transfer if the line is free. A completion run from here may
 * submit again; @pumping turns that into a turn of this loop, so that a line
 * that refuses every packet does not recurse.
 */
static void queue_pump(struct dxl_bus *bus)
	__must_hold(&bus->queue.lock)
{
	struct dxl_queue *q = &bus->queue;
	struct dxl_transfer *xfer;
	int ret;

	lockdep_assert_held(&q->lock);

	if (q->pumping)
		return;

	q->pumping = true;
	while (q->running && !q->current_xfer && !list_empty(&q->pending)) {
		xfer = list_first_entry(&q->pending, struct dxl_transfer, node);
		list_del(&xfer->node);
		ret = queue_send(bus, xfer);
		if (ret)
			queue_finish(bus, xfer, ret);
	}
	q->pumping = false;
}

/* End the transfer on the wire and send the next one. */
static void queue_end_current(struct dxl_bus *bus, int status)
	__must_hold(&bus->queue.lock)
{
	struct dxl_queue *q = &bus->queue;
	struct dxl_transfer *xfer = q->current_xfer;

	q->current_xfer = NULL;
	hrtimer_try_to_cancel(&q->timer);
	queue_finish(bus, xfer, status);
	queue_pump(bus);
}

static enum hrtimer_restart queue_timeout(struct hrtimer *timer)
{
	struct dxl_queue *q = container_of(timer, struct dxl_queue, timer);
	struct dxl_bus *bus = container_of(q, struct dxl_bus, queue);

	spin_lock_bh(&q->lock);
	/*
	 * The answer may have won the race to the lock; what is on the wire
	 * then is a later transfer, which has started the timer anew.
	 */
	if (q->current_xfer && ktime_compare(ktime_get(), q->deadline) >= 0)
		queue_end_current(bus, q->current_xfer->answered ? q->fault : 0);
	spin_unlock_bh(&q->lock);

	return HRTIMER_NORESTART;
}

/* The first fault is the cause, what follows from a damaged packet is not. */
static void queue_fault(struct dxl_queue *q, int fault)
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

/*
 * Hold a valid packet against the transfer on the wire.
 *
 * Return: true if it has ended the transfer
 */
static bool queue_match(struct dxl_bus *bus, const struct dxl_packet *packet)
	__must_hold(&bus->queue.lock)
{
	struct dxl_transfer *xfer = bus->queue.current_xfer;

	if (!xfer->answered || packet->id != xfer->request.id ||
	    packet->protocol != xfer->request.protocol ||
	    packet->instruction != DXL_STATUS_RETURN) {
		count(bus, xfer, DXL_STAT_STRAY_PACKETS, 1);
		return false;
	}

	xfer->error = packet->error;
	if (device_refused(packet)) {
		queue_end_current(bus, -EREMOTEIO);
		return true;
	}

	if (packet->len != xfer->rx_len) {
		count(bus, xfer, DXL_STAT_STRAY_PACKETS, 1);
		queue_fault(&bus->queue, -EPROTO);
		return false;
	}

	if (packet->len)
		memcpy(xfer->rx, packet->params, packet->len);
	queue_end_current(bus, 0);

	return true;
}

/* Decode what the decoder holds; true when that has ended the transfer. */
static bool queue_decode(struct dxl_bus *bus)
	__must_hold(&bus->queue.lock)
{
	struct dxl_queue *q = &bus->queue;
	struct dxl_packet packet;
	int ret;

	while ((ret = dxl_decoder_next(&q->decoder, &packet)) != -EAGAIN) {
		if (!ret) {
			if (queue_match(bus, &packet))
				return true;
			continue;
		}

		if (ret == -EBADMSG)
			count(bus, q->current_xfer, DXL_STAT_CHECKSUM_ERRORS, 1);
		queue_fault(q, ret);
	}

	return false;
}

/* Decode @len bytes; the number that is left once the transfer has ended. */
static size_t queue_consume(struct dxl_bus *bus, const u8 *data, size_t len)
	__must_hold(&bus->queue.lock)
{
	struct dxl_queue *q = &bus->queue;
	size_t taken;

	while (len && q->current_xfer) {
		taken = dxl_decoder_feed(&q->decoder, data, len);
		data += taken;
		len -= taken;
		if (queue_decode(bus))
			break;
	}

	return len;
}

/*
 * Take our own packet out of what is received: some wirings give back what is
 * sent, and the echo of a Protocol 1.0 read can be a valid answer to it. What
 * begins like an echo and turns out to be none is decoded after all.
 *
 * Return: number of bytes of @data taken
 */
static size_t queue_take_echo(struct dxl_bus *bus, const u8 *data, size_t len)
	__must_hold(&bus->queue.lock)
{
	struct dxl_queue *q = &bus->queue;
	size_t i, begun = q->echoed;

	if (!q->current_xfer || q->echoed == q->tx_len)
		return 0;

	for (i = 0; i < len && q->echoed < q->tx_len; i++) {
		if (data[i] != q->tx_buf[q->echoed]) {
			q->echoed = q->tx_len;
			queue_consume(bus, q->tx_buf, begun);
			return 0;
		}
		q->echoed++;
	}

	if (q->echoed == q->tx_len)
		count(bus, q->current_xfer, DXL_STAT_ECHOES, 1);

	return i;
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
	size_t echo;

	spin_lock_bh(&q->lock);
	trace_dxl_rx(bus, data, len);
	count(bus, q->current_xfer, DXL_STAT_RX_BYTES, len);

	echo = queue_take_echo(bus, data, len);
	len = queue_consume(bus, data + echo, len - echo);
	count(bus, NULL, DXL_STAT_STALE_BYTES, len);
	spin_unlock_bh(&q->lock);
}
EXPORT_SYMBOL_NS_GPL(dxl_bus_receive, DXL);

/**
 * dxl_transfer_submit() - send an instruction and collect its answer
 * @bus: bus to use
 * @xfer: the transfer
 *
 * Transfers are sent in the order of their submission. The status with which
 * one is completed is
 *
 * * %0			- sent and, if one was to come, answered
 * * %-ETIMEDOUT	- no answer
 * * %-EBADMSG		- the answer was damaged
 * * %-EPROTO		- the answer had the wrong length or an impossible form
 * * %-EMSGSIZE		- request or answer are too long for the core, or a longer
 *			  packet than the answer can be came
 * * %-EREMOTEIO	- the device refused, see @xfer->error
 * * %-EINVAL		- the request has an impossible ID or protocol
 * * %-EIO		- the line did not take the packet
 * * %-ESHUTDOWN	- the bus was removed meanwhile
 *
 * Context: Process or soft interrupt context. Does not sleep.
 * Return: 0 if the transfer was accepted; -ESHUTDOWN if the bus is not
 * running, and @xfer is still the caller's
 */
int dxl_transfer_submit(struct dxl_bus *bus, struct dxl_transfer *xfer)
{
	struct dxl_queue *q = &bus->queue;

	spin_lock_bh(&q->lock);
	if (!q->running) {
		spin_unlock_bh(&q->lock);
		return -ESHUTDOWN;
	}

	trace_dxl_submit(bus, xfer);
	xfer->error = 0;
	list_add_tail(&xfer->node, &q->pending);
	queue_pump(bus);
	spin_unlock_bh(&q->lock);

	return 0;
}
EXPORT_SYMBOL_NS_GPL(dxl_transfer_submit, DXL);

static void sync_complete(struct dxl_transfer *xfer)
{
	complete(xfer->context);
}

/**
 * dxl_transfer_sync() - send an instruction and wait for its answer
 * @bus: bus to use
 * @xfer: the transfer, without @complete and @context
 *
 * Needs no time-out of its own, as every transfer before it and itself end by
 * their deadlines.
 *
 * Context: Process context. Sleeps.
 * Return: the status of the transfer, see dxl_transfer_submit()
 */
int dxl_transfer_sync(struct dxl_bus *bus, struct dxl_transfer *xfer)
{
	DECLARE_COMPLETION_ONSTACK(done);
	int ret;

	xfer->complete = sync_complete;
	xfer->context = &done;

	ret = dxl_transfer_submit(bus, xfer);
	if (ret)
		return ret;

	wait_for_completion(&done);

	return xfer->status;
}
EXPORT_SYMBOL_NS_GPL(dxl_transfer_sync, DXL);

void dxl_queue_init(struct dxl_bus *bus, u32 margin_us)
{
	struct dxl_queue *q = &bus->queue;

	spin_lock_init(&q->lock);
	INIT_LIST_HEAD(&q->pending);
	hrtimer_init(&q->timer, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_SOFT);
	q->timer.function = queue_timeout;
	q->margin_us = margin_us;
	dxl_decoder_init(&q->decoder, DXL_STATUS, q->rx_buf, sizeof(q->rx_buf));
}

void dxl_queue_start(struct dxl_bus *bus)
{
	spin_lock_bh(&bus->queue.lock);
	bus->queue.running = true;
	spin_unlock_bh(&bus->queue.lock);
}

/* Refuse new transfers and end those that there are. */
void dxl_queue_stop(struct dxl_bus *bus)
{
	struct dxl_queue *q = &bus->queue;
	struct dxl_transfer *xfer;

	spin_lock_bh(&q->lock);
	q->running = false;
	if (q->current_xfer)
		bus->ops->flush(bus);
	while (q->current_xfer || !list_empty(&q->pending)) {
		xfer = q->current_xfer;
		if (xfer) {
			q->current_xfer = NULL;
		} else {
			xfer = list_first_entry(&q->pending,
						struct dxl_transfer, node);
			list_del(&xfer->node);
		}
		queue_finish(bus, xfer, -ESHUTDOWN);
	}
	spin_unlock_bh(&q->lock);

	hrtimer_cancel(&q->timer);
}
