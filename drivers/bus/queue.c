// SPDX-License-Identifier: GPL-2.0
/*
 * Transfer queue of a Dynamixel bus
 *
 * The bus is half duplex and its packets carry no sequence number, so one
 * transfer is on the wire at a time and whatever arrives is held against it,
 * see receive.c.
 *
 * Owners. A transfer is its submitter's until dxl_transfer_submit() accepts it.
 * From there the queue owns it: first on @pending, then as @current_xfer, after
 * a fault perhaps on @pending again. It leaves the queue in queue_finish() and
 * nowhere else, which is what makes complete() be called exactly once; from that
 * call on it is its submitter's again. A dxl_device on a transfer is kept by its
 * submitter.
 *
 * Flags. @refusal is 0 from dxl_queue_start() on and never again once
 * dxl_queue_disconnect() or dxl_queue_stop() have set it. @reserved belongs to
 * the one who holds the bus's maintenance mutex. @pumping belongs to the caller
 * of queue_pump() that found it false.
 *
 * Contexts. Transfers are submitted from process or soft interrupt context,
 * bytes arrive in process context (one caller at a time, as a serial line
 * has one reader), the timer runs in soft interrupt context. Completion of a
 * transfer sends the next one in whichever of them it happens; no thread is
 * woken in between.
 *
 * Locks. The queue's lock guards the queue, all statistics and the state of the
 * devices. It is taken with soft interrupts off and held while the transport's
 * write() runs, so it nests outside the locks of the serial driver and no
 * transport may call back from write(). It is never held over complete(), nor
 * over any wait. The maintenance mutex is taken before it.
 *
 * Time. Every transfer ends: on its last valid answer, or at a deadline computed
 * from the length of both packets, the baud rate, the device's return delay and
 * a margin. A chain of answers has a deadline for each of them, which counts
 * from the one before. A damaged or foreign packet does not end a transfer,
 * since the right answer may follow; it only decides which error is reported at
 * the deadline. A transfer without answer ends when its last bit has left the
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
#include <linux/math64.h>

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

/* One more attempt mends nearly all of what is not lasting. */
#define RETRIES_DEFAULT		1

/* Time that @bytes take on the line. */
u64 dxl_wire_ns(const struct dxl_bus *bus, size_t bytes)
{
	return div_u64((u64)bytes * BITS_PER_BYTE_ON_WIRE * NSEC_PER_SEC,
		       bus->baud);
}

bool dxl_transfer_is_fast(const struct dxl_transfer *xfer)
{
	return xfer->request.instruction == DXL_FAST_SYNC_READ ||
	       xfer->request.instruction == DXL_FAST_BULK_READ;
}

/* The device that a transfer is for, where it is for one. */
static struct dxl_device *transfer_device(const struct dxl_transfer *xfer)
{
	return xfer->num_replies == 1 ? xfer->replies->ddev : NULL;
}

static u64 margin_ns(const struct dxl_bus *bus)
{
	return (u64)READ_ONCE(bus->queue.margin_us) * NSEC_PER_USEC;
}

/* --- results --- */

/* A device that has been asked has not answered as it should. */
static bool is_fault(int status)
{
	return status == -ETIMEDOUT || status == -EBADMSG ||
	       status == -EPROTO || status == -EMSGSIZE;
}

static void queue_settle_reply(struct dxl_bus *bus, struct dxl_reply *reply)
	__must_hold(&bus->queue.lock)
{
	bool fault = is_fault(reply->status);

	lockdep_assert_held(&bus->queue.lock);

	if (!fault && reply->status && reply->status != -EREMOTEIO)
		return;

	if (reply->status)
		trace_dxl_error(bus, reply);
	if (reply->status == -ETIMEDOUT)
		dxl_count(bus, reply->ddev, DXL_STAT_TIMEOUTS, 1);
	if (reply->status == -EBADMSG)
		dxl_count_device(reply->ddev, DXL_STAT_CHECKSUM_ERRORS, 1);
	if (reply->status == -EREMOTEIO)
		dxl_count(bus, reply->ddev, DXL_STAT_DEVICE_ERRORS, 1);
	dxl_count(bus, reply->ddev,
		  reply->status ? DXL_STAT_NACK : DXL_STAT_ACK, 1);

	if (fault && reply->id <= DXL_ID_MAX)
		bus->queue.quiet_until[reply->id] =
			ktime_add_ns(ktime_get(), margin_ns(bus));
	if (reply->ddev)
		dxl_ladder_result(bus, reply->ddev, !fault);
}

