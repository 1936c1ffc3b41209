// SPDX-License-Identifier: GPL-2.0-or-later
#include "actors.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ends.h"
#include "key_forms.h"
#include "nearest.h"
#include "wrong.h"

#define NAME_SIZE 512

static int compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void actors_sort(struct actors *actors)
{
	qsort(actors->actuator, actors->actuators, sizeof(*actors->actuator), compare);
}

/* ---- by name ---- */

const char *actors_actuator(const struct actors *actors, const char *name)
{
	char bare[NAME_SIZE];
	const char *key = bare;
	size_t length;
	char **found;

	name += text_begins_with(name, KEY_PREFIX) ? strlen(KEY_PREFIX) : 0;
	length = (size_t)snprintf(bare, sizeof(bare), "%s", name);
	if (length >= sizeof(bare))
		return NULL;
	if (length > strlen(KEY_SUFFIX) &&
	    strcmp(bare + length - strlen(KEY_SUFFIX), KEY_SUFFIX) == 0)
		bare[length - strlen(KEY_SUFFIX)] = '\0';
	found = bsearch(&key, actors->actuator, actors->actuators, sizeof(*found), compare);
	return found ? *found : NULL;
}

static struct actors_alias *find_alias(const struct actors *actors, const char *name)
{
	for (size_t i = 0; i < actors->aliases; i++)
		if (strcmp(actors->alias[i].name, name) == 0)
			return &actors->alias[i];
	return NULL;
}

bool actors_has_alias(const struct actors *actors, const char *name)
{
	return find_alias(actors, name);
}

static bool is_pattern(const char *name)
{
	return strpbrk(name, "*?[");
}

/* What people leave out where it is clear: a joint is moved, and a light lit. */
static const char *const lacking[] = { "/Actuator", "/Position/Actuator" };

#define LACKING (sizeof(lacking) / sizeof(lacking[0]))

static const char *find_short(const struct actors *actors, const char *name)
{
	const char *found = NULL;

	for (size_t i = 0; i < LACKING && !found; i++) {
		char full[NAME_SIZE];

		snprintf(full, sizeof(full), "%s%s", name, lacking[i]);
		found = actors_actuator(actors, full);
	}
	return found;
}

bool actors_is_short(const struct actors *actors, const char *name)
{
	return is_pattern(name) || find_short(actors, name);
}

static bool is_joint(const char *pattern, const char *actuator)
{
	static const char end[] = "/Position/Actuator";
	size_t length = strlen(actuator), joint = length - (sizeof(end) - 1);
	char name[NAME_SIZE];

	if (length < sizeof(end) || strcmp(actuator + joint, end) != 0)
		return false;
	snprintf(name, sizeof(name), "%.*s", (int)joint, actuator);
	return fnmatch(pattern, name, 0) == 0;
}

/* In any of the forms in which people write a name; that of a joint alone is its position's. */
static bool is_match(const char *pattern, const char *actuator)
{
	char full[NAME_SIZE];

	if (!strchr(pattern, '/'))
		return is_joint(pattern, actuator);
	snprintf(full, sizeof(full), KEY_PREFIX "%s" KEY_SUFFIX, actuator);
	if (fnmatch(pattern, full, 0) == 0 ||
	    fnmatch(pattern, full + strlen(KEY_PREFIX), 0) == 0)
		return true;
	full[strlen(full) - strlen(KEY_SUFFIX)] = '\0';
	if (fnmatch(pattern, full, 0) == 0 || fnmatch(pattern, actuator, 0) == 0)
		return true;
	full[strlen(full) - strlen("/Actuator")] = '\0';
	return fnmatch(pattern, full + strlen(KEY_PREFIX), 0) == 0;
}

static void add_matches(const struct actors *actors, const char *pattern, struct cast *cast)
{
	/* The period is nothing that a robot is made of. */
	for (size_t i = 0; i < actors->actuators; i++)
		if (strcmp(actors->actuator[i], PERIOD_NAME) != 0 &&
		    is_match(pattern, actors->actuator[i]))
			cast->actuator[cast->count++] = actors->actuator[i];
}

static void add_name(const struct actors *actors, const char *name, struct cast *cast)
{
	const struct actors_alias *alias = find_alias(actors, name);
	const char *actuator = actors_actuator(actors, name);

	if (alias) {
		memcpy(cast->actuator, alias->actuator, alias->count * sizeof(*alias->actuator));
		cast->count = alias->count;
	} else if (!actuator && is_pattern(name)) {
		add_matches(actors, name, cast);
	} else {
		cast->actuator[0] = actuator ? actuator : find_short(actors, name);
		cast->count = cast->actuator[0] ? 1 : 0;
	}
}

