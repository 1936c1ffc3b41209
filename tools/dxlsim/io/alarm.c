// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A timer descriptor and not poll's time-out: the kernel lets the latter be late
 * by a thousandth of its length, which is more than a line's timing can bear. The
 * timer's interrupt takes time as well, in a virtual machine more than an answer's
 * first byte: who is to be exact asks the clock, again and again.
 */
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "alarm.h"

static nsec_t to_ns(const struct timespec *ts)
{
	return ts->tv_sec * NSEC_PER_SEC + ts->tv_nsec;
}

static nsec_t now_of(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);

	return to_ns(&ts);
}

nsec_t alarm_now(void)
{
	return now_of(CLOCK_MONOTONIC);
}

/* When it was @wall, a time of the past that the wall clock tells; or later. */
nsec_t alarm_at(const struct timespec *wall)
{
	nsec_t today = now_of(CLOCK_REALTIME), then = to_ns(wall);
	nsec_t now = alarm_now();

	return then < today ? now - (today - then) : now;
}

/* 0, or -1 with errno set. */
int alarm_open(struct alarm *alarm, bool spin)
{
	alarm->due = NSEC_NEVER;
	alarm->spin = spin;
	alarm->fd = -1;
	if (spin)
		return 0;

	alarm->fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);

	return alarm->fd < 0 ? -1 : 0;
}

void alarm_close(struct alarm *alarm)
{
	if (alarm->fd >= 0)
		close(alarm->fd);
}

/* Setting it also clears one that has gone off. */
int alarm_set(struct alarm *alarm, nsec_t due)
{
	struct itimerspec when = { 0 };

	if (due == alarm->due)
		return 0;
	alarm->due = due;
	if (alarm->spin)
		return 0;
	if (due != NSEC_NEVER) {
		when.it_value.tv_sec = due / NSEC_PER_SEC;
		when.it_value.tv_nsec = due % NSEC_PER_SEC;
	}

	return timerfd_settime(alarm->fd, TFD_TIMER_ABSTIME, &when, NULL);
}

bool alarm_passed(const struct alarm *alarm)
{
	return alarm_now() >= alarm->due;
}