/* Hand a transfer that is on no list any more back to its submitter. */
static void queue_finish(struct dxl_bus *bus, struct dxl_transfer *xfer,
			 int status)
	__must_hold(&bus->queue.lock)
{
	struct dxl_queue *q = &bus->queue;

	lockdep_assert_held(&q->lock);

	xfer->status = status;
	trace_dxl_complete(bus, xfer);

	spin_unlock_bh(&q->lock);
	xfer->complete(xfer);
	spin_lock_bh(&q->lock);
}

/* The same for one that has not been on the wire to its end. */
static void queue_abort(struct dxl_bus *bus, struct dxl_transfer *xfer,
			int status)
	__must_hold(&bus->queue.lock)
{
	unsigned int i;

	for (i = 0; i < xfer->num_replies; i++)
		xfer->replies[i].status = status;

	queue_finish(bus, xfer, status);
}

/* --- sending --- */

/* Bytes of an answer with @len parameters, but for such as may be stuffed. */
static size_t answer_size(const struct dxl_transfer *xfer, size_t len)
{
	if (dxl_transfer_is_fast(xfer))
		return len + DXL_FAST_OVERHEAD;
	if (xfer->request.protocol == DXL_PROTOCOL_1)
		return len + DXL1_OVERHEAD;

	return len + DXL2_OVERHEAD + 1;
}

/* How long until the answer @reply must have come, from its device's turn on. */
static u64 answer_ns(const struct dxl_bus *bus, const struct dxl_transfer *xfer,
		     const struct dxl_reply *reply)
{
	size_t bytes = dxl_packet_max_size(xfer->request.protocol, reply->len);

	return dxl_wire_ns(bus, bytes + UART_RX_TIMEOUT_BYTES) +
	       (u64)reply->return_delay_us * NSEC_PER_USEC + margin_ns(bus);
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
	const struct dxl_device *ddev = transfer_device(xfer);

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
	dxl_count(bus, transfer_device(xfer), DXL_STAT_PACKETS, 1);
	dxl_count(bus, transfer_device(xfer), DXL_STAT_TX_BYTES, len);

	q->current_xfer = xfer;
	q->sent++;
	q->started = max(now, q->line_free);
	q->line_free = ktime_add_ns(q->started, dxl_wire_ns(bus, len));
	q->turn = q->line_free;
	q->deadline = q->turn;
	if (xfer->num_replies)
		q->deadline = ktime_add_ns(q->turn,
					   answer_ns(bus, xfer, xfer->replies));
	hrtimer_start(&q->timer, q->deadline, HRTIMER_MODE_ABS_SOFT);
}

