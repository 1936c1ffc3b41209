/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The one clock of library and command: it never jumps. */
#ifndef NAOHW_MONOTONIC_H
#define NAOHW_MONOTONIC_H

#include <stdint.h>
#include <time.h>

static inline int64_t monotonic_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* For poll(). Rounded up: who wakes before the deadline would only have to wait again. */
static inline int monotonic_ms_until(int64_t deadline)
{
	int64_t rest = deadline - monotonic_ns();

	return rest > 0 ? (int)((rest + 999999) / 1000000) : 0;
}

static inline void monotonic_sleep_ms(int ms)
{
	const struct timespec time = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L };

	clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
}

#endif
