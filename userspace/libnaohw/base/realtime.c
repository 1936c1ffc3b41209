// SPDX-License-Identifier: LGPL-2.1-or-later
/* Real time for a loop, as far as it is allowed. */
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

int naohw_realtime_schedule(int priority, struct naohw_error *err)
{
	const struct sched_param param = { .sched_priority = priority };
	int ret;

	if (priority < sched_get_priority_min(SCHED_FIFO) ||
	    priority > sched_get_priority_max(SCHED_FIFO))
		return fail(err, -EINVAL, "real-time priority %d, expected %d to %d", priority,
			    sched_get_priority_min(SCHED_FIFO), sched_get_priority_max(SCHED_FIFO));
	if (sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &param) == 0)
		return 0;
	ret = -errno;
	return fail(err, ret, "no real-time priority %d: %s", priority, error_text(ret));
}

int naohw_realtime_lock(struct naohw_error *err)
{
	int ret;

	if (mlockall(MCL_CURRENT | MCL_FUTURE) < 0) {
		ret = -errno;
		return fail(err, ret, "memory cannot be locked: %s", error_text(ret));
	}
	touch_stack();
	return 0;
}
