/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Elements of SVG that move by themselves. */
#ifndef DXLCTL_SVG_ANIMATE_H
#define DXLCTL_SVG_ANIMATE_H

#include "svg_value.h"

/* A piece of a shape, for "use" by a letter and the shape's number. */
void put_path(FILE *out, const struct film *film, char letter, size_t shape,
	      enum piece piece);

/* Of the element that has begun: what is on or off, each frame by its own. */
void animate_switch(FILE *out, const struct film *film, const char *attribute,
		    const char *on, const char *off, const bool *is_on);

typedef bool is_seen(const struct film *film, const struct shape *shape);

/* Begin a group with these attributes, and what it has is seen when @seen says so. */
void begin_group(FILE *out, const struct film *film, size_t number, is_seen *seen,
		 const char *attributes);

#endif
