/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The EEPROM's share of the table */
#ifndef CM510_KEEP_H
#define CM510_KEEP_H

#include "table.h"

void keep_recall(struct table *table);

/*
 * Goes on with saving what is to be kept, if the EEPROM is free; never waits for it. If the
 * power goes meanwhile, what was saved before is there, whole.
 */
void keep_step(struct table *table);

#endif
