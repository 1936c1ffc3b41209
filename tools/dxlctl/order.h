/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which shape hides which: the order in which they are drawn. */
#ifndef DXLCTL_ORDER_H
#define DXLCTL_ORDER_H

#include "view.h"

struct order {
	unsigned char shape[SHAPES_MAX]; /* the farthest first */
	size_t count;
};

/* Whether @a hides something of @b: 1, or the other way round: -1. */
int order_of(const struct view *view, const struct shape *a, const struct shape *b);

void order_find(struct order *order, const struct view *view, const struct figure *figure);

/* Whether it is right for this figure, too. */
bool order_holds(const struct order *order, const struct view *view,
		 const struct figure *figure);

#endif
