/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is reckoned from the values of several sensors. */
#ifndef NAOHW_FORMULA_H
#define NAOHW_FORMULA_H

#include <stddef.h>

struct formula {
	const char *name;
	/* The Preference of each sensor that it takes too: where it is; NULL: none */
	const char *place;
	double (*value)(const double *values, const double *places, size_t count);
};

/* NULL: there is none of this name. */
const struct formula *formula_find(const char *name);

/* Their names, for people: "sum, any, ..." */
extern const char formula_names[];

/* At most so many sensors */
#define FORMULA_INPUTS 16

#endif
