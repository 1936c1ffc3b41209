/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What in the body's world a board's sensors and buttons are for. */
#ifndef DXLSIM_NERVE_H
#define DXLSIM_NERVE_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

struct device;
struct sense;

/* Whether a sensor sees how far it is to something, of a body with a world. */
bool nerve_sees(const struct device *dev, const struct sense *sense);

/* That, mm; 0: nothing is there as far as it sees. */
double nerve_distance(const struct device *dev, const struct sense *sense);

/* The bits of the buttons that something of the room touches. */
u8 nerve_touched(const struct device *dev);

/*
 * The echoes of a sonar's wave from one side, nearest first, mm; what comes from the middle
 * of both alone if @both. How many there are, at most @most.
 */
size_t nerve_echoes(const struct device *dev, bool right, bool both, double *mm,
		    size_t most);

#endif
