/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DXLSIM_PHYSICS_INSIDE_H
#define DXLSIM_PHYSICS_INSIDE_H

#include <ode/ode.h>

#include "physics.h"

#define SECONDS		((double)WORLD_STEP / NSEC_PER_SEC)

#define POINTS		4	/* of two bodies that touch, at most */
#define TOUCHES_MAX	(LINKS_MAX * (THINGS_MAX + 1) * POINTS)
#define PUSHES_MAX	8
#define FELT_STEPS	5	/* over which accelerations are averaged */

struct bone_state {
	dBodyID body;
	dGeomID hull;
	dJointID hinge;
	struct actuator actuator;
	struct turning turning;
	struct effort effort;
	double load;
	bool leg;
	size_t twin;		/* whose joint the same motor turns, geared to it; TORSO: none */
};

struct thing_state {
	struct thing thing;
	dBodyID body;		/* NULL: it does not move */
	dGeomID hull;
};

/* Where a link touches something. */
struct touch {
	size_t link;
	double at[3];		/* from its joint, in its axes */
	double normal[3];	/* in the room, towards the link */
	dJointFeedback feedback;
};

struct push {
	size_t link;
	double force[3];
	nsec_t until;
};

struct world {
	struct physique physique;
	dWorldID ode;
	dJointGroupID contacts;
	dGeomID plane;
	dGeomID ray;
	struct ground ground;
	struct bone_state bones[LINKS_MAX];
	struct thing_state things[THINGS_MAX];
	size_t thing_count;
	struct touch touches[TOUCHES_MAX];
	size_t touch_count;
	struct push pushes[PUSHES_MAX];
	size_t push_count;
	nsec_t time;
	bool held;
	double held_at;		/* m above the floor */
	bool in_step;		/* what is asked meanwhile is of the time that has come */
	nsec_t standing_since;
	double velocity[3];	/* of the torso before the step */
	double felt[FELT_STEPS][3];
	size_t felt_next;
};

size_t contact_all(struct world *world);	/* how many there are, but of things with the floor */
void hold_step(struct world *world);
void hold_down(struct world *world);	/* onto the floor */

/* Where and how it is after a turn about a point. */
void turn_about(const dVector3 middle, const dMatrix3 turn, dVector3 at, dMatrix3 axes);
void turn_robot(struct world *world, const dVector3 middle, const dMatrix3 turn);
void room_free(struct world *world);
void sense_step(struct world *world);
void sense_begin(struct world *world);

#endif
