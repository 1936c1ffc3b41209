/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How it was between two scenes. */
#ifndef DXLCTL_BETWEEN_H
#define DXLCTL_BETWEEN_H

#include "scene.h"

/* Of the same parts: @share 0 is @from, 1 is @to. What is rigid in both is so between them. */
void scene_between(struct scene *scene, const struct scene *from, const struct scene *to,
		   double share);

#endif
