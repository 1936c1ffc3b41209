// SPDX-License-Identifier: LGPL-2.1-or-later
/* A value that is in a file of the device on the bus: "firmware_version", "statistics/ack". */
#include <errno.h>
#include <unistd.h>

#include "../base/base.h"
#include "../io/io.h"
#include "party.h"
#include "source.h"

struct own_file {
	struct late late;
	int dir;
};

/* What is elsewhere is none that was looked for in vain; see check_here(). */
static int find(const struct subdevice *s)
{
	struct own_file *own = s->own;
	int dir = party_open(s->robot, s->unit, s->label);

	own->dir = dir;
	return dir < 0 && dir != -EOPNOTSUPP ? dir : 0;
}

static void let_go(struct subdevice *s)
{
	const struct own_file *own = s->own;

	if (own->dir >= 0)
		close(own->dir);
}

static int check_here(const struct subdevice *s, struct naohw_error *err)
{
	const struct own_file *own = s->own;

	if (own->dir >= 0)
		return 0;
	return fail(err, -ENODEV, "%s: only on the robot itself, and not over the network", s->name);
}

static int read_number(const struct subdevice *s, double *device, struct naohw_error *err)
{
	const struct own_file *own = s->own;
	int ret = check_here(s, err);

	if (ret < 0)
		return ret;
	ret = attribute_read_number(own->dir, s->source, device);
	return ret < 0 ? source_failed(s, ret, err) : 0;
}

static int read_text(const struct subdevice *s, char *text, size_t size, struct naohw_error *err)
{
	const struct own_file *own = s->own;
	int ret = check_here(s, err);

	if (ret < 0)
		return ret;
	ret = attribute_read(own->dir, s->source, text, size);
	return ret < 0 ? source_failed(s, ret, err) : 0;
}

const struct source_kind source_file = {
	.name = "File",
	.own_size = sizeof(struct own_file),
	.find = find,
	.let_go = let_go,
	.read = read_number,
	.read_text = read_text,
};
