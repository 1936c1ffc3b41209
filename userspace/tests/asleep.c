// SPDX-License-Identifier: LGPL-2.1-or-later
/* Time that the library sleeps passes at once. */
#include <stdint.h>
#include <time.h>

#define NS_PER_S 1000000000

int __real_clock_gettime(clockid_t clock, struct timespec *time);
int __wrap_clock_gettime(clockid_t clock, struct timespec *time);
int __wrap_clock_nanosleep(clockid_t clock, int flags, const struct timespec *time,
			   struct timespec *left);

static _Atomic int64_t slept;

int __wrap_clock_gettime(clockid_t clock, struct timespec *time)
{
	int ret = __real_clock_gettime(clock, time);
	int64_t ns = time->tv_nsec + slept;

	time->tv_sec += ns / NS_PER_S;
	time->tv_nsec = ns % NS_PER_S;
	return ret;
}

int __wrap_clock_nanosleep(clockid_t clock, int flags, const struct timespec *time,
			   struct timespec *left)
{
	(void)clock;
	(void)flags;
	(void)left;
	slept += (int64_t)time->tv_sec * NS_PER_S + time->tv_nsec;
	return 0;
}
