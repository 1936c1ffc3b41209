/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bus: USART 0, and which way its half-duplex line goes
 *
 * PE2 lets our bytes onto the line and PE3 those of others in, both when high, and never
 * both at once. The line turns to us with the first byte, and back when the last bit of the
 * last one has gone.
 */
#ifndef CM510_BUS_H
#define CM510_BUS_H

#include <avr/io.h>

#include "line.h"

#define BUS_TALK	_BV(PE2)
#define BUS_LISTEN	_BV(PE3)

extern volatile uint8_t bus_talking;
extern volatile uint8_t bus_busy;	/* others have talked a moment ago */

/* Rate as in Baud Rate of the table: 2000000 / (n + 1) */
void bus_begin(uint8_t rate);
void bus_set_rate(uint8_t rate);

/* Notices that the others are silent, and lets out what has waited for that. */
void bus_step(void);

/* To be said when the others are silent */
void bus_queue(const uint8_t *bytes, uint8_t len);

/* The others wait for it: at once. */
void bus_say(const uint8_t *bytes, uint8_t len);

/* --- where nothing interrupts --- */

/* The next byte: TXC is to tell when it has gone, and not that one before it has. */
ALWAYS_INLINE void bus_send(uint8_t byte)
{
	UDR0 = byte;
	UCSR0A = _BV(U2X0) | _BV(TXC0);
}

ALWAYS_INLINE void bus_turn_to_talk(void)
{
	PORTE &= ~BUS_LISTEN;
	PORTE |= BUS_TALK;
	bus_talking = 1;
}

/* A byte of the host's; what cannot go at once goes when the line is free. */
ALWAYS_INLINE void bus_pass(uint8_t byte)
{
	if (!bus_talking && !bus_busy)
		bus_turn_to_talk();
	if (bus_talking && ring_empty(&bus_line.out) && UCSR0A & _BV(UDRE0)) {
		bus_send(byte);
		return;
	}
	ring_put(&bus_line.out, byte);
	if (bus_talking)
		UCSR0B |= _BV(UDRIE0);
}

#endif
