/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Repeatable random numbers (splitmix64); any seed is as good as another. */
#ifndef DXLSIM_RANDOM_H
#define DXLSIM_RANDOM_H

#include <stdint.h>

static inline uint64_t random_next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;

	return z ^ z >> 31;
}

/* A number from 0 up to and not including @bound. */
static inline uint32_t random_below(uint64_t *state, uint32_t bound)
{
	return (random_next(state) >> 32) * bound >> 32;
}

#endif
