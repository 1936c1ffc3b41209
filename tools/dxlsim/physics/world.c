// SPDX-License-Identifier: GPL-2.0-or-later
/* Links and joints as the library's bodies and hinges, and their steps. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"

/* Of a joint that nothing drives, Nm s/rad. */
#define STIFF		1e6

/* How hard a joint's stops are, Nm/rad and Nm s/rad; ours. */
#define STOP		100
#define STOP_DAMPING	1

/* The same of the gears between two joints of one motor. */
#define GEAR		300
#define GEAR_DAMPING	3

static unsigned int worlds;

/* Of so many contacts in a crowd each is only roughly what it should be. */
#define CROWD		128

/* --- making it --- */

static void make_body(struct world *world, size_t i)
{
	const struct part *link = &world->physique.links[i];
	struct bone_state *bone = &world->bones[i];
	double middle[3];
	dMass mass;
	int j;

	bone->body = dBodyCreate(world->ode);
	dMassSetParameters(&mass, link->mass, 0, 0, 0, link->inertia[0], link->inertia[1],
			   link->inertia[2], 0, 0, 0);
	dBodySetMass(bone->body, &mass);
	bone->hull = dCreateBox(NULL, link->high[0] - link->low[0],
				link->high[1] - link->low[1], link->high[2] - link->low[2]);
	dGeomSetBody(bone->hull, bone->body);
	for (j = 0; j < 3; j++)
		middle[j] = (link->high[j] + link->low[j]) / 2 - link->centre[j];
	dGeomSetOffsetPosition(bone->hull, middle[0], middle[1], middle[2]);
}

/* All joints at 0: every link's axes are the room's. */
static void place_at_zero(struct world *world)
{
	double at[LINKS_MAX][3] = { { 0 } };
	size_t i;
	int j;

	for (i = 0; i < world->physique.count; i++) {
		const struct part *link = &world->physique.links[i];

		for (j = 0; i && j < 3; j++)
			at[i][j] = at[link->parent][j] + link->at[j];
		dBodySetPosition(world->bones[i].body, at[i][0] + link->centre[0],
				 at[i][1] + link->centre[1], at[i][2] + link->centre[2]);
	}
}

static void make_hinge(struct world *world, size_t i)
{
	const struct part *link = &world->physique.links[i];
	struct bone_state *bone = &world->bones[i];
	const dReal *at = dBodyGetPosition(bone->body);

	bone->hinge = dJointCreateHinge(world->ode, NULL);
	dJointAttach(bone->hinge, bone->body, world->bones[link->parent].body);
	dJointSetHingeAnchor(bone->hinge, at[0] - link->centre[0], at[1] - link->centre[1],
			     at[2] - link->centre[2]);
	dJointSetHingeAxis(bone->hinge, link->axis[0], link->axis[1], link->axis[2]);
}

/* What carries the feet. */
static void find_legs(struct world *world)
{
	size_t foot, i;

	for (foot = 0; foot < 2; foot++)
		for (i = world->physique.feet[foot].link; i != TORSO;
		     i = world->physique.links[i].parent)
			world->bones[i].leg = true;
}

static void find_twins(struct world *world)
{
	const struct part *links = world->physique.links;
	size_t i, j;

	for (i = 1; i < world->physique.count; i++)
		for (j = 1; j < i; j++)
			if (*links[i].servo && !strcmp(links[i].servo, links[j].servo)) {
				world->bones[i].twin = j;
				world->bones[j].twin = i;
			}
}

/* The library aborts after this. */
static void complain(int number, const char *format, va_list args)
{
	fprintf(stderr, "dxlsim: the rigid bodies cannot be reckoned on, by ODE (%d): ", number);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
}

/* The library is begun with the first world and ended with the last. */
static void begin_library(void)
{
	if (worlds++)
		return;
	dInitODE2(0);
	dSetErrorHandler(complain);
	dSetDebugHandler(complain);
}

struct world *world_new(const struct physique *physique, nsec_t now)
{
	struct world *world = calloc(1, sizeof(*world));
	const double straight[LINKS_MAX] = { 0 };
	size_t i;

	if (!world)
		abort();
	begin_library();
	world->physique = *physique;
	world->time = now;
	world->ode = dWorldCreate();
	world->contacts = dJointGroupCreate(0);
	world->ray = dCreateRay(NULL, 1);
	world->plane = dCreatePlane(NULL, 0, 0, 1, 0);
	dWorldSetGravity(world->ode, 0, 0, -WORLD_GRAVITY);
	for (i = 0; i < physique->count; i++)
		make_body(world, i);
	place_at_zero(world);
	for (i = 1; i < physique->count; i++)
		make_hinge(world, i);
	find_legs(world);
	find_twins(world);
	room_floor(world, &(struct ground){ .friction = 0.8 });
	world_place(world, straight);

	return world;
}

