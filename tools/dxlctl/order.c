// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <string.h>

#include "order.h"

/* By how much they may be in each other and count as apart, m; and the robot's own parts */
#define TOUCH 0.003
#define JOINED 0.012

/* A plane between them that is seen edge-on tells nothing. */
#define EDGE_ON 0.02

static bool are_apart(const struct shape *a, const struct shape *b, const double along[3])
{
	double low[2], high[2];

	shape_extent(a, along, &low[0], &high[0]);
	shape_extent(b, along, &low[1], &high[1]);

	return high[0] < low[1] || high[1] < low[0];
}

/* As @shape_extent, but limbs are as thin as what they are of, for they end in each other. */
static void core(const struct shape *shape, const double along[3], double *low,
		 double *high)
{
	shape_extent(shape, along, low, high);
	if (shape->kind != SHAPE_LIMB)
		return;
	*low += shape->radius;
	*high -= shape->radius;
}

/* By a plane between them across a direction: whose side is the near one; 0: there is none. */
static int by_plane(const struct view *view, const struct shape *a, const struct shape *b,
		    const double along[3])
{
	double facing = dot(along, view->near), low[2], high[2];
	double touch = a->thing || b->thing ? TOUCH : JOINED;

	if (fabs(facing) < EDGE_ON)
		return 0;
	core(a, along, &low[0], &high[0]);
	core(b, along, &low[1], &high[1]);
	if (low[0] > high[1] - touch)
		return facing > 0 ? 1 : -1;
	if (low[1] > high[0] - touch)
		return facing > 0 ? -1 : 1;

	return 0;
}

/* By the faces of a block. */
static int by_faces(const struct view *view, const struct shape *a, const struct shape *b,
		    const struct shape *block)
{
	int axis, found = 0;

	for (axis = 0; !found && axis < 3 && block->kind == SHAPE_BLOCK; axis++)
		found = by_plane(view, a, b,
				 (double[3]){ block->turn[axis], block->turn[3 + axis],
					      block->turn[6 + axis] });

	return found;
}

int order_of(const struct view *view, const struct shape *a, const struct shape *b)
{
	double middle[2][3];
	int found;

	if (are_apart(a, b, view->right) || are_apart(a, b, view->top))
		return 0;
	found = by_plane(view, a, b, view->near);
	if (!found)
		found = by_faces(view, a, b, a);
	if (!found)
		found = by_faces(view, a, b, b);
	if (found)
		return found;
	shape_middle(a, middle[0]);
	shape_middle(b, middle[1]);

	return dot(middle[0], view->near) > dot(middle[1], view->near) ? 1 : -1;
}

static bool hides_any(const struct view *view, const struct figure *figure, size_t shape,
		      const bool *drawn)
{
	size_t i;

	for (i = 0; i < figure->count; i++)
		if (!drawn[i] && i != shape &&
		    order_of(view, &figure->shapes[shape], &figure->shapes[i]) > 0)
			return true;

	return false;
}

/* The farthest that hides nothing of those left; where they hide each other, the farthest. */
static size_t next(const struct view *view, const struct figure *figure, const bool *drawn)
{
	double least = INFINITY, least_free = INFINITY;
	size_t i, farthest = 0, free = figure->count;

	for (i = 0; i < figure->count; i++) {
		double middle[3], depth;

		if (drawn[i])
			continue;
		shape_middle(&figure->shapes[i], middle);
		depth = dot(middle, view->near);
		if (depth < least) {
			least = depth;
			farthest = i;
		}
		if (depth < least_free && !hides_any(view, figure, i, drawn)) {
			least_free = depth;
			free = i;
		}
	}

	return free < figure->count ? free : farthest;
}

void order_find(struct order *order, const struct view *view, const struct figure *figure)
{
	bool drawn[SHAPES_MAX] = { false };

	for (order->count = 0; order->count < figure->count; order->count++) {
		size_t shape = next(view, figure, drawn);

		drawn[shape] = true;
		order->shape[order->count] = shape;
	}
}

bool order_holds(const struct order *order, const struct view *view,
		 const struct figure *figure)
{
	size_t i, j;

	for (i = 0; i < order->count; i++)
		for (j = i + 1; j < order->count; j++)
			if (order_of(view, &figure->shapes[order->shape[i]],
				     &figure->shapes[order->shape[j]]) > 0)
				return false;

	return true;
}
