/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The shapes of a film as SVG. */
#ifndef DXLCTL_SVG_SHAPE_H
#define DXLCTL_SVG_SHAPE_H

#include "film.h"

/* A definition of one, for "use" as "s" and its number. */
void put_shape(FILE *out, const struct film *film, size_t number);

/* Whether there is an axle where it begins, for "use" as "j" and its number. */
bool has_axle(const struct shape *shape);

/* All their shadows, in the floor's own directions. */
void put_shadows(FILE *out, const struct film *film);

#endif
