// SPDX-License-Identifier: GPL-2.0
/*
 * What is done at once, but by the bus and not by who finds it due
 *
 * A task can be preempted in the middle of what it does, for as long as one of a
 * higher priority hangs. So what others wait for is done in soft interrupt context,
 * which no program keeps from running (but with threadirqs): a task enters it with the
 * lock that it gives up, an interrupt with its end. It is a tasklet that does it, and
 * no soft timer nor a work queue's bottom half: kernels before 6.5 leave all else to a
 * thread of no priority where that has been woken, and before 6.9 there is no such
 * queue.
 *
 * With PREEMPT_RT a program does keep soft interrupts from running. They have the
 * priority of what they interrupt there, or a thread of the lowest real-time one. A
 * program that hangs with the same or a higher one would hold up the watchdog that is
 * to end it. So a bus has a thread of its own there, with the priority of those of
 * interrupts, which the line needs as well: what has less gives way to both. There is
 * one for all that a bus defers, as that has the same lock to wait for.
 *
 * Locks: none of its own; it may be started under any, and waited for under none that
 * its function takes. The thread is there from before all that uses it until the bus's
 * last reference is gone.
 */
#include <linux/err.h>
#include <linux/interrupt.h>
#include <linux/kthread.h>
#include <linux/sched.h>

#include "state.h"

/* The thread of a bus, before anything is deferred. */
int dxl_thread_init(struct dxl_bus *bus)
{
	struct kthread_worker *worker;

	if (!IS_ENABLED(CONFIG_PREEMPT_RT))
		return 0;

	worker = kthread_run_worker(0, "dxl%d", bus->nr);
	if (IS_ERR(worker))
		return PTR_ERR(worker);

	sched_set_fifo(worker->task);
	bus->thread = worker;

	return 0;
}

/* Nothing of the bus is deferred any more. */
void dxl_thread_exit(struct dxl_bus *bus)
{
	if (bus->thread)
		kthread_destroy_worker(bus->thread);
}

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
	deferred->worker = bus->thread;
	tasklet_setup(&deferred->tasklet, tasklet_run);
	kthread_init_work(&deferred->work, work_run);
}

/*
 * Have it run once, however often this is called until it begins to; from any context.
 * A task that has soft interrupts off has it run before these are on again.
 */
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
