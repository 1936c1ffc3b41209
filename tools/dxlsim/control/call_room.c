// SPDX-License-Identifier: GPL-2.0-or-later
/* Commands by which a test furnishes the room of a robot with a body, and looks at both. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "call_room.h"

#define DEGREE		(M_PI / 180)

#define FAR		100	/* m */
#define HEIGHT_MAX	2	/* m, of a robot that is held */
#define FRICTION_MAX	10
#define SLOPE_MAX	60	/* degrees */
#define SIDE_MIN	0.001	/* m */
#define MASS_MIN	1e-4	/* kg; less is no mass in the reckoning */
#define MASS_MAX	100

/* The longest side of what moves by its shortest; beyond, ODE's solver fails. */
#define SLENDER_MAX	1000

#define WALL_THICK	0.02
#define WALL_HEIGHT	0.5

/* That of the Standard Platform League until 2015, as NAO has kicked it */
#define BALL_DIAMETER	0.065
#define BALL_MASS	0.055

struct world *call_world(struct call *call)
{
	struct world *world = call->bus->body.world;

	if (!world) {
		call_fail(call, "the robot has no body, it was started without --body");
		return NULL;
	}
	world_advance(world, call->now);

	return world;
}

/* The argument @arg; what is not there stays as it is. */
static bool number(struct call *call, int arg, const char *what, double least, double most,
		   double *value)
{
	const char *text;
	char *end;

	if (arg >= call->argc)
		return true;
	text = call->argv[arg];
	*value = strtod(text, &end);
	if (end == text || *end || !(*value >= least && *value <= most))
		return call_fail(call, "%s is \"%s\", expected a number from %g to %g", what,
				 text, least, most);

	return true;
}

static bool place(struct call *call, int arg, double *at)
{
	return number(call, arg, "x", -FAR, FAR, &at[0]) &&
	       number(call, arg + 1, "y", -FAR, FAR, &at[1]);
}

static bool side(struct call *call, int arg, const char *what, double *value)
{
	return number(call, arg, what, SIDE_MIN, FAR, value);
}

static bool mass(struct call *call, int arg, double *value)
{
	if (!number(call, arg, "mass", 0, MASS_MAX, value))
		return false;
	if (*value == 0 || *value >= MASS_MIN)
		return true;

	return call_fail(call, "mass is \"%s\", expected 0 or a number from %g to %d",
			 call->argv[arg], MASS_MIN, MASS_MAX);
}

/* --- the body --- */

bool call_hold(struct call *call)
{
	struct world *world = call_world(call);
	double height = 0, roll = 0, pitch = 0;

	if (!world || !number(call, 1, "height", 0, HEIGHT_MAX, &height) ||
	    !number(call, 2, "roll", -180, 180, &roll) ||
	    !number(call, 3, "pitch", -90, 90, &pitch))
		return false;
	if (call->argc > 2)
		world_hold_leaning(world, height, roll * DEGREE, pitch * DEGREE);
	else
		world_hold(world, height);

	return true;
}

bool call_let_go(struct call *call)
{
	struct world *world = call_world(call);

	if (world)
		world_release(world);

	return world;
}

bool call_links(struct call *call)
{
	struct world *world = call_world(call);
	const struct physique *physique;
	size_t i;

	if (!world)
		return false;
	physique = world_physique(world);
	for (i = 0; i < physique->count; i++) {
		const struct part *part = &physique->links[i];
		double middle[3], joint[3];

		world_point(world, i, part->centre, middle);
		world_point(world, i, (double [3]){ 0 }, joint);
		fprintf(call->out, "%s %s %.4f %.4f %.4f %.4f %.4f %.4f\n", part->name,
			i == TORSO ? "-" : part->joint, middle[0], middle[1], middle[2],
			joint[0], joint[1], joint[2]);
	}

	return true;
}

/* --- the room --- */

bool call_floor(struct call *call)
{
	struct world *world = call_world(call);
	struct ground ground = { 0 };

	if (!world || !number(call, 1, "friction", 0, FRICTION_MAX, &ground.friction) ||
	    !number(call, 2, "pitch", -SLOPE_MAX, SLOPE_MAX, &ground.pitch) ||
	    !number(call, 3, "roll", -SLOPE_MAX, SLOPE_MAX, &ground.roll))
		return false;
	ground.pitch *= DEGREE;
	ground.roll *= DEGREE;
	room_floor(world, &ground);

	return true;
}

