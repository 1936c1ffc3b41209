/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The calls that are under way in an object, each in a thread of its own. The thread that closes the
 * object forbids further calls, has those end that wait for something, and frees the object when
 * all calls have ended.
 */
#ifndef NAOHW_USAGE_H
#define NAOHW_USAGE_H

#include <errno.h>

#include "futex.h"
#include "monotonic.h"

#define USAGE_FORBIDDEN (1u << 31)
#define USAGE_AGAIN_NS	10000000

/* Zeros: the object is open, and no call is under way. */
struct usage {
	_Atomic(uint32_t) word; /* how many calls, and USAGE_FORBIDDEN */
};

/* For a call that waits: is the object being closed? */
static inline bool usage_is_forbidden(const struct usage *usage)
{
	return atomic_load(&usage->word) & USAGE_FORBIDDEN;
}

/* The object may be gone by the time that the last call rings, which looks at no memory. */
static inline void usage_end(struct usage *usage)
{
	if (atomic_fetch_sub(&usage->word, 1) == USAGE_FORBIDDEN + 1)
		futex_ring(&usage->word, 1, FUTEX_OF_PROCESS, FUTEX_ANYBODY);
}

/* A call begins. Return: 0, then usage_end() it; -ESHUTDOWN the object is being closed. */
static inline int usage_begin(struct usage *usage)
{
	if (!(atomic_fetch_add(&usage->word, 1) & USAGE_FORBIDDEN))
		return 0;
	usage_end(usage);
	return -ESHUTDOWN;
}

/* No call begins any more. */
static inline void usage_forbid(struct usage *usage)
{
	atomic_fetch_or(&usage->word, USAGE_FORBIDDEN);
}

/*
 * Then wait until all calls have ended. @wake is called with @object again and again, as a call may
 * begin to wait just after it was woken; NULL: all that wait have been told for good.
 */
static inline void usage_drain(struct usage *usage, void (*wake)(void *object), void *object)
{
	uint32_t seen;

	while ((seen = atomic_load(&usage->word)) != USAGE_FORBIDDEN) {
		if (wake)
			wake(object);
		(void)futex_sleep(&usage->word, seen, monotonic_ns() + USAGE_AGAIN_NS,
				  FUTEX_OF_PROCESS, FUTEX_ANYBODY);
	}
}

#endif
