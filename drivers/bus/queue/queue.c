// SPDX-License-Identifier: GPL-2.0
/*
 * Transfer queue of a Dynamixel bus
 *
 * The bus is half duplex and its packets carry no sequence number, so one
 * transfer is on the wire at a time and whatever arrives is held against it.
 * Here is how one comes, is sent and ends; next.c says which is next and pause.c when
 * none may be, send.c puts it onto the line, incoming.c takes what comes and asks the
 * receiving side what it means, outcome.c tells what became of the answers.
 *
 * Owners. A transfer is its submitter's until dxl_transfer_submit() accepts it.
 * From there the queue owns it: first on @pending, then as @current_xfer, after
 * a fault perhaps on @pending again, in the end on @done. It gets there in
 * queue_finish() and nowhere else, and leaves in queue_complete() alone, which is
 * what makes complete() be called exactly once; from that call on it is its
 * submitter's again. A dxl_device on a transfer is kept by its submitter.
 *
 * Flags. @refusal is 0 from dxl_queue_start() on and never again once
 * dxl_queue_disconnect() or dxl_queue_stop() have set it. @reserved belongs to
 * the one who holds the bus's maintenance mutex, and so does @away, which is set
 * within it. @asleep belongs to the bus's suspend and resume.
 *
 * Contexts. Transfers are submitted from process or soft interrupt context,
 * bytes arrive in either (one caller at a time, as a serial line has one
 * reader). complete() is called, and the timer's function runs, where deferred.c has
 * it: no task does what is to be done when the transfer of another has ended, and so
 * none that is preempted keeps it from being done. Until it has been called nothing
 * else is sent, as it may submit what goes first; but a joint is let go at once.
 *
 * Locks. The queue's lock guards the queue, all statistics and the state of the
 * devices. It is taken with soft interrupts off and held while the transport's
 * write() runs, so it nests outside the locks of the serial driver and no
 * transport may call back from write(). It is never held over complete(), nor
 * over any wait, and never given up in the middle: what has ended is on @done then.
 * The maintenance mutex is taken before it.
 *
 * Time. Every transfer ends: on its last valid answer, or at a deadline computed
 * from the length of both packets, the baud rate, the device's return delay and
 * a margin. A chain of answers has a deadline for each of them, which counts
 * from the one before. A transfer without answer ends when its last bit has left the
 * line, or earlier: while it is on the line the next one is handed over already,
 * so that there is no gap between them.
 *
 * Late answers. A device that has not answered by the deadline may still do so.
 * It is not asked again before one more margin has passed; meanwhile whatever it
 * sends answers nothing and is dropped, while the others are served. If it does
 * send something, the devices that were to answer after it may follow: then the
 * transfer under way is given up and the line kept free until they have. So no
 * answer that comes less than a margin behind its deadline is ever taken for
 * that of another request; Documentation/bus.rst has the whole argument.
 */
#include <linux/completion.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/slab.h>

#include <linux/dxl/transport.h>

#include "state.h"

#define CREATE_TRACE_POINTS
#include "trace.h"

/* A line that never calms down is not waited for longer. */
#define HOLD_MARGINS		16

/* One more attempt mends nearly all of what is not lasting. */
#define RETRIES_DEFAULT		1

/* A transfer that is on no list any more is done with. */
static void queue_finish(struct dxl_bus *bus, struct dxl_transfer *xfer,
			 int status)
	__must_hold(&bus->queue->lock)
{
	struct dxl_queue *q = bus->queue;

	lockdep_assert_held(&q->lock);

	if (xfer->unawaited) {
		status = status ?: -EHOSTDOWN;
		xfer->num_replies = 1;
		xfer->replies->status = status;
	}
	xfer->status = status;
	trace_dxl_complete(bus, xfer);
	list_add_tail(&xfer->node, &q->done);
}

/* The same for one that has not been on the wire to its end. */
static void queue_abort(struct dxl_bus *bus, struct dxl_transfer *xfer,
			int status)
	__must_hold(&bus->queue->lock)
{
	unsigned int i;

	for (i = 0; i < xfer->num_replies; i++)
		xfer->replies[i].status = status;

	queue_finish(bus, xfer, status);
}

/* --- sending --- */

/*
 * Whether the line takes a packet. One that is not answered lets the next follow
 * at once, but no more than that: what waits here can still be overtaken.
 */
