/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the body feels. */
#ifndef DXLSIM_SENSE_H
#define DXLSIM_SENSE_H

#include <stdbool.h>
#include <stddef.h>

#include "world.h"

/* Of the torso, in its own axes: x ahead, y to the left, z up. */
struct inertial {
	double rate[3];		/* rad/s */
	double acceleration[3];	/* m/s^2, with which it is held up */
	double angle[3];	/* rad: roll to the right, pitch ahead, yaw to the left */
};

void world_inertial(const struct world *world, struct inertial *inertial);

/* What each force sensor of a foot carries, N: 0 is the left foot. */
double world_foot(const struct world *world, size_t foot, size_t sensor);

/* Where the foot carries it, from its joint, m; false: it carries nothing. */
bool world_pressure(const struct world *world, size_t foot, double at[2]);

/*
 * How far it is to the next thing or the floor from a point of a link, along a direction in
 * the link's axes, m; INFINITY: farther than @reach. The floor counts if @floor.
 */
double world_distance(const struct world *world, size_t link, const double from[3],
		      const double along[3], double reach, bool floor);

/* Of a camera: where it is in the room, and as columns where it looks, its left and its up. */
struct outlook {
	double at[3];
	double turn[9];
};

/* By their numbers in the physique; false: there are no more. */
bool world_camera(const struct world *world, size_t number, struct outlook *outlook);

/* A part of a link's skin: within a box about its joint, and looking to a side, or to any. */
struct patch {
	double low[3];
	double high[3];
	double side[3];	/* of length 1, or 0 */
};

/* Whether something of the room touches it, however lightly. */
bool world_touched(const struct world *world, size_t link, const struct patch *patch);

#endif
