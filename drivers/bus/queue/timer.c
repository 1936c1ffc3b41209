// SPDX-License-Identifier: GPL-2.0
/*
 * Timers of a Dynamixel bus
 *
 * What is due is done in soft interrupt context, which no program keeps from
 * running (but with threadirqs). With PREEMPT_RT one does: soft interrupts of
 * timers have a thread of the lowest real-time priority there, on the processor
 * that has started the timer. A program that hangs with the same or a higher
 * one would hold up the watchdog that is to end it. So a bus has a thread of
 * its own there, with the priority of those of interrupts, which the line needs
 * as well: what has less gives way to both. There is one for all timers of a
 * bus, which have the same lock to wait for.
 *
 * A timer that fires finds the thread's work pending or not, and may be started again
 * before that is done: who is called has to ask what is due, and whether something is.
 *
 * Locks: none of its own; timers are started and cancelled under those of their owners,
 * but cancelled under none that the function takes. The thread is there from before the
 * bus's first timer until its last reference is gone, when all have been cancelled.
 */
#include <linux/err.h>
#include <linux/export.h>
#include <linux/sched.h>

#include "../base/base.h"
#include "queue.h"

#define TIMER_MODE	(IS_ENABLED(CONFIG_PREEMPT_RT) ? HRTIMER_MODE_ABS_HARD : \
			 HRTIMER_MODE_ABS_SOFT)

/* The thread of a bus's timers, before any is set up. */
int dxl_timers_init(struct dxl_bus *bus)
{
	struct kthread_worker *worker;

	if (!IS_ENABLED(CONFIG_PREEMPT_RT))
		return 0;

	worker = kthread_run_worker(0, "dxl%d", bus->nr);
	if (IS_ERR(worker))
		return PTR_ERR(worker);

	sched_set_fifo(worker->task);
	bus->timers = worker;

	return 0;
}

/* No timer of the bus is started any more. */
void dxl_timers_exit(struct dxl_bus *bus)
{
	if (bus->timers)
		kthread_destroy_worker(bus->timers);
}

static void work_expired(struct kthread_work *work)
{
	struct dxl_timer *timer = container_of(work, struct dxl_timer, work);

	timer->expired(timer);
}

static enum hrtimer_restart hrtimer_expired(struct hrtimer *hrtimer)
{
	struct dxl_timer *timer = container_of(hrtimer, struct dxl_timer,
					       hrtimer);

	if (timer->worker)
		kthread_queue_work(timer->worker, &timer->work);
	else
		timer->expired(timer);

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
	timer->worker = bus->timers;
	kthread_init_work(&timer->work, work_expired);
	hrtimer_setup(&timer->hrtimer, hrtimer_expired, CLOCK_MONOTONIC,
		      TIMER_MODE);
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
	hrtimer_start(&timer->hrtimer, when, TIMER_MODE);
}
EXPORT_SYMBOL_NS_GPL(dxl_timer_start, "DXL");

/**
 * dxl_timer_cancel() - stop a timer, and wait until nobody is called by it
 * @timer: the timer, which its function does not start again from now on
 *
 * Context: Process context. Sleeps.
 */
void dxl_timer_cancel(struct dxl_timer *timer)
{
	hrtimer_cancel(&timer->hrtimer);
	if (!timer->worker)
		return;

	kthread_cancel_work_sync(&timer->work);
	/* The call that has just ended may have begun before that was so. */
	hrtimer_cancel(&timer->hrtimer);
	kthread_cancel_work_sync(&timer->work);
}
EXPORT_SYMBOL_NS_GPL(dxl_timer_cancel, "DXL");
