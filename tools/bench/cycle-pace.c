// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <stdlib.h>

#include "cycle-pace.h"

/* The beat to wait for; those that are over have been missed. */
u64 pace_next(struct pace *pace, u64 now, u64 period)
{
	if (!pace->beat)
		pace->beat = now;
	pace->beat += period;
	while (pace->beat <= now) {
		pace->beat += period;
		pace->overruns++;
	}

	return pace->beat;
}

void pace_begins(struct pace *pace, u64 now)
{
	if (pace->count < PACE_SAMPLES)
		pace->late[pace->count++] = now - pace->beat;
}

static int by_size(const void *a, const void *b)
{
	u32 one = *(const u32 *)a, other = *(const u32 *)b;

	return one < other ? -1 : one > other;
}

/* As the attributes of a bus's cycle are called. */
void pace_report(struct pace *pace)
{
	const u32 *late = pace->late;
	unsigned int n = pace->count;

	printf("overruns=%lu\n", pace->overruns);
	if (!n)
		return;
	qsort(pace->late, n, sizeof(late[0]), by_size);
	printf("jitter_p50_ns=%u\njitter_p99_ns=%u\njitter_p999_ns=%u\n",
	       late[n / 2], late[n * 99ULL / 100], late[n * 999ULL / 1000]);
	printf("jitter_max_ns=%u\n", late[n - 1]);
}
