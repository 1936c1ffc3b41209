/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the programs share that measure the store: each prints "NAME NANOSECONDS" a round. */
#ifndef NAOHW_BENCH_H
#define NAOHW_BENCH_H

#include <monotonic.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUNDS 100

static inline void die(const char *what)
{
	fprintf(stderr, "bench: %s\n", what);
	exit(1);
}

/* How long @call takes, of @times in one go */
static inline void measure(const char *name, unsigned int times, void (*call)(void))
{
	int64_t begin = monotonic_ns();

	for (unsigned int i = 0; i < times; i++)
		call();
	printf("%s %.2f\n", name, (double)(monotonic_ns() - begin) / times);
}

#endif
