// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <string.h>

#include "figure.h"

/* A limb that is shorter is not drawn, m. */
#define SHORT 0.006

/* How thick a limb is by its hull, and one of the frame, m */
#define STOUT 0.42
#define BAR 0.011

/* A box so high is as good as a wall, m. */
#define TALL 0.3

static void add_shape(struct figure *figure, const struct shape *shape)
{
	if (figure->count < SHAPES_MAX)
		figure->shapes[figure->count++] = *shape;
}

void shape_corner(const struct shape *shape, double x, double y, double z, double point[3])
{
	const double half[3] = { x * shape->size[0] / 2, y * shape->size[1] / 2,
				 z * shape->size[2] / 2 };
	int i, j;

	for (i = 0; i < 3; i++) {
		point[i] = shape->at[i];
		for (j = 0; j < 3; j++)
			point[i] += shape->turn[3 * i + j] * half[j];
	}
}

void shape_middle(const struct shape *shape, double point[3])
{
	int i;

	for (i = 0; i < 3; i++)
		point[i] = shape->kind == SHAPE_BLOCK ?
				   shape->at[i] :
			   shape->kind == SHAPE_BALL ?
				   shape->ends[0][i] :
				   (shape->ends[0][i] + shape->ends[1][i]) / 2;
}

static bool ends_with(const char *name, const char *end)
{
	size_t len = strlen(name), tail = strlen(end);

	return len >= tail && !strcmp(name + len - tail, end);
}

static double distance(const double a[3], const double b[3])
{
	return sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
}

static enum paint side(const struct part *part)
{
	/* The torso, the neck and the head have no side. */
	if (part->name[0] == 'L')
		return PAINT_LEFT;

	return part->name[0] == 'R' ? PAINT_RIGHT : PAINT_BODY;
}

static void add_block(struct figure *figure, const struct part *part, enum paint paint)
{
	struct shape shape = {
		.kind = SHAPE_BLOCK,
		.paint = paint,
		.there = part->there,
		.thing = part->kind != PART_LINK,
		.head = !strcmp(part->name, "Head"),
		.chest = !strcmp(part->name, "Torso"),
	};

	memcpy(shape.size, part->size, sizeof(shape.size));
	memcpy(shape.at, part->at, sizeof(shape.at));
	memcpy(shape.turn, part->turn, sizeof(shape.turn));
	add_shape(figure, &shape);
}

static void add_limb(struct figure *figure, enum paint paint, double radius,
		     const double from[3], const double to[3])
{
	struct shape shape = {
		.kind = SHAPE_LIMB,
		.paint = paint,
		.there = true,
		.radius = radius,
	};

	memcpy(shape.ends[0], from, sizeof(shape.ends[0]));
	memcpy(shape.ends[1], to, sizeof(shape.ends[1]));
	add_shape(figure, &shape);
}

static void add_ball(struct figure *figure, const struct part *part)
{
	struct shape shape = {
		.kind = SHAPE_BALL,
		.paint = PAINT_BALL,
		.there = part->there,
		.thing = true,
		.radius = part->size[0] / 2,
	};

	memcpy(shape.ends[0], part->at, sizeof(shape.ends[0]));
	add_shape(figure, &shape);
}

/* Half of what its hull is wide across its length. */
static double girth(const struct part *part)
{
	double most = fmax(part->size[0], fmax(part->size[1], part->size[2]));
	double sum = part->size[0] + part->size[1] + part->size[2] - most;

	return STOUT * sum / 2;
}

/* The middle of that face of its hull which is farthest from the joint. */
static void far_end(const struct part *part, double end[3])
{
	double most = 0;
	int axis, sign, i;

	memcpy(end, part->at, 3 * sizeof(*end));
	for (axis = 0; axis < 3; axis++)
		for (sign = -1; sign <= 1; sign += 2) {
			double point[3];

			for (i = 0; i < 3; i++)
				point[i] = part->at[i] + part->turn[3 * i + axis] * sign *
								 part->size[axis] / 2;
			if (distance(point, part->joint) > most) {
				most = distance(point, part->joint);
				memcpy(end, point, sizeof(point));
			}
		}
}

/* What carries neck, arms and legs: from where the torso is nearest to the joint. */
static void add_bar(struct figure *figure, const struct part *torso,
		    const struct part *part)
{
	double from[3];
	int axis, i;

	memcpy(from, torso->at, sizeof(from));
	for (axis = 0; axis < 3; axis++) {
		double way = 0, most = torso->size[axis] / 2;

		for (i = 0; i < 3; i++)
			way += (part->joint[i] - torso->at[i]) * torso->turn[3 * i + axis];
		way = fmax(-most, fmin(most, way));
		for (i = 0; i < 3; i++)
			from[i] += way * torso->turn[3 * i + axis];
	}
	add_limb(figure, PAINT_FRAME, BAR, from, part->joint);
}

static void draw_link(struct figure *figure, const struct scene *scene, size_t number)
{
	const struct part *part = &scene->parts[number];
	bool leaf = true;
	size_t i;

	for (i = number + 1; i < scene->count; i++) {
		const struct part *child = &scene->parts[i];

		if (child->kind != PART_LINK || child->parent != number)
			continue;
		leaf = false;
		if (part->parent == NO_PARENT)
			add_bar(figure, part, child);
		else
			add_limb(figure, side(part), girth(part), part->joint,
				 child->joint);
	}
	if (part->parent == NO_PARENT || !strcmp(part->name, "Head")) {
		add_block(figure, part, PAINT_BODY);
	} else if (ends_with(part->name, "Foot")) {
		add_limb(figure, PAINT_FRAME, BAR, part->joint, part->at);
		add_block(figure, part, side(part));
	} else if (leaf) {
		double end[3];

		far_end(part, end);
		add_limb(figure, side(part), girth(part), part->joint, end);
	}
}

void figure_draw(struct figure *figure, const struct scene *scene)
{
	size_t i;

	figure->count = 0;
	for (i = 0; i < scene->count; i++) {
		const struct part *part = &scene->parts[i];

		if (part->kind == PART_LINK)
			draw_link(figure, scene, i);
		else if (part->kind == PART_BOX)
			add_block(figure, part,
				  part->size[2] < TALL ? PAINT_BOX : PAINT_WALL);
		else
			add_ball(figure, part);
	}
}

bool shape_leads_to(const struct shape *limb, const struct shape *next)
{
	return limb->kind == SHAPE_LIMB && distance(limb->ends[1], next->ends[0]) < SHORT;
}

static bool is_short(const struct shape *shape)
{
	return shape->kind == SHAPE_LIMB && distance(shape->ends[0], shape->ends[1]) < SHORT;
}

static void keep(struct figure *figure, const bool *kept)
{
	size_t i, count = 0;

	for (i = 0; i < figure->count; i++)
		if (kept[i])
			figure->shapes[count++] = figure->shapes[i];
	figure->count = count;
}

void figures_trim(struct figure *figures, size_t count)
{
	bool kept[SHAPES_MAX];
	size_t i;

	for (i = 0; i < figures[0].count; i++)
		kept[i] = !is_short(&figures[0].shapes[i]);
	for (i = 0; i < count; i++)
		keep(&figures[i], kept);
}
