// SPDX-License-Identifier: LGPL-2.1-or-later
#include "alias.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"

#define NAME_CHARACTERS                                                                            \
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./"

/* A cycle that began before an alias was changed has ended when two more have. */
#define CYCLES_TO_WAIT 2

int aliases_begin(struct aliases *aliases, const struct beat *beat)
{
	aliases->beat = beat;
	return -pthread_mutex_init(&aliases->lock, NULL);
}

void aliases_end(struct aliases *aliases)
{
	for (size_t i = 0; i < NAOHW_ALIASES_MAX; i++)
		free(atomic_load(&aliases->list[i]));
	while (aliases->retired) {
		struct alias *alias = aliases->retired;

		aliases->retired = alias->retired;
		free(alias);
	}
	pthread_mutex_destroy(&aliases->lock);
}

/* Its place, or the first free one; NAOHW_ALIASES_MAX: neither. */
static size_t place_of(const struct aliases *aliases, const char *name)
{
	size_t free_one = NAOHW_ALIASES_MAX;

	for (size_t i = 0; i < NAOHW_ALIASES_MAX; i++) {
		const struct alias *alias = atomic_load(&aliases->list[i]);

		if (alias && strcmp(alias->name, name) == 0)
			return i;
		if (!alias && free_one == NAOHW_ALIASES_MAX)
			free_one = i;
	}
	return free_one;
}

const struct alias *alias_find(const struct aliases *aliases, const char *name)
{
	size_t place = place_of(aliases, name);

	return place < NAOHW_ALIASES_MAX ? atomic_load(&aliases->list[place]) : NULL;
}

/* ---- making one ---- */

static bool is_name(const char *name)
{
	size_t length = strspn(name, NAME_CHARACTERS);

	return length && length < NAOHW_ALIAS_NAME_SIZE && !name[length];
}

/* Where programs hold joints, a joint's name means its actuators. */
static bool is_joint(const struct actuators *actuators, const char *name)
{
	static const char *const parts[] = { "Position", "Speed", "Hardness" };
	char full[ACTUATOR_NAME_MAX];

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		snprintf(full, sizeof(full), "%s/%s/Actuator", name, parts[i]);
		if (actuator_find(actuators, full))
			return true;
	}
	return false;
}

static int check_name(const struct actuators *actuators, const char *name,
		      struct naohw_error *err)
{
	if (!is_name(name))
		return fail(err, -EINVAL,
			    "\"%.80s\": cannot be an alias, expected 1 to %d letters, digits, '_', "
			    "'-', '.' and '/'",
			    name, NAOHW_ALIAS_NAME_SIZE - 1);
	if (actuator_find(actuators, name))
		return fail(err, -EINVAL, "%s: cannot be an alias, an actuator is called so", name);
	if (is_joint(actuators, name))
		return fail(err, -EINVAL, "%s: cannot be an alias, a joint is called so", name);
	return 0;
}

/* What a name stands for; 0: nothing that there is. */
static size_t members_of(const struct aliases *aliases, const struct actuators *actuators,
			 const char *name, struct actuator **single,
			 struct actuator *const **members)
{
	const struct alias *other;

	*single = actuator_find(actuators, name);
	*members = single;
	if (*single)
		return 1;
	other = alias_find(aliases, name);
	if (!other)
		return 0;
	*members = other->actuator;
	return other->count;
}

static int add(struct alias *alias, size_t room, struct actuator *actuator,
	       struct naohw_error *err)
{
	for (size_t i = 0; i < alias->count; i++)
		if (alias->actuator[i] == actuator)
			return fail(err, -EINVAL, "%s: %s is in it twice", alias->name,
				    actuator->name);
	/* As none is in it twice, there are not more than there are. */
	if (alias->count < room)
		alias->actuator[alias->count++] = actuator;
	return 0;
}

static int collect(struct alias *alias, const struct aliases *aliases,
		   const struct actuators *actuators, const char *const *names, size_t count,
		   struct naohw_error *err)
{
	int ret = 0;

