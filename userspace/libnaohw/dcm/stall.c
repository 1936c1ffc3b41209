// SPDX-License-Identifier: LGPL-2.1-or-later
#include "stall.h"

#include <math.h>

#include "joints.h"

/* It moves if it goes farther than that in the time after which it is eased. */
#define MOVES_RAD 0.02
/* At full stiffness an eased joint is sent so far beyond where it is: a little, as it may bear something. */
#define EASED_RAD 0.03
/* A program gives it more stiffness if that is more by so much. */
#define STIFFER	  0.02
#define PERCENT	  100.0

/* NAN: its servo does not tell that. */
static double of_frame(const struct joint_guard *joint, const struct naohw_frame *frame,
		       enum naohw_quantity quantity)
{
	double value = (double)NAN;

	(void)naohw_frame_get(frame, joint->joint, quantity, &value);
	return fabs(value);
}

/* The part of all torque that its servo may give, as the servo was told last; NAN: unknown */
static double part_of(const struct joint_guard *joint)
{
	int steps = atomic_load(&joint->stiffness);

	if (joint->hardness)
		return joint->hardness->sent / joint->stall.steps;
	return steps == POSE_LEFT_ALONE ? (double)NAN : (double)steps / joint->stall.steps;
}

/* The same as commands have it, whatever heat and battery make of that */
static double wanted_part(const struct joint_guard *joint)
{
	return joint->hardness ? joint->hardness->planned / joint->stall.steps : part_of(joint);
}

/* As its servo tells it. One that tells neither load, nor a current of which the description has the limit, is none. */
static bool gives_all(const struct joint_guard *joint, const struct stall_limits *limits,
		      const struct naohw_frame *frame, double part)
{
	double current = of_frame(joint, frame, NAOHW_QUANTITY_CURRENT);
	double load = of_frame(joint, frame, NAOHW_QUANTITY_LOAD);

	if (!isnan(joint->stall.current) && !isnan(current))
		return current >= joint->stall.current * part;
	return load / PERCENT >= limits->load * part;
}

/* With less stiffness a servo gives all that it may nearer to its goal. */
static bool is_blocked(const struct joint_guard *joint, const struct stall_limits *limits,
		       const struct naohw_frame *frame)
{
	double part = part_of(joint);

	return joint->position && joint->is_placed && part > 0 &&
	       joint_is_astray(joint, limits->error * part) && gives_all(joint, limits, frame, part);
}

/* Its goal comes back at once: that pulls at nothing. */
static void ease(struct joint_guard *joint)
{
	struct stall *stall = &joint->stall;
	double ahead = EASED_RAD * part_of(joint) * joint->levels_per_rad;

	stall->way = joint->at > joint->present ? 1 : -1;
	stall->stiffness = wanted_part(joint);
	stall->bound = actuator_whole(joint->position, joint->present + stall->way * ahead);
	if (stall->way * (joint->at - stall->bound) > 0)
		joint->at = stall->bound;
}

void stall_look(struct joint_guard *joint, const struct stall_limits *limits,
		const struct naohw_frame *frame, int64_t now)
{
	struct stall *stall = &joint->stall;
	bool has_moved = fabs(joint->present - stall->from) > MOVES_RAD * joint->levels_per_rad;

	if (wanted_part(joint) > stall->stiffness + STIFFER)
		stall->way = 0;
	if (stall->time <= 0 || !is_blocked(joint, limits, frame)) {
		stall->since = 0;
	} else if (!stall->since || has_moved) {
		stall->since = now;
		stall->from = joint->present;
	} else if ((double)(now - stall->since) >= stall->time) {
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
