// SPDX-License-Identifier: GPL-2.0
/*
 * A transfer goes onto the line
 *
 * Everything here is called with the queue's lock held.
 */
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "core.h"
#include "trace.h"

bool dxl_transfer_is_fast(const struct dxl_transfer *xfer)
{
	return xfer->request.instruction == DXL_FAST_SYNC_READ ||
	       xfer->request.instruction == DXL_FAST_BULK_READ;
}

/* The device that a transfer is for, where it is for one. */
struct dxl_device *dxl_transfer_device(const struct dxl_transfer *xfer)
{
	return xfer->num_replies == 1 ? xfer->replies->ddev : NULL;
}

/* Bytes of the longest packet to be expected while @xfer is on the wire. */
static size_t answer_limit(const struct dxl_transfer *xfer)
{
	size_t size, limit = xfer->num_replies ? 0 : DXL_PACKET_MAX;
	unsigned int i;

	for (i = 0; i < xfer->num_replies; i++) {
		size = dxl_packet_max_size(xfer->request.protocol,
					   xfer->replies[i].len);
		limit = max(limit, size);
	}

	return limit;
}

/* What a fast group read is answered by, beside header and instruction. */
static size_t fast_size(const struct dxl_transfer *xfer)
{
	size_t size = 0;
	unsigned int i;

	for (i = 0; i < xfer->num_replies; i++)
		size += xfer->replies[i].len + DXL_FAST_OVERHEAD;

	return size;
}

/* One that is lost would cost its time-out; the ladder asks it now and then. */
static bool is_in_vain(const struct dxl_transfer *xfer)
{
	const struct dxl_device *ddev = dxl_transfer_device(xfer);

	return ddev && ddev->state == DXL_LOST && !xfer->probe &&
	       xfer->priority != DXL_PRIO_MAINTENANCE;
}

static void queue_prepare_rx(struct dxl_bus *bus, struct dxl_transfer *xfer)
	__must_hold(&bus->queue.lock)
{
	struct dxl_queue *q = &bus->queue;
	unsigned int i;

	for (i = 0; i < xfer->num_replies; i++) {
		xfer->replies[i].status = -EINPROGRESS;
		xfer->replies[i].error = 0;
	}

	dxl_count(bus, NULL, DXL_STAT_STALE_BYTES,
		  dxl_decoder_reset(&q->decoder));
	dxl_decoder_limit(&q->decoder, answer_limit(xfer));
	q->skipped = q->decoder.skipped;
	q->skipped_before = q->skipped;
	q->refused = 0;
	q->claimed = 0;
	q->fast = (struct dxl_fast){ .size = fast_size(xfer) };
	q->fault = -ETIMEDOUT;
}

/* The line's write(), and what may be made to happen to it. */
static int queue_write(struct dxl_bus *bus, size_t len)
	__must_hold(&bus->queue.lock)
{
	int sent;

	if (dxl_inject_write(bus))
		return -EIO;
	if (dxl_inject_tx(bus))
		return 0;

	sent = bus->ops->write(bus, bus->queue.tx_buf + bus->queue.tx_at, len);
	if (sent == len)
		return 0;

	/* What is still leaving of the packet before goes with it. */
	bus->queue.current_xfer = NULL;
	bus->ops->flush(bus);

	return sent < 0 ? sent : -EIO;
}

/*
 * Make room in @tx_buf. If the packet before was not answered its echo may still
 * be on the way, and is to be told from that of the next.
 */
static void queue_prepare_tx(struct dxl_queue *q)
	__must_hold(&q->lock)
{
	ktime_t echo_end = ktime_add_us(q->line_free, q->margin_us);

	if (q->echoed == q->tx_len || ktime_get() > echo_end) {
		q->tx_at = 0;
		q->echoed = 0;
		return;
	}

	memmove(q->tx_buf, q->tx_buf + q->tx_at, q->tx_len - q->tx_at);
	q->echoed -= min(q->echoed, q->tx_at);
	q->tx_at = q->tx_len - q->tx_at;
}

/* The packet in @tx_buf, @len bytes at @tx_at, has been handed to the line. */
static void queue_sent(struct dxl_bus *bus, struct dxl_transfer *xfer,
		       size_t len)
	__must_hold(&bus->queue.lock)
{
	struct dxl_queue *q = &bus->queue;
	ktime_t now = ktime_get();

	trace_dxl_tx(bus, q->tx_buf + q->tx_at, len);
	dxl_count(bus, dxl_transfer_device(xfer), DXL_STAT_PACKETS, 1);
	dxl_count(bus, dxl_transfer_device(xfer), DXL_STAT_TX_BYTES, len);

	dxl_jitter_sent(bus, xfer, now);

	q->current_xfer = xfer;
	q->echo_known = false;
	q->sent++;
	q->started = max(now, q->line_free);
	q->line_free = ktime_add_ns(q->started, dxl_wire_ns(bus, len));
	q->turn = q->line_free;
	q->deadline = q->turn;
	if (xfer->num_replies)
		q->deadline = ktime_add_ns(q->turn,
					   dxl_answer_ns(bus, xfer,
							 xfer->replies));
	dxl_timer_start(&q->timer, q->deadline);
}

/* Put @xfer on the wire. */
int dxl_queue_send(struct dxl_bus *bus, struct dxl_transfer *xfer)
	__must_hold(&bus->queue.lock)
{
	struct dxl_queue *q = &bus->queue;
	int len, ret;

	if (xfer->wanted && !xfer->wanted(xfer->wanted_context))
		return -ECANCELED;
	if (is_in_vain(xfer))
		return -EHOSTDOWN;
	if (answer_limit(xfer) > sizeof(q->rx_buf) ||
	    (dxl_transfer_is_fast(xfer) && fast_size(xfer) >= U16_MAX))
		return -EMSGSIZE;

	queue_prepare_tx(q);
	len = dxl_packet_encode(&xfer->request, q->tx_buf + q->tx_at,
				DXL_PACKET_MAX);
	q->tx_len = q->tx_at + max(len, 0);
	if (len < 0)
		return len;

	queue_prepare_rx(bus, xfer);
	ret = queue_write(bus, len);
	if (ret) {
		q->tx_len = q->tx_at;
		return ret;
	}

	queue_sent(bus, xfer, len);

	return 0;
}