void world_free(struct world *world)
{
	size_t i;

	if (!world)
		return;
	room_free(world);
	for (i = 0; i < world->physique.count; i++)
		dGeomDestroy(world->bones[i].hull);
	dGeomDestroy(world->plane);
	dGeomDestroy(world->ray);
	dJointGroupDestroy(world->contacts);
	dWorldDestroy(world->ode);
	free(world);
	if (!--worlds)
		dCloseODE();
}

const struct physique *world_physique(const struct world *world)
{
	return &world->physique;
}

void world_attach(struct world *world, size_t link, const struct actuator *actuator)
{
	world->bones[link].actuator = *actuator;
}

/* --- placing it --- */

static void place_link(struct world *world, size_t i, double angle, dMatrix3 turns[],
		       double at[][3])
{
	const struct part *link = &world->physique.links[i];
	struct bone_state *bone = &world->bones[i];
	dMatrix3 own;
	dVector3 off;
	int j;

	if (i == TORSO) {
		dRSetIdentity(turns[i]);
	} else {
		dRFromAxisAndAngle(own, link->axis[0], link->axis[1], link->axis[2], angle);
		dMultiply0_333(turns[i], turns[link->parent], own);
		dMultiply0_331(off, turns[link->parent], link->at);
		for (j = 0; j < 3; j++)
			at[i][j] = at[link->parent][j] + off[j];
	}
	dMultiply0_331(off, turns[i], link->centre);
	dBodySetRotation(bone->body, turns[i]);
	dBodySetPosition(bone->body, at[i][0] + off[0], at[i][1] + off[1],
			 at[i][2] + off[2]);
	dBodySetLinearVel(bone->body, 0, 0, 0);
	dBodySetAngularVel(bone->body, 0, 0, 0);
	bone->turning = (struct turning){ .angle = angle };
	bone->effort = (struct effort){ 0 };
}

void world_place(struct world *world, const double *angles)
{
	dMatrix3 turns[LINKS_MAX];
	double at[LINKS_MAX][3] = { { 0 } };
	size_t i;

	for (i = 0; i < world->physique.count; i++)
		place_link(world, i, angles[i], turns, at);
	world->push_count = 0;
	world->touch_count = 0;
	world_hold(world, 0);
	hold_down(world);
	sense_begin(world);
}

/* --- a step --- */

static double within(const struct part *link, double angle)
{
	return fmin(fmax(angle, link->least), link->most);
}

/* Beyond a stop it is pushed back, by what it will be at the end of the step. */
static void add_stop(const struct part *link, const struct turning *turning,
		     struct effort *effort)
{
	double ahead = turning->angle + turning->rate * SECONDS;
	double stop = within(link, ahead);

	if (ahead == stop)
		return;
	effort->torque += STOP * (stop - turning->angle);
	effort->damping += STOP * SECONDS + STOP_DAMPING;
}

/* Pulled to where its twin will be, and as fast as that is, so that they turn as one. */
static void add_gear(const struct turning *turning, const struct turning *twin,
		     struct effort *effort)
{
	double ahead = twin->angle + twin->rate * SECONDS - turning->angle;

	effort->torque += GEAR * ahead + GEAR_DAMPING * twin->rate;
	effort->damping += GEAR * SECONDS + GEAR_DAMPING;
}

/* The library's motor turns as fast as it is told, but for what its softness gives way. */
static void apply(struct bone_state *bone)
{
	const struct effort *effort = &bone->effort;

	if (effort->damping > 0) {
		dJointSetHingeParam(bone->hinge, dParamFMax, dInfinity);
		dJointSetHingeParam(bone->hinge, dParamVel,
				    effort->torque / effort->damping);
		dJointSetHingeParam(bone->hinge, dParamCFM, 1 / effort->damping);
		return;
	}
	dJointSetHingeParam(bone->hinge, dParamFMax, 0);
	dJointAddHingeTorque(bone->hinge, effort->torque);
}

static void drive(struct world *world, size_t i)
{
	struct bone_state *bone = &world->bones[i];

	bone->effort = (struct effort){ .damping = STIFF, .holds = true };
	if (bone->actuator.drive)
		bone->actuator.drive(bone->actuator.owner, &bone->turning, &bone->effort);
	add_stop(&world->physique.links[i], &bone->turning, &bone->effort);
	if (bone->twin != TORSO)
		add_gear(&bone->turning, &world->bones[bone->twin].turning, &bone->effort);
	apply(bone);
}

/* The hinge's angle is within half a turn, a joint's may be beyond. */
static void measure(struct bone_state *bone)
{
	double angle = dJointGetHingeAngle(bone->hinge);

	angle += round((bone->turning.angle - angle) / (2 * M_PI)) * 2 * M_PI;
	bone->turning = (struct turning){ angle, dJointGetHingeAngleRate(bone->hinge) };
	bone->load = bone->effort.torque - bone->effort.damping * bone->turning.rate;
}

