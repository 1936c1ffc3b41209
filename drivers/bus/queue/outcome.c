// SPDX-License-Identifier: GPL-2.0
/*
 * What becomes of the answers to a transfer
 *
 * Everything here is called with the queue's lock held.
 */
#include <linux/errno.h>
#include <linux/lockdep.h>

#include "ladder.h"
#include "state.h"
#include "trace.h"

/* A device that has been asked has not answered as it should. */
static bool is_fault(int status)
{
	return status == -ETIMEDOUT || status == -EBADMSG ||
	       status == -EPROTO || status == -EMSGSIZE;
}

static void settle_reply(struct dxl_bus *bus, struct dxl_reply *reply)
	__must_hold(&bus->queue->lock)
{
	bool fault = is_fault(reply->status);

	lockdep_assert_held(&bus->queue->lock);

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

	if (fault)
		dxl_queue_quiet(bus->queue, reply->id,
				ktime_add_ns(ktime_get(), dxl_margin_ns(&bus->timing)));
	if (reply->ddev)
		dxl_ladder_result(bus, reply->ddev, !fault);
}

/*
 * The device is deaf from its answer on, which may have been lost on the way.
 * Only one that has refused is not.
 */
static void settle_rest(struct dxl_queue *q, const struct dxl_transfer *xfer)
	__must_hold(&q->lock)
{
	const struct dxl_reply *reply = xfer->replies;
	ktime_t until = ktime_add_us(ktime_get(), xfer->rest_us);

	if (reply->status != -EREMOTEIO)
		dxl_queue_quiet(q, reply->id, until);
}

/* Count all answers to @xfer. Returns the first that is not 0. */
int dxl_outcome_settle(struct dxl_bus *bus, struct dxl_transfer *xfer)
{
	unsigned int i;
	int status = 0;

	for (i = 0; i < xfer->num_replies; i++) {
		settle_reply(bus, &xfer->replies[i]);
		status = status ?: xfer->replies[i].status;
	}
	if (xfer->rest_us && xfer->num_replies == 1)
		settle_rest(bus->queue, xfer);

	return status;
}

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

/* Whether @xfer, which has failed, is to be sent again. */
bool dxl_outcome_may_retry(const struct dxl_queue *q,
			   const struct dxl_transfer *xfer)
{
	const struct dxl_device *ddev = dxl_transfer_device(xfer);

	if (!xfer->repeatable || xfer->retries >= READ_ONCE(q->retries))
		return false;
	if (!ddev || ddev->state >= DXL_PASSIVE || q->refusal)
		return false;

	return is_fault(xfer->replies->status) || request_damaged(xfer) ||
	       xfer->replies->status == -ENODATA;
}
