/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A robot that is pushed: an inverted pendulum whose ankles hold it upright, as far
 * as its feet reach. Beyond that its weight decides: it comes back, or falls.
 */
#ifndef DXLSIM_SWAY_H
#define DXLSIM_SWAY_H

#include <stdbool.h>

#include "../base/base.h"

/* Lengths are in heights of the centre of mass, forces in weights. */
struct sway {
	double gravity;		/* per height, 1/s^2 */
	double least;		/* where the feet end, the one way */
	double most;		/* and the other */
	double force;
	nsec_t until;		/* when it ends */

	nsec_t time;		/* of what follows */
	double angle;		/* rad */
	double rate;		/* rad/s */
	bool ended;		/* it stands, or lies */
};

void sway_advance(struct sway *sway, nsec_t now);
double sway_angle(const struct sway *sway, nsec_t now);
double sway_centre(const struct sway *sway);

#endif
