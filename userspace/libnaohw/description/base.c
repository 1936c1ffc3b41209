// SPDX-License-Identifier: LGPL-2.1-or-later
#include "base.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"
#include "content.h"
#include "layers.h"
#include "load.h"
#include "parse.h"


/* ---- what is left out of it ---- */

/* Is @name, or what @name is below, among the @names, with blanks between them? */
static bool is_named(const char *names, const char *name)
{
	size_t length;

	for (; *(names += strspn(names, " \t\n\r")); names += length) {
		length = strcspn(names, " \t\n\r");
		if (strncmp(name, names, length) == 0 &&
		    (name[length] == '/' || name[length] == '\0'))
			return true;
	}
	return false;
}

/* Take what is named out of a chain. Return: true: it has lost all its joints. */
static bool is_emptied(struct preference *chain, const char *without)
{
	char *rest = chain->text, *end = chain->text, *name;
	bool has_lost = false;

	while ((name = strtok_r(rest, BLANKS, &rest))) {
		size_t length = strlen(name);

		if (is_named(without, name)) {
			has_lost = true;
			continue;
		}
		if (end > chain->text)
			*end++ = ' ';
		memmove(end, name, length);
		end += length;
	}
	*end = '\0';
	return has_lost && end == chain->text;
}

static bool is_left_out(struct preference *preference, const char *without)
{
	const char *key = preference->key;

	if (text_begins_with(key, CHAIN_PREFIX))
		return is_emptied(preference, without);
	if (text_begins_with(key, KEY_PREFIX))
		return is_named(without, key + strlen(KEY_PREFIX));
	return text_begins_with(key, DEVICE_PREFIX) && is_named(without, key + strlen(DEVICE_PREFIX));
}

/* Of the first @count; returns how many are left of them. */
static size_t leave_out(struct description *d, size_t count, const char *without)
{
	size_t kept = 0;

	for (size_t i = 0; i < d->count; i++) {
		if (i < count && is_left_out(&d->list[i], without))
			preference_clear(&d->list[i]);
		else
			d->list[kept++] = d->list[i];
	}
	count -= d->count - kept;
	d->count = kept;
	return count;
}

/* ---- which it is ---- */

/* The last of the first @count that has this key, or NULL */
static const struct preference *last_of(const struct description *d, size_t count, const char *key)
{
	while (count--)
		if (strcmp(d->list[count].key, key) == 0)
			return &d->list[count];
	return NULL;
}

static int load_file(struct description *d, const struct preference *base,
		     const struct places *places, struct naohw_error *err)
{
	struct content content;
	char *path;
	int ret;

	if (d->base_count == BASES)
		return fail(err, -EINVAL,
			    "%s:%ld: %s: \"%s\", expected no more than %d one over another",
			    base->path, base->line, base->key, base->text, BASES);
	path = layers_find_base(base->path, base->text, places);
	if (!path)
		return fail(err, -ENOMEM, "out of memory");
	d->base[d->base_count++] = path;
	ret = content_read(path, &content);
	if (ret == 0 && !content.data)
		ret = -ENOENT;
	if (ret < 0)
		return fail(err, ret, "%s:%ld: %s: \"%s\" is %s: %s", base->path, base->line,
			    base->key, base->text, path, file_error_text(ret));
	ret = layer_parse(d, path, &content, err);
	content_free(&content);
	return ret;
}

/* What is from @middle on comes before all else. */
static int turn(struct description *d, size_t middle)
{
	struct preference *list = malloc((d->capacity + 1) * sizeof(*list));
	size_t count = d->count - middle;

	if (!list)
		return -ENOMEM;
	memcpy(list, d->list + middle, count * sizeof(*list));
	memcpy(list + count, d->list, middle * sizeof(*list));
	for (size_t i = 0; i < d->count; i++)
		list[i].order = i;
	free(d->list);
	d->list = list;
	return 0;
}

/* What was left out before, and what the first @count leave out; to be freed, as @names is. */
static char *more_names(const struct description *d, size_t count, char *names)
{
	const struct preference *without = last_of(d, count, WITHOUT_KEY);
	char *all;

	if (asprintf(&all, "%s %s", names ? names : "", without ? without->text : "") < 0)
		all = NULL;
	free(names);
	return all;
}

static int load_next(struct description *d, const struct preference *base,
		     const struct places *places, const char *names, size_t *count,
		     struct naohw_error *err)
{
	size_t before = d->count;
	int ret = load_file(d, base, places, err);

	if (ret < 0)
		return ret;
	if (turn(d, before) < 0)
		return fail(err, -ENOMEM, "out of memory");
	*count = leave_out(d, d->count - before, names);
	return 0;
}

/* A base's base is found among its own Preferences, which are the first @count by then. */
int base_load(struct description *d, const struct places *places, struct naohw_error *err)
{
	const struct preference *base;
	size_t count = d->count;
	char *names = NULL;
	int ret = 0;

	while (ret == 0 && (base = last_of(d, count, BASE_KEY))) {
		names = more_names(d, count, names);
		ret = names ? load_next(d, base, places, names, &count, err)
			    : fail(err, -ENOMEM, "out of memory");
	}
	free(names);
	return ret;
}
