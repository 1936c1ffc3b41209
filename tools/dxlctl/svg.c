// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "svg.h"

#define GRID 0.1 /* m between two lines of the floor */
#define SHADES 24
#define LIGHT 0.013 /* m */

/* What a shape consists of; the first three are the visible faces of a block. */
enum piece { FACE_X, FACE_Y, FACE_Z, AXIS, VISOR, LIGHTS, SHADOW };

typedef void print_value(FILE *out, const struct film *film, size_t frame, size_t shape,
			 enum piece piece);

/* --- numbers --- */

static void put_number(FILE *out, double value)
{
	double tenths = round(value * 10);

	if (fmod(tenths, 10) == 0)
		fprintf(out, "%.0f", tenths / 10 + 0.0);
	else
		fprintf(out, "%.1f", tenths / 10);
}

static void put_point(FILE *out, char letter, const double at[2])
{
	fputc(letter, out);
	put_number(out, at[0]);
	fputc(' ', out);
	put_number(out, at[1]);
}

/* --- values --- */

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

static void print_path(FILE *out, const struct film *film, size_t frame, size_t number,
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

static const unsigned char colours[PAINTS][3] = {
	[PAINT_BODY] = { 0xf4, 0xf6, 0xfa },  [PAINT_LEFT] = { 0x3f, 0x8a, 0xd0 },
	[PAINT_RIGHT] = { 0xf0, 0x8a, 0x38 }, [PAINT_FRAME] = { 0x5a, 0x66, 0x78 },
	[PAINT_BOX] = { 0xdc, 0xbb, 0x8c },   [PAINT_WALL] = { 0xe8, 0xee, 0xf6 },
	[PAINT_BALL] = { 0xe2, 0x4a, 0x3b },
};

/* A face is the lighter the more it is turned to the light. */
static void print_colour(FILE *out, const struct film *film, size_t frame, size_t number,
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

/* --- what changes --- */

static char *value(const struct film *film, print_value *print, size_t frame, size_t shape,
		   enum piece piece)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		abort();
	print(out, film, frame, shape, piece);
	fclose(out);

	return text;
}

static void begin_animation(FILE *out, const struct film *film, const char *attribute)
{
	fprintf(out,
		"<animate attributeName=\"%s\" dur=\"%gs\" repeatCount=\"indefinite\" values=\"",
		attribute, (film->count - 1) * film->every);
}

static bool changes(const struct film *film, print_value *print, size_t shape,
		    enum piece piece)
{
	char *first = value(film, print, 0, shape, piece);
	bool same = true;
	size_t i;

	for (i = 1; same && i < film->count; i++) {
		char *other = value(film, print, i, shape, piece);

		same = !strcmp(first, other);
		free(other);
	}
	free(first);

	return !same;
}

static void animate(FILE *out, const struct film *film, const char *attribute,
		    print_value *print, size_t shape, enum piece piece)
{
	size_t i;

	if (!changes(film, print, shape, piece))
		return;
	begin_animation(out, film, attribute);
	for (i = 0; i < film->count; i++) {
		if (i)
			fputc(';', out);
		print(out, film, i, shape, piece);
	}
	fputs("\"/>", out);
}

/* What is on or off, each frame by its own; @now is whether it is so in the still. */
static void animate_switch(FILE *out, const struct film *film, const char *attribute,
			   const char *on, const char *off, const bool *is_on)
{
	size_t i;

	begin_animation(out, film, attribute);
	for (i = 0; i < film->count; i++)
		if (!i || is_on[i] != is_on[i - 1])
			fprintf(out, "%s%s", i ? ";" : "", is_on[i] ? on : off);
	fputs("\" keyTimes=\"", out);
	for (i = 0; i < film->count; i++)
		if (!i || is_on[i] != is_on[i - 1])
			fprintf(out, "%s%.4g", i ? ";" : "", (double)i / (film->count - 1));
	fputs("\" calcMode=\"discrete\"/>", out);
}

static void put_path(FILE *out, const struct film *film, char letter, size_t shape,
		     enum piece piece)
{
	bool face = piece <= FACE_Z;

	fprintf(out, "<path id=\"%c%zu\" d=\"", letter, shape);
	print_path(out, film, film->still, shape, piece);
	if (face) {
		fputs("\" fill=\"", out);
		print_colour(out, film, film->still, shape, piece);
	}
	fputs("\">", out);
	animate(out, film, "d", print_path, shape, piece);
	if (face)
		animate(out, film, "fill", print_colour, shape, piece);
	fputs("</path>", out);
}

/* --- what is not to be seen all the time --- */

typedef bool is_seen(const struct film *film, const struct shape *shape);

static bool is_there(const struct film *film, const struct shape *shape)
{
	(void)film;

	return shape->there;
}

static bool shows_front(const struct film *film, const struct shape *shape)
{
	const double ahead[3] = { shape->turn[0], shape->turn[3], shape->turn[6] };

	return dot(ahead, film->view.near) > 0;
}

/* Begin a group with these attributes, and what it has is seen when @seen says so. */
static void begin_group(FILE *out, const struct film *film, size_t number, is_seen *seen,
			const char *attributes)
{
	bool shown[FRAMES_MAX] = { false }, always = true;
	size_t i;

	for (i = 0; i < film->count; i++) {
		shown[i] = seen(film, &film->figures[i].shapes[number]);
		always = always && shown[i];
	}
	fprintf(out, "<g%s%s>", attributes,
		shown[film->still] ? "" : " visibility=\"hidden\"");
	if (!always && film->count > 1)
		animate_switch(out, film, "visibility", "visible", "hidden", shown);
}

/* --- shapes --- */

static double thickness(const struct film *film, const struct shape *shape)
{
	return 2 * shape->radius * film->view.scale;
}

static void put_stroke(FILE *out, char letter, size_t number, const char *class,
		       double width, const char *more)
{
	fprintf(out, "<use href=\"#%c%zu\" class=\"%s\" stroke-width=\"", letter, number,
		class);
	put_number(out, width);
	fprintf(out, "\"%s/>", more);
}

/* As a round bar that shines, with the axle of its motor. */
static void put_limb(FILE *out, const struct film *film, size_t number,
		     const struct shape *shape)
{
	double wide = thickness(film, shape), off = wide * 0.17;
	char class[8], shift[64];

	snprintf(class, sizeof(class), "p%d", shape->paint);
	snprintf(shift, sizeof(shift), " transform=\"translate(%.1f %.1f)\"", -off, -off);
	put_stroke(out, 'a', number, "k", wide + 3, "");
	put_stroke(out, 'a', number, class, wide, "");
	put_stroke(out, 'a', number, "h", wide * 0.3, shift);
	if (shape->kind == SHAPE_LIMB && shape->paint != PAINT_FRAME)
		put_stroke(out, 'a', number, "k", wide * 0.45,
			   " stroke-dasharray=\"0 999\"");
}

static void put_block(FILE *out, const struct film *film, size_t number,
		      const struct shape *shape)
{
	static const char letters[] = "xyz";
	int i;

	for (i = 0; i < 3; i++)
		put_stroke(out, letters[i], number, "k", 4, "");
	for (i = 0; i < 3; i++)
		fprintf(out, "<use href=\"#%c%zu\"/>", letters[i], number);
	if (!shape->head && !shape->chest)
		return;
	begin_group(out, film, number, shows_front, "");
	if (shape->head)
		fprintf(out, "<use href=\"#v%zu\" class=\"k v\"/>", number);
	put_stroke(out, 'e', number, "e", LIGHT * film->view.scale, "");
	fputs("</g>", out);
}

static void put_pieces(FILE *out, const struct film *film, size_t number)
{
	const struct shape *shape = &film->figures[0].shapes[number];

	if (shape->kind != SHAPE_BLOCK) {
		put_path(out, film, 'a', number, AXIS);
	} else {
		put_path(out, film, 'x', number, FACE_X);
		put_path(out, film, 'y', number, FACE_Y);
		put_path(out, film, 'z', number, FACE_Z);
	}
	if (shape->head)
		put_path(out, film, 'v', number, VISOR);
	if (shape->head || shape->chest)
		put_path(out, film, 'e', number, LIGHTS);
	fputc('\n', out);
}

static void put_shape(FILE *out, const struct film *film, size_t number)
{
	const struct shape *shape = &film->figures[0].shapes[number];
	char attributes[64];

	put_pieces(out, film, number);
	snprintf(attributes, sizeof(attributes), " id=\"s%zu\"%s", number,
		 film_is_in_the_way(film, number) ? " opacity=\".45\"" : "");
	begin_group(out, film, number, is_there, attributes);
	if (shape->kind == SHAPE_BLOCK)
		put_block(out, film, number, shape);
	else
		put_limb(out, film, number, shape);
	fputs("</g>\n", out);
}

/* --- the floor --- */

static void put_grid(FILE *out, const struct film *film, const double middle[2],
		     double radius)
{
	double step = GRID * film->view.scale;
	int axis;

	fputs("<path stroke=\"url(#g)\" d=\"", out);
	for (axis = 0; axis < 2; axis++) {
		int i = ceil((middle[axis] - radius) / step);

		for (; i * step < middle[axis] + radius; i++) {
			double half = sqrt(
				fmax(0, radius * radius - pow(i * step - middle[axis], 2)));
			double from[2], to[2];

			from[axis] = to[axis] = i * step;
			from[1 - axis] = middle[1 - axis] - half;
			to[1 - axis] = middle[1 - axis] + half;
			put_point(out, 'M', from);
			put_point(out, 'L', to);
		}
	}
	fputs("\"/>\n", out);
}

static void put_shadows(FILE *out, const struct film *film)
{
	const struct figure *figure = &film->figures[0];
	size_t i;

	fputs("<g opacity=\".2\">\n", out);
	for (i = 0; i < figure->count; i++) {
		const struct shape *shape = &figure->shapes[i];
		bool block = shape->kind == SHAPE_BLOCK;
		char attributes[64];

		snprintf(attributes, sizeof(attributes),
			 " class=\"k%s\" stroke-width=\"%.1f\"", block ? " v" : "",
			 block ? 4 : thickness(film, shape) + 3);
		begin_group(out, film, i, is_there, attributes);
		put_path(out, film, 'w', i, SHADOW);
		fputs("</g>\n", out);
	}
	fputs("</g>\n", out);
}

static void put_floor(FILE *out, const struct film *film)
{
	double matrix[6], radius = film->view.radius * film->view.scale, middle[2];
	int i;

	for (i = 0; i < 2; i++)
		middle[i] = dot(film->view.centre, film->view.along[i]) * film->view.scale;
	view_floor(&film->view, matrix);
	fputs("<g transform=\"matrix(", out);
	for (i = 0; i < 6; i++)
		fprintf(out, "%.4g%s", matrix[i], i < 5 ? " " : ")\">\n");
	for (i = 0; i < 2; i++) {
		fprintf(out,
			"<radialGradient id=\"%c\" gradientUnits=\"userSpaceOnUse\" cx=\"%.0f\" cy=\"%.0f\" r=\"%.0f\">",
			i ? 'g' : 'f', middle[0], middle[1], radius);
		fprintf(out,
			"<stop offset=\".55\" stop-color=\"%s\"/><stop offset=\"1\" stop-color=\"%s\" stop-opacity=\"0\"/></radialGradient>\n",
			i ? "#c3ccd8" : "#fff", i ? "#c3ccd8" : "#fff");
	}
	fprintf(out, "<circle cx=\"%.0f\" cy=\"%.0f\" r=\"%.0f\" fill=\"url(#f)\"/>\n",
		middle[0], middle[1], radius);
	put_grid(out, film, middle, radius);
	put_shadows(out, film);
	fputs("</g>\n", out);
}

/* --- all of it --- */

static void put_take(FILE *out, const struct film *film, size_t number)
{
	const struct take *take = &film->takes[number];
	size_t end = number + 1 < film->take_count ? take[1].first : film->count, i;
	bool shown[FRAMES_MAX] = { false };

	for (i = 0; i < film->count; i++)
		shown[i] = i >= take->first && i < end;
	fprintf(out, "<g%s>", shown[film->still] ? "" : " display=\"none\"");
	if (film->take_count > 1)
		animate_switch(out, film, "display", "inline", "none", shown);
	for (i = 0; i < take->order.count; i++)
		fprintf(out, "<use href=\"#s%d\"/>", take->order.shape[i]);
	fputs("</g>\n", out);
}

static void put_style(FILE *out)
{
	int i;

	fputs("<style>.k{stroke:#2a3342}.v{fill:#2a3342}.h{stroke:#fff;stroke-opacity:.4}.e{stroke:#6fe3ff}",
	      out);
	for (i = 0; i < PAINTS; i++)
		fprintf(out, ".p%d{stroke:#%02x%02x%02x}", i, colours[i][0], colours[i][1],
			colours[i][2]);
	fputs("</style>\n", out);
}

void svg_write(FILE *out, const struct film *film, const char *title)
{
	size_t i;

	fprintf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\">\n",
		CANVAS, CANVAS, CANVAS, CANVAS);
	fprintf(out, "<title>%s</title>\n", title);
	put_style(out);
	fputs("<linearGradient id=\"b\" x2=\"0\" y2=\"1\"><stop stop-color=\"#dfe8f3\"/><stop offset=\"1\" stop-color=\"#f3f5f8\"/></linearGradient>\n",
	      out);
	fprintf(out,
		"<rect width=\"%d\" height=\"%d\" rx=\"16\" fill=\"url(#b)\"/>\n<defs>\n",
		CANVAS, CANVAS);
	for (i = 0; i < film->figures[0].count; i++)
		put_shape(out, film, i);
	fputs("</defs>\n", out);
	put_floor(out, film);
	for (i = 0; i < film->take_count; i++)
		put_take(out, film, i);
	fputs("</svg>\n", out);
}
