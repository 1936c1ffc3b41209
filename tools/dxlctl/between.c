// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "between.h"

static void mix(double *values, const double *from, const double *to, size_t count,
		double share)
{
	size_t i;

	for (i = 0; i < count; i++)
		values[i] = from[i] + share * (to[i] - from[i]);
}

/* The room's directions as the part has them, and the other way round. */
static void turn_into(const double turn[9], const double in_room[3], double own[3])
{
	int i;

	for (i = 0; i < 3; i++)
		own[i] = turn[i] * in_room[0] + turn[3 + i] * in_room[1] +
			 turn[6 + i] * in_room[2];
}

static void turn_out(const double turn[9], const double own[3], double in_room[3])
{
	int i;

	for (i = 0; i < 3; i++)
		in_room[i] = turn[3 * i] * own[0] + turn[3 * i + 1] * own[1] +
			     turn[3 * i + 2] * own[2];
}

/* --- turns --- */

static double column_dot(const double turn[9], int a, int b)
{
	return turn[a] * turn[b] + turn[3 + a] * turn[3 + b] + turn[6 + a] * turn[6 + b];
}

/* False: there is nothing left of it to go by. */
static bool straighten_column(double turn[9], int column)
{
	double length;
	int other, i;

	for (other = 0; other < column; other++) {
		double along = column_dot(turn, column, other);

		for (i = 0; i < 9; i += 3)
			turn[i + column] -= along * turn[i + other];
	}
	length = sqrt(column_dot(turn, column, column));
	for (i = 0; i < 9; i += 3)
		turn[i + column] /= length;

	return length > 1e-3;
}

/* A mean of two turns is none, but next to one, unless they are against each other. */
static void mix_turn(double turn[9], const double from[9], const double to[9], double share)
{
	const double *nearer = share < 0.5 ? from : to;
	bool good = true;
	int column;

	mix(turn, from, to, 9, share);
	for (column = 0; column < 3 && good; column++)
		good = straighten_column(turn, column);
	if (!good)
		mix(turn, nearer, nearer, 9, 0);
}

/* --- parts --- */

/* Where something is in the axes of a part, from the joint of that. */
static void find_own(const struct part *part, const double point[3], double own[3])
{
	double off[3];
	int i;

	for (i = 0; i < 3; i++)
		off[i] = point[i] - part->joint[i];
	turn_into(part->turn, off, own);
}

/* A point that is on @part, which is between @from and @to already. */
static void mix_on(double point[3], const struct part *part, const struct part *from,
		   const double from_point[3], const struct part *to,
		   const double to_point[3], double share)
{
	double own[2][3], mixed[3], off[3];
	int i;

	find_own(from, from_point, own[0]);
	find_own(to, to_point, own[1]);
	mix(mixed, own[0], own[1], 3, share);
	turn_out(part->turn, mixed, off);
	for (i = 0; i < 3; i++)
		point[i] = part->joint[i] + off[i];
}

/* Links come after those that they are on. */
static void mix_link(struct scene *scene, const struct scene *from, const struct scene *to,
		     size_t number, double share)
{
	const struct part *a = &from->parts[number], *b = &to->parts[number];
	struct part *part = &scene->parts[number];
	size_t parent = part->parent;

	if (parent == NO_PARENT)
		mix(part->joint, a->joint, b->joint, 3, share);
	else
		mix_on(part->joint, &scene->parts[parent], &from->parts[parent], a->joint,
		       &to->parts[parent], b->joint, share);
	mix_on(part->at, part, a, a->at, b, b->at, share);
}

void scene_between(struct scene *scene, const struct scene *from, const struct scene *to,
		   double share)
{
	size_t i;

	*scene = share < 0.5 ? *from : *to;
	mix(&scene->time, &from->time, &to->time, 1, share);
	mix(scene->up, from->up, to->up, 3, share);
	for (i = 0; i < scene->count; i++) {
		const struct part *a = &from->parts[i], *b = &to->parts[i];
		struct part *part = &scene->parts[i];

		if (!a->there || !b->there)
			continue;
		mix_turn(part->turn, a->turn, b->turn, share);
		if (part->kind == PART_LINK)
			mix_link(scene, from, to, i, share);
		else
			mix(part->at, a->at, b->at, 3, share);
	}
}
