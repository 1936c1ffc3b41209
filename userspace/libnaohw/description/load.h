/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A description as it would be with another Local layer. */
#ifndef NAOHW_LOAD_H
#define NAOHW_LOAD_H

#include "content.h"
#include "description.h"

/* @local: what its Local layer is, whatever the file says; NULL: what the file says. */
int description_load_with(const char *name, const struct places *places,
			  const struct content *local, struct naohw_error *err,
			  struct description **description);

#endif