static bool too_slender(const struct thing *thing)
{
	const double *size = thing->size;

	return thing->mass > 0 && fmax(size[0], fmax(size[1], size[2])) >
		SLENDER_MAX * fmin(size[0], fmin(size[1], size[2]));
}

static bool put(struct call *call, struct world *world, struct thing *thing, double yaw)
{
	const char *name = call->argv[1];

	/* With a colon a line of "room" could be taken for an error. */
	if (strlen(name) >= THING_NAME || strchr(name, ':') || !strcmp(name, "all"))
		return call_fail(call, "name is \"%s\", expected less than %d characters, no colon, and not all",
				 name, THING_NAME);
	if (too_slender(thing))
		return call_fail(call, "of what moves the longest side is at most %d times the shortest",
				 SLENDER_MAX);
	strcpy(thing->name, name);
	if (!room_put(world, thing, yaw))
		return call_fail(call, "no room for more than %d things", THINGS_MAX);

	return true;
}

bool call_box(struct call *call)
{
	struct world *world = call_world(call);
	struct thing box = { 0 };
	double yaw = 0;

	return world && place(call, 2, box.at) &&
	       side(call, 4, "length", &box.size[0]) &&
	       side(call, 5, "width", &box.size[1]) &&
	       side(call, 6, "height", &box.size[2]) &&
	       number(call, 7, "yaw", -360, 360, &yaw) &&
	       mass(call, 8, &box.mass) &&
	       put(call, world, &box, yaw * DEGREE);
}

bool call_wall(struct call *call)
{
	struct thing wall = { .size = { 0, WALL_THICK, WALL_HEIGHT } };
	struct world *world = call_world(call);
	double from[2], to[2];
	int i;

	if (!world || !place(call, 2, from) || !place(call, 4, to) ||
	    !side(call, 6, "height", &wall.size[2]))
		return false;
	wall.size[0] = hypot(to[0] - from[0], to[1] - from[1]);
	if (wall.size[0] < SIDE_MIN)
		return call_fail(call, "a wall from a place to the same, expected another");
	for (i = 0; i < 2; i++)
		wall.at[i] = (from[i] + to[i]) / 2;

	return put(call, world, &wall, atan2(to[1] - from[1], to[0] - from[0]));
}

bool call_ball(struct call *call)
{
	struct thing ball = { .ball = true, .size = { BALL_DIAMETER }, .mass = BALL_MASS };
	struct world *world = call_world(call);

	if (!world || !place(call, 2, ball.at) ||
	    !side(call, 4, "diameter", &ball.size[0]) ||
	    !mass(call, 5, &ball.mass))
		return false;
	ball.size[1] = ball.size[0];
	ball.size[2] = ball.size[0];

	return put(call, world, &ball, 0);
}

bool call_take(struct call *call)
{
	struct world *world = call_world(call);

	if (!world)
		return false;
	if (!strcmp(call->argv[1], "all"))
		room_clear(world);
	else if (!room_remove(world, call->argv[1]))
		return call_fail(call, "nothing in the room is called \"%s\"", call->argv[1]);

	return true;
}

void call_tell_thing(struct call *call, const struct thing *thing)
{
	int i;

	fprintf(call->out, "%s %s", thing->name, thing->ball ? "ball" : "box");
	for (i = 0; i < 3; i++)
		fprintf(call->out, " %.4f", thing->size[i]);
	for (i = 0; i < 3; i++)
		fprintf(call->out, " %.4f", thing->at[i]);
	for (i = 0; i < 9; i++)
		fprintf(call->out, " %.4f", thing->turn[i]);
	fputc('\n', call->out);
}

bool call_room(struct call *call)
{
	struct world *world = call_world(call);
	const struct ground *ground;
	struct thing thing;
	size_t i;

	if (!world)
		return false;
	ground = room_ground(world);
	fprintf(call->out, "floor %g %g %g\n", ground->friction, ground->pitch / DEGREE,
		ground->roll / DEGREE);
	for (i = 0; room_thing(world, i, &thing); i++)
		call_tell_thing(call, &thing);

	return true;
}
