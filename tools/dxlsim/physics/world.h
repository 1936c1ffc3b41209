/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The robot's body in motion. It goes on in whole steps of the bus's time from when it was
 * made, so that it is the same however often anybody looks.
 */
#ifndef DXLSIM_WORLD_H
#define DXLSIM_WORLD_H

#include <stdbool.h>
#include <stddef.h>

#include "../base/base.h"
#include "physique.h"

#define WORLD_STEP	(2 * NSEC_PER_MSEC)
#define WORLD_GRAVITY	9.80665	/* m/s^2 */

struct world;

/* What turns a joint in a step: @torque less @damping by the rate that it comes to have. */
struct effort {
	double torque;		/* Nm */
	double damping;		/* Nm s/rad, 0 or more */
	bool holds;		/* on purpose, and not by friction alone */
};

/* How a joint is, in the description's angles: rad, rad/s. */
struct turning {
	double angle;
	double rate;
};

/**
 * struct actuator - what drives a joint
 * @drive: say how for the coming step; called once for each, in the order of the links
 * @moved: the step is over, and the time is what it is now
 * @owner: what they are told
 */
struct actuator {
	void (*drive)(void *owner, const struct turning *turning, struct effort *effort);
	void (*moved)(void *owner, const struct turning *turning, nsec_t now);
	void *owner;
};

/* Upright on the floor, with all joints at 0; somebody holds it. */
struct world *world_new(const struct physique *physique, nsec_t now);
void world_free(struct world *world);

const struct physique *world_physique(const struct world *world);

/* A joint that nothing drives is stiff. */
void world_attach(struct world *world, size_t link, const struct actuator *actuator);

/* Stand it there anew with these angles of all links' joints, at rest and held. */
void world_place(struct world *world, const double *angles);

void world_advance(struct world *world, nsec_t now);

/* What it has not come to by then never happens: it stands still instead. */
void world_skip(struct world *world, nsec_t now);

nsec_t world_time(const struct world *world);

/*
 * Somebody holds it by the torso as that is, with its lowest part, which are its feet if it
 * is upright, so far above the floor, m. On the floor he lets go when its legs have been
 * driven and calm for a second; or when told to.
 */
void world_hold(struct world *world, double height);

/* The same, with the torso leaning so, rad: all of it is turned at once, and at rest. */
void world_hold_leaning(struct world *world, double height, double roll, double pitch);

void world_release(struct world *world);
bool world_held(const struct world *world);

/* Push a link for a while, with newtons ahead, to the left and up as the torso faces now. */
bool world_push(struct world *world, size_t link, const double force[3], nsec_t length);

struct turning world_turning(const struct world *world, size_t link);
double world_load(const struct world *world, size_t link);	/* Nm that drove it last */

/* What its links have by height and motion, and its joints' stops as springs, J. */
double world_energy(const struct world *world);

/* Where a point of a link is in the room: @at is from its joint. */
void world_point(const struct world *world, size_t link, const double at[3],
		 double point[3]);

/* The centre of all mass. */
void world_centre(const struct world *world, double point[3]);

#endif
