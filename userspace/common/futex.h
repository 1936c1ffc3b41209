/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sleeping at a word in memory until another thread, or another process, has changed it and rings.
 * All futex calls are here, as the one to make depends on how long the kernel's times are.
 */
#ifndef NAOHW_FUTEX_H
#define NAOHW_FUTEX_H

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/futex.h>
#include <linux/time_types.h>

/*
 * Not the C library's struct timespec, which has 64 bits on some machines of 32: the call without
 * "time64" would read half of one there, and return at once.
 */
#if defined(SYS_futex_time64)
#define FUTEX_CALL SYS_futex_time64
#elif ULONG_MAX > UINT32_MAX
#define FUTEX_CALL SYS_futex
#else
#error "expected headers of Linux 5.1 or later, which have SYS_futex_time64"
#endif

/* Whom a ring is for: bits, of which a sleeper has at least one. */
#define FUTEX_ANYBODY FUTEX_BITSET_MATCH_ANY

enum futex_reach {
	FUTEX_OF_ALL = 0,		       /* the word is in memory that processes share */
	FUTEX_OF_PROCESS = FUTEX_PRIVATE_FLAG, /* it is not */
};

/*
 * Sleep as long as the word is @seen, until there is a ring for @whom, or until @deadline, in ns of
 * CLOCK_MONOTONIC. May end early. The memory need not be writable. Return: there was a ring.
 */
static inline bool futex_sleep(_Atomic(uint32_t) *word, uint32_t seen, int64_t deadline,
			       enum futex_reach reach, unsigned int whom)
{
	const struct __kernel_timespec until = { .tv_sec = deadline / 1000000000,
						 .tv_nsec = deadline % 1000000000 };

	return syscall(FUTEX_CALL, word, FUTEX_WAIT_BITSET | reach, seen, &until, NULL, whom) == 0;
}

/* Wake up to @count of those who sleep there for @whom. Return: how many that were. */
static inline int futex_ring(_Atomic(uint32_t) *word, int count, enum futex_reach reach,
			     unsigned int whom)
{
	return (int)syscall(FUTEX_CALL, word, FUTEX_WAKE_BITSET | reach, count, NULL, NULL, whom);
}

#endif
