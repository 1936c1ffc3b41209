// SPDX-License-Identifier: GPL-2.0-or-later
/* The document: the room, the floor, and the shapes in the order of their takes. */
#include <math.h>

#include "svg.h"
#include "svg_animate.h"
#include "svg_shape.h"

#define GRID 0.1 /* m between two lines of the floor */

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

/* The axle between two limbs is seen on whichever is nearer, or it would come and go. */
static void put_axles(FILE *out, const struct film *film, const struct order *order,
		      size_t place)
{
	const struct shape *shapes = film->figures[0].shapes;
	size_t i;

	for (i = 0; i < place; i++) {
		const struct shape *farther = &shapes[order->shape[i]];

		if (has_axle(farther) &&
		    shape_leads_to(&shapes[order->shape[place]], farther))
			fprintf(out, "<use href=\"#j%d\"/>", order->shape[i]);
	}
}

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
	for (i = 0; i < take->order.count; i++) {
		fprintf(out, "<use href=\"#s%d\"/>", take->order.shape[i]);
		put_axles(out, film, &take->order, i);
	}
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
