// SPDX-License-Identifier: GPL-2.0-or-later
/* Who touches whom: always in the same order, so that it comes out the same. */
#include <math.h>

#include "inside.h"

/* How hard what touches is, N/m and N s/m; ours. */
#define HARDNESS	20e3
#define DAMPING		200.0

static void describe(const struct world *world, dContact *contact)
{
	contact->surface.mode = dContactApprox1 | dContactSoftERP | dContactSoftCFM;
	contact->surface.mu = world->ground.friction;
	contact->surface.soft_erp = SECONDS * HARDNESS / (SECONDS * HARDNESS + DAMPING);
	contact->surface.soft_cfm = 1 / (SECONDS * HARDNESS + DAMPING);
}

static dJointID join(struct world *world, dContact *contact, dBodyID one, dBodyID other)
{
	dJointID joint;

	describe(world, contact);
	joint = dJointCreateContact(world->ode, world->contacts, contact);
	dJointAttach(joint, one, other);

	return joint;
}

static void note(struct world *world, size_t link, dJointID joint,
		 const dContactGeom *geom)
{
	const double *centre = world->physique.links[link].centre;
	struct touch *touch = &world->touches[world->touch_count++];
	dVector3 at;
	int i;

	*touch = (struct touch){ .link = link };
	dBodyGetPosRelPoint(world->bones[link].body, geom->pos[0], geom->pos[1],
			    geom->pos[2], at);
	for (i = 0; i < 3; i++) {
		touch->at[i] = at[i] + centre[i];
		touch->normal[i] = geom->normal[i];
	}
	dJointSetFeedback(joint, &touch->feedback);
}

static void link_meets(struct world *world, size_t link, dGeomID other, dBodyID body)
{
	dContact contacts[POINTS];
	int i, count = dCollide(world->bones[link].hull, other, POINTS, &contacts[0].geom,
				sizeof(contacts[0]));

	for (i = 0; i < count; i++)
		note(world, link,
		     join(world, &contacts[i], world->bones[link].body, body),
		     &contacts[i].geom);
}

static int things_meet(struct world *world, dGeomID one, dBodyID body, dGeomID other,
			dBodyID other_body)
{
	dContact contacts[POINTS];
	int i, count = dCollide(one, other, POINTS, &contacts[0].geom, sizeof(contacts[0]));

	for (i = 0; i < count; i++)
		join(world, &contacts[i], body, other_body);

	return count;
}

/* With how many contacts with others. */
static size_t thing_meets(struct world *world, size_t number)
{
	const struct thing_state *thing = &world->things[number];
	size_t i, count = 0;

	if (thing->body)
		things_meet(world, thing->hull, thing->body, world->plane, NULL);
	for (i = 0; i < number; i++) {
		const struct thing_state *other = &world->things[i];

		if (thing->body || other->body)
			count += things_meet(world, thing->hull, thing->body,
					     other->hull, other->body);
	}

	return count;
}

size_t contact_all(struct world *world)
{
	size_t i, j, count;

	dJointGroupEmpty(world->contacts);
	world->touch_count = 0;
	for (i = 0; i < world->physique.count; i++) {
		link_meets(world, i, world->plane, NULL);
		for (j = 0; j < world->thing_count; j++)
			link_meets(world, i, world->things[j].hull, world->things[j].body);
	}
	count = world->touch_count;
	for (i = 0; i < world->thing_count; i++)
		count += thing_meets(world, i);

	return count;
}
