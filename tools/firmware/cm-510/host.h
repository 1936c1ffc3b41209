/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The host: USART 1, which the PC jack and the radio jack share
 *
 * PD5 lets in what comes at the PC jack and PD6 what comes at the radio jack, both when
 * high; what goes out goes to both.
 */
#ifndef CM510_HOST_H
#define CM510_HOST_H

#include <avr/io.h>

#include "line.h"

/* Bytes pass between host and bus as they come. */
extern volatile uint8_t host_open;

/* At enum host_jack, with a rate as in Host Baud Rate of the table */
void host_begin(uint8_t jack, uint8_t rate);

void host_say(const uint8_t *bytes, uint8_t len);

/* Has all that was said gone? */
bool host_silent(void);

/* From now on all passes, if nothing is on its way: else nothing happens. */
void host_try_open(void);

/* --- where nothing interrupts --- */

/* TXC is to tell when this one has gone, and not that one before it has. */
ALWAYS_INLINE void host_send(uint8_t byte)
{
	UDR1 = byte;
	UCSR1A = _BV(U2X1) | _BV(TXC1);
}

/* A byte of the bus, or of an answer */
ALWAYS_INLINE void host_pass(uint8_t byte)
{
	if (ring_empty(&host_line.out) && UCSR1A & _BV(UDRE1)) {
		host_send(byte);
		return;
	}
	ring_put(&host_line.out, byte);
	UCSR1B |= _BV(UDRIE1);
}

#endif
