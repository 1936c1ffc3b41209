// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A light, by its function ("right-0deg"), or with a Color one of its colours. It is looked for
 * when it is needed: a head has fifty.
 */
#include "../io/io.h"

#include <errno.h>

#include "../base/base.h"
#include "source.h"

struct own_light {
	struct late late;
	struct light light;
};

static int check(struct subdevice *s, const struct preference *light, struct naohw_error *err)
{
	return s->actuator ? 0 : source_wrong(light, "none for a sensor", err);
}

static int find(const struct subdevice *s)
{
	const struct preference *color =
		description_find(s->robot->description, s->name, "Color");
	struct own_light *own = s->own;

	return light_open(&own->light, s->label, s->source, color ? color->text : NULL);
}

static void let_go(struct subdevice *s)
{
	struct own_light *own = s->own;

	light_close(&own->light);
}

static int read_light(const struct subdevice *s, double *device, struct naohw_error *err)
{
	const struct own_light *own = s->own;
	int ret = light_read(&own->light, device);

	return ret < 0 ? source_failed(s, ret, err) : 0;
}

static int write_light(const struct subdevice *s, double value, struct naohw_error *err)
{
	const struct own_light *own = s->own;
	int ret = light_write(&own->light, subdevice_to_device(s, value));

	return ret < 0 ? source_failed(s, ret, err) : 0;
}

unsigned int source_light_levels(const struct subdevice *s)
{
	const struct own_light *own = s->own;

	return s->kind == &source_light && source_need(s, NULL) == 0 ? own->light.max : 0;
}

const struct source_kind source_light = {
	.name = "Light",
	.own_size = sizeof(struct own_light),
	.check = check,
	.find = find,
	.let_go = let_go,
	.read = read_light,
	.write = write_light,
};
