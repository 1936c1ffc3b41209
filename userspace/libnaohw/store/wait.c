// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Waiting for what is published next, in threads and in other processes: a futex in the store's
 * memory. Whoever reads has no right to write there, and so cannot say that he waits; the writer
 * rings each time. It rings a bounded number of sleepers awake, however many there are, and
 * each of these some more. Those of a program that does not do so, as it has a way of its own to
 * wait, are what naohw_store_wake() is for.
 */
#include <errno.h>
#include <futex.h>
#include <limits.h>
#include <monotonic.h>

#include "inside.h"

#define NS_PER_MS 1000000

#define SLEEPERS_AT_ONCE 32
/* What nobody rings for is seen so soon: a death, another memory, or who does not pass it on. */
#define LOOK_MS 250

static void wake(store_bell *bell)
{
	futex_ring(bell, SLEEPERS_AT_ONCE, FUTEX_OF_ALL, FUTEX_ANYBODY);
}

void store_ring(struct naohw_store *store)
{
	store_bell *bell = &store->header->bell;

	/* Others cannot write to it. */
	atomic_store_explicit(bell, atomic_load_explicit(bell, memory_order_relaxed) + 1,
			      memory_order_release);
	wake(bell);
}

int naohw_store_wake(const struct naohw_store *store)
{
	return futex_ring(&store->header->bell, INT_MAX, FUTEX_OF_ALL, FUTEX_ANYBODY);
}

static void wake_all(void *store)
{
	(void)naohw_store_wake(store);
}

void store_end_waits(struct naohw_store *store)
{
	usage_forbid(&store->waits);
	usage_drain(&store->waits, wake_all, store);
}

static int64_t sooner(int64_t time, int64_t other)
{
	return time < other ? time : other;
}

static int wait_for_other(struct naohw_store *store, uint64_t *sequence, int64_t deadline)
{
	store_bell *bell = &store->header->bell;

	for (;;) {
		uint32_t seen = atomic_load_explicit(bell, memory_order_acquire);
		uint64_t newest = naohw_store_sequence(store);
		int ret = naohw_store_check(store, NAOHW_STORE_DEAD_MS);
		int64_t now = monotonic_ns();

		if (newest != *sequence) {
			*sequence = newest;
			return 0;
		}
		if (usage_is_forbidden(&store->waits))
			return -ESHUTDOWN;
		if (ret < 0)
			return ret;
		if (now >= deadline)
			return -ETIMEDOUT;
		if (futex_sleep(bell, seen, sooner(deadline, now + LOOK_MS * NS_PER_MS),
				FUTEX_OF_ALL, FUTEX_ANYBODY))
			wake(bell);
	}
}

int naohw_store_wait(const struct naohw_store *of, uint64_t *sequence, unsigned int timeout_ms)
{
	/* Constant is what it shows; who waits there is none of that. */
	struct naohw_store *store = (struct naohw_store *)of;
	int ret = usage_begin(&store->waits);

	if (ret < 0)
		return ret;
	ret = wait_for_other(store, sequence, monotonic_ns() + (int64_t)timeout_ms * NS_PER_MS);
	usage_end(&store->waits);
	return ret;
}
