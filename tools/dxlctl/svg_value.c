// SPDX-License-Identifier: GPL-2.0-or-later
/* Values of attributes: the path and the colour of a piece of a shape in a frame. */
#include <math.h>

#include "svg_value.h"

#define SHADES 24

/* --- numbers --- */

void put_number(FILE *out, double value)
{
	double tenths = round(value * 10);

	if (fmod(tenths, 10) == 0)
		fprintf(out, "%.0f", tenths / 10 + 0.0);
	else
		fprintf(out, "%.1f", tenths / 10);
}

void put_point(FILE *out, char letter, const double at[2])
{
	fputc(letter, out);
	put_number(out, at[0]);
	fputc(' ', out);
	put_number(out, at[1]);
}

/* --- paths --- */

static void to_canvas(const struct film *film, const double point[3], double at[2])
{
	view_point(&film->view, point, at);
}

static void to_floor(const struct film *film, const double point[3], double at[2])
{
	view_shadow(&film->view, point, at);
}

typedef void project(const struct film *film, const double point[3], double at[2]);

/* The face across an axis of a block that is turned towards a direction. */
static void put_face(FILE *out, const struct film *film, const struct shape *shape,
		     int axis, const double towards[3], project *to)
{
	static const int round_it[4][2] = { { -1, -1 }, { 1, -1 }, { 1, 1 }, { -1, 1 } };
	const double along[3] = { shape->turn[axis], shape->turn[3 + axis],
				  shape->turn[6 + axis] };
	double corner[3], point[3], at[2];
	int i;

	corner[axis] = dot(along, towards) < 0 ? -1 : 1;
	for (i = 0; i < 4; i++) {
		corner[(axis + 1) % 3] = round_it[i][0];
		corner[(axis + 2) % 3] = round_it[i][1];
		shape_corner(shape, corner[0], corner[1], corner[2], point);
		to(film, point, at);
		put_point(out, i ? 'L' : 'M', at);
	}
	fputc('Z', out);
}

static void put_axis(FILE *out, const struct film *film, const struct shape *shape,
		     project *to)
{
	double at[2];

	to(film, shape->ends[0], at);
	put_point(out, 'M', at);
	if (shape->kind == SHAPE_BALL) {
		fputs("h0", out);
		return;
	}
	to(film, shape->ends[1], at);
	put_point(out, 'L', at);
}

static void put_shadow(FILE *out, const struct film *film, const struct shape *shape)
{
	int axis;

	if (shape->kind != SHAPE_BLOCK) {
		put_axis(out, film, shape, to_floor);
		return;
	}
	for (axis = 0; axis < 3; axis++)
		put_face(out, film, shape, axis, film->view.light, to_floor);
}

/* Something on the front of a block */
static void put_front(FILE *out, const struct film *film, const struct shape *shape,
		      const double (*corners)[2], int count, const char *letters)
{
	int i;

	for (i = 0; i < count; i++) {
		double point[3], at[2];

		shape_corner(shape, 1, corners[i][0], corners[i][1], point);
		to_canvas(film, point, at);
		put_point(out, letters[2 * i], at);
		if (letters[2 * i + 1] != ' ')
			fputs(letters[2 * i + 1] == 'h' ? "h0" : "Z", out);
	}
}

void print_path(FILE *out, const struct film *film, size_t frame, size_t number,
		       enum piece piece)
{
	static const double visor[][2] = {
		{ -0.7, -0.15 }, { 0.7, -0.15 }, { 0.7, 0.5 }, { -0.7, 0.5 }
	};
	static const double eyes[][2] = { { -0.36, 0.17 }, { 0.36, 0.17 } };
	static const double chest[][2] = { { 0, 0.4 } };
	const struct shape *shape = &film->figures[frame].shapes[number];

	if (piece <= FACE_Z)
		put_face(out, film, shape, piece, film->view.near, to_canvas);
	else if (piece == AXIS)
		put_axis(out, film, shape, to_canvas);
	else if (piece == VISOR)
		put_front(out, film, shape, visor, 4, "M L L LZ");
	else if (piece == LIGHTS && shape->head)
		put_front(out, film, shape, eyes, 2, "MhMh");
	else if (piece == LIGHTS)
		put_front(out, film, shape, chest, 1, "Mh");
	else
		put_shadow(out, film, shape);
}

/* --- colours --- */

const unsigned char colours[PAINTS][3] = {
	[PAINT_BODY] = { 0xf4, 0xf6, 0xfa },  [PAINT_LEFT] = { 0x3f, 0x8a, 0xd0 },
	[PAINT_RIGHT] = { 0xf0, 0x8a, 0x38 }, [PAINT_FRAME] = { 0x5a, 0x66, 0x78 },
	[PAINT_BOX] = { 0xdc, 0xbb, 0x8c },   [PAINT_WALL] = { 0xe8, 0xee, 0xf6 },
	[PAINT_BALL] = { 0xe2, 0x4a, 0x3b },
};

/* A face is the lighter the more it is turned to the light. */
void print_colour(FILE *out, const struct film *film, size_t frame, size_t number,
			 enum piece piece)
{
	const struct shape *shape = &film->figures[frame].shapes[number];
	const double along[3] = { shape->turn[piece], shape->turn[3 + piece],
				  shape->turn[6 + piece] };
	double facing = dot(along, film->view.near) < 0 ? -1 : 1;
	double bright = 0.76 + 0.26 * fmax(0, facing * dot(along, film->view.light));
	int i;

	bright = fmin(1, round(bright * SHADES) / SHADES);
	fputc('#', out);
	for (i = 0; i < 3; i++)
		fprintf(out, "%02x", (int)lround(bright * colours[shape->paint][i]));
}
