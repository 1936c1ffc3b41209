// SPDX-License-Identifier: GPL-2.0
/*
 * What is done at once, but by the bus and not by who finds it due
 *
 * A task can be preempted in the middle of what it does, and for as long as one of a
 * higher priority hangs. What others wait for is done where that cannot happen, as
 * that of timers is: in soft interrupt context, which the task enters as soon as it
 * has given up its lock; with PREEMPT_RT by the thread of the bus, see timer.c.
 */
#include <linux/interrupt.h>
#include <linux/kthread.h>

#include "state.h"

static void tasklet_run(struct tasklet_struct *tasklet)
{
	struct dxl_deferred *deferred = container_of(tasklet,
						     struct dxl_deferred,
						     tasklet);

	deferred->run(deferred);
}

static void work_run(struct kthread_work *work)
{
	struct dxl_deferred *deferred = container_of(work, struct dxl_deferred,
						     work);

	deferred->run(deferred);
}

/* @run may be called from now on, with no lock held. */
void dxl_deferred_setup(struct dxl_deferred *deferred, struct dxl_bus *bus,
			void (*run)(struct dxl_deferred *deferred))
{
	deferred->run = run;
	deferred->worker = bus->timers;
	tasklet_setup(&deferred->tasklet, tasklet_run);
	kthread_init_work(&deferred->work, work_run);
}

/* Have it run; in a task with soft interrupts off: before these are on again. */
void dxl_deferred_start(struct dxl_deferred *deferred)
{
	if (deferred->worker)
		kthread_queue_work(deferred->worker, &deferred->work);
	else
		tasklet_schedule(&deferred->tasklet);
}

/* Wait until what was started has run. Process context, sleeps. */
void dxl_deferred_flush(struct dxl_deferred *deferred)
{
	if (deferred->worker)
		kthread_flush_work(&deferred->work);
	else
		tasklet_kill(&deferred->tasklet);
}
