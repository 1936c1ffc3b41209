// SPDX-License-Identifier: GPL-2.0-or-later
#include <avr/io.h>
#include <stddef.h>
#include <string.h>
#include <util/atomic.h>
#include <util/crc16.h>

#include "keep.h"

/*
 * There are two places, of which the newer one that is whole holds. What is saved goes to
 * the other one, so the power may go while it does.
 */
struct place {
	uint8_t bytes[MAP_KEPT];
	uint8_t number;		/* one more than that of the other */
	uint16_t sum;
};

/* The EEPROM's end, as far as can be from what the maker's firmware may have there. */
#define PLACE_SIZE	32
#define PLACE(n)	(E2END + 1 - PLACE_SIZE * ((n) + 1))

_Static_assert(sizeof(struct place) <= PLACE_SIZE, "a place overlaps the next");

static struct place saved;	/* or is being saved */
static uint8_t at;		/* in which place */
static uint8_t left;		/* bytes of it that are to be compared yet */

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

/* Not of nothing but zeros: that is no place's, and no place's sum. */
static uint16_t sum_of(const struct place *place)
{
	const uint8_t *byte = (const uint8_t *)place;
	uint16_t sum = 0xffff;
	uint8_t i;

	for (i = 0; i < offsetof(struct place, sum); i++)
		sum = _crc_ccitt_update(sum, byte[i]);

	return sum;
}

/* Is it whole, and newer than what has been found? */
static bool is_better(const struct place *place, bool found)
{
	return place->sum == sum_of(place) &&
	       (!found || (int8_t)(place->number - saved.number) > 0);
}

static void read_place(uint8_t n, struct place *place)
{
	uint8_t *bytes = (uint8_t *)place, i;

	for (i = 0; i < sizeof(*place); i++)
		bytes[i] = read_byte(PLACE(n) + i);
}

void keep_recall(struct table *table)
{
	struct place place;
	bool found = false;
	uint8_t n;

	/* MODE does not end a byte that was being written, and until that has none can be read. */
	loop_until_bit_is_clear(EECR, EEPE);
	for (n = 0; n < 2; n++) {
		read_place(n, &place);
		if (!is_better(&place, found))
			continue;
		saved = place;
		at = n;
		found = true;
	}
	if (found)
		table_recall(table, saved.bytes);
}

static void begin(struct table *table)
{
	table->unkept = false;
	if (!memcmp(saved.bytes, table->bytes, sizeof(saved.bytes)))
		return;
	memcpy(saved.bytes, table->bytes, sizeof(saved.bytes));
	saved.number++;
	saved.sum = sum_of(&saved);
	at = !at;
	left = sizeof(saved);
}

void keep_step(struct table *table)
{
	uint8_t byte;

	if ((!left && !table->unkept) || EECR & _BV(EEPE))
		return;
	if (!left) {
		begin(table);
		return;
	}
	left--;
	byte = ((const uint8_t *)&saved)[left];
	if (read_byte(PLACE(at) + left) != byte)
		write_byte(PLACE(at) + left, byte);
}
