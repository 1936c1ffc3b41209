/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An EEPROM in the place of simavr's, whose bytes take 3.4 ms: they are erased, and then they
 * are written, and the power may go at any time. simavr's are there at once.
 */
#ifndef CM510_TESTS_AVR_ROM_H
#define CM510_TESTS_AVR_ROM_H

#include <stdbool.h>
#include <stdint.h>

#include <sim_avr.h>

struct avr_rom {
	avr_t *avr;
	uint8_t *bytes;
	avr_cycle_count_t armed_until;
	uint16_t addr;		/* what is being written */
	uint8_t value;
	unsigned int steps;	/* begun so far: two for each byte */
};

void avr_rom_take_over(struct avr_rom *rom, avr_t *avr);

/* Does it write a byte? Of a processor that starts anew it goes on with that one. */
bool avr_rom_is_busy(const struct avr_rom *rom);
void avr_rom_go_on(struct avr_rom *rom, const struct avr_rom *before);

#endif
