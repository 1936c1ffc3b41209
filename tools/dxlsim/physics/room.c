// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <string.h>

#include "inside.h"

/* The floor's axes: down ahead, down to the right, upright. */
static void find_axes(const struct ground *ground, dMatrix3 axes)
{
	dMatrix3 ahead, aside;

	dRFromAxisAndAngle(ahead, 0, 1, 0, ground->pitch);
	dRFromAxisAndAngle(aside, 1, 0, 0, ground->roll);
	dMultiply0_333(axes, aside, ahead);
}

static void take_along(struct world *world, const dMatrix3 turn)
{
	static const dVector3 middle;
	size_t i;

	for (i = 0; i < world->thing_count; i++) {
		dGeomID hull = world->things[i].hull;
		dMatrix3 axes;
		dVector3 at;

		dGeomCopyPosition(hull, at);
		dGeomCopyRotation(hull, axes);
		turn_about(middle, turn, at, axes);
		dGeomSetPosition(hull, at[0], at[1], at[2]);
		dGeomSetRotation(hull, axes);
	}
	if (!world->held)
		turn_robot(world, middle, turn);
}

void room_floor(struct world *world, const struct ground *ground)
{
	dMatrix3 before, after, turn;

	find_axes(&world->ground, before);
	find_axes(ground, after);
	dMultiply2_333(turn, after, before);
	if (ground->pitch != world->ground.pitch || ground->roll != world->ground.roll)
		take_along(world, turn);
	world->ground = *ground;
	dGeomPlaneSetParams(world->plane, sin(ground->pitch),
			    -sin(ground->roll) * cos(ground->pitch),
			    cos(ground->roll) * cos(ground->pitch), 0);
}

const struct ground *room_ground(const struct world *world)
{
	return &world->ground;
}

double room_height(const struct world *world, double x, double y)
{
	dVector4 plane;

	dGeomPlaneGetParams(world->plane, plane);

	return -(plane[0] * x + plane[1] * y) / plane[2];
}

/* --- things --- */

static size_t number_of(const struct world *world, const char *name)
{
	size_t i;

	for (i = 0; i < world->thing_count; i++)
		if (!strcmp(world->things[i].thing.name, name))
			break;

	return i;
}

static void destroy(struct thing_state *state)
{
	dGeomDestroy(state->hull);
	if (state->body)
		dBodyDestroy(state->body);
}

static void give_mass(struct thing_state *state)
{
	const struct thing *thing = &state->thing;
	dMass mass;

	if (thing->ball)
		dMassSetSphereTotal(&mass, thing->mass, thing->size[0] / 2);
	else
		dMassSetBoxTotal(&mass, thing->mass, thing->size[0], thing->size[1],
				 thing->size[2]);
	dBodySetMass(state->body, &mass);
}

static void make(struct world *world, struct thing_state *state, double yaw)
{
	const struct thing *thing = &state->thing;
	dMatrix3 axes, own, turn;

	find_axes(&world->ground, axes);
	dRFromAxisAndAngle(own, 0, 0, 1, yaw);
	dMultiply0_333(turn, axes, own);
	state->hull = thing->ball ? dCreateSphere(NULL, thing->size[0] / 2) :
				    dCreateBox(NULL, thing->size[0], thing->size[1],
					       thing->size[2]);
	if (thing->mass > 0) {
		state->body = dBodyCreate(world->ode);
		give_mass(state);
		dGeomSetBody(state->hull, state->body);
	}
	/* The last of the axes is the floor's upright, of which this is how far it goes up. */
	dGeomSetPosition(state->hull, thing->at[0], thing->at[1],
			 room_height(world, thing->at[0], thing->at[1]) +
				 thing->size[2] / 2 / axes[10]);
	dGeomSetRotation(state->hull, turn);
}

bool room_put(struct world *world, const struct thing *thing, double yaw)
{
	struct thing_state *state;

	room_remove(world, thing->name);
	if (world->thing_count == THINGS_MAX)
		return false;
	state = &world->things[world->thing_count++];
	*state = (struct thing_state){ .thing = *thing };
	make(world, state, yaw);

	return true;
}

bool room_remove(struct world *world, const char *name)
{
	size_t i = number_of(world, name);

	if (i == world->thing_count)
		return false;
	destroy(&world->things[i]);
	world->thing_count--;
	memmove(&world->things[i], &world->things[i + 1],
		(world->thing_count - i) * sizeof(world->things[0]));

	return true;
}

void room_clear(struct world *world)
{
	while (world->thing_count)
		destroy(&world->things[--world->thing_count]);
}

void room_free(struct world *world)
{
	room_clear(world);
}

bool room_thing(const struct world *world, size_t number, struct thing *thing)
{
	const struct thing_state *state = &world->things[number];
	const dReal *at, *turn;
	int i;

	if (number >= world->thing_count)
		return false;
	*thing = state->thing;
	at = dGeomGetPosition(state->hull);
	turn = dGeomGetRotation(state->hull);
	for (i = 0; i < 3; i++)
		thing->at[i] = at[i];
	for (i = 0; i < 9; i++)
		thing->turn[i] = turn[i / 3 * 4 + i % 3];

	return true;
}
