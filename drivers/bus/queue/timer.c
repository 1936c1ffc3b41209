// SPDX-License-Identifier: GPL-2.0
/*
 * Timers of a Dynamixel bus
 *
 * The interrupt of a timer leaves what is due to deferred.c. It finds that pending or
 * not, and a timer may be started again before it is done: who is called has to ask
 * what is due, and whether something is.
 *
 * Locks: none of its own; timers are started and cancelled under those of their owners,
 * but cancelled under none that the function takes. All have been cancelled when the
 * last reference of their bus is gone.
 */
#include <linux/export.h>
#include <linux/hrtimer.h>

#include <linux/dxl/timer.h>

#include "state.h"

static void run_expired(struct dxl_deferred *deferred)
{
	struct dxl_timer *timer = container_of(deferred, struct dxl_timer,
					       deferred);

	timer->expired(timer);
}

static enum hrtimer_restart hrtimer_expired(struct hrtimer *hrtimer)
{
	struct dxl_timer *timer = container_of(hrtimer, struct dxl_timer,
					       hrtimer);

	dxl_deferred_start(&timer->deferred);

	return HRTIMER_NORESTART;
}

/**
 * dxl_timer_setup() - set up a timer
 * @timer: the timer
 * @bus: the bus, which is there for as long as the timer is
 * @expired: what is called when it is due, see &struct dxl_timer
 */
void dxl_timer_setup(struct dxl_timer *timer, struct dxl_bus *bus,
		     void (*expired)(struct dxl_timer *timer))
{
	timer->expired = expired;
	dxl_deferred_setup(&timer->deferred, bus, run_expired);
	hrtimer_setup(&timer->hrtimer, hrtimer_expired, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_HARD);
}
EXPORT_SYMBOL_NS_GPL(dxl_timer_setup, "DXL");

/**
 * dxl_timer_start() - have a timer expire
 * @timer: the timer; if it has been started before, then not at that time any more,
 *	unless it has come already
 * @when: the time, of CLOCK_MONOTONIC; at once if it has passed
 *
 * Context: Any.
 */
void dxl_timer_start(struct dxl_timer *timer, ktime_t when)
{
	hrtimer_start(&timer->hrtimer, when, HRTIMER_MODE_ABS_HARD);
}
EXPORT_SYMBOL_NS_GPL(dxl_timer_start, "DXL");

/**
 * dxl_timer_cancel() - stop a timer, and wait until nobody is called by it
 * @timer: the timer, which its function does not start again from now on. If it is due
 *	that may still be called, before this returns
 *
 * Context: Process context. Sleeps.
 */
void dxl_timer_cancel(struct dxl_timer *timer)
{
	hrtimer_cancel(&timer->hrtimer);
	dxl_deferred_flush(&timer->deferred);
	/* The call that has just ended may have begun before that was so. */
	hrtimer_cancel(&timer->hrtimer);
	dxl_deferred_flush(&timer->deferred);
}
EXPORT_SYMBOL_NS_GPL(dxl_timer_cancel, "DXL");
