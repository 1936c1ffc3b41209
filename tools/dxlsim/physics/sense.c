// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <string.h>

#include "inside.h"

static dBodyID torso(const struct world *world)
{
	return world->bones[TORSO].body;
}

/* The velocity of the torso's own middle, where its sensors are. */
static void velocity(const struct world *world, double at[3])
{
	const double *centre = world->physique.links[TORSO].centre;
	dVector3 pace;
	int i;

	dBodyGetRelPointVel(torso(world), -centre[0], -centre[1], -centre[2], pace);
	for (i = 0; i < 3; i++)
		at[i] = pace[i];
}

void sense_begin(struct world *world)
{
	size_t i;

	velocity(world, world->velocity);
	for (i = 0; i < FELT_STEPS; i++)
		memcpy(world->felt[i], (double [3]){ 0, 0, WORLD_GRAVITY },
		       sizeof(world->felt[i]));
}

void sense_step(struct world *world)
{
	double now[3], pull[3];
	dVector3 own;
	int i;

	velocity(world, now);
	for (i = 0; i < 3; i++)
		pull[i] = (now[i] - world->velocity[i]) / SECONDS;
	pull[2] += WORLD_GRAVITY;
	dBodyVectorFromWorld(torso(world), pull[0], pull[1], pull[2], own);
	for (i = 0; i < 3; i++)
		world->felt[world->felt_next][i] = own[i];
	world->felt_next = (world->felt_next + 1) % FELT_STEPS;
	memcpy(world->velocity, now, sizeof(now));
}

void world_inertial(const struct world *world, struct inertial *inertial)
{
	const dReal *rate = dBodyGetAngularVel(torso(world));
	const dReal *turn = dBodyGetRotation(torso(world));
	dVector3 own;
	size_t step;
	int i;

	*inertial = (struct inertial){ .angle = {
		atan2(turn[9], turn[10]), asin(fmin(fmax(-turn[8], -1), 1)),
		atan2(turn[4], turn[0]),
	} };
	dBodyVectorFromWorld(torso(world), rate[0], rate[1], rate[2], own);
	for (i = 0; i < 3; i++) {
		inertial->rate[i] = own[i];
		for (step = 0; step < FELT_STEPS; step++)
			inertial->acceleration[i] += world->felt[step][i] / FELT_STEPS;
	}
}

/* --- feet --- */

static double carried(const struct touch *touch)
{
	const dReal *force = touch->feedback.f1;

	return fmax(0, force[0] * touch->normal[0] + force[1] * touch->normal[1] +
		       force[2] * touch->normal[2]);
}

/* What the foot carries, and where; at the joint if nothing. */
static double pressure(const struct world *world, size_t foot, double at[2])
{
	double sum = 0, x = 0, y = 0;
	size_t i;

	for (i = 0; i < world->touch_count; i++) {
		const struct touch *touch = &world->touches[i];
		double force = carried(touch);

		if (touch->link != world->physique.feet[foot].link)
			continue;
		sum += force;
		x += force * touch->at[0];
		y += force * touch->at[1];
	}
	at[0] = sum ? x / sum : 0;
	at[1] = sum ? y / sum : 0;

	return sum;
}

bool world_pressure(const struct world *world, size_t foot, double at[2])
{
	return pressure(world, foot, at) > 0;
}

static double share(double value, double from, double to)
{
	return fmin(fmax((value - from) / (to - from), 0), 1);
}

/* So that they carry all of it, and as far as they reach at its place. */
double world_foot(const struct world *world, size_t foot, size_t sensor)
{
	const double (*at)[2] = world->physique.feet[foot].sensor;
	double place[2], force = pressure(world, foot, place);
	double front = share(place[0], (at[2][0] + at[3][0]) / 2, (at[0][0] + at[1][0]) / 2);
	double left;

	if (sensor < 2)
		left = share(place[1], at[1][1], at[0][1]);
	else
		left = share(place[1], at[2][1], at[3][1]);

	return force * (sensor < 2 ? front : 1 - front) *
	       (sensor == 0 || sensor == 3 ? left : 1 - left);
}

/* --- the room --- */

static double along_ray(const struct world *world, dGeomID hull)
{
	dContactGeom hit;

	return dCollide(world->ray, hull, 1, &hit, sizeof(hit)) ? hit.depth : INFINITY;
}

double world_distance(const struct world *world, size_t link, const double from[3],
		      const double along[3], double reach, bool floor)
{
	double at[3], nearest;
	dVector3 way;
	size_t i;

	world_point(world, link, from, at);
	dBodyVectorToWorld(world->bones[link].body, along[0], along[1], along[2], way);
	dGeomRaySetLength(world->ray, reach);
	dGeomRaySet(world->ray, at[0], at[1], at[2], way[0], way[1], way[2]);
	nearest = floor ? along_ray(world, world->plane) : INFINITY;
	for (i = 0; i < world->thing_count; i++)
		nearest = fmin(nearest, along_ray(world, world->things[i].hull));

	return nearest;
}

/* Of what is pressed flat against a side, corners are places of others, too. */
#define FACING		0.7

static bool faces(const struct world *world, const struct touch *touch, const double side[3])
{
	dVector3 inwards;

	if (!side[0] && !side[1] && !side[2])
		return true;
	dBodyVectorFromWorld(world->bones[touch->link].body, touch->normal[0],
			     touch->normal[1], touch->normal[2], inwards);

	return -(inwards[0] * side[0] + inwards[1] * side[1] + inwards[2] * side[2]) >= FACING;
}

static bool is_within(const double at[3], const struct patch *patch)
{
	int i;

	for (i = 0; i < 3; i++)
		if (at[i] < patch->low[i] || at[i] > patch->high[i])
			return false;

	return true;
}

bool world_touched(const struct world *world, size_t link, const struct patch *patch)
{
	size_t i;

	for (i = 0; i < world->touch_count; i++) {
		const struct touch *touch = &world->touches[i];

		if (touch->link == link && is_within(touch->at, patch) &&
		    faces(world, touch, patch->side))
			return true;
	}

	return false;
}

/* --- cameras --- */

bool world_camera(const struct world *world, size_t number, struct outlook *outlook)
{
	const struct camera *camera;
	dMatrix3 down, turn;
	int i;

	if (number >= world->physique.camera_count)
		return false;
	camera = &world->physique.cameras[number];
	world_point(world, camera->link, camera->at, outlook->at);
	dRFromAxisAndAngle(down, 0, 1, 0, camera->pitch);
	dMultiply0_333(turn, dBodyGetRotation(world->bones[camera->link].body), down);
	for (i = 0; i < 9; i++)
		outlook->turn[i] = turn[i / 3 * 4 + i % 3];

	return true;
}
