// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A timer descriptor and not poll's time-out: the kernel lets the latter be late
 * by a thousandth of its length, which is more than a line's timing can bear.
 */
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "alarm.h"

nsec_t alarm_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);

	return ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

/* 0, or -1 with errno set. */
int alarm_open(struct alarm *alarm)
{
	alarm->due = NSEC_NEVER;
	alarm->fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);

	return alarm->fd < 0 ? -1 : 0;
}

void alarm_close(struct alarm *alarm)
{
	close(alarm->fd);
}

/* Setting it also clears one that has gone off. */
int alarm_set(struct alarm *alarm, nsec_t due)
{
	struct itimerspec when = { 0 };

	if (due == alarm->due)
		return 0;
	alarm->due = due;
	if (due != NSEC_NEVER) {
		when.it_value.tv_sec = due / NSEC_PER_SEC;
		when.it_value.tv_nsec = due % NSEC_PER_SEC;
	}

	return timerfd_settime(alarm->fd, TFD_TIMER_ABSTIME, &when, NULL);
}
