/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where the files of a description are. */
#ifndef NAOHW_LAYERS_H
#define NAOHW_LAYERS_H

#include "description.h"

/*
 * Paths of all layers, there or not, to be freed; NULL: a description of this name can have
 * none beside the first.
 */
int layers_find(const char *name, const struct places *places, char *path[LAYERS],
		struct naohw_error *err);

#endif