/* One of a form that is as people write it must not be further away than what they have written. */
static void try_form(const struct actors *actors, const char *form, struct nearest *nearest)
{
	struct nearest of_form = nearest_to(form);

	of_form.apart = nearest->apart;
	for (size_t i = 0; i < actors->actuators; i++)
		(void)nearest_try(&of_form, actors->actuator[i]);
	if (!of_form.found)
		return;
	nearest->apart = of_form.apart;
	nearest->found = of_form.found;
}

static void try_all(const struct actors *actors, const char *name, struct nearest *nearest)
{
	for (size_t i = 0; i < actors->aliases; i++)
		(void)nearest_try(nearest, actors->alias[i].name);
	try_form(actors, name, nearest);
	for (size_t i = 0; i < LACKING; i++) {
		char full[NAME_SIZE];

		snprintf(full, sizeof(full), "%s%s", name, lacking[i]);
		try_form(actors, full, nearest);
	}
}

int actors_unknown(const struct actors *actors, const char *name, struct naohw_error *err)
{
	struct nearest nearest = nearest_to(name);

	/* No name is near to a pattern. */
	if (!is_pattern(name))
		try_all(actors, name, &nearest);
	return wrong(err, -ENOENT,
		     "found \"%.80s\", expected an actuator or an alias%s%s; \"naohw list --keys\" "
		     "and \"naohw alias\" show them",
		     name, nearest_words(&nearest), nearest_name(&nearest));
}

int actors_find(const struct actors *actors, const char *name, struct cast *cast,
		struct naohw_error *err)
{
	/* None is in one twice. */
	*cast = (struct cast){ .actuator = calloc(actors->actuators, sizeof(*cast->actuator)) };
	if (!cast->actuator)
		return wrong(err, -ENOMEM, "out of memory");
	add_name(actors, name, cast);
	if (cast->count)
		return 0;
	free(cast->actuator);
	return actors_unknown(actors, name, err);
}

/* ---- aliases ---- */

static int add_cast(struct cast *all, const struct cast *cast, struct naohw_error *err)
{
	for (size_t i = 0; i < cast->count; i++) {
		for (size_t j = 0; j < all->count; j++)
			if (all->actuator[j] == cast->actuator[i])
				return wrong(err, -EINVAL,
					     "found %s a second time, expected each once",
					     cast->actuator[i]);
		all->actuator[all->count++] = cast->actuator[i];
	}
	return 0;
}

static int collect(const struct actors *actors, const char *const *names, size_t count,
		   struct cast *all, struct naohw_error *err)
{
	int ret = 0;

	*all = (struct cast){ .actuator = calloc(actors->actuators, sizeof(*all->actuator)) };
	if (!all->actuator)
		return wrong(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < count && ret == 0; i++) {
		struct cast cast;

		ret = actors_find(actors, names[i], &cast, err);
		if (ret < 0)
			break;
		ret = add_cast(all, &cast, err);
		free(cast.actuator);
	}
	if (ret < 0)
		free(all->actuator);
	return ret;
}

static struct actors_alias *new_alias(struct actors *actors, const char *name)
{
	struct actors_alias *more =
		reallocarray(actors->alias, actors->aliases + 1, sizeof(*actors->alias));

	if (!more)
		return NULL;
	actors->alias = more;
	more += actors->aliases;
	*more = (struct actors_alias){ .name = strdup(name) };
	if (!more->name)
		return NULL;
	actors->aliases++;
	return more;
}

int actors_name(struct actors *actors, const char *name, const char *const *names, size_t count,
		struct naohw_error *err)
{
	struct actors_alias *alias;
	struct cast all;
	int ret;

	if (actors_actuator(actors, name) || find_short(actors, name))
		return wrong(err, -EINVAL, "found \"%s\", expected a name that no actuator has",
			     name);
	ret = collect(actors, names, count, &all, err);
	if (ret < 0)
		return ret;
	alias = find_alias(actors, name);
	if (!alias)
		alias = new_alias(actors, name);
	if (!alias) {
		free(all.actuator);
		return wrong(err, -ENOMEM, "out of memory");
	}
	free(alias->actuator);
	alias->actuator = all.actuator;
	alias->count = all.count;
	return 0;
}

void actors_free(struct actors *actors)
{
	for (size_t i = 0; i < actors->actuators; i++)
		free(actors->actuator[i]);
	for (size_t i = 0; i < actors->aliases; i++) {
		free(actors->alias[i].name);
		free(actors->alias[i].actuator);
	}
	free(actors->actuator);
	free(actors->alias);
	*actors = (struct actors){ 0 };
}
