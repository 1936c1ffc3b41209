// SPDX-License-Identifier: LGPL-2.1-or-later
/* A property of a battery, in the unit of its file: "current_now". */
#include "../io/io.h"

#include <errno.h>

#include "../base/base.h"
#include "source.h"

struct own_supply {
	struct late late;
	struct supply supply;
};

static int find(const struct subdevice *s)
{
	struct own_supply *own = s->own;

	return supply_open(&own->supply, s->label);
}

static void let_go(struct subdevice *s)
{
	struct own_supply *own = s->own;

	supply_close(&own->supply);
}

static int read_supply(const struct subdevice *s, double *device, struct naohw_error *err)
{
	const struct own_supply *own = s->own;
	int ret = supply_read(&own->supply, s->source, device);

	return ret < 0 ? source_failed(s, ret, err) : 0;
}

static int read_text(const struct subdevice *s, char *text, size_t size, struct naohw_error *err)
{
	const struct own_supply *own = s->own;
	int ret = supply_read_text(&own->supply, s->source, text, size);

	return ret < 0 ? source_failed(s, ret, err) : 0;
}

const struct source_kind source_supply = {
	.name = "Supply",
	.own_size = sizeof(struct own_supply),
	.find = find,
	.let_go = let_go,
	.read = read_supply,
	.read_text = read_text,
};
