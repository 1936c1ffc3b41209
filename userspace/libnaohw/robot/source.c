// SPDX-License-Identifier: LGPL-2.1-or-later
#include "source.h"

#include <errno.h>
#include <string.h>

#include "../base/base.h"

/* A new kind goes into this table, and its name into that of description/known.c. */
static const struct source_kind *const kinds[] = {
	&source_attribute, &source_channel, &source_event,  &source_file,
	&source_formula,   &source_light,   &source_memory, &source_supply, &source_tone,
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

const struct source_kind *source_find(const char *name)
{
	for (size_t i = 0; i < KINDS; i++)
		if (strcmp(kinds[i]->name, name) == 0)
			return kinds[i];
	return NULL;
}

int source_wrong(const struct preference *preference, const char *expected,
		 struct naohw_error *err)
{
	return fail(err, -EINVAL, "%s:%ld: %s: value \"%s\", expected %s", preference->path,
		    preference->line, preference->key, preference->text, expected);
}

int source_failed(const struct subdevice *s, int code, struct naohw_error *err)
{
	return fail(err, code, "%s: %s \"%s\" of \"%s\": %s", s->name, s->kind->name, s->source,
		    s->label, error_text(code));
}

bool source_is_passing(int error)
{
	return error == -ENOMEM || error == -EMFILE || error == -ENFILE || error == -EACCES;
}

static int find_once(const struct subdevice *s, struct late *late)
{
	int ret;

	pthread_mutex_lock(&s->robot->opening);
	if (!late->looked)
		late->error = s->kind->find(s);
	ret = late->error;
	late->looked = !source_is_passing(ret);
	pthread_mutex_unlock(&s->robot->opening);
	return ret;
}

int source_need(const struct subdevice *s, struct naohw_error *err)
{
	int ret;

	if (!s->robot->context)
		return fail(err, -ENODEV, "%s: of a robot that is only described", s->name);
	ret = s->kind->find ? find_once(s, s->own) : 0;
	return ret < 0 ? source_failed(s, ret, err) : 0;
}

void source_let_go(struct subdevice *s)
{
	const struct late *late = s->own;

	if (s->kind->let_go && late && late->looked && late->error == 0)
		s->kind->let_go(s);
}
