/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a picture is seen from: far away, so that what is parallel stays so. */
#ifndef DXLCTL_VIEW_H
#define DXLCTL_VIEW_H

#include "figure.h"

#define CANVAS 400 /* sides of a picture, in its own units */

/**
 * struct view - how the room comes to the canvas
 * @right: of the canvas, in the room
 * @top: the same
 * @near: towards whoever looks
 * @light: towards the light
 * @up: of the floor
 * @along: two of the floor's own directions
 * @scale: by m
 * @at: what is in the middle of the canvas
 * @centre: the middle of the floor that is drawn
 * @radius: of that, m
 */
struct view {
	double right[3];
	double top[3];
	double near[3];
	double light[3];
	double up[3];
	double along[2][3];
	double scale;
	double at[3];
	double centre[3];
	double radius;
};

/* From @degrees to the left of where x points to, and with all of these figures in it. */
void view_fit(struct view *view, double degrees, const double up[3],
	      const struct figure *figures, size_t count);

double dot(const double a[3], const double b[3]);

/* Where a point of the room is on the canvas. */
void view_point(const struct view *view, const double point[3], double canvas[2]);

/* Where its shadow is, along the floor from the room's middle, in the canvas's units. */
void view_shadow(const struct view *view, const double point[3], double floor[2]);

/* The matrix, as SVG has it, that brings those to the canvas. */
void view_floor(const struct view *view, double matrix[6]);

/* How far a shape goes along a direction. */
void shape_extent(const struct shape *shape, const double along[3], double *low,
		  double *high);

#endif
