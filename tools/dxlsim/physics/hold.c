// SPDX-License-Identifier: GPL-2.0-or-later
/* Whoever holds the robot by its torso: how high, how it leans, and when he lets it go. */
#include <math.h>
#include <string.h>

#include "inside.h"

/* How fast he lifts it, m/s. */
#define LIFT		0.5

/* For how long the legs must be driven and calm (rad/s) before the robot is let go. */
#define TRUST		(1 * NSEC_PER_SEC)
#define CALM		0.1

/* How far the lowest corner of a link is above the floor. */
static double clearance_of(const struct world *world, size_t number)
{
	const struct part *link = &world->physique.links[number];
	double least = INFINITY;
	int i;

	for (i = 0; i < 8; i++) {
		double at[3] = {
			i & 1 ? link->low[0] : link->high[0],
			i & 2 ? link->low[1] : link->high[1],
			i & 4 ? link->low[2] : link->high[2],
		};
		double point[3];

		world_point(world, number, at, point);
		least = fmin(least, point[2] - room_height(world, point[0], point[1]));
	}

	return least;
}

/* Of all: whatever was in the floor would be thrown out of it when the robot is let go. */
static double clearance(const struct world *world)
{
	double least = INFINITY;
	size_t i;

	for (i = 0; i < world->physique.count; i++)
		least = fmin(least, clearance_of(world, i));

	return least;
}

static void lift(struct world *world, double height)
{
	size_t i;

	for (i = 0; i < world->physique.count; i++) {
		const dReal *at = dBodyGetPosition(world->bones[i].body);

		dBodySetPosition(world->bones[i].body, at[0], at[1], at[2] + height);
	}
}

void hold_down(struct world *world)
{
	lift(world, -clearance(world));
}

/* --- from then on --- */

void world_hold(struct world *world, double height)
{
	dBodyID torso = world->bones[TORSO].body;

	world->held = true;
	world->held_at = height;
	world->standing_since = NSEC_NEVER;
	dBodySetKinematic(torso);
	dBodySetLinearVel(torso, 0, 0, 0);
	dBodySetAngularVel(torso, 0, 0, 0);
}

/* As it faces, then down ahead, and to the right about its own axis. */
static void find_lean(dMatrix3 turn, double roll, double pitch, double yaw)
{
	dMatrix3 to_right, ahead, facing, both;

	dRFromAxisAndAngle(to_right, 1, 0, 0, roll);
	dRFromAxisAndAngle(ahead, 0, 1, 0, pitch);
	dRFromAxisAndAngle(facing, 0, 0, 1, yaw);
	dMultiply0_333(both, ahead, to_right);
	dMultiply0_333(turn, facing, both);
}

void turn_about(const dVector3 middle, const dMatrix3 turn, dVector3 at, dMatrix3 axes)
{
	const dVector3 off = { at[0] - middle[0], at[1] - middle[1], at[2] - middle[2] };
	dMatrix3 turned;
	dVector3 there;
	int i;

	dMultiply0_331(there, turn, off);
	dMultiply0_333(turned, turn, axes);
	for (i = 0; i < 3; i++)
		at[i] = middle[i] + there[i];
	memcpy(axes, turned, sizeof(turned));
}

/* Joints and all. */
void turn_robot(struct world *world, const dVector3 middle, const dMatrix3 turn)
{
	size_t i;

	for (i = 0; i < world->physique.count; i++) {
		dBodyID body = world->bones[i].body;
		dMatrix3 axes;
		dVector3 at;

		dBodyCopyPosition(body, at);
		dBodyCopyRotation(body, axes);
		turn_about(middle, turn, at, axes);
		dBodySetPosition(body, at[0], at[1], at[2]);
		dBodySetRotation(body, axes);
	}
}

void world_hold_leaning(struct world *world, double height, double roll, double pitch)
{
	dBodyID torso = world->bones[TORSO].body;
	const dReal *now = dBodyGetRotation(torso);
	dMatrix3 wanted, turn;
	dVector3 middle;
	size_t i;

	find_lean(wanted, roll, pitch, atan2(now[4], now[0]));
	dMultiply2_333(turn, wanted, now);
	dBodyCopyPosition(torso, middle);
	turn_robot(world, middle, turn);
	for (i = 0; i < world->physique.count; i++) {
		dBodySetLinearVel(world->bones[i].body, 0, 0, 0);
		dBodySetAngularVel(world->bones[i].body, 0, 0, 0);
	}
	lift(world, fmax(0, -clearance(world)));
	world_hold(world, height);
}

void world_release(struct world *world)
{
	if (!world->held)
		return;
	world->held = false;
	dBodySetDynamic(world->bones[TORSO].body);
}

bool world_held(const struct world *world)
{
	return world->held;
}

static bool legs_stand(const struct world *world)
{
	size_t i;

	for (i = 1; i < world->physique.count; i++) {
		const struct bone_state *bone = &world->bones[i];

		if (bone->leg && (!bone->effort.holds || fabs(bone->turning.rate) > CALM))
			return false;
	}

	return true;
}

void hold_step(struct world *world)
{
	double way = world->held_at - clearance(world);

	/* Down on the floor there is no way but at once: legs push it up. */
	lift(world, fmin(way, LIFT * SECONDS));
	if (world->held_at > 0 || !legs_stand(world))
		world->standing_since = NSEC_NEVER;
	else if (world->standing_since == NSEC_NEVER)
		world->standing_since = world->time;
	else if (world->time - world->standing_since >= TRUST)
		world_release(world);
}