static bool queue_may_send(const struct dxl_queue *q)
	__must_hold(&q->lock)
{
	if (q->refusal || q->asleep)
		return false;
	if (!q->current_xfer)
		return true;

	return !q->current_xfer->num_replies && ktime_get() >= q->engine.started;
}

/* Put one on the wire, perhaps behind one that nobody answers. */
static void queue_send(struct dxl_bus *bus, struct dxl_transfer *xfer)
	__must_hold(&bus->queue->lock)
{
	struct dxl_queue *q = bus->queue;
	struct dxl_transfer *before = q->current_xfer;
	int ret = dxl_queue_send(bus, xfer);

	if (ret && before && !q->current_xfer) {
		/* Now that it has room the line may take it. */
		list_add(&xfer->node, &q->pending[xfer->priority]);
		queue_finish(bus, before, -EIO);
	} else if (ret) {
		queue_abort(bus, xfer, ret);
	} else if (before) {
		queue_finish(bus, before, 0);
	}
}

/* Send the next transfer if the line is free. */
void dxl_queue_pump(struct dxl_bus *bus)
	__must_hold(&bus->queue->lock)
{
	struct dxl_queue *q = bus->queue;
	struct dxl_transfer *xfer;
	ktime_t wake = KTIME_MAX;

	lockdep_assert_held(&q->lock);

	while (queue_may_send(q)) {
		xfer = dxl_queue_next(bus, &wake);
		if (!xfer)
			break;

		list_del(&xfer->node);
		if (xfer->priority <= DXL_PRIO_REQUEST)
			q->attributes_next = xfer->priority == DXL_PRIO_REQUEST;
		queue_send(bus, xfer);
	}
	if (!q->refusal && !q->current_xfer && wake != KTIME_MAX)
		dxl_timer_start(&q->timer, wake);
	if ((q->reserved || q->asleep) && !q->current_xfer)
		wake_up(&q->idle);
}

/* --- completing --- */

/**
 * dxl_queue_lock() - take the lock of a queue
 * @bus: the bus
 *
 * For what it guards in the rooms above, and to be given back by dxl_queue_unlock().
 */
void dxl_queue_lock(struct dxl_bus *bus)
	__acquires(&bus->queue->lock)
{
	spin_lock_bh(&bus->queue->lock);
}

/**
 * dxl_queue_unlock() - release the lock of a queue in which transfers may have ended
 * @bus: the bus
 */
void dxl_queue_unlock(struct dxl_bus *bus)
	__releases(&bus->queue->lock)
{
	struct dxl_queue *q = bus->queue;

	if (!list_empty(&q->done))
		dxl_deferred_start(&q->completion);
	spin_unlock_bh(&q->lock);
}

/* Hand those that have ended back to their submitters. */
static void queue_complete(struct dxl_queue *q)
	__must_hold(&q->lock)
{
	struct dxl_transfer *xfer;

	lockdep_assert_held(&q->lock);

	while (!list_empty(&q->done)) {
		xfer = list_first_entry(&q->done, struct dxl_transfer, node);
		list_del(&xfer->node);
		q->completing++;

		spin_unlock_bh(&q->lock);
		xfer->complete(xfer);
		spin_lock_bh(&q->lock);

		q->completing--;
	}
}

/* Where deferred.c has it: nothing here is preempted for long. */
static void queue_run(struct dxl_bus *bus)
	__must_hold(&bus->queue->lock)
{
	struct dxl_queue *q = bus->queue;

	while (!list_empty(&q->done)) {
		queue_complete(q);
		dxl_queue_pump(bus);
	}
}

static void queue_completion(struct dxl_deferred *completion)
{
	struct dxl_queue *q = container_of(completion, struct dxl_queue,
					   completion);

	spin_lock_bh(&q->lock);
	queue_run(q->bus);
	spin_unlock_bh(&q->lock);
}

/* --- ending --- */

/**
 * dxl_queue_end_current() - the transfer on the wire has ended: go on with the next
 * @bus: the bus
 */
void dxl_queue_end_current(struct dxl_bus *bus)
	__must_hold(&bus->queue->lock)
{
	struct dxl_queue *q = bus->queue;
	struct dxl_transfer *xfer = q->current_xfer;
	int status;

	lockdep_assert_held(&q->lock);

	q->current_xfer = NULL;
	status = dxl_outcome_settle(bus, xfer);
	if (status && dxl_outcome_may_retry(q, xfer)) {
		dxl_count(bus, dxl_transfer_device(xfer), DXL_STAT_RETRIES, 1);
		xfer->retries++;
		list_add(&xfer->node, &q->pending[xfer->priority]);
	} else {
		queue_finish(bus, xfer, status);
	}

	dxl_queue_pump(bus);
}

