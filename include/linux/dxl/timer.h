/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Timers of a Dynamixel bus.
 */
#ifndef _LINUX_DXL_TIMER_H
#define _LINUX_DXL_TIMER_H

#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/kthread.h>

struct dxl_bus;

/**
 * struct dxl_deferred - something that is done at once, but by the bus, see deferred.c
 * @run: does it, in soft interrupt context or by the bus's thread
 */
struct dxl_deferred {
	void (*run)(struct dxl_deferred *deferred);

	/* private: what calls that; where a thread does; that thread, or NULL */
	struct tasklet_struct tasklet;
	struct kthread_work work;
	struct kthread_worker *worker;
};

/**
 * struct dxl_timer - something that is due at a time, see timer.c
 * @expired: called then, as &struct dxl_deferred's @run; may start the timer again
 */
struct dxl_timer {
	void (*expired)(struct dxl_timer *timer);

	/* private: the time, and what is done then */
	struct hrtimer hrtimer;
	struct dxl_deferred deferred;
};

void dxl_timer_setup(struct dxl_timer *timer, struct dxl_bus *bus,
		     void (*expired)(struct dxl_timer *timer));
void dxl_timer_start(struct dxl_timer *timer, ktime_t when);
void dxl_timer_cancel(struct dxl_timer *timer);

/* When a timer that has been started is, or was, due. */
static inline ktime_t dxl_timer_when(const struct dxl_timer *timer)
{
	return hrtimer_get_expires(&timer->hrtimer);
}

#endif
