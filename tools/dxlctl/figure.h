/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a scene is drawn as: limbs, blocks and balls, in the room. */
#ifndef DXLCTL_FIGURE_H
#define DXLCTL_FIGURE_H

#include "scene.h"

#define SHAPES_MAX (2 * SCENE_PARTS)

enum shape_kind { SHAPE_LIMB, SHAPE_BLOCK, SHAPE_BALL };

enum paint {
	PAINT_BODY,
	PAINT_LEFT,
	PAINT_RIGHT,
	PAINT_FRAME,
	PAINT_BOX,
	PAINT_WALL,
	PAINT_BALL,
	PAINTS
};

/**
 * struct shape - one of them
 * @kind: what it is
 * @paint: its colours
 * @there: it is to be seen
 * @thing: it is no part of the robot
 * @head: it is the head, which has a face
 * @chest: it is the torso, which has a light
 * @radius: of a limb or ball, m
 * @ends: of a limb; of a ball the first is its middle
 * @size: sides of a block
 * @at: its middle
 * @turn: as in struct part
 */
struct shape {
	enum shape_kind kind;
	enum paint paint;
	bool there;
	bool thing;
	bool head;
	bool chest;
	double radius;
	double ends[2][3];
	double size[3];
	double at[3];
	double turn[9];
};

struct figure {
	struct shape shapes[SHAPES_MAX];
	size_t count;
};

/* The same parts give the same shapes in the same order; some of them are too short to see. */
void figure_draw(struct figure *figure, const struct scene *scene);

/* Leave those out of all @count figures that are too short in the first one. */
void figures_trim(struct figure *figures, size_t count);

/* A point of a block: 1 and -1 are its faces. */
void shape_corner(const struct shape *shape, double x, double y, double z, double point[3]);

/* Whether @limb ends where the limb @next begins. */
bool shape_leads_to(const struct shape *limb, const struct shape *next);

/* Its middle. */
void shape_middle(const struct shape *shape, double point[3]);

#endif
