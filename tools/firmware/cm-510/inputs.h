/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Buttons and the microphone, looked at each millisecond */
#ifndef CM510_INPUTS_H
#define CM510_INPUTS_H

#include <stdbool.h>

#include "table.h"

void inputs_begin(void);

/* Is START held at this moment? */
bool inputs_start_held(void);

/* To be called once a millisecond */
void inputs_step(struct table *table);

#endif