/**
 * dxl_queue_watch() - the deadline of the transfer on the wire may have moved
 * @bus: the bus
 *
 * The timer may fire early for one that has, not late.
 */
void dxl_queue_watch(struct dxl_bus *bus)
	__must_hold(&bus->queue->lock)
{
	struct dxl_queue *q = bus->queue;

	if (q->current_xfer && q->engine.deadline < dxl_timer_when(&q->timer))
		dxl_timer_start(&q->timer, q->engine.deadline);
}

/* Whether a packet from @id can only be one that has been given up. */
bool dxl_queue_is_late(const struct dxl_queue *q, u8 id)
{
	return ktime_get() < dxl_quiet_until(q, id);
}

/**
 * dxl_queue_hold() - give up the transfer on the wire and let the line calm down
 * @bus: the bus
 */
void dxl_queue_hold(struct dxl_bus *bus)
	__must_hold(&bus->queue->lock)
{
	struct dxl_queue *q = bus->queue;

	/* The device whose turn it is may answer in time, or late itself. */
	q->hold_until = ktime_add_ns(max(ktime_get(), q->engine.deadline),
				     dxl_margin_ns(&bus->timing));
	q->hold_end = ktime_add_ns(q->hold_until, HOLD_MARGINS *
						  dxl_margin_ns(&bus->timing));
	dxl_engine_give_up(&q->engine);
	dxl_queue_end_current(bus);
}

/*
 * Something has come while the line is held: an answer gives the next device of
 * its chain its turn, which may be late as well.
 */
void dxl_queue_hold_on(struct dxl_bus *bus)
	__must_hold(&bus->queue->lock)
{
	struct dxl_queue *q = bus->queue;
	ktime_t now = ktime_get(), until;

	if (q->current_xfer || now >= q->hold_until)
		return;

	until = ktime_add_ns(now, 2 * dxl_margin_ns(&bus->timing));
	q->hold_until = clamp(until, q->hold_until, q->hold_end);
}

static void queue_timeout(struct dxl_timer *timer)
{
	struct dxl_queue *q = container_of(timer, struct dxl_queue, timer);
	struct dxl_bus *bus = q->bus;

	spin_lock_bh(&q->lock);
	/*
	 * The deadline moves with each answer, the timer does not. And what is
	 * on the wire may be a later transfer than it was started for.
	 */
	if (!q->current_xfer)
		dxl_queue_pump(bus);
	else if (dxl_engine_expire(&q->engine, ktime_get()))
		dxl_queue_end_current(bus);
	else
		dxl_timer_start(&q->timer, q->engine.deadline);
	queue_run(bus);
	spin_unlock_bh(&q->lock);
}

/* --- submission --- */

/**
 * dxl_transfer_submit() - send an instruction and collect the answers to it
 * @bus: bus to use
 * @xfer: the transfer
 *
 * Transfers are sent by their priority and in the order of their submission; one
 * to a device that may still answer an earlier request is overtaken by those to
 * others. The status with which one is completed, and that of each of its
 * replies, is
 *
 * * %0			- sent and, if one was to come, answered
 * * %-ETIMEDOUT	- no answer
 * * %-EBADMSG		- the answer was damaged
 * * %-EPROTO		- the answer had the wrong length or an impossible form,
 *			  or there were two that differ
 * * %-EMSGSIZE		- request or answer are too long for the core, or a longer
 *			  packet than the answer can be came
 * * %-EREMOTEIO	- the device refused, see @error of the reply
 * * %-ENODATA		- a device before it in the chain did not answer, or the
 *			  line was late and the request could not be repeated
 * * %-EHOSTDOWN	- the device is lost and was not asked; or was told to let go
 *			  (%DXL_PRIO_RELEASE), without waiting for its answer
 * * %-ECANCELED	- it was wanted no more when its turn came, and was not sent
 * * %-EINVAL		- the request has an impossible ID or protocol
 * * %-EIO		- the line did not take the packet
 * * %-ENODEV		- the line has gone
 * * %-ESHUTDOWN	- the bus was removed meanwhile
 *
 * Context: Process or soft interrupt context. Does not sleep.
 * Return: 0 if the transfer was accepted; -EINVAL if it has no priority, -ENODEV or
 * -ESHUTDOWN if the bus is not running, and @xfer is still the caller's
 */
