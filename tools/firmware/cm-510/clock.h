/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Time since the start, in ticks of half a microsecond that wrap after 32 ms: timer 3 */
#ifndef CM510_CLOCK_H
#define CM510_CLOCK_H

#include <avr/io.h>
#include <stdint.h>
#include <util/atomic.h>

#define TICKS_PER_US	2
#define TICKS_PER_MS	2000

static inline void clock_begin(void)
{
	TCCR3A = 0;
	TCCR3B = _BV(CS31);
}

static inline uint16_t clock_now(void)
{
	uint16_t now;

	ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
		now = TCNT3;

	return now;
}

#endif
