// SPDX-License-Identifier: GPL-2.0-or-later
/* Commands that tell all there is to see, for whoever draws it, and from where it is seen. */
#include <math.h>

#include "call_room.h"
#include "call_scene.h"

static void tell_three(struct call *call, const double *values)
{
	int i;

	/* Nothing is "-0.0000". */
	for (i = 0; i < 3; i++)
		fprintf(call->out, " %.4f", round(values[i] * 1e4) / 1e4 + 0.0);
}

/* A matrix in rows. */
static void tell_turn(struct call *call, const double turn[9])
{
	int i;

	for (i = 0; i < 9; i += 3)
		tell_three(call, turn + i);
}

/* The columns of its turn are where the link's own axes point to. */
static void find_turn(const struct world *world, size_t link, double turn[9])
{
	double joint[3], end[3];
	int axis, i;

	world_point(world, link, (double[3]){ 0 }, joint);
	for (axis = 0; axis < 3; axis++) {
		double along[3] = { axis == 0, axis == 1, axis == 2 };

		world_point(world, link, along, end);
		for (i = 0; i < 3; i++)
			turn[3 * i + axis] = end[i] - joint[i];
	}
}

/* The hull as a box of the room is told, and behind it where the joint is. */
static void tell_link(struct call *call, const struct world *world, size_t link)
{
	const struct physique *physique = world_physique(world);
	const struct part *part = &physique->links[link];
	double size[3], middle[3], at[3], joint[3], turn[9];
	int i;

	for (i = 0; i < 3; i++) {
		size[i] = part->high[i] - part->low[i];
		middle[i] = (part->high[i] + part->low[i]) / 2;
	}
	world_point(world, link, middle, at);
	world_point(world, link, (double[3]){ 0 }, joint);
	find_turn(world, link, turn);

	fprintf(call->out, "link %s %s", part->name,
		link == TORSO ? "-" : physique->links[part->parent].name);
	tell_three(call, size);
	tell_three(call, at);
	tell_turn(call, turn);
	tell_three(call, joint);
	fputc('\n', call->out);
}

/* The floor goes through 0 0 0. */
static void tell_floor(struct call *call, const struct world *world)
{
	double ahead = -room_height(world, 1, 0), aside = -room_height(world, 0, 1);
	double length = sqrt(ahead * ahead + aside * aside + 1);

	fprintf(call->out, "floor");
	tell_three(call, (double[3]){ ahead / length, aside / length, 1 / length });
	fputc('\n', call->out);
}

static void tell_cameras(struct call *call, const struct world *world, const char *before)
{
	struct outlook outlook;
	size_t i;

	for (i = 0; world_camera(world, i, &outlook); i++) {
		fprintf(call->out, "%s%s", before, world_physique(world)->cameras[i].name);
		tell_three(call, outlook.at);
		tell_turn(call, outlook.turn);
		fputc('\n', call->out);
	}
}

bool call_cameras(struct call *call)
{
	struct world *world = call_world(call);

	if (!world)
		return false;
	if (!world_physique(world)->camera_count)
		return call_fail(call, "the description of the robot has no camera, as in Device/Body/Head/Camera/X");
	tell_cameras(call, world, "");

	return true;
}

bool call_scene(struct call *call)
{
	struct world *world = call_world(call);
	struct thing thing;
	size_t i;

	if (!world)
		return false;
	fprintf(call->out, "time %.3f\n", (double)world_time(world) / NSEC_PER_SEC);
	tell_floor(call, world);
	for (i = 0; i < world_physique(world)->count; i++)
		tell_link(call, world, i);
	tell_cameras(call, world, "camera ");
	for (i = 0; room_thing(world, i, &thing); i++) {
		fprintf(call->out, "thing ");
		call_tell_thing(call, &thing);
	}

	return true;
}
