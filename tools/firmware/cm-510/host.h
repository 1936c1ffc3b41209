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

/* UCSR1B while nothing is put out of the ring, while that waits, and while it goes on */
#define HOST_RESTS	(_BV(RXCIE1) | _BV(RXEN1) | _BV(TXEN1))
#define HOST_WAITS	(HOST_RESTS | _BV(TXCIE1))
#define HOST_EMPTIES	(HOST_RESTS | _BV(UDRIE1))

/* At enum host_jack, with a rate as in Host Baud Rate of the table */
void host_begin(uint8_t jack, uint8_t rate);

/* The rate it has, which the table's is not before the next start */
uint8_t host_rate(void);

/* There is room for it, and nobody else puts, see bridge_hold_bus(). */
void host_say(const uint8_t *bytes, uint8_t len);

/* What has been put into the ring goes. */
void host_let_out(void);

/* Has all that was said gone? */
bool host_silent(void);

/* --- where nothing interrupts --- */

/* TXC is to tell when this one has gone, and not that one before it has. */
ALWAYS_INLINE void host_send(uint8_t byte)
{
	UDR1 = byte;
	UCSR1A = _BV(U2X1) | _BV(TXC1);
}

/* As bus_feed() */
ALWAYS_INLINE void host_feed(void)
{
	if (ring_empty(&host_line.out) || !(UCSR1A & _BV(UDRE1)))
		return;
	host_send(ring_take(&host_line.out));
	UCSR1B = ring_empty(&host_line.out) ? HOST_RESTS : HOST_WAITS;
}

/* A byte of the bus, as bus_pass() */
ALWAYS_INLINE bool host_pass(uint8_t byte)
{
	if (UCSR1A & _BV(UDRE1)) {
		if (ring_empty(&host_line.out)) {
			host_send(byte);
			return true;
		}
		host_send(ring_take(&host_line.out));
	}
	UCSR1B = HOST_WAITS;

	return ring_put(&host_line.out, byte);
}

#endif
