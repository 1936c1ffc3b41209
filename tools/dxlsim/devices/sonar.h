/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sonar of a board: a transmitter and a receiver on each side. It hears the
 * obstacles in front of the robot with all of them, and those at a side with both of
 * that side.
 */
#ifndef DXLSIM_SONAR_H
#define DXLSIM_SONAR_H

#include <stdbool.h>

#include <linux/types.h>

#include "../base/base.h"

/* Its items: what one receiver has heard first, and what each has heard. */
#define SONAR_VALUE	24
#define SONAR_LEFT	25
#define SONAR_RIGHT	35

#define SONAR_ECHOES	10

struct device;

bool sonar_has_mode(u8 mode);
void sonar_begin(struct device *dev, nsec_t now);
void sonar_advance(struct device *dev, nsec_t now);

#endif
