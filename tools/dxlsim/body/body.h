/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The robot that the boards are in: how it leans, how fast it turns, and what that
 * puts on its feet. It is rigid, and turns about where it stands as it is told; or it has
 * a world of links and joints in which it does what those do. It is to be brought to the
 * time for which it is asked.
 */
#ifndef DXLSIM_BODY_H
#define DXLSIM_BODY_H

#include <stdbool.h>

#include "../base/base.h"
#include "robot.h"
#include "sway.h"

/* Axes of the body: x is forward, y to the left, z up. */
enum axis { AXIS_X, AXIS_Y, AXIS_Z, AXES };

enum foot { FOOT_LEFT, FOOT_RIGHT };

/* Where on a foot, seen from above. */
struct corner {
	bool front;
	bool right;
};

/* Where obstacles are. Those at a side are heard on that side only. */
enum place { PLACE_LEFT, PLACE_RIGHT, PLACE_FRONT, PLACES };

#define OBSTACLES_MAX	10

/* Degrees: roll to the right and pitch forward are positive. */
struct pose {
	double roll;
	double pitch;
};

/*
 * A motion from one pose to the next: at a steady rate, or faster and faster. Or
 * what a push makes of it, about one axis; when that ends is not known before.
 */
struct world;

struct body {
	const struct robot *robot;
	struct world *world;	/* NULL: it does as it is told, by what follows */
	struct pose from;
	struct pose to;
	nsec_t begin;
	nsec_t end;
	bool falls;
	bool sways;
	enum axis about;
	struct sway sway;
	unsigned int motions;	/* until the first, nobody feels it */
	double obstacles[PLACES][OBSTACLES_MAX];	/* mm; 0: no more */
};

/* What there is to feel of it at one time. */
struct feeling {
	double rate[AXES];		/* degrees/s */
	double acceleration[AXES];	/* g, with which it is held up */
	double angle[AXES];		/* degrees; none about z */
};

void body_init(struct body *body);
void body_lean(struct body *body, struct pose pose, nsec_t length, nsec_t now);
void body_fall(struct body *body, struct pose pose, nsec_t length, nsec_t now);
bool body_push(struct body *body, enum axis about, double force, nsec_t length,
	       nsec_t now);
void body_advance(struct body *body, nsec_t now);
nsec_t body_due(const struct body *body);
struct pose body_pose(const struct body *body, nsec_t now);
void body_feel(const struct body *body, nsec_t now, struct feeling *feeling);
double body_force(const struct body *body, enum foot foot, struct corner corner,
		  nsec_t now);

#endif
