// SPDX-License-Identifier: GPL-2.0-or-later
#include <avr/io.h>

#include "inputs.h"

/* Pressed is low. */
#define START		_BV(PD0)
#define UP		_BV(PE4)
#define DOWN		_BV(PE5)
#define LEFT		_BV(PE6)
#define RIGHT		_BV(PE7)

/* Low while there is sound */
#define MICROPHONE	_BV(PD1)

/* What a change has to last, and the silence between two sounds, in ms */
#define STEADY		10
#define APART		100

static uint8_t seen;
static uint8_t steady;
static uint8_t silent = APART;

void inputs_begin(void)
{
	DDRD &= ~(START | MICROPHONE);
	PORTD |= START | MICROPHONE;
	DDRE &= ~(UP | DOWN | LEFT | RIGHT);
	PORTE |= UP | DOWN | LEFT | RIGHT;
}

bool inputs_start_held(void)
{
	return !(PIND & START);
}

/* PE4 to PE7 are where the table has them. */
static uint8_t held(void)
{
	uint8_t buttons = ~PINE & (UP | DOWN | LEFT | RIGHT);

	return inputs_start_held() ? buttons | BUTTON_START : buttons;
}

static void feel(struct table *table)
{
	uint8_t now = held();

	if (now != seen) {
		seen = now;
		steady = 0;
	}
	if (steady < STEADY)
		steady++;
	if (steady == STEADY)
		table->bytes[MAP_BUTTON] = seen;
}

static void hear(struct table *table)
{
	if (PIND & MICROPHONE) {
		if (silent < APART)
			silent++;
		return;
	}
	if (silent == APART)
		table_count(table, MAP_SOUNDS);
	silent = 0;
}

void inputs_step(struct table *table)
{
	feel(table);
	hear(table);
}
