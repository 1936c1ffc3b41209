/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What SVG's attributes have for the shapes of a film. */
#ifndef DXLCTL_SVG_VALUE_H
#define DXLCTL_SVG_VALUE_H

#include "film.h"

/* What a shape consists of; the first three are the visible faces of a block. */
enum piece { FACE_X, FACE_Y, FACE_Z, AXIS, VISOR, LIGHTS, SHADOW };

/* Red, green, blue. */
extern const unsigned char colours[PAINTS][3];

/* With tenths of the canvas's units, if any. */
void put_number(FILE *out, double value);

/* The letter of a command of a path, and a point. */
void put_point(FILE *out, char letter, const double at[2]);

/* A piece's value of an attribute in a frame. */
typedef void print_value(FILE *out, const struct film *film, size_t frame, size_t shape,
			 enum piece piece);

print_value print_path;
print_value print_colour;

#endif
