// SPDX-License-Identifier: LGPL-2.1-or-later
#include "alias.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"
#include "load.h"
#include "parse.h"

#define END "/Alias"

static int wrong(const struct preference *alias, const char *expected, struct naohw_error *err)
{
	return fail(err, -EINVAL, "%s:%ld: %s: value \"%s\", expected %s", alias->path, alias->line,
		    alias->key, alias->text, expected);
}

static bool is_alias(const struct preference *preference)
{
	return preference->type == NAOHW_KEY_STRING && text_ends_with(preference->key, END) &&
	       text_begins_with(preference->key, KEY_PREFIX);
}

/* The array that a key is in is called @name; behind it is the rest of the key. */
static const char *below(const char *key, const char *name)
{
	size_t length = strlen(name);

	return strncmp(key, name, length) == 0 && key[length] == '/' ? key + length : NULL;
}

/* What is said under the one name and not the other would be lost, or hold for both. */
static int beside(const struct preference *alias, const struct preference *other,
		  const char *rest, struct naohw_error *err)
{
	return fail(err, -EINVAL, "%s:%ld: %s: is another name of %s%s, expected that",
		    other->path, other->line, other->key, alias->text, rest);
}

/* @as: where it is from, and what it is; a copy, for the list may move. */
static int add(struct description *d, const char *name, const char *rest, const char *text,
	       struct preference as)
{
	char key[KEY_MAX];

	if (d->count == PREFERENCES_MAX)
		return -E2BIG;
	if (snprintf(key, sizeof(key), "%s%s", name, rest) >= (int)sizeof(key))
		return -ENAMETOOLONG;
	if (description_reserve(d) < 0 || preference_say(&as, key, text) < 0)
		return -ENOMEM;
	as.order = d->count;
	d->list[d->count++] = as;
	return 0;
}

/* A device's default label is the first part of its name, which is another one there. */
static int add_label(struct description *d, const struct preference *alias, const char *name,
		     const char *target, size_t sorted)
{
	const struct description before = { .list = d->list, .count = sorted };
	const struct preference *label = description_inherit(&before, target, "Label");
	char first[KEY_MAX];

	snprintf(first, sizeof(first), "%.*s", (int)strcspn(alias->text, "/"), alias->text);
	return add(d, name, "/Label", label ? label->text : first, *alias);
}

static int add_all(struct description *d, const struct preference *alias, const char *name,
		   size_t sorted, struct naohw_error *err)
{
	char target[KEY_MAX];
	size_t before = d->count;
	int ret;

	snprintf(target, sizeof(target), KEY_PREFIX "%s", alias->text);
	ret = add_label(d, alias, name, target, sorted);
	for (size_t i = 0; i < sorted && ret == 0; i++) {
		const char *rest = below(d->list[i].key, target);
		const char *own = below(d->list[i].key, name);

		if (own && !is_alias(&d->list[i]))
			return beside(alias, &d->list[i], own, err);
		if (rest && is_alias(&d->list[i]))
			return wrong(alias, "what is no alias itself", err);
		if (rest && strcmp(rest, "/Label") != 0)
			ret = add(d, name, rest, d->list[i].text, d->list[i]);
	}
	if (ret == -ENAMETOOLONG)
		return wrong(alias, "keys of less than 256 characters with that name", err);
	if (ret == -E2BIG)
		return wrong(alias, "no more than 20000 Preferences with those of aliases", err);
	if (ret < 0)
		return fail(err, ret, "out of memory");
	if (d->count == before + 1)
		return wrong(alias, "a sensor or an actuator, as \"InertialSensor/AccX/Sensor\"",
			     err);
	return 0;
}

/* @sorted: what of it is. Of the one at @index */
static int make(struct description *d, size_t index, size_t sorted, struct naohw_error *err)
{
	const struct preference alias = d->list[index];
	char name[KEY_MAX];

	snprintf(name, sizeof(name), "%.*s", (int)(strlen(alias.key) - strlen(END)), alias.key);
	return add_all(d, &alias, name, sorted, err);
}

int aliases_make(struct description *d, struct naohw_error *err)
{
	size_t sorted = d->count;
	int ret = 0;

	for (size_t i = 0; i < sorted && ret == 0; i++)
		if (is_alias(&d->list[i]))
			ret = make(d, i, sorted, err);
	if (d->count > sorted)
		description_sort(d);
	return ret;
}
