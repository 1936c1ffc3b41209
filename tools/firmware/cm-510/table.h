/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The control table and its rules */
#ifndef CM510_TABLE_H
#define CM510_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "map.h"

struct table {
	uint8_t bytes[MAP_SIZE];
	bool unkept;		/* something is to be written to the EEPROM */
};

/* All is as in a new board. */
void table_init(struct table *table);

/*
 * What an EEPROM has from earlier, MAP_KEPT bytes; what it cannot have written stays as in
 * a new board.
 */
void table_recall(struct table *table, const uint8_t *kept);

uint16_t table_value(const struct table *table, uint8_t addr);

/* What the board itself has measured, past all rules. */
void table_measure(struct table *table, uint8_t addr, uint16_t value);

/* One more of them */
void table_count(struct table *table, uint8_t addr);

/* Is it all within the table? */
bool table_reaches(uint8_t addr, uint8_t len);

/* Would this write be carried out? */
bool table_admits(uint8_t addr, const uint8_t *data, uint8_t len);

/* Only what is admitted */
void table_write(struct table *table, uint8_t addr, const uint8_t *data, uint8_t len);

#endif
