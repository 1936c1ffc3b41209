/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scenes at even distances in time, or only one, as they are to be drawn. */
#ifndef DXLCTL_FILM_H
#define DXLCTL_FILM_H

#include "order.h"

#define FRAMES_MAX 2000

/* From @first on until the next one, the shapes are drawn in this order. */
struct take {
	size_t first;
	struct order order;
};

/**
 * struct film - how it is drawn
 * @view: from where it is seen
 * @figures: of each frame, with the same shapes
 * @count: of the frames
 * @every: s between two of them
 * @takes: the orders, one after the other
 * @take_count: of them
 * @still: the frame that is shown where nothing can move
 */
struct film {
	struct view view;
	struct figure *figures;
	size_t count;
	double every;
	struct take *takes;
	size_t take_count;
	size_t still;
};

/*
 * Of @count scenes in the order of their times, seen from @degrees to the left of where x
 * points to, with a frame every so many seconds. NULL: there is no memory. Parts that not
 * all scenes have are not there in the others; @scenes are changed for that.
 */
struct film *film_new(struct scene *scenes, size_t count, double every, double degrees);
void film_free(struct film *film);

/* Whether a box hides something of the robot at some time. */
bool film_is_in_the_way(const struct film *film, size_t shape);

#endif
