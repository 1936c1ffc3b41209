// SPDX-License-Identifier: GPL-2.0-or-later
#include <avr/io.h>

#include "outputs.h"

/* PC0 to PC6, lit when low, in the order of the table's bits */
#define LIGHTS	0x7f

/* Timer 1 turns PB5 over at each of its ends, without an interrupt. */
#define BUZZER	_BV(PB5)

static const struct {
	uint16_t divisor;
	uint8_t select;
} clocks[] = {
	{ 1, _BV(CS10) },
	{ 8, _BV(CS11) },
	{ 64, _BV(CS11) | _BV(CS10) },
	{ 256, _BV(CS12) },
};

static uint16_t playing;

void outputs_light(uint8_t lights)
{
	PORTC = (PORTC & ~LIGHTS) | (~lights & LIGHTS);
}

static void silence(void)
{
	TCCR1B = 0;
	TCCR1A = 0;
	/* It is low already; simavr takes it for what it was before until it is written. */
	PORTB &= ~BUZZER;
}

/* The boot loader may have left the timer at anything. */
void outputs_begin(void)
{
	outputs_light(0);
	DDRC |= LIGHTS;
	silence();
	DDRB |= BUZZER;
}

/* By the quickest clock whose count fits, as that is the finest */
static void play(uint16_t hertz)
{
	uint32_t halves = 2 * (uint32_t)hertz, count;
	uint8_t i = 0;

	do
		count = (F_CPU / clocks[i].divisor + halves / 2) / halves;
	while (count > 65536 && ++i < sizeof(clocks) / sizeof(clocks[0]));
	TCCR1B = 0;
	TCNT1 = 0;
	OCR1A = count - 1;
	TCCR1A = _BV(COM1A0);
	TCCR1B = _BV(WGM12) | clocks[i].select;
}

void outputs_sound(uint16_t hertz)
{
	if (hertz == playing)
		return;
	playing = hertz;
	if (hertz)
		play(hertz);
	else
		silence();
}
