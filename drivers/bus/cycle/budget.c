// SPDX-License-Identifier: GPL-2.0
/*
 * What is left of a period for requests
 *
 * While a bus beats, a request is sent only if it ends before the next beat, even
 * if nobody answers it. One for which no period ever has room goes first in what
 * an exchange leaves; where even that is too short for it, it is sent all the
 * same, since it would wait for ever.
 */
#include <linux/atomic.h>
#include <linux/ktime.h>

#include "../base/base.h"
#include "beat.h"
#include "exchange.h"

/* How long after a beat to look whether its exchange is under way. */
#define LOOK_AGAIN_US	100

/* Time of @xfer if none of its answers comes. */
static u64 longest_ns(const struct dxl_bus *bus,
		      const struct dxl_transfer *xfer)
{
	u64 ns = dxl_request_ns(&bus->timing, &xfer->request);
	unsigned int i;

	for (i = 0; i < xfer->num_replies; i++)
		ns += dxl_answer_ns(&bus->timing, &xfer->request,
				    &xfer->replies[i]);

	return ns;
}

/* The same if all of them come as they should. */
static u64 shortest_ns(const struct dxl_bus *bus,
		       const struct dxl_transfer *xfer)
{
	return longest_ns(bus, xfer) - xfer->num_replies * dxl_margin_ns(&bus->timing);
}

/* An exchange begins behind the interrupt of its beat, and has pauses. */
static bool exchange_is_near(const struct dxl_bus *bus, ktime_t now)
{
	const struct dxl_exchange *x = bus->exchange;
	ktime_t beat = atomic64_read(&x->ticked);

	return READ_ONCE(x->busy) ||
	       (beat && now < ktime_add_us(beat, LOOK_AGAIN_US));
}

/**
 * dxl_budget_allows() - whether a request may be sent now
 * @bus: the bus
 * @xfer: the request
 * @now: the time
 * @wake: when to ask again, if it may not
 *
 * Return: true if it may
 */
bool dxl_budget_allows(const struct dxl_bus *bus,
		       const struct dxl_transfer *xfer, ktime_t now,
		       ktime_t *wake)
{
	ktime_t next = atomic64_read(&bus->cycle->next);
	u64 period, slack, ns;

	if (!next)
		return true;

	if (exchange_is_near(bus, now)) {
		*wake = ktime_add_us(now, LOOK_AGAIN_US);
		return false;
	}

	period = (u64)READ_ONCE(bus->cycle->period_us) * NSEC_PER_USEC;
	slack = period - min(period, READ_ONCE(bus->exchange->wire_ns));
	ns = longest_ns(bus, xfer);
	if (ns > slack)
		ns = shortest_ns(bus, xfer);
	if (ns > slack || ktime_add_ns(now, ns) <= next)
		return true;

	*wake = ktime_add_us(max(next, now), LOOK_AGAIN_US);

	return false;
}
