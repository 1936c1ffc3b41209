// SPDX-License-Identifier: GPL-2.0
/*
 * What keeps transfers from being sent: who has the bus for himself, and a machine that
 * sleeps; and who streams and must not be kept
 */
#include <linux/errno.h>
#include <linux/list.h>
#include <linux/wait.h>

#include "state.h"

static bool queue_is_idle(struct dxl_queue *q)
{
	bool idle;

	spin_lock_bh(&q->lock);
	idle = !q->current_xfer;
	spin_unlock_bh(&q->lock);

	return idle;
}

/* Set what keeps transfers from being sent, and wait until that on the wire has ended. */
static void queue_pause(struct dxl_queue *q, bool *flag)
{
	spin_lock_bh(&q->lock);
	*flag = true;
	spin_unlock_bh(&q->lock);

	wait_event(q->idle, queue_is_idle(q));
}

/* Clear it, and send what has been waiting. */
static void queue_go_on(struct dxl_bus *bus, bool *flag)
{
	dxl_queue_lock(bus);
	*flag = false;
	dxl_queue_pump(bus);
	dxl_queue_unlock(bus);
}

/*
 * Let only transfers of DXL_PRIO_MAINTENANCE and above go from now on, and wait until
 * what is on the wire has ended, which it does by its deadline. Returns -EBUSY if
 * somebody streams.
 */
int dxl_queue_reserve(struct dxl_bus *bus)
{
	struct dxl_queue *q = bus->queue;
	bool streams;

	spin_lock_bh(&q->lock);
	streams = q->streams;
	q->reserved = !streams;
	spin_unlock_bh(&q->lock);
	if (streams)
		return -EBUSY;

	wait_event(q->idle, queue_is_idle(q));

	return 0;
}

/*
 * Whoever has reserved the bus takes the line to another rate than that of the devices:
 * nobody else sends until dxl_queue_return(), and what is on the wire has ended.
 */
void dxl_queue_leave(struct dxl_bus *bus)
{
	queue_pause(bus->queue, &bus->queue->away);
}

/* The line is at the rate of the devices again. */
void dxl_queue_return(struct dxl_bus *bus)
{
	queue_go_on(bus, &bus->queue->away);
}

/* Send nothing more until dxl_queue_wake(), and wait until what is on the wire has ended. */
void dxl_queue_sleep(struct dxl_bus *bus)
{
	queue_pause(bus->queue, &bus->queue->asleep);
}

/* Go on with what has been waiting. */
void dxl_queue_wake(struct dxl_bus *bus)
{
	queue_go_on(bus, &bus->queue->asleep);
}

/* Whether somebody wants a joint let go, whom to keep waiting is dangerous. */
bool dxl_queue_is_urged(struct dxl_bus *bus)
{
	struct dxl_queue *q = bus->queue;
	bool urged;

	spin_lock_bh(&q->lock);
	urged = !list_empty(&q->pending[DXL_PRIO_RELEASE]);
	spin_unlock_bh(&q->lock);

	return urged;
}

/* Take back dxl_queue_reserve(). */
void dxl_queue_unreserve(struct dxl_bus *bus)
{
	queue_go_on(bus, &bus->queue->reserved);
}

/* Have dxl_queue_reserve() refused; itself refused, with -EBUSY, after that. */
int dxl_queue_get_stream(struct dxl_bus *bus)
{
	struct dxl_queue *q = bus->queue;
	bool reserved;

	spin_lock_bh(&q->lock);
	reserved = q->reserved;
	if (!reserved)
		q->streams++;
	spin_unlock_bh(&q->lock);

	return reserved ? -EBUSY : 0;
}

/* Take back dxl_queue_get_stream(). */
void dxl_queue_put_stream(struct dxl_bus *bus)
{
	spin_lock_bh(&bus->queue->lock);
	bus->queue->streams--;
	spin_unlock_bh(&bus->queue->lock);
}

/* Whether somebody streams. */
bool dxl_queue_has_stream(struct dxl_bus *bus)
{
	bool streams;

	spin_lock_bh(&bus->queue->lock);
	streams = bus->queue->streams;
	spin_unlock_bh(&bus->queue->lock);

	return streams;
}
