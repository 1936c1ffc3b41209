// SPDX-License-Identifier: GPL-2.0-or-later
#include <avr/interrupt.h>

#include "bus.h"
#include "clock.h"
#include "host.h"

/* Two bytes of ten bits, which are n + 1 ticks each, are the others' silence. */
#define SILENT_BITS	20

struct line bus_line;
volatile uint8_t bus_talking;
volatile uint8_t bus_busy;

static uint16_t silent_ticks;

ISR(USART0_RX_vect)
{
	uint8_t broken = UCSR0A & (_BV(FE0) | _BV(DOR0));
	uint8_t byte = UDR0;

	bus_line.heard = clock_now_quick();
	bus_busy = 1;
	ring_put(&bus_line.in, byte);
	if (broken)
		bus_line.broken = 1;
	if (host_open)
		host_pass(byte);
}

ISR(USART0_UDRE_vect)
{
	bus_send(ring_take(&bus_line.out));
	if (ring_empty(&bus_line.out))
		UCSR0B &= ~_BV(UDRIE0);
}

/* Nothing has been put behind the last byte: that would have cleared TXC. */
ISR(USART0_TX_vect)
{
	PORTE &= ~BUS_TALK;
	PORTE |= BUS_LISTEN;
	bus_talking = 0;
}

void bus_set_rate(uint8_t rate)
{
	silent_ticks = SILENT_BITS * (rate + 1);
	/* Written, it begins a bit anew, also in the middle of a byte that comes. */
	if (UBRR0 != rate)
		UBRR0 = rate;
}

void bus_begin(uint8_t rate)
{
	/* With the receiver's gate shut nobody drives PE0. */
	PORTE |= _BV(PE0) | BUS_LISTEN;
	PORTE &= ~BUS_TALK;
	DDRE |= BUS_TALK | BUS_LISTEN;
	UCSR0A = _BV(U2X0);
	UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
	bus_set_rate(rate);
	UCSR0B = _BV(RXCIE0) | _BV(TXCIE0) | _BV(RXEN0) | _BV(TXEN0);
}

/* Looked at here, as an interrupt may have sent the last byte meanwhile. */
static void let_out(void)
{
	ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
		if (!ring_empty(&bus_line.out)) {
			if (!bus_talking)
				bus_turn_to_talk();
			UCSR0B |= _BV(UDRIE0);
		}
	}
}

void bus_step(void)
{
	if (bus_talking)
		return;
	if (bus_busy) {
		if (line_silence(&bus_line) < silent_ticks)
			return;
		bus_busy = 0;
	}
	let_out();
}

static void queue(uint8_t byte)
{
	ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
		ring_put(&bus_line.out, byte);
}

void bus_queue(const uint8_t *bytes, uint8_t len)
{
	while (len--)
		queue(*bytes++);
}

/* The first goes while the others are put behind it. */
void bus_say(const uint8_t *bytes, uint8_t len)
{
	while (len--) {
		queue(*bytes++);
		let_out();
	}
}
