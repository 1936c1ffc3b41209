// SPDX-License-Identifier: LGPL-2.1-or-later
/* A value that follows from those of other sensors, which Of names: "LFoot/FSR/FrontLeft ...". */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"
#include "formula.h"
#include "source.h"

static const struct subdevice *sensor_of(const struct naohw_robot *robot, const char *name,
					 size_t length)
{
	for (size_t i = 0; i < robot->subdevice_count; i++) {
		const char *full = robot->subdevice[i].name;
		size_t begin = strlen(SUBDEVICE_PREFIX);

		if (strncmp(full, SUBDEVICE_PREFIX, begin) == 0 &&
		    strncmp(full + begin, name, length) == 0 &&
		    strcmp(full + begin + length, "/Sensor") == 0)
			return &robot->subdevice[i];
	}
	return NULL;
}

static int add_input(struct naohw_robot *robot, struct subdevice *s,
		     const struct subdevice *sensor, struct naohw_error *err)
{
	const char *name = s->formula->place;
	const struct preference *place =
		name ? description_find(robot->description, sensor->name, name) : NULL;

	if (name && (!place || place->type == NAOHW_KEY_STRING))
		return fail(err, -EINVAL, "%s: has no number %s, expected one for %s of %s",
			    sensor->name, name, s->source, s->name);
	s->input[s->input_count] = sensor;
	s->place[s->input_count++] = place ? place->number : 0;
	return 0;
}

/* One that is reckoned itself may not be known yet. */
static int take_inputs(struct naohw_robot *robot, struct subdevice *s,
		       const struct preference *of, struct naohw_error *err)
{
	const char *names = of->text;
	size_t length;

	for (; *(names += strspn(names, " ")); names += length) {
		const struct subdevice *sensor;
		int ret;

		length = strcspn(names, " ");
		sensor = sensor_of(robot, names, length);
		if (!sensor || sensor->kind == &source_formula)
			return source_wrong(of, "names of sensors, as \"LFoot/FSR/FrontLeft\", none "
					    "of which has a Formula", err);
		if (s->input_count == FORMULA_INPUTS)
			return source_wrong(of, "16 sensors at most", err);
		ret = add_input(robot, s, sensor, err);
		if (ret < 0)
			return ret;
	}
	return s->input_count ? 0 : source_wrong(of, "the names of some sensors", err);
}

static int check(struct naohw_robot *robot, struct subdevice *s, const struct preference *formula,
		 struct naohw_error *err)
{
	const struct preference *of = description_find(robot->description, s->name, "Of");

	s->formula = formula_find(s->source);
	if (!s->formula)
		return source_wrong(formula, formula_names, err);
	if (s->actuator)
		return source_wrong(formula, "none for an actuator", err);
	if (!of)
		return fail(err, -EINVAL, "%s:%ld: %s: no Of, expected the sensors that it is of",
			    formula->path, formula->line, s->name);
	s->input = calloc(FORMULA_INPUTS, sizeof(*s->input));
	s->place = calloc(FORMULA_INPUTS, sizeof(*s->place));
	if (!s->input || !s->place)
		return fail(err, -ENOMEM, "out of memory");
	return take_inputs(robot, s, of, err);
}

static void let_go(struct subdevice *s)
{
	free(s->input);
	free(s->place);
}

static int read_formula(const struct subdevice *s, double *device, struct naohw_error *err)
{
	double values[FORMULA_INPUTS];

	for (size_t i = 0; i < s->input_count; i++) {
		int ret = subdevice_read(s->input[i], &values[i], err);

		if (ret < 0)
			return ret;
	}
	*device = s->formula->value(values, s->place, s->input_count);
	return 0;
}

const struct source_kind source_formula = {
	.name = "Formula",
	.check = check,
	.close = let_go,
	.read = read_formula,
};