	for (size_t i = 0; i < count && ret == 0; i++) {
		struct actuator *single, *const *members;
		size_t found = members_of(aliases, actuators, names[i], &single, &members);

		for (size_t j = 0; j < found && ret == 0; j++)
			ret = add(alias, actuators->count, members[j], err);
	}
	if (ret == 0 && !alias->count)
		return fail(err, -ENOENT, "%s: none of its %zu actuators is there", alias->name,
			    count);
	return ret;
}

static void tell(const struct aliases *aliases, const struct actuators *actuators,
		 const char *const *names, size_t count, const char **answer)
{
	for (size_t i = 0; i < count; i++) {
		struct actuator *single, *const *members;

		answer[i] = members_of(aliases, actuators, names[i], &single, &members) ? names[i] :
											   "";
	}
}

/* Under the lock, as what follows: who counted before could have been overtaken by then. */
static void free_retired(struct aliases *aliases)
{
	struct alias **place = &aliases->retired;
	uint64_t cycle = beat_count(aliases->beat);

	while (*place) {
		struct alias *alias = *place;

		if (cycle < alias->retired_at + CYCLES_TO_WAIT) {
			place = &alias->retired;
			continue;
		}
		*place = alias->retired;
		free(alias);
	}
}

/* No cycle finds it any more that begins from now on. */
static void retire(struct aliases *aliases, struct alias *alias)
{
	alias->retired_at = beat_count(aliases->beat);
	alias->retired = aliases->retired;
	aliases->retired = alias;
}

static int put(struct aliases *aliases, struct alias *alias, struct naohw_error *err)
{
	size_t place = place_of(aliases, alias->name);
	struct alias *before;

	if (place == NAOHW_ALIASES_MAX)
		return fail(err, -ENOSPC, "%s: there are %d aliases, and no more can be made",
			    alias->name, NAOHW_ALIASES_MAX);
	before = atomic_exchange(&aliases->list[place], alias);
	if (before)
		retire(aliases, before);
	return 0;
}

static int make(struct aliases *aliases, const struct actuators *actuators, const char *name,
		const char *const *names, size_t count, struct naohw_error *err)
{
	struct alias *alias =
		calloc(1, sizeof(*alias) + actuators->count * sizeof(alias->actuator[0]));
	int ret;

	if (!alias)
		return fail(err, -ENOMEM, "out of memory");
	strcpy(alias->name, name);
	ret = collect(alias, aliases, actuators, names, count, err);
	if (ret == 0)
		ret = put(aliases, alias, err);
	if (ret < 0)
		free(alias);
	return ret;
}

int alias_create(struct aliases *aliases, const struct actuators *actuators, const char *name,
		 const char *const *names, size_t count, const char **answer,
		 struct naohw_error *err)
{
	int ret = check_name(actuators, name, err);

	if (ret < 0)
		return ret;
	pthread_mutex_lock(&aliases->lock);
	free_retired(aliases);
	ret = make(aliases, actuators, name, names, count, err);
	if (ret == 0 && answer)
		tell(aliases, actuators, names, count, answer);
	pthread_mutex_unlock(&aliases->lock);
	return ret;
}

/* ---- taking one away ---- */

static int take_away(struct aliases *aliases, const char *name, struct naohw_error *err)
{
	size_t place = place_of(aliases, name);
	struct alias *alias = place < NAOHW_ALIASES_MAX ? atomic_load(&aliases->list[place]) : NULL;

	if (!alias)
		return fail(err, -ENOENT, "%.80s: no such alias", name);
	atomic_store(&aliases->list[place], NULL);
	retire(aliases, alias);
	return 0;
}

int alias_remove(struct aliases *aliases, const char *name, struct naohw_error *err)
{
	int ret;

	pthread_mutex_lock(&aliases->lock);
	free_retired(aliases);
	ret = take_away(aliases, name, err);
	pthread_mutex_unlock(&aliases->lock);
	return ret;
}
