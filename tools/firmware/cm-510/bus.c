// SPDX-License-Identifier: GPL-2.0-or-later
#include <avr/interrupt.h>
#include <util/atomic.h>

#include "bus.h"
#include "clock.h"
#include "flags.h"
#include "host.h"

/* Two bytes of ten bits, which are n + 1 ticks each, are the others' silence. */
#define SILENT_BITS	20

struct line bus_line = { .whole = true };

static uint16_t silent_ticks;

ISR(USART0_RX_vect)
{
	uint8_t broken = UCSR0A & (_BV(FE0) | _BV(DOR0));
	uint8_t byte = UDR0;

	FLAGS |= BUS_BUSY;
	bus_forget_edge();
	if (!ring_put(&bus_line.in, byte) || broken)
		bus_line.broken = 1;
	if (!(FLAGS & BUS_RUNS)) {
		host_feed();
	} else if (!host_pass(byte)) {
		FLAGS &= ~BUS_RUNS;
		line_stop(&bus_line, bus_line.in.head - 1);
	}
}

ISR(USART0_UDRE_vect)
{
	bus_send(ring_take(&bus_line.out));
	if (ring_empty(&bus_line.out))
		UCSR0B = BUS_RESTS;
}

/*
 * Nothing has been put behind the last byte: that would have cleared TXC. What is in the ring goes
 * here, as it may be taken back before another interrupt has it, and then nobody turns the bus.
 */
ISR(USART0_TX_vect)
{
	if (!ring_empty(&bus_line.out)) {
		bus_send(ring_take(&bus_line.out));
		UCSR0B = ring_empty(&bus_line.out) ? BUS_RESTS : BUS_EMPTIES;
		return;
	}
	PORTE &= ~BUS_TALK;
	PORTE |= BUS_LISTEN;
}

void bus_set_rate(uint8_t rate)
{
	silent_ticks = SILENT_BITS * (rate + 1);
	/* Written, it begins a bit anew, also in the middle of a byte that comes. */
	if (UBRR0 != rate)
		UBRR0 = rate;
}

uint8_t bus_rate(void)
{
	return UBRR0;
}

void bus_begin(uint8_t rate)
{
	/* With the receiver's gate shut nobody drives PE0. */
	PORTE |= _BV(PE0) | BUS_LISTEN;
	PORTE &= ~BUS_TALK;
	DDRE |= BUS_TALK | BUS_LISTEN;
	PCMSK1 = _BV(PCINT8);
	bus_forget_edge();
	UCSR0A = _BV(U2X0);
	UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
	bus_set_rate(rate);
	UCSR0B = BUS_RESTS;
}

/* Others have begun, or it was noise: then no byte comes of it. */
static void wait_for_others(void)
{
	bus_forget_edge();
	bus_line.heard = clock_now();
	FLAGS |= BUS_BUSY;
}

/* Where nothing interrupts: one may have sent the last byte meanwhile. */
static void turn_and_empty(void)
{
	if (ring_empty(&bus_line.out))
		return;
	if (!bus_talks() && bus_has_edge()) {
		wait_for_others();
		return;
	}
	if (!bus_talks())
		bus_turn_to_talk();
	UCSR0B = BUS_EMPTIES;
}

static void let_out(void)
{
	ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
		turn_and_empty();
}

/* A byte that has come meanwhile is in the ring, and one that comes yet sets the flag anew. */
static void notice_silence(void)
{
	ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
		if (line_silence(&bus_line) >= silent_ticks)
			FLAGS &= ~BUS_BUSY;
	}
}

void bus_step(void)
{
	if (bus_talks())
		return;
	if (FLAGS & BUS_BUSY)
		notice_silence();
	if (!(FLAGS & BUS_BUSY))
		let_out();
}

/* The first goes while the others are put behind it. */
void bus_say(const uint8_t *bytes, uint8_t len)
{
	while (len--) {
		ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
			ring_put(&bus_line.out, *bytes);
		bytes++;
		let_out();
	}
}
