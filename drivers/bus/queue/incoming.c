// SPDX-License-Identifier: GPL-2.0
/*
 * What arrives on a bus, and what becomes of the transfer on the wire by it
 *
 * What bytes mean is found out by the engine of the receiving side; here it is
 * counted, and the queue goes on. Owners, contexts and locks are those of queue.c.
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/export.h>

#include <linux/dxl/transport.h>

#include "inject.h"
#include "ladder.h"
#include "state.h"
#include "trace.h"

/* The device of @reply has had its turn. */
static void count_turn(struct dxl_bus *bus, const struct dxl_event *event)
	__must_hold(&bus->queue->lock)
{
	if (event->size)
		dxl_count_device(event->reply->ddev, DXL_STAT_RX_BYTES,
				 event->size);
}

static void take_answer(struct dxl_bus *bus, const struct dxl_event *event)
	__must_hold(&bus->queue->lock)
{
	enum dxl_protocol protocol = bus->queue->current_xfer->request.protocol;
	const struct dxl_reply *reply = event->reply;

	dxl_count_error(bus, reply->ddev, protocol, reply->error);
	if (reply->ddev)
		dxl_ladder_heard(reply->ddev, dxl_shutdown_bits(protocol, reply->error));
	if (!reply->status)
		dxl_count_turnaround(bus, reply->ddev, event->turnaround_ns);
	count_turn(bus, event);
}

static void take_stray(struct dxl_bus *bus, const struct dxl_event *event)
	__must_hold(&bus->queue->lock)
{
	struct dxl_reply *reply = event->reply;

	dxl_count(bus, reply ? reply->ddev : NULL, DXL_STAT_STRAY_PACKETS, 1);
	count_turn(bus, event);
}

/* From a device that was given up it is an answer that has come too late. */
static void take_foreign(struct dxl_bus *bus, const struct dxl_event *event)
	__must_hold(&bus->queue->lock)
{
	dxl_count(bus, NULL, DXL_STAT_STRAY_PACKETS, 1);
	if (dxl_queue_is_late(bus->queue, event->id))
		dxl_queue_hold(bus);
}

static void take_event(struct dxl_bus *bus, const struct dxl_event *event)
	__must_hold(&bus->queue->lock)
{
	switch (event->type) {
	case DXL_EVENT_ECHO:
		dxl_count(bus, NULL, DXL_STAT_ECHOES, 1);
		break;
	case DXL_EVENT_ANSWER:
		take_answer(bus, event);
		break;
	case DXL_EVENT_STRAY:
		take_stray(bus, event);
		break;
	case DXL_EVENT_FOREIGN:
		take_foreign(bus, event);
		break;
	case DXL_EVENT_DAMAGED:
		if (event->fault == -EBADMSG)
			dxl_count(bus, NULL, DXL_STAT_CHECKSUM_ERRORS, 1);
		count_turn(bus, event);
		break;
	case DXL_EVENT_DONE:
		dxl_queue_end_current(bus);
		break;
	}
}

static void receive(struct dxl_bus *bus, const u8 *data, size_t len)
	__must_hold(&bus->queue->lock)
{
	struct dxl_engine *engine = &bus->queue->engine;
	struct dxl_event event;

	dxl_engine_feed(engine, data, len, ktime_get());
	while (dxl_engine_next(engine, &event))
		take_event(bus, &event);
	dxl_count(bus, NULL, DXL_STAT_STALE_BYTES,
		  dxl_engine_end_input(engine));
}

/**
 * dxl_bus_receive() - take bytes that have arrived on the line
 * @bus: the bus
 * @data: the bytes
 * @len: their number
 *
 * Context: Process or soft interrupt context, one caller at a time for each
 * bus.
 */
void dxl_bus_receive(struct dxl_bus *bus, const u8 *data, size_t len)
{
	if (!len || dxl_inject_rx(bus))
		return;

	dxl_queue_lock(bus);
	trace_dxl_rx(bus, data, len);
	dxl_count(bus, NULL, DXL_STAT_RX_BYTES, len);
	dxl_queue_hold_on(bus);

	if (dxl_inject_corrupt(bus)) {
		u8 damaged = *data++ ^ BIT(0);

		receive(bus, &damaged, 1);
		len--;
	}
	receive(bus, data, len);
	dxl_queue_watch(bus);
	dxl_queue_unlock(bus);
}
EXPORT_SYMBOL_NS_GPL(dxl_bus_receive, "DXL");

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
	struct dxl_queue *q = bus->queue;

	spin_lock_bh(&q->lock);
	dxl_count(bus, NULL, DXL_STAT_LINE_ERRORS, 1);
	dxl_count(bus, NULL, DXL_STAT_STALE_BYTES,
		  dxl_engine_line_error(&q->engine));
	spin_unlock_bh(&q->lock);
}
EXPORT_SYMBOL_NS_GPL(dxl_bus_line_error, "DXL");
