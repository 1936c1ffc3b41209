/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The room that the robot is in: a floor, and things on it. The robot begins at its middle
 * and looks along x; y is to its left then, z up.
 */
#ifndef DXLSIM_ROOM_H
#define DXLSIM_ROOM_H

#include <stdbool.h>
#include <stddef.h>

#include "world.h"

#define THINGS_MAX	32
#define THING_NAME	24

/**
 * struct floor - what it stands on
 * @friction: by weight, also of things
 * @pitch: how far it goes down ahead, rad
 * @roll: how far it goes down to the right
 */
struct ground {
	double friction;
	double pitch;
	double roll;
};

/**
 * struct thing - a box or a ball
 * @name: by which it is called
 * @ball: it is one, as wide as @size[0]
 * @size: its sides, m
 * @mass: kg; 0: it does not move
 * @at: where its middle is
 * @turn: about which of its own it is turned, as a rotation matrix in rows
 */
struct thing {
	char name[THING_NAME];
	bool ball;
	double size[3];
	double mass;
	double at[3];
	double turn[9];
};

/* What stands on it goes along when it tilts, and so does a robot that nobody holds. */
void room_floor(struct world *world, const struct ground *ground);
const struct ground *room_ground(const struct world *world);

/* How high the floor is there. */
double room_height(const struct world *world, double x, double y);

/*
 * On the floor, square with it, in place of one of its name. False: there are too many.
 * @thing->turn and its height are not looked at.
 */
bool room_put(struct world *world, const struct thing *thing, double yaw);
bool room_remove(struct world *world, const char *name);
void room_clear(struct world *world);

/* The things as they are now, by number; false: there are no more. */
bool room_thing(const struct world *world, size_t number, struct thing *thing);

#endif
