// SPDX-License-Identifier: GPL-2.0-or-later
#include <avr/io.h>
#include <util/atomic.h>

#include "keep.h"

/* The EEPROM's end, as far as can be from what the maker's firmware may have there. */
#define KEEP_AT		(E2END + 1 - 32)

static uint8_t stored[MAP_KEPT];
static uint8_t next;	/* those below are to be compared yet */

static uint8_t read_byte(uint16_t addr)
{
	EEAR = addr;
	EECR |= _BV(EERE);

	return EEDR;
}

/* The second must come within four cycles of the first. */
static void write_byte(uint16_t addr, uint8_t byte)
{
	EEAR = addr;
	EEDR = byte;
	ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
		EECR = _BV(EEMPE);
		EECR |= _BV(EEPE);
	}
}

void keep_recall(struct table *table)
{
	uint8_t i;

	for (i = 0; i < MAP_KEPT; i++)
		stored[i] = read_byte(KEEP_AT + i);
	table_recall(table, stored);
}

/* From the end on, so that what makes it ours comes last. */
void keep_step(struct table *table)
{
	if ((!next && !table->unkept) || EECR & _BV(EEPE))
		return;
	if (!next) {
		next = MAP_KEPT;
		table->unkept = false;
	}
	next--;
	if (stored[next] == table->bytes[next])
		return;
	stored[next] = table->bytes[next];
	write_byte(KEEP_AT + next, stored[next]);
}
