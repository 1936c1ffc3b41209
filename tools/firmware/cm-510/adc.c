// SPDX-License-Identifier: GPL-2.0-or-later
#include <avr/interrupt.h>
#include <avr/io.h>
#include <stdbool.h>

#include "adc.h"

/* Channel 0 is a quarter of the battery's voltage, 1 to 6 are the ports. */
#define BATTERY		0

/* In 0.1 V: 5 V are 1024 counts, and the battery has four times as much. */
#define DECIVOLTS_NUM	200
#define DECIVOLTS_DEN	1024

/* OUT of port n is PA(8 - n), and on when low. */
#define OUT_IDLE	0xfc
#define OUT_OF(port)	((uint8_t)_BV(8 - (port)))

static uint8_t channel;
static bool settling;

/* Its only purpose is to end the sleep. */
EMPTY_INTERRUPT(ADC_vect)

static void convert(void)
{
	ADCSRA |= _BV(ADSC);
}

void adc_begin(void)
{
	PORTA = OUT_IDLE;
	DDRA = OUT_IDLE;
	/* PF4 to PF6 are JTAG's until this is written twice in four cycles. */
	MCUCR |= _BV(JTD);
	MCUCR |= _BV(JTD);
	ADMUX = BATTERY;
	ADCSRB = 0;
	/* 125 kHz: 104 us for one */
	ADCSRA = _BV(ADEN) | _BV(ADIE) | _BV(ADPS2) | _BV(ADPS1) | _BV(ADPS0);
	convert();
}

static void take(struct table *table, uint16_t count)
{
	if (channel == BATTERY)
		table->bytes[MAP_VOLTAGE] =
			((uint32_t)count * DECIVOLTS_NUM + DECIVOLTS_DEN / 2) / DECIVOLTS_DEN;
	else
		table_measure(table, MAP_PORT_1 + 2 * (channel - 1), count);
}

static bool out_wanted(const struct table *table)
{
	return channel != BATTERY && table->bytes[MAP_PORT_OUTPUT] & _BV(channel - 1);
}

bool adc_converts(void)
{
	return ADCSRA & _BV(ADSC);
}

/* A sensor that OUT has switched on has one conversion's time to settle. */
void adc_step(struct table *table)
{
	if (adc_converts())
		return;
	if (!settling) {
		take(table, ADC);
		PORTA = OUT_IDLE;
		channel = channel == MAP_PORTS ? BATTERY : channel + 1;
		ADMUX = channel;
		settling = out_wanted(table);
		if (settling)
			PORTA = OUT_IDLE & ~OUT_OF(channel);
	} else {
		settling = false;
	}
	convert();
}

void adc_round(struct table *table)
{
	uint8_t left;

	for (left = MAP_PORTS + 1; left; left--) {
		while (adc_converts())
			;
		adc_step(table);
	}
}
