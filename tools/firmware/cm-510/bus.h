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

#include "flags.h"
#include "line.h"

#define BUS_TALK	_BV(PE2)
#define BUS_LISTEN	_BV(PE3)

/* UCSR0B while nothing is put out of the ring by itself */
#define BUS_RESTS	(_BV(RXCIE0) | _BV(TXCIE0) | _BV(RXEN0) | _BV(TXEN0))
#define BUS_EMPTIES	(BUS_RESTS | _BV(UDRIE0))

/* Rate as in Baud Rate of the table: 2000000 / (n + 1) */
void bus_begin(uint8_t rate);
void bus_set_rate(uint8_t rate);
uint8_t bus_rate(void);

/* Notices that the others are silent, and lets out what has waited for that. */
void bus_step(void);

/* The others wait for it: at once. There is room for it. */
void bus_say(const uint8_t *bytes, uint8_t len);

ALWAYS_INLINE bool bus_talks(void)
{
	return PORTE & BUS_TALK;
}

/* --- where nothing interrupts --- */

/*
 * Has the line changed since its last byte? A byte is there only as a whole, and until then
 * somebody who talks is known by its first edge alone. No interrupt is made of that.
 */
ALWAYS_INLINE bool bus_has_edge(void)
{
	return PCIFR & _BV(PCIF1);
}

ALWAYS_INLINE void bus_forget_edge(void)
{
	PCIFR |= _BV(PCIF1);
}

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
}

/*
 * The interrupt of a byte that comes takes one out of the ring as well, as a second one for
 * that would not fit into a byte's time. Behind the last byte TXC goes on with it.
 */
ALWAYS_INLINE void bus_feed(void)
{
	if (!bus_talks() || ring_empty(&bus_line.out) || !(UCSR0A & _BV(UDRE0)))
		return;
	bus_send(ring_take(&bus_line.out));
	UCSR0B = BUS_RESTS;
}

/* A byte of the host's; false if it has no place. What cannot go at once goes by the ring. */
ALWAYS_INLINE bool bus_pass(uint8_t byte)
{
	if (!bus_talks() && !(FLAGS & BUS_BUSY) && !bus_has_edge())
		bus_turn_to_talk();
	if (bus_talks() && UCSR0A & _BV(UDRE0)) {
		if (ring_empty(&bus_line.out)) {
			bus_send(byte);
			return true;
		}
		bus_send(ring_take(&bus_line.out));
	}
	UCSR0B = BUS_RESTS;

	return ring_put(&bus_line.out, byte);
}

#endif
