// SPDX-License-Identifier: LGPL-2.1-or-later
#include "beat.h"

#include <errno.h>
#include <limits.h>

#include "../base/base.h"
#include "futex.h"
#include "monotonic.h"

#define NS_PER_MS   1000000

/* Who is meant */
#define FOR_CYCLES 1u
#define FOR_WORK   2u

static void wake(struct beat *beat, unsigned int whom)
{
	futex_ring(&beat->word, INT_MAX, FUTEX_OF_PROCESS, whom);
}

static void sleep_on(struct beat *beat, unsigned int seen, int64_t deadline, unsigned int what)
{
	(void)futex_sleep(&beat->word, seen, deadline, FUTEX_OF_PROCESS, what);
}

void beat_strike(struct beat *beat, bool work)
{
	unsigned int whom = work ? FOR_WORK : 0;

	atomic_fetch_add(&beat->count, 1);
	atomic_fetch_add(&beat->word, 1);
	if (atomic_load(&beat->waiters))
		whom |= FOR_CYCLES;
	if (whom)
		wake(beat, whom);
}

void beat_end(struct beat *beat)
{
	atomic_store(&beat->has_ended, true);
	atomic_fetch_add(&beat->word, 1);
	wake(beat, FOR_CYCLES | FOR_WORK);
}

uint64_t beat_count(const struct beat *beat)
{
	return atomic_load(&beat->count);
}

static int wait_beyond(struct beat *beat, uint64_t cycle, int64_t deadline)
{
	for (;;) {
		unsigned int seen = atomic_load(&beat->word);

		if (atomic_load(&beat->count) > cycle)
			return 0;
		if (atomic_load(&beat->has_ended))
			return -ESHUTDOWN;
		if (monotonic_ns() >= deadline)
			return -ETIMEDOUT;
		sleep_on(beat, seen, deadline, FOR_CYCLES);
	}
}

int beat_wait_beyond(struct beat *beat, uint64_t cycle, unsigned int timeout_ms,
		     struct naohw_error *err)
{
	int64_t deadline = monotonic_ns() + (int64_t)timeout_ms * NS_PER_MS;
	int ret;

	atomic_fetch_add(&beat->waiters, 1);
	ret = wait_beyond(beat, cycle, deadline);
	atomic_fetch_sub(&beat->waiters, 1);
	if (ret == -ETIMEDOUT)
		return fail(err, ret, "no cycle has ended within %u ms", timeout_ms);
	return ret < 0 ? fail(err, ret, "the robot's cycle has ended") : 0;
}

int beat_wait_for(struct beat *beat, unsigned int cycles, struct naohw_error *err)
{
	return beat_wait_beyond(beat, beat_count(beat) + cycles - 1, BEAT_FLUSH_MS, err);
}

void beat_wait_for_work(struct beat *beat, const atomic_bool *work, unsigned int timeout_ms)
{
	unsigned int seen = atomic_load(&beat->word);

	if (atomic_load(work) || atomic_load(&beat->has_ended))
		return;
	sleep_on(beat, seen, monotonic_ns() + (int64_t)timeout_ms * NS_PER_MS, FOR_WORK);
}
