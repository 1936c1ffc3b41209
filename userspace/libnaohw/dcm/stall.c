// SPDX-License-Identifier: LGPL-2.1-or-later
#include "stall.h"

#include <math.h>

#include "joints.h"

/* It moves if it goes farther than that in the time after which it is eased. */
#define MOVES_RAD  0.02
/* A servo that tells neither load nor current gives all its torque this far from its goal. */
#define ALONE_RAD  0.26
/* So far ahead of where it is an eased joint is sent: it pushes a little, as what it lay on may be its load. */
#define EASED_RAD  0.03
/* More stiffness than that is a program's doing. */
#define STIFFER	   0.02
#define PERCENT	   100.0

static double of_frame(const struct joint_guard *joint, const struct naohw_frame *frame,
		       enum naohw_quantity quantity)
{
	double value = (double)NAN;

	if (naohw_frame_has(frame, joint->joint, quantity))
		(void)naohw_frame_get(frame, joint->joint, quantity, &value);
	return fabs(value);
}

/* The part of its torque that it may give, as it was sent last */
static double stiffness(const struct joint_guard *joint)
{
	return joint->hardness ? actuator_value(joint->hardness, joint->hardness->sent) : 1;
}

/* By what the servo tells, the first of: its current, where the description has a limit of that; its load. */
static bool gives_all(const struct joint_guard *joint, const struct stall_limits *limits,
		      const struct naohw_frame *frame)
{
	double current = of_frame(joint, frame, NAOHW_QUANTITY_CURRENT);
	double load = of_frame(joint, frame, NAOHW_QUANTITY_LOAD);

	if (!isnan(joint->stall.current) && !isnan(current))
		return current >= joint->stall.current;
	if (!isnan(load))
		return load / PERCENT >= limits->load * stiffness(joint);
	return joint_is_astray(joint, fmax(ALONE_RAD, limits->error));
}

static bool is_blocked(const struct joint_guard *joint, const struct stall_limits *limits,
		       const struct naohw_frame *frame)
{
	return joint->position && joint->is_placed && stiffness(joint) > 0 &&
	       joint_is_astray(joint, limits->error) && gives_all(joint, limits, frame);
}

static void ease(struct joint_guard *joint)
{
	struct stall *stall = &joint->stall;

	stall->way = joint->at > joint->present ? 1 : -1;
	stall->stiffness = stiffness(joint);
	stall->bound = joint->present + stall->way * EASED_RAD * joint->levels_per_rad;
}

void stall_look(struct joint_guard *joint, const struct stall_limits *limits,
		const struct naohw_frame *frame, int64_t now)
{
	struct stall *stall = &joint->stall;
	bool has_moved = fabs(joint->present - stall->from) > MOVES_RAD * joint->levels_per_rad;

	if (stiffness(joint) > stall->stiffness + STIFFER)
		stall->way = 0;
	if (limits->time <= 0 || !is_blocked(joint, limits, frame)) {
		stall->since = 0;
	} else if (!stall->since || has_moved) {
		stall->since = now;
		stall->from = joint->present;
	} else if ((double)(now - stall->since) >= limits->time) {
		ease(joint);
	}
}

double stall_bound(struct stall *stall, double level)
{
	if (!stall->way)
		return level;
	if (stall->way * (level - stall->bound) < 0) {
		stall->way = 0;
		return level;
	}
	return stall->bound;
}

void stall_forget(struct stall *stall)
{
	stall->since = 0;
	stall->way = 0;
}
