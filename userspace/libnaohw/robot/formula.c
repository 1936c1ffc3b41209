// SPDX-License-Identifier: LGPL-2.1-or-later
#include "formula.h"

#include <string.h>

#include <naohw.h>

static double sum(const double *values, const double *places, size_t count)
{
	double all = 0;

	(void)places;
	for (size_t i = 0; i < count; i++)
		all += values[i];
	return all;
}

static double any(const double *values, const double *places, size_t count)
{
	(void)places;
	for (size_t i = 0; i < count; i++)
		if (values[i] != 0)
			return 1;
	return 0;
}

/*
 * Of what nothing lies on there is no centre; NAO has 0 for it. Nothing pulls at a sensor, so that a
 * weight below 0 is noise, and the centre is never outside of them.
 */
static double centre(const double *values, const double *places, size_t count)
{
	double all = 0, moment = 0;

	for (size_t i = 0; i < count; i++) {
		double weight = values[i] < 0 ? 0 : values[i];

		all += weight;
		moment += weight * places[i];
	}
	return all < NAOHW_FOOT_NOTHING ? 0 : moment / all;
}

static const struct formula formulas[] = {
	{ "sum", NULL, sum },
	{ "any", NULL, any },
	{ "centre-x", "XPosition", centre },
	{ "centre-y", "YPosition", centre },
};

const char formula_names[] = "\"sum\", \"any\", \"centre-x\" or \"centre-y\"";

const struct formula *formula_find(const char *name)
{
	for (size_t i = 0; i < sizeof(formulas) / sizeof(formulas[0]); i++)
		if (strcmp(formulas[i].name, name) == 0)
			return &formulas[i];
	return NULL;
}
