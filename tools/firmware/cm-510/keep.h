/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The EEPROM's share of the table */
#ifndef CM510_KEEP_H
#define CM510_KEEP_H

#include "table.h"

void keep_recall(struct table *table);

/* Writes a byte that is not as in the table if the EEPROM is free; never waits for it. */
void keep_step(struct table *table);

#endif
