// SPDX-License-Identifier: GPL-2.0-or-later
#include <avr/interrupt.h>

#include "bus.h"
#include "clock.h"
#include "host.h"
#include "map.h"

#define PC_JACK		_BV(PD5)
#define RADIO_JACK	_BV(PD6)
#define RADIO_RESET	_BV(PD4)

struct line host_line;
volatile uint8_t host_open;

static bool said;		/* or TXC has never been set */

/* What a jack without a plug makes of its noise must not get to the bus. */
ISR(USART1_RX_vect)
{
	uint8_t broken = UCSR1A & (_BV(FE1) | _BV(DOR1));
	uint8_t byte = UDR1;

	host_line.heard = clock_now_quick();
	ring_put(&host_line.in, byte);
	if (broken) {
		host_line.broken = 1;
		host_open = 0;
	}
	if (host_open)
		bus_pass(byte);
}

ISR(USART1_UDRE_vect)
{
	host_send(ring_take(&host_line.out));
	if (ring_empty(&host_line.out))
		UCSR1B &= ~_BV(UDRIE1);
}

void host_begin(uint8_t jack, uint8_t rate)
{
	host_open = 0;
	PORTD = (PORTD & ~(PC_JACK | RADIO_JACK)) | RADIO_RESET | _BV(PD2);
	DDRD |= PC_JACK | RADIO_JACK | RADIO_RESET;
	UCSR1B = 0;
	if (jack == HOST_NONE)
		return;
	PORTD |= jack == HOST_PC ? PC_JACK : RADIO_JACK;
	UCSR1A = _BV(U2X1);
	UCSR1C = _BV(UCSZ11) | _BV(UCSZ10);
	UBRR1 = rate;
	UCSR1B = _BV(RXCIE1) | _BV(RXEN1) | _BV(TXEN1);
}

bool host_silent(void)
{
	return ring_empty(&host_line.out) && (!said || UCSR1A & _BV(TXC1));
}

void host_say(const uint8_t *bytes, uint8_t len)
{
	said = true;
	while (len--) {
		ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
			host_pass(*bytes++);
	}
}

void host_try_open(void)
{
	ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
		host_open = ring_empty(&host_line.in);
}
