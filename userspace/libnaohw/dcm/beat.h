/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The end of each cycle, for those who wait for one. They are woken by one system call, and only
 * when there are any: whoever comes with a wait is counted before he looks.
 */
#ifndef NAOHW_DCM_BEAT_H
#define NAOHW_DCM_BEAT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <naohw.h>

/* What is to be done within so long is not waited for any longer. */
#define BEAT_FLUSH_MS 1000

struct beat {
	_Atomic(uint64_t) count;
	_Atomic(uint32_t) word; /* what is waited on: another one after each beat */
	atomic_uint waiters;
	atomic_bool has_ended;
};

/* The cycle's: one is over. @work: the writer has something to do, and is woken, too. */
void beat_strike(struct beat *beat, bool work);
/* There will be no more. */
void beat_end(struct beat *beat);

/* How many there have been. */
uint64_t beat_count(const struct beat *beat);

/*
 * Wait until there have been more than @cycle. Return: 0; -ETIMEDOUT; -ESHUTDOWN: there will be
 * none.
 */
int beat_wait_beyond(struct beat *beat, uint64_t cycle, unsigned int timeout_ms,
		     struct naohw_error *err);

/* Until there have been so many more than now, a second at the most. */
int beat_wait_for(struct beat *beat, unsigned int cycles, struct naohw_error *err);

/* The writer's: until there is work, or for some time. May come back early. */
void beat_wait_for_work(struct beat *beat, const atomic_bool *work, unsigned int timeout_ms);

#endif