int dxl_transfer_submit(struct dxl_bus *bus, struct dxl_transfer *xfer)
{
	struct dxl_queue *q = bus->queue;
	int ret;

	if (xfer->priority == DXL_PRIO_UNSET ||
	    xfer->priority >= DXL_PRIORITIES)
		return -EINVAL;

	spin_lock_bh(&q->lock);
	ret = q->refusal;
	if (!ret) {
		trace_dxl_submit(bus, xfer);
		xfer->retries = 0;
		xfer->unawaited = false;
		list_add_tail(&xfer->node, &q->pending[xfer->priority]);
		dxl_queue_pump(bus);
	}
	dxl_queue_unlock(bus);

	return ret;
}
EXPORT_SYMBOL_NS_GPL(dxl_transfer_submit, "DXL");

static void sync_complete(struct dxl_transfer *xfer)
{
	complete(xfer->context);
}

/**
 * dxl_transfer_sync() - send an instruction and wait for the answers
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
EXPORT_SYMBOL_NS_GPL(dxl_transfer_sync, "DXL");

/* --- life --- */

/* The bus's thread is there already. Returns 0 or -ENOMEM. */
int dxl_queue_alloc(struct dxl_bus *bus)
{
	struct dxl_queue *q = kzalloc(sizeof(*q), GFP_KERNEL);
	int i;

	if (!q)
		return -ENOMEM;

	bus->queue = q;
	q->bus = bus;
	spin_lock_init(&q->lock);
	for (i = 0; i < DXL_PRIORITIES; i++)
		INIT_LIST_HEAD(&q->pending[i]);
	INIT_LIST_HEAD(&q->done);
	init_waitqueue_head(&q->idle);
	dxl_timer_setup(&q->timer, bus, queue_timeout);
	dxl_deferred_setup(&q->completion, bus, queue_completion);
	q->refusal = -ESHUTDOWN;
	q->retries = RETRIES_DEFAULT;
	dxl_engine_init(&q->engine, &bus->timing);

	return 0;
}

void dxl_queue_free(struct dxl_bus *bus)
{
	kfree(bus->queue);
}

/* The bus beats, which it is not doing yet. */
void dxl_queue_set_beat(struct dxl_bus *bus, const struct dxl_beat_ops *beat)
{
	bus->queue->beat = beat;
}

void dxl_queue_start(struct dxl_bus *bus)
{
	spin_lock_bh(&bus->queue->lock);
	bus->queue->refusal = 0;
	spin_unlock_bh(&bus->queue->lock);
}

static struct dxl_transfer *queue_take_any(struct dxl_queue *q)
	__must_hold(&q->lock)
{
	struct dxl_transfer *xfer = q->current_xfer;
	int priority;

	if (xfer) {
		q->current_xfer = NULL;
		dxl_engine_stop(&q->engine);
		return xfer;
	}

	for (priority = 0; priority < DXL_PRIORITIES; priority++) {
		xfer = list_first_entry_or_null(&q->pending[priority],
						struct dxl_transfer, node);
		if (xfer) {
			list_del(&xfer->node);
			return xfer;
		}
	}

	return NULL;
}

/* Refuse new transfers and end those that there are, both with @refusal. */
static void queue_refuse(struct dxl_bus *bus, int refusal)
{
	struct dxl_queue *q = bus->queue;
	struct dxl_transfer *xfer;

	spin_lock_bh(&q->lock);
	if (!q->refusal)
		q->refusal = refusal;
	if (q->current_xfer)
		bus->ops->flush(bus);
	while ((xfer = queue_take_any(q)))
		queue_abort(bus, xfer, q->refusal);
	wake_up(&q->idle);
	dxl_queue_unlock(bus);
}

/* The line has gone: nothing that is under way or comes can succeed. */
void dxl_queue_disconnect(struct dxl_bus *bus)
{
	queue_refuse(bus, -ENODEV);
}

void dxl_queue_stop(struct dxl_bus *bus)
{
	queue_refuse(bus, -ESHUTDOWN);
	dxl_timer_cancel(&bus->queue->timer);
	dxl_deferred_flush(&bus->queue->completion);
}

/* --- attempts --- */

/* How often a request is repeated. */
u32 dxl_queue_retries(const struct dxl_bus *bus)
{
	return READ_ONCE(bus->queue->retries);
}

void dxl_queue_set_retries(struct dxl_bus *bus, u32 retries)
{
	WRITE_ONCE(bus->queue->retries, retries);
}
