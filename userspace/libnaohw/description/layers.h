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

/*
 * The Device.xml that @path calls its base: a bare name is beside it, or else installed; any other is
 * a path from the directory of @path. To be freed; NULL: out of memory.
 */
char *layers_find_base(const char *path, const char *name, const struct places *places);

#endif
