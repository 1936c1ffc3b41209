// SPDX-License-Identifier: GPL-2.0-or-later
#include "script.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "wrong.h"

/* ---- a line ---- */

static int find_cast(struct step *step, const struct actors *actors, struct naohw_error *err)
{
	const struct order *order = &step->order;
	int ret = actors_find(actors, order->name, &step->cast, err);

	if (ret < 0 || order->kind == ORDER_SET || order->lists == step->cast.count)
		return ret;
	ret = wrong(err, -EINVAL,
		    "found lists for %zu actuators, expected %zu, one for each of %.80s",
		    order->lists, step->cast.count, order->name);
	free(step->cast.actuator);
	return ret;
}

static int understand(struct step *step, int64_t *now, struct actors *actors,
		      struct naohw_error *err)
{
	const struct order *order = &step->order;

	switch (order->kind) {
	case ORDER_NONE:
		return 0;
	case ORDER_SET:
	case ORDER_EACH:
		return find_cast(step, actors, err);
	case ORDER_ALIAS:
		return actors_name(actors, order->name, order->members, order->member_count, err);
	case ORDER_WAIT:
		if (order->time > *now)
			*now = order->time;
		return 0;
	}
	return -EINVAL;
}

int step_read(struct step *step, const char *text, unsigned long line, int64_t *now,
	      struct actors *actors, struct naohw_error *err)
{
	int ret;

	*step = (struct step){ .line = line };
	ret = order_parse(&step->order, text, *now, err);
	if (ret < 0)
		return ret;
	ret = understand(step, now, actors, err);
	if (ret < 0)
		order_free(&step->order);
	return ret;
}

void step_free(struct step *step)
{
	order_free(&step->order);
	free(step->cast.actuator);
}

/* ---- all of them ---- */

static void note_end(struct script *script, const struct order *order)
{
	if (order->kind == ORDER_WAIT && order->time > script->end)
		script->end = order->time;
	for (size_t i = 0; i < order->lists; i++)
		for (size_t j = 0; j < order->count[i]; j++)
			if (order->list[i][j].time > script->end)
				script->end = order->list[i][j].time;
}

/* 1: there may be another one. */
static int add(struct script *script, const char *text, unsigned long line, int64_t *now,
	       struct actors *actors, struct naohw_error *err)
{
	struct step *more = reallocarray(script->step, script->count + 1, sizeof(*more));
	int ret;

	if (!more)
		return wrong(err, -ENOMEM, "out of memory");
	script->step = more;
	ret = step_read(&more[script->count], text, line, now, actors, err);
	if (ret < 0)
		return ret;
	note_end(script, &more[script->count].order);
	/* There is nothing to be done about a comment. */
	if (more[script->count].order.kind == ORDER_NONE)
		step_free(&more[script->count]);
	else
		script->count++;
	return 1;
}

static int read_on(struct lines *lines, struct naohw_error *err)
{
	int ret;

	if (lines_are_over(lines))
		return 0;
	ret = lines_fill(lines);
	if (ret < 0)
		return wrong(err, ret, "%s", strerror(-ret));
	if (lines->total > SCRIPT_MAX)
		return wrong(err, -EFBIG, "found more than %d bytes, expected a smaller file",
			     SCRIPT_MAX);
	return 1;
}

static int read_all(struct script *script, struct lines *lines, struct actors *actors,
		    struct naohw_error *err)
{
	int64_t now = 0;
	char *text;
	int ret;

	do {
		ret = lines_take(lines, &text, err);
		if (ret == 0)
			ret = read_on(lines, err);
		else if (ret > 0)
			ret = add(script, text, lines->number, &now, actors, err);
	} while (ret > 0);
	return ret;
}

int script_read(struct script *script, int fd, const char *path, bool is_stream,
		struct actors *actors, struct naohw_error *err)
{
	struct naohw_error what;
	struct lines lines;
	int ret;

	*script = (struct script){ 0 };
	lines_begin(&lines, fd, is_stream);
	ret = read_all(script, &lines, actors, &what);
	if (ret == 0)
		return 0;
	script_free(script);
	if (!lines.number)
		return wrong(err, ret, "%s: %s", path, what.message);
	return wrong(err, ret, "%s:%lu: %s", path, lines.number, what.message);
}

void script_free(struct script *script)
{
	for (size_t i = 0; i < script->count; i++)
		step_free(&script->step[i]);
	free(script->step);
	*script = (struct script){ 0 };
}
