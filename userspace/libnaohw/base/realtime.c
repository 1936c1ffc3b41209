// SPDX-License-Identifier: LGPL-2.1-or-later
/* Real time for the calling thread, as far as it is allowed. */
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>

#include "base.h"

/* What a loop may need of its stack, so that none of it is met for the first time there. */
#define STACK_SIZE (64 * 1024)

static void touch_stack(void)
{
	unsigned char stack[STACK_SIZE];

	explicit_bzero(stack, sizeof(stack));
}

static int take_priority(int priority, struct naohw_realtime *got, struct naohw_error *err)
{
	const struct sched_param param = { .sched_priority = priority };

	if (sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &param) < 0) {
		int ret = -errno;

		return fail(err, ret, "no real-time priority %d: %s", priority, error_text(ret));
	}
	got->priority = priority;
	return 0;
}

static int lock_memory(struct naohw_realtime *got, struct naohw_error *err)
{
	if (mlockall(MCL_CURRENT | MCL_FUTURE) < 0) {
		int ret = -errno;

		return fail(err, ret, "memory cannot be locked: %s", error_text(ret));
	}
	touch_stack();
	got->locked = 1;
	return 0;
}

int naohw_realtime(int priority, struct naohw_realtime *got, struct naohw_error *err)
{
	struct naohw_realtime mine;
	int lock, schedule;

	if (!got)
		got = &mine;
	got->priority = got->locked = 0;
	if (priority < sched_get_priority_min(SCHED_FIFO) ||
	    priority > sched_get_priority_max(SCHED_FIFO))
		return fail(err, -EINVAL, "real-time priority %d, expected %d to %d", priority,
			    sched_get_priority_min(SCHED_FIFO), sched_get_priority_max(SCHED_FIFO));
	lock = lock_memory(got, err);
	schedule = take_priority(priority, got, err);
	return schedule < 0 ? schedule : lock;
}
