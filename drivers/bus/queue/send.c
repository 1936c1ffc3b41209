// SPDX-License-Identifier: GPL-2.0
/*
 * A transfer goes onto the line
 *
 * Everything here is called with the queue's lock held.
 */
#include <linux/errno.h>
#include <linux/ktime.h>
#include <linux/minmax.h>

#include <linux/dxl/transport.h>

#include "inject.h"
#include "ladder.h"
#include "state.h"
#include "trace.h"

/* The device that a transfer is for, where it is for one. */
struct dxl_device *dxl_transfer_device(const struct dxl_transfer *xfer)
{
	return xfer->num_replies == 1 ? xfer->replies->ddev : NULL;
}

/* One that is lost would cost its time-out; the ladder asks it whether it is back. */
static bool is_in_vain(const struct dxl_transfer *xfer)
{
	const struct dxl_device *ddev = dxl_transfer_device(xfer);

	return ddev && ddev->state == DXL_LOST && !xfer->probe &&
	       xfer->priority != DXL_PRIO_MAINTENANCE;
}

/* Until it ends, see queue_finish(). */
static void expect_none(struct dxl_transfer *xfer)
{
	xfer->num_replies = 0;
	xfer->unawaited = true;
}

/* The line's write(), and what may be made to happen to it. */
static int queue_write(struct dxl_bus *bus, const u8 *buf, size_t len)
	__must_hold(&bus->queue->lock)
{
	struct dxl_queue *q = bus->queue;
	int sent;

	if (dxl_inject_write(bus))
		return -EIO;
	if (dxl_inject_tx(bus))
		return 0;

	sent = bus->ops->write(bus, buf, len);
	if (sent == len)
		return 0;

	/* What is still leaving of the packet before goes with it. */
	q->current_xfer = NULL;
	bus->ops->flush(bus);
	dxl_engine_flushed(&q->engine);

	return sent < 0 ? sent : -EIO;
}

/* The packet in @buf, @len bytes, has been handed to the line. */
static void queue_sent(struct dxl_bus *bus, struct dxl_transfer *xfer,
		       const u8 *buf, size_t len)
	__must_hold(&bus->queue->lock)
{
	struct dxl_queue *q = bus->queue;
	ktime_t now = ktime_get();
	size_t stale;

	trace_dxl_tx(bus, buf, len);
	dxl_count(bus, dxl_transfer_device(xfer), DXL_STAT_PACKETS, 1);
	dxl_count(bus, dxl_transfer_device(xfer), DXL_STAT_TX_BYTES, len);

	if (q->beat)
		q->beat->sent(bus, xfer, now);

	q->current_xfer = xfer;
	stale = dxl_engine_start(&q->engine, &xfer->request, xfer->replies,
				 xfer->num_replies, len, now);
	dxl_count(bus, NULL, DXL_STAT_STALE_BYTES, stale);
	dxl_timer_start(&q->timer, q->engine.deadline);
}

/* If the device that has been sent @xfer is back, its answer must not meet the next packet. */
static void spare_line(struct dxl_bus *bus, const struct dxl_transfer *xfer)
	__must_hold(&bus->queue->lock)
{
	struct dxl_queue *q = bus->queue;
	const struct dxl_reply *reply = xfer->replies;
	s64 ns = dxl_wire_ns(&bus->timing, dxl_answer_size(&xfer->request, reply->len)) +
		 (u64)reply->return_delay_us * NSEC_PER_USEC;

	q->hold_until = max(q->hold_until, q->engine.deadline + ns);
	q->hold_end = max(q->hold_end, q->hold_until);
}

/* Put @xfer on the wire. */
int dxl_queue_send(struct dxl_bus *bus, struct dxl_transfer *xfer)
	__must_hold(&bus->queue->lock)
{
	struct dxl_queue *q = bus->queue;
	int len, ret;
	bool lost;
	u8 *buf;

	if (xfer->wanted && !xfer->wanted(xfer->wanted_context))
		return -ECANCELED;
	lost = is_in_vain(xfer);
	if (lost && xfer->priority <= DXL_PRIO_REQUEST)
		dxl_ladder_seek(dxl_transfer_device(xfer));
	if (lost && xfer->priority != DXL_PRIO_RELEASE)
		return -EHOSTDOWN;
	/* A lost device may hear that it is to let go, but its answer is not waited for. */
	if (lost)
		expect_none(xfer);
	if (!dxl_engine_accepts(&xfer->request, xfer->replies,
				xfer->num_replies))
		return -EMSGSIZE;

	buf = dxl_engine_buffer(&q->engine, ktime_get());
	len = dxl_packet_encode(&xfer->request, buf, DXL_PACKET_MAX);
	if (len < 0)
		return len;

	ret = queue_write(bus, buf, len);
	if (ret)
		return ret;

	queue_sent(bus, xfer, buf, len);
	if (lost)
		spare_line(bus, xfer);

	return 0;
}
