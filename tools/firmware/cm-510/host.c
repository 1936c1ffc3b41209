// SPDX-License-Identifier: GPL-2.0-or-later
#include <avr/interrupt.h>
#include <util/atomic.h>

#include "bus.h"
#include "flags.h"
#include "host.h"
#include "map.h"

#define PC_JACK		_BV(PD5)
#define RADIO_JACK	_BV(PD6)
#define RADIO_RESET	_BV(PD4)

struct line host_line = { .whole = true };

static bool said;		/* or TXC has never been set */

/* What a jack without a plug makes of its noise must not get to the bus. */
ISR(USART1_RX_vect)
{
	uint8_t broken = UCSR1A & (_BV(FE1) | _BV(DOR1));
	uint8_t byte = UDR1;

	if (broken)
		FLAGS &= ~HOST_RUNS;
	if (!ring_put(&host_line.in, byte) || broken)
		host_line.broken = 1;
	if (!(FLAGS & HOST_RUNS)) {
		bus_feed();
	} else if (!bus_pass(byte)) {
		FLAGS &= ~HOST_RUNS;
		line_stop(&host_line, host_line.in.head - 1);
	}
}

ISR(USART1_UDRE_vect)
{
	host_send(ring_take(&host_line.out));
	if (ring_empty(&host_line.out))
		UCSR1B = HOST_RESTS;
}

/*
 * What has waited in the ring, behind the last byte that came: with HOST_WAITS there is some. It
 * goes here, as it may be taken back before another interrupt has it, and then TXC never comes.
 */
ISR(USART1_TX_vect)
{
	host_send(ring_take(&host_line.out));
	UCSR1B = ring_empty(&host_line.out) ? HOST_RESTS : HOST_EMPTIES;
}

void host_begin(uint8_t jack, uint8_t rate)
{
	PORTD = (PORTD & ~(PC_JACK | RADIO_JACK)) | RADIO_RESET | _BV(PD2);
	DDRD |= PC_JACK | RADIO_JACK | RADIO_RESET;
	UCSR1B = 0;
	if (jack == HOST_NONE)
		return;
	PORTD |= jack == HOST_PC ? PC_JACK : RADIO_JACK;
	UCSR1A = _BV(U2X1);
	UCSR1C = _BV(UCSZ11) | _BV(UCSZ10);
	UBRR1 = rate;
	UCSR1B = HOST_RESTS;
}

uint8_t host_rate(void)
{
	return UBRR1;
}

bool host_silent(void)
{
	return ring_empty(&host_line.out) && (!said || UCSR1A & _BV(TXC1));
}

void host_let_out(void)
{
	ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
		if (!ring_empty(&host_line.out)) {
			said = true;
			UCSR1B = HOST_EMPTIES;
		}
	}
}

void host_say(const uint8_t *bytes, uint8_t len)
{
	ring_append(&host_line.out, bytes, len);
	host_let_out();
}
