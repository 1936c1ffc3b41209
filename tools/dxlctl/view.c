// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <string.h>

#include "view.h"

#define HEIGHT (18 * M_PI / 180) /* from which it is seen */
#define MARGIN 34
#define SMALLEST 0.3 /* m; what is smaller is not made larger */
#define NEARBY 0.4 /* m; what is farther from the robot need not be in it */
#define AROUND 0.14 /* m of floor about all that */

double dot(const double a[3], const double b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double c[3])
{
	c[0] = a[1] * b[2] - a[2] * b[1];
	c[1] = a[2] * b[0] - a[0] * b[2];
	c[2] = a[0] * b[1] - a[1] * b[0];
}

static void normalise(double a[3])
{
	double length = sqrt(dot(a, a));
	int i;

	for (i = 0; i < 3; i++)
		a[i] /= length;
}

static void turn_to(struct view *view, double from, const double up[3])
{
	const double right[3] = { -sin(from), cos(from), 0 };
	const double near[3] = { cos(HEIGHT) * cos(from), cos(HEIGHT) * sin(from),
				 sin(HEIGHT) };
	int i;

	memcpy(view->right, right, sizeof(right));
	memcpy(view->near, near, sizeof(near));
	cross(near, right, view->top);
	memcpy(view->up, up, sizeof(view->up));
	normalise(view->up);
	/* From above, and a little from the left and from behind whoever looks */
	for (i = 0; i < 3; i++)
		view->light[i] = view->up[i] + 0.5 * near[i] - 0.45 * right[i];
	normalise(view->light);
	cross((double[3]){ 0, 1, 0 }, view->up, view->along[0]);
	normalise(view->along[0]);
	cross(view->up, view->along[0], view->along[1]);
}

void shape_extent(const struct shape *shape, const double along[3], double *low,
		  double *high)
{
	double middle[3], half = shape->radius;
	int i, j;

	shape_middle(shape, middle);
	if (shape->kind == SHAPE_LIMB)
		half += fabs(dot(shape->ends[0], along) - dot(shape->ends[1], along)) / 2;
	for (i = 0; shape->kind == SHAPE_BLOCK && i < 3; i++) {
		double sum = 0;

		for (j = 0; j < 3; j++)
			sum += shape->turn[3 * j + i] * along[j];
		half += fabs(sum) * shape->size[i] / 2;
	}
	*low = dot(middle, along) - half;
	*high = dot(middle, along) + half;
}

struct bounds {
	double low;
	double high;
};

static void widen(struct bounds *bounds, const struct shape *shape, const double along[3])
{
	double low, high;

	shape_extent(shape, along, &low, &high);
	bounds->low = fmin(bounds->low, low);
	bounds->high = fmax(bounds->high, high);
}

static bool is_within(const struct shape *shape, const struct bounds *bounds,
		      const double along[3])
{
	double low, high;

	shape_extent(shape, along, &low, &high);

	return low > bounds->low - NEARBY && high < bounds->high + NEARBY;
}

/* Of the robot in all figures, and of what is near to it. */
static void find_bounds(const struct figure *figures, size_t count, const double axes[3][3],
			struct bounds bounds[3])
{
	struct bounds robot[3];
	size_t i, j;
	int axis;

	for (axis = 0; axis < 3; axis++)
		bounds[axis] = (struct bounds){ INFINITY, -INFINITY };
	for (i = 0; i < count; i++)
		for (j = 0; j < figures[i].count; j++)
			for (axis = 0; axis < 3 && !figures[i].shapes[j].thing; axis++)
				widen(&bounds[axis], &figures[i].shapes[j], axes[axis]);
	memcpy(robot, bounds, sizeof(robot));
	for (i = 0; i < count; i++)
		for (j = 0; j < figures[i].count; j++) {
			const struct shape *shape = &figures[i].shapes[j];

			if (!shape->thing || !shape->there ||
			    !is_within(shape, &robot[0], axes[0]) ||
			    !is_within(shape, &robot[1], axes[1]) ||
			    !is_within(shape, &robot[2], axes[2]))
				continue;
			for (axis = 0; axis < 3; axis++)
				widen(&bounds[axis], shape, axes[axis]);
		}
}

static double middle(const struct bounds *bounds)
{
	return (bounds->low + bounds->high) / 2;
}

static double width(const struct bounds *bounds)
{
	return bounds->high - bounds->low;
}

/* Below a robot that is held not far above it. */
static void see_floor(const struct view *view, struct bounds *height)
{
	double floor = dot(view->centre, view->top);

	if (floor > height->low - NEARBY)
		height->low = fmin(height->low, floor);
}

void view_fit(struct view *view, double degrees, const double up[3],
	      const struct figure *figures, size_t count)
{
	static const double room[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
	struct bounds bounds[3], seen[3];
	double axes[3][3];
	int i;

	turn_to(view, degrees * M_PI / 180, up);
	find_bounds(figures, count, room, bounds);
	for (i = 0; i < 2; i++)
		view->centre[i] = middle(&bounds[i]);
	view->centre[2] = -(view->up[0] * view->centre[0] + view->up[1] * view->centre[1]) /
			  view->up[2];
	view->radius = hypot(width(&bounds[0]), width(&bounds[1])) / 2 + AROUND;

	memcpy(axes[0], view->right, sizeof(axes[0]));
	memcpy(axes[1], view->top, sizeof(axes[1]));
	memcpy(axes[2], view->near, sizeof(axes[2]));
	find_bounds(figures, count, (const double(*)[3])axes, seen);
	see_floor(view, &seen[1]);
	view->scale = (CANVAS - 2 * MARGIN) /
		      fmax(SMALLEST, fmax(width(&seen[0]), width(&seen[1])));
	for (i = 0; i < 3; i++)
		view->at[i] =
			middle(&seen[0]) * view->right[i] + middle(&seen[1]) * view->top[i];
}

void view_point(const struct view *view, const double point[3], double canvas[2])
{
	canvas[0] = CANVAS / 2 +
		    view->scale * (dot(point, view->right) - dot(view->at, view->right));
	canvas[1] = CANVAS / 2 -
		    view->scale * (dot(point, view->top) - dot(view->at, view->top));
}

void view_shadow(const struct view *view, const double point[3], double floor[2])
{
	double height = dot(point, view->up) / dot(view->light, view->up), ground[3];
	int i;

	for (i = 0; i < 3; i++)
		ground[i] = point[i] - height * view->light[i];
	for (i = 0; i < 2; i++)
		floor[i] = view->scale * dot(ground, view->along[i]);
}

void view_floor(const struct view *view, double matrix[6])
{
	int i;

	for (i = 0; i < 2; i++) {
		matrix[2 * i] = dot(view->along[i], view->right);
		matrix[2 * i + 1] = -dot(view->along[i], view->top);
	}
	view_point(view, (double[3]){ 0 }, matrix + 4);
}
