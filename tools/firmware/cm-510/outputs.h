/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the master has set: lights and a tone */
#ifndef CM510_OUTPUTS_H
#define CM510_OUTPUTS_H

#include <stdint.h>

void outputs_begin(void);

/* A light for each bit */
void outputs_light(uint8_t lights);

/* A square wave of so many Hz until the next; none for 0 */
void outputs_sound(uint16_t hertz);

#endif
