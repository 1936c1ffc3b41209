// SPDX-License-Identifier: LGPL-2.1-or-later
/* A value that follows from those of other sensors, which Of names: "LFoot/FSR/FrontLeft ...". */
#include <errno.h>
#include <string.h>

#include "../base/base.h"
#include "formula.h"
#include "source.h"

struct reckoning {
	const struct formula *formula;
	const struct subdevice *input[FORMULA_INPUTS];
	double place[FORMULA_INPUTS]; /* of each, where that matters */
	size_t count;
};

static const struct subdevice *sensor_of(const struct naohw_robot *robot, const char *name,
					 size_t length)
{
	for (size_t i = 0; i < robot->subdevice_count; i++) {
		const char *full = robot->subdevice[i].name;
		size_t begin = strlen(KEY_PREFIX);

		if (text_begins_with(full, KEY_PREFIX) &&
		    strncmp(full + begin, name, length) == 0 &&
		    strcmp(full + begin + length, "/Sensor") == 0)
			return &robot->subdevice[i];
	}
	return NULL;
}

static int add_input(struct subdevice *s, const struct subdevice *sensor, struct naohw_error *err)
{
	struct reckoning *own = s->own;
	const char *name = own->formula->place;
	const struct preference *place =
		name ? description_find(s->robot->description, sensor->name, name) : NULL;

	if (name && (!place || place->type == NAOHW_KEY_STRING))
		return fail(err, -EINVAL, "%s: has no number %s, expected one for %s of %s",
			    sensor->name, name, s->source, s->name);
	own->input[own->count] = sensor;
	own->place[own->count++] = place ? place->number : 0;
	return 0;
}

/* One that is reckoned itself may not be known yet. */
static int take_inputs(struct subdevice *s, const struct preference *of, struct naohw_error *err)
{
	const struct reckoning *own = s->own;
	const char *names = of->text;
	size_t length;

	for (; *(names += strspn(names, " ")); names += length) {
		const struct subdevice *sensor;
		int ret;

		length = strcspn(names, " ");
		sensor = sensor_of(s->robot, names, length);
		if (!sensor || sensor->kind == &source_formula || subdevice_is_text(sensor))
			return source_wrong(of, "names of sensors, as \"LFoot/FSR/FrontLeft\", none "
					    "of which has a Formula", err);
		if (own->count == FORMULA_INPUTS)
			return source_wrong(of, "16 sensors at most", err);
		ret = add_input(s, sensor, err);
		if (ret < 0)
			return ret;
	}
	return own->count ? 0 : source_wrong(of, "the names of some sensors", err);
}

static int check(struct subdevice *s, const struct preference *formula, struct naohw_error *err)
{
	const struct preference *of = description_find(s->robot->description, s->name, "Of");
	struct reckoning *own = s->own;

	own->formula = formula_find(s->source);
	if (!own->formula)
		return source_wrong(formula, formula_names, err);
	if (!of)
		return fail(err, -EINVAL, "%s:%ld: %s: no Of, expected the sensors that it is of",
			    formula->path, formula->line, s->name);
	return take_inputs(s, of, err);
}

size_t source_formula_inputs(const struct subdevice *s, const struct subdevice *const **inputs)
{
	const struct reckoning *own = s->own;

	*inputs = own->input;
	return own->count;
}

double source_formula_value(const struct subdevice *s, const double *values)
{
	const struct reckoning *own = s->own;

	return own->formula->value(values, own->place, own->count);
}

static int read_formula(const struct subdevice *s, double *device, struct naohw_error *err)
{
	const struct reckoning *own = s->own;
	double values[FORMULA_INPUTS];

	for (size_t i = 0; i < own->count; i++) {
		int ret = subdevice_read(own->input[i], &values[i], err);

		if (ret < 0)
			return ret;
	}
	*device = source_formula_value(s, values);
	return 0;
}

const struct source_kind source_formula = {
	.name = "Formula",
	.own_size = sizeof(struct reckoning),
	.check = check,
	.read = read_formula,
};
