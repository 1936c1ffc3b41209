// SPDX-License-Identifier: GPL-2.0-or-later
/* What changes from frame to frame is animated, and nothing else. */
#include <stdlib.h>
#include <string.h>

#include "svg_animate.h"

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

void animate_switch(FILE *out, const struct film *film, const char *attribute,
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

void put_path(FILE *out, const struct film *film, char letter, size_t shape,
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

void begin_group(FILE *out, const struct film *film, size_t number, is_seen *seen,
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
