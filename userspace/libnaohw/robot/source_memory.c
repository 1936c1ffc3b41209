// SPDX-License-Identifier: LGPL-2.1-or-later
/* A text that a board keeps without power, by the name of its cell: "body-id". */
#include "../io/io.h"

#include <errno.h>
#include <string.h>

#include "../base/base.h"
#include "source.h"

struct own_memory {
	struct late late;
	struct memory memory;
};

static int find(const struct subdevice *s)
{
	struct own_memory *own = s->own;

	return memory_open(&own->memory, s->label);
}

static void let_go(struct subdevice *s)
{
	struct own_memory *own = s->own;

	memory_close(&own->memory);
}

static int read_memory(const struct subdevice *s, char *text, size_t size, struct naohw_error *err)
{
	const struct own_memory *own = s->own;
	int ret = memory_read(&own->memory, s->source, text, size);

	return ret < 0 ? source_failed(s, ret, err) : 0;
}

static int refused(const struct subdevice *s, const char *text, int ret, struct naohw_error *err)
{
	const struct own_memory *own = s->own;
	unsigned int offset;
	size_t room;

	if (ret == -EACCES)
		return fail(err, ret, "%s: only root may write what a board keeps", s->name);
	if (ret == -EMSGSIZE && memory_locate(&own->memory, s->source, &offset, &room) == 0)
		return fail(err, ret, "%s: a text of %zu bytes, expected %zu at the most", s->name,
			    strlen(text), room);
	return source_failed(s, ret, err);
}

static int write_memory(const struct subdevice *s, const char *text, struct naohw_error *err)
{
	const struct own_memory *own = s->own;
	int ret = memory_write(&own->memory, s->source, text);

	return ret < 0 ? refused(s, text, ret, err) : 0;
}

const struct source_kind source_memory = {
	.name = "Memory",
	.own_size = sizeof(struct own_memory),
	.find = find,
	.let_go = let_go,
	.read_text = read_memory,
	.write_text = write_memory,
};