/* Put @xfer on the wire. */
static int queue_send(struct dxl_bus *bus, struct dxl_transfer *xfer)
	__must_hold(&bus->queue.lock)
{
	struct dxl_queue *q = &bus->queue;
	int len, ret;

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

static ktime_t quiet_until(const struct dxl_queue *q, u8 id)
{
	return id <= DXL_ID_MAX ? q->quiet_until[id] : 0;
}

/*
 * From when on @xfer may be sent. A repeated answer follows the first one at
 * once: the device that answered last may not be asked first while that lasts.
 */
static ktime_t ready_at(const struct dxl_queue *q,
			const struct dxl_transfer *xfer)
{
	ktime_t ready = max(q->hold_until, quiet_until(q, xfer->request.id));
	unsigned int i;

	for (i = 0; i < xfer->num_replies; i++)
		ready = max(ready, quiet_until(q, xfer->replies[i].id));

	if (xfer->num_replies && xfer->replies->id == q->last_id &&
	    q->settled > ready)
		ready = q->settled;

	return ready;
}

/* The next transfer whose time has come; if there is none, when it will come. */
static struct dxl_transfer *queue_next(struct dxl_queue *q, ktime_t *wake)
	__must_hold(&q->lock)
{
	int lowest = q->reserved ? DXL_PRIO_MAINTENANCE : DXL_PRIO_REQUEST;
	ktime_t now = ktime_get(), ready;
	struct dxl_transfer *xfer;
	int priority;

	*wake = KTIME_MAX;
	for (priority = DXL_PRIORITIES - 1; priority >= lowest; priority--) {
		list_for_each_entry(xfer, &q->pending[priority], node) {
			ready = ready_at(q, xfer);
			if (ready <= now)
				return xfer;
			*wake = min(*wake, ready);
		}
	}

	return NULL;
}

/*
 * Whether the line takes a packet. One that is not answered lets the next follow
 * at once, but no more than that: what waits here can still be overtaken.
 */
static bool queue_may_send(const struct dxl_queue *q)
	__must_hold(&q->lock)
{
	if (q->refusal)
		return false;
	if (!q->current_xfer)
		return true;

	return !q->current_xfer->num_replies && ktime_get() >= q->started;
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
	struct dxl_transfer *xfer, *before;
	ktime_t wake = KTIME_MAX;
	int ret;

	lockdep_assert_held(&q->lock);

	if (q->pumping)
		return;

	q->pumping = true;
	while (queue_may_send(q)) {
		xfer = queue_next(q, &wake);
		if (!xfer)
			break;

		list_del(&xfer->node);
		before = q->current_xfer;
		ret = queue_send(bus, xfer);
		if (ret)
			queue_abort(bus, xfer, ret);
		else if (before)
			queue_finish(bus, before, 0);
	}
	if (!q->current_xfer && wake != KTIME_MAX)
		hrtimer_start(&q->timer, wake, HRTIMER_MODE_ABS_SOFT);
	q->pumping = false;
}

/* --- ending --- */

/* The device refuses because the request came to it damaged. */
static bool request_damaged(const struct dxl_transfer *xfer)
{
	const struct dxl_reply *reply = xfer->replies;

	if (reply->status != -EREMOTEIO)
		return false;
	if (xfer->request.protocol == DXL_PROTOCOL_1)
		return reply->error & DXL1_ERR_CHECKSUM;

	return (reply->error & DXL2_ERR_MASK) == DXL2_ERR_CRC;
}

static bool may_retry(const struct dxl_queue *q,
		      const struct dxl_transfer *xfer)
{
	const struct dxl_device *ddev = transfer_device(xfer);

	if (!xfer->repeatable || xfer->retries >= READ_ONCE(q->retries))
		return false;
	if (!ddev || ddev->state >= DXL_PASSIVE || q->refusal)
		return false;

	return is_fault(xfer->replies->status) || request_damaged(xfer) ||
	       xfer->replies->status == -ENODATA;
}

/* The transfer on the wire is done with: send the next one. */
static void queue_end_current(struct dxl_bus *bus)
	__must_hold(&bus->queue.lock)
{
	struct dxl_queue *q = &bus->queue;
	struct dxl_transfer *xfer = q->current_xfer;
	unsigned int i;
	int status = 0;

	lockdep_assert_held(&q->lock);

	q->current_xfer = NULL;
	for (i = 0; i < xfer->num_replies; i++) {
		queue_settle_reply(bus, &xfer->replies[i]);
		status = status ?: xfer->replies[i].status;
	}

	if (status && may_retry(q, xfer)) {
		dxl_count(bus, transfer_device(xfer), DXL_STAT_RETRIES, 1);
		xfer->retries++;
		list_add(&xfer->node, &q->pending[xfer->priority]);
	} else {
		queue_finish(bus, xfer, status);
	}

	queue_pump(bus);
	if (q->reserved && !q->current_xfer)
		wake_up(&q->idle);
}

/* Whether something other than good answers was seen of @current_xfer. */
static bool left_traces(const struct dxl_queue *q)
{
	return q->fault != -ETIMEDOUT || q->skipped != q->decoder.skipped;
}

/**
 * dxl_queue_conclude() - end the transfer on the wire with what has come
 * @bus: the bus
 *
 * In a chain each device waits for the answer of the one before. The first that
 * is missing is at fault. Those behind it were never reached, -ENODATA. If they
 * seem to have answered all the same, their predecessor must have been heard by
 * them, and traces of it here; without any, the answers are none to this
 * request.
 */
void dxl_queue_conclude(struct dxl_bus *bus)
	__must_hold(&bus->queue.lock)
{
	struct dxl_queue *q = &bus->queue;
	struct dxl_transfer *xfer = q->current_xfer;
	bool traces = left_traces(q);
	unsigned int i, behind = 0;
	bool gap = false;

	for (i = 0; i < xfer->num_replies; i++)
		if (xfer->replies[i].status != -EINPROGRESS)
			behind = i;

	for (i = 0; i < xfer->num_replies; i++) {
		struct dxl_reply *reply = &xfer->replies[i];

		if (reply->status != -EINPROGRESS) {
			if (gap && !traces)
				reply->status = -ENODATA;
			else
				gap = false;
			continue;
		}

		if (!gap || (traces && i < behind))
			reply->status = q->fault;
		else
			reply->status = -ENODATA;
		gap = true;
	}

	queue_end_current(bus);
}

/**
 * dxl_queue_answered() - go on to the next answer of the transfer on the wire
 * @bus: the bus
 * @reply: the answer that has just been settled
 * @len: how many parameters it had
 */
void dxl_queue_answered(struct dxl_bus *bus, struct dxl_reply *reply, u16 len)
	__must_hold(&bus->queue.lock)
{
	struct dxl_queue *q = &bus->queue;
	struct dxl_transfer *xfer = q->current_xfer;
	struct dxl_reply *last = &xfer->replies[xfer->num_replies - 1];
	ktime_t now = ktime_get();
	size_t size = answer_size(xfer, len);
	struct dxl_reply *other;

	if (!reply->status)
		dxl_count_turnaround(bus, reply->ddev,
				     ktime_to_ns(ktime_sub(now, q->turn)) -
				     dxl_wire_ns(bus, size));
	dxl_count_device(reply->ddev, DXL_STAT_RX_BYTES, size);
	q->last_id = reply->id;
	q->settled = ktime_add_ns(now, dxl_wire_ns(bus, size +
						   UART_RX_TIMEOUT_BYTES));
	q->turn = now;

	if (reply != last) {
		q->deadline = ktime_add_ns(now, answer_ns(bus, xfer, reply + 1));
		/* The timer may fire early for a deadline that has moved, not late. */
		if (q->deadline < hrtimer_get_expires(&q->timer))
			hrtimer_start(&q->timer, q->deadline,
				      HRTIMER_MODE_ABS_SOFT);
		return;
	}

	for (other = xfer->replies; other < last; other++)
		if (other->status == -EINPROGRESS && !left_traces(q))
			return;

	dxl_queue_conclude(bus);
}

/* Whether a packet from @id can only be one that has been given up. */
bool dxl_queue_is_late(const struct dxl_queue *q, u8 id)
{
	return ktime_get() < quiet_until(q, id);
}

/**
 * dxl_queue_hold() - give up the transfer on the wire and let the line calm down
 * @bus: the bus
 *
 * Nobody is to blame for the answers that have not come: they are -ENODATA. So
 * are those that seem to have come behind one that has not.
 */
void dxl_queue_hold(struct dxl_bus *bus)
	__must_hold(&bus->queue.lock)
{
	struct dxl_queue *q = &bus->queue;
	struct dxl_transfer *xfer = q->current_xfer;
	unsigned int i;
	bool gap = false;

	/* The device whose turn it is may answer in time, or late itself. */
	q->hold_until = ktime_add_ns(max(ktime_get(), q->deadline),
				     margin_ns(bus));
	for (i = 0; i < xfer->num_replies; i++) {
		gap = gap || xfer->replies[i].status == -EINPROGRESS;
		if (gap)
			xfer->replies[i].status = -ENODATA;
	}

	queue_end_current(bus);
}

static enum hrtimer_restart queue_timeout(struct hrtimer *timer)
{
	struct dxl_queue *q = container_of(timer, struct dxl_queue, timer);
	struct dxl_bus *bus = container_of(q, struct dxl_bus, queue);

	spin_lock_bh(&q->lock);
	/*
	 * The deadline moves with each answer, the timer does not. And what is
	 * on the wire may be a later transfer than it was started for.
	 */
	if (!q->current_xfer)
		queue_pump(bus);
	else if (ktime_get() < q->deadline)
		hrtimer_start(&q->timer, q->deadline, HRTIMER_MODE_ABS_SOFT);
	else
		dxl_queue_conclude(bus);
	spin_unlock_bh(&q->lock);

	return HRTIMER_NORESTART;
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
 * * %-EHOSTDOWN	- the device is lost and was not asked
 * * %-EINVAL		- the request has an impossible ID or protocol
 * * %-EIO		- the line did not take the packet
 * * %-ENODEV		- the line has gone
 * * %-ESHUTDOWN	- the bus was removed meanwhile
 *
 * Context: Process or soft interrupt context. Does not sleep.
 * Return: 0 if the transfer was accepted; -ENODEV or -ESHUTDOWN if the bus is
 * not running, and @xfer is still the caller's
 */
int dxl_transfer_submit(struct dxl_bus *bus, struct dxl_transfer *xfer)
{
	struct dxl_queue *q = &bus->queue;
	int ret;

	spin_lock_bh(&q->lock);
	ret = q->refusal;
	if (!ret) {
		trace_dxl_submit(bus, xfer);
		xfer->retries = 0;
		list_add_tail(&xfer->node, &q->pending[xfer->priority]);
		queue_pump(bus);
	}
	spin_unlock_bh(&q->lock);

	return ret;
}
EXPORT_SYMBOL_NS_GPL(dxl_transfer_submit, DXL);

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
EXPORT_SYMBOL_NS_GPL(dxl_transfer_sync, DXL);

/* --- life --- */

void dxl_queue_init(struct dxl_bus *bus, u32 margin_us)
{
	struct dxl_queue *q = &bus->queue;
	int i;

	spin_lock_init(&q->lock);
	for (i = 0; i < DXL_PRIORITIES; i++)
		INIT_LIST_HEAD(&q->pending[i]);
	init_waitqueue_head(&q->idle);
	hrtimer_init(&q->timer, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_SOFT);
	q->timer.function = queue_timeout;
	q->refusal = -ESHUTDOWN;
	q->last_id = DXL_ID_BROADCAST;
	q->margin_us = margin_us;
	q->retries = RETRIES_DEFAULT;
	dxl_decoder_init(&q->decoder, DXL_STATUS, q->rx_buf, sizeof(q->rx_buf));
}

void dxl_queue_start(struct dxl_bus *bus)
{
	spin_lock_bh(&bus->queue.lock);
	bus->queue.refusal = 0;
	spin_unlock_bh(&bus->queue.lock);
}

static struct dxl_transfer *queue_take_any(struct dxl_queue *q)
	__must_hold(&q->lock)
{
	struct dxl_transfer *xfer = q->current_xfer;
	int priority;

	if (xfer) {
		q->current_xfer = NULL;
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
	struct dxl_queue *q = &bus->queue;
	struct dxl_transfer *xfer;

	spin_lock_bh(&q->lock);
	if (!q->refusal)
		q->refusal = refusal;
	if (q->current_xfer)
		bus->ops->flush(bus);
	while ((xfer = queue_take_any(q)))
		queue_abort(bus, xfer, q->refusal);
	wake_up(&q->idle);
	spin_unlock_bh(&q->lock);
}

/* The line has gone: nothing that is under way or comes can succeed. */
void dxl_queue_disconnect(struct dxl_bus *bus)
{
	queue_refuse(bus, -ENODEV);
}

void dxl_queue_stop(struct dxl_bus *bus)
{
	queue_refuse(bus, -ESHUTDOWN);
	hrtimer_cancel(&bus->queue.timer);
}

static bool queue_is_idle(struct dxl_queue *q)
{
	bool idle;

	spin_lock_bh(&q->lock);
	idle = !q->current_xfer;
	spin_unlock_bh(&q->lock);

	return idle;
}

/*
 * Let only transfers of DXL_PRIO_MAINTENANCE go from now on, and wait until what
 * is on the wire has ended, which it does by its deadline.
 */
void dxl_queue_reserve(struct dxl_bus *bus)
{
	struct dxl_queue *q = &bus->queue;

	spin_lock_bh(&q->lock);
	q->reserved = true;
	spin_unlock_bh(&q->lock);

	wait_event(q->idle, queue_is_idle(q));
}

/* Take back dxl_queue_reserve(). */
void dxl_queue_unreserve(struct dxl_bus *bus)
{
	struct dxl_queue *q = &bus->queue;

	spin_lock_bh(&q->lock);
	q->reserved = false;
	queue_pump(bus);
	spin_unlock_bh(&q->lock);
}

/* @ddev will not answer for @us: leave it alone. */
void dxl_queue_rest(struct dxl_device *ddev, u32 us)
{
	struct dxl_queue *q = &ddev->bus->queue;
	ktime_t until = ktime_add_us(ktime_get(), us);

	spin_lock_bh(&q->lock);
	if (q->quiet_until[ddev->id] < until)
		q->quiet_until[ddev->id] = until;
	spin_unlock_bh(&q->lock);
}

/* For how long @ddev is still left alone, in ns. */
s64 dxl_queue_resting(struct dxl_device *ddev)
{
	struct dxl_queue *q = &ddev->bus->queue;
	ktime_t until;

	spin_lock_bh(&q->lock);
	until = q->quiet_until[ddev->id];
	spin_unlock_bh(&q->lock);

	return ktime_to_ns(ktime_sub(until, ktime_get()));
}
