/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Timers of a Dynamixel bus.
 */
#ifndef _LINUX_DXL_TIMER_H
#define _LINUX_DXL_TIMER_H

#include <linux/hrtimer.h>
#include <linux/kthread.h>

struct dxl_bus;

/**
 * struct dxl_timer - something that is due at a time, see timer.c
 * @expired: called then, in soft interrupt context or by the bus's thread; may start
 *	the timer again
 */
struct dxl_timer {
	void (*expired)(struct dxl_timer *timer);

	/* private: the time; what is done then, where a thread does it; that, or NULL */
	struct hrtimer hrtimer;
	struct kthread_work work;
	struct kthread_worker *worker;
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
