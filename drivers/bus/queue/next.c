// SPDX-License-Identifier: GPL-2.0
/*
 * Which transfer goes next
 *
 * By priority, and among those of one in the order in which they came; but one to a
 * device that is to be left alone is overtaken. Everything here is called with the
 * queue's lock held.
 */
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>

#include "state.h"

/*
 * How far to look past transfers whose devices are to be left alone, as anybody may
 * have many waiting.
 */
#define LOOK_AHEAD		32

/* --- devices to be left alone --- */

/* Until when @id may answer an earlier request. */
ktime_t dxl_quiet_until(const struct dxl_queue *q, u8 id)
{
	return id <= DXL_ID_MAX ? q->quiet_until[id] : 0;
}

/* Leave a device alone until @until, or for longer if that was said before. */
void dxl_queue_quiet(struct dxl_queue *q, u8 id, ktime_t until)
{
	lockdep_assert_held(&q->lock);

	if (id <= DXL_ID_MAX)
		q->quiet_until[id] = max(q->quiet_until[id], until);
}

/* Until when a device is to be left alone; called with the queue's lock held. */
ktime_t dxl_queue_quiet_until(const struct dxl_bus *bus, u8 id)
{
	lockdep_assert_held(&bus->queue->lock);

	return dxl_quiet_until(bus->queue, id);
}

/* @ddev will not answer for @us: leave it alone. */
void dxl_queue_rest(struct dxl_device *ddev, u32 us)
{
	struct dxl_queue *q = ddev->bus->queue;

	spin_lock_bh(&q->lock);
	dxl_queue_quiet(q, ddev->id, ktime_add_us(ktime_get(), us));
	spin_unlock_bh(&q->lock);
}

/* --- the next --- */

/*
 * From when on @xfer may be sent. A repeated answer follows the first one at
 * once: the device that answered last may not be asked first while that lasts.
 */
static ktime_t ready_at(const struct dxl_queue *q,
			const struct dxl_transfer *xfer)
{
	ktime_t ready = max(q->hold_until, dxl_quiet_until(q, xfer->request.id));
	unsigned int i;

	for (i = 0; i < xfer->num_replies; i++)
		ready = max(ready, dxl_quiet_until(q, xfer->replies[i].id));

	if (!xfer->num_replies)
		return ready;

	return max(ready, dxl_engine_settled(&q->engine, xfer->replies->id));
}

/* Requests and what is read for attributes take turns, so that both go on. */
static int in_turn(const struct dxl_queue *q, int priority)
{
	if (!q->attributes_next || priority > DXL_PRIO_REQUEST)
		return priority;

	return priority == DXL_PRIO_REQUEST ? DXL_PRIO_ATTRIBUTE :
					      DXL_PRIO_REQUEST;
}

/* Requests are what has to wait for a beat. */
static bool beat_allows(struct dxl_bus *bus, const struct dxl_transfer *xfer,
			ktime_t now, ktime_t *wake)
	__must_hold(&bus->queue->lock)
{
	const struct dxl_beat_ops *beat = bus->queue->beat;

	if (!beat || xfer->priority > DXL_PRIO_REQUEST)
		return true;

	return beat->allows(bus, xfer, now, wake);
}

/* The first of a priority whose time has come; if there is none, when it will come. */
static struct dxl_transfer *first_ready(struct dxl_bus *bus, int priority,
					ktime_t now, ktime_t *wake)
	__must_hold(&bus->queue->lock)
{
	unsigned int seen = 0;
	struct dxl_transfer *xfer;
	ktime_t ready;

	list_for_each_entry(xfer, &bus->queue->pending[priority], node) {
		if (seen++ == LOOK_AHEAD)
			break;
		ready = ready_at(bus->queue, xfer);
		if (ready <= now && beat_allows(bus, xfer, now, &ready))
			return xfer;
		*wake = min(*wake, ready);
	}

	return NULL;
}

/* What the line is for now. Who is told that a transfer has ended may submit another. */
static int lowest_priority(const struct dxl_queue *q)
{
	if (q->completing || !list_empty(&q->done))
		return DXL_PRIO_RELEASE;

	return q->reserved ? DXL_PRIO_MAINTENANCE : DXL_PRIO_ATTRIBUTE;
}

/* The next transfer whose time has come; if there is none, when it will come. */
struct dxl_transfer *dxl_queue_next(struct dxl_bus *bus, ktime_t *wake)
	__must_hold(&bus->queue->lock)
{
	struct dxl_queue *q = bus->queue;
	int lowest = lowest_priority(q);
	int priority = q->away ? DXL_PRIO_MAINTENANCE : DXL_PRIO_RELEASE;
	ktime_t now = ktime_get();
	struct dxl_transfer *xfer;

	*wake = KTIME_MAX;
	for (; priority >= lowest; priority--) {
		xfer = first_ready(bus, in_turn(q, priority), now, wake);
		if (xfer)
			return xfer;
	}

	return NULL;
}
