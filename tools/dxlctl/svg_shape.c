// SPDX-License-Identifier: GPL-2.0-or-later
/* Shapes as strokes and faces, with what they throw onto the floor. */
#include "svg_shape.h"
#include "svg_animate.h"

#define LIGHT 0.013 /* m */

/* --- what is not to be seen all the time --- */

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

bool has_axle(const struct shape *shape)
{
	return shape->kind == SHAPE_LIMB && shape->paint != PAINT_FRAME;
}

/* As a round bar that shines, with the axle of its motor. */
static void put_limb(FILE *out, const struct film *film, size_t number,
		     const struct shape *shape)
{
	double wide = thickness(film, shape), off = wide * 0.17;
	char class[8], shift[64], axle[64];

	snprintf(class, sizeof(class), "p%d", shape->paint);
	snprintf(shift, sizeof(shift), " transform=\"translate(%.1f %.1f)\"", -off, -off);
	put_stroke(out, 'a', number, "k", wide + 3, "");
	put_stroke(out, 'a', number, class, wide, "");
	put_stroke(out, 'a', number, "h", wide * 0.3, shift);
	if (has_axle(shape)) {
		snprintf(axle, sizeof(axle), " stroke-dasharray=\"0 999\" id=\"j%zu\"", number);
		put_stroke(out, 'a', number, "k", wide * 0.45, axle);
	}
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

void put_shape(FILE *out, const struct film *film, size_t number)
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

/* --- their shadows --- */

void put_shadows(FILE *out, const struct film *film)
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
