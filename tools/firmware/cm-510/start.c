// SPDX-License-Identifier: GPL-2.0-or-later
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>

#include "start.h"

/* The second must come within four cycles of the first. */
static void take_vectors(void)
{
	MCUCR = _BV(IVCE);
	MCUCR = 0;
}

/* Each interrupt that has no handler here begins the program anew. */
static void stop_interrupts(void)
{
	EIMSK = 0;
	PCICR = 0;
	TIMSK0 = 0;
	TIMSK1 = 0;
	TIMSK2 = 0;
	TIMSK3 = 0;
	TIMSK4 = 0;
	TIMSK5 = 0;
	SPCR = 0;
	TWCR = 0;
	ACSR = 0;
	SPMCSR = 0;
}

void start_clean(void)
{
	cli();
	/* While that says so the watchdog does not stop. */
	MCUSR = 0;
	wdt_disable();
	take_vectors();
	stop_interrupts();
	PRR0 = 0;
	PRR1 = 0;
	set_sleep_mode(SLEEP_MODE_IDLE);
}
