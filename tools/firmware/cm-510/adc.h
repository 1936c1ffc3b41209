/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The battery and the six ports, one conversion after the other */
#ifndef CM510_ADC_H
#define CM510_ADC_H

#include <stdbool.h>

#include "table.h"

void adc_begin(void);

/* Is one under way, whose interrupt is to come? */
bool adc_converts(void);

/* Puts what has been converted into the table, and begins the next. */
void adc_step(struct table *table);

/* Each of them once, at the start: no master is to read a battery of 0 V. */
void adc_round(struct table *table);

#endif