static void push(struct world *world)
{
	size_t i = 0;

	while (i < world->push_count) {
		const struct push *push = &world->pushes[i];

		if (push->until <= world->time) {
			world->pushes[i] = world->pushes[--world->push_count];
			continue;
		}
		dBodyAddForce(world->bones[push->link].body, push->force[0], push->force[1],
			      push->force[2]);
		i++;
	}
}

static void step(struct world *world)
{
	size_t i;

	for (i = 1; i < world->physique.count; i++)
		drive(world, i);
	push(world);
	if (world->held)
		hold_step(world);
	/* The exact solver takes time by the third power of what touches. */
	if (contact_all(world) > CROWD)
		dWorldQuickStep(world->ode, SECONDS);
	else
		dWorldStep(world->ode, SECONDS);
	world->time += WORLD_STEP;
	for (i = 1; i < world->physique.count; i++)
		measure(&world->bones[i]);
	sense_step(world);
	for (i = 1; i < world->physique.count; i++)
		if (world->bones[i].actuator.moved)
			world->bones[i].actuator.moved(world->bones[i].actuator.owner,
						       &world->bones[i].turning,
						       world->time);
}

void world_advance(struct world *world, nsec_t now)
{
	if (world->in_step)
		return;
	world->in_step = true;
	while (world->time + WORLD_STEP <= now)
		step(world);
	world->in_step = false;
}

void world_skip(struct world *world, nsec_t now)
{
	nsec_t lost = now > world->time ? (now - world->time) / WORLD_STEP * WORLD_STEP : 0;
	size_t i;

	world->time += lost;
	for (i = 0; i < world->push_count; i++)
		world->pushes[i].until += lost;
	if (world->standing_since != NSEC_NEVER)
		world->standing_since += lost;
}

nsec_t world_time(const struct world *world)
{
	return world->time;
}

bool world_push(struct world *world, size_t link, const double force[3], nsec_t length)
{
	const dReal *turn = dBodyGetRotation(world->bones[TORSO].body);
	double yaw = atan2(turn[4], turn[0]);

	if (world->push_count == PUSHES_MAX)
		return false;
	world->pushes[world->push_count++] = (struct push){
		.link = link,
		.force = {
			force[0] * cos(yaw) - force[1] * sin(yaw),
			force[0] * sin(yaw) + force[1] * cos(yaw),
			force[2],
		},
		.until = world->time + length,
	};

	return true;
}

/* --- what it is --- */

struct turning world_turning(const struct world *world, size_t link)
{
	return world->bones[link].turning;
}

double world_load(const struct world *world, size_t link)
{
	return world->bones[link].load;
}

void world_point(const struct world *world, size_t link, const double at[3],
		 double point[3])
{
	const double *centre = world->physique.links[link].centre;
	dVector3 place;
	int i;

	dBodyGetRelPointPos(world->bones[link].body, at[0] - centre[0], at[1] - centre[1],
			    at[2] - centre[2], place);
	for (i = 0; i < 3; i++)
		point[i] = place[i];
}

void world_centre(const struct world *world, double point[3])
{
	double whole = physique_mass(&world->physique);
	size_t i;
	int j;

	memset(point, 0, 3 * sizeof(*point));
	for (i = 0; i < world->physique.count; i++) {
		const dReal *at = dBodyGetPosition(world->bones[i].body);

		for (j = 0; j < 3; j++)
			point[j] += world->physique.links[i].mass * at[j] / whole;
	}
}

static double energy_of(const struct part *link, dBodyID body)
{
	const dReal *rate = dBodyGetAngularVel(body), *pace = dBodyGetLinearVel(body);
	double sum = link->mass * WORLD_GRAVITY * dBodyGetPosition(body)[2];
	dVector3 own;
	int i;

	dBodyVectorFromWorld(body, rate[0], rate[1], rate[2], own);
	for (i = 0; i < 3; i++)
		sum += (link->mass * pace[i] * pace[i] +
			link->inertia[i] * own[i] * own[i]) / 2;

	return sum;
}

/* In a stop that gives way, and in gears, of which each end has half. */
static double stored(const struct world *world, size_t i)
{
	const struct bone_state *bone = &world->bones[i];
	double angle = bone->turning.angle;
	double beyond = angle - within(&world->physique.links[i], angle), off = 0;

	if (bone->twin != TORSO)
		off = angle - world->bones[bone->twin].turning.angle;

	return STOP * beyond * beyond / 2 + GEAR * off * off / 4;
}

double world_energy(const struct world *world)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < world->physique.count; i++) {
		const struct part *link = &world->physique.links[i];

		sum += energy_of(link, world->bones[i].body);
		if (i != TORSO)
			sum += stored(world, i);
	}

	return sum;
}
