/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whom commands of a DCM can be given to, by what a description says: its actuators, and aliases,
 * which are names for several of them. No robot is needed.
 */
#ifndef NAOHW_ACTORS_H
#define NAOHW_ACTORS_H

#include <stdbool.h>
#include <stddef.h>

#include <naohw.h>

/* The Preferences that make aliases: "DCM/Alias/Head" */
#define ALIAS_PREFIX "DCM/Alias/"

#define PERIOD_NAME "DCM/TargetCycleTime"

struct actors_alias {
	char *name;
	const char **actuator;
	size_t count;
};

struct actors {
	char **actuator; /* "HeadYaw/Position/Actuator", sorted */
	size_t actuators;
	struct actors_alias *alias;
	size_t aliases;
};

/* To be done when its list of actuators is whole. */
void actors_sort(struct actors *actors);

/* Some actuators, by their names in struct actors; to be freed with free(). */
struct cast {
	const char **actuator;
	size_t count;
};

/* An alias that is to be as if the description had it. */
struct actors_new {
	const char *name;
	const char *const *names; /* as for actors_name() */
	size_t count;
};

/*
 * Of a description as naohw_robot_open() takes it. @alias may be NULL. Return: 0 or a negative
 * errno: the description is not valid, or one of its aliases is not, and the message says where.
 */
int actors_load(struct actors *actors, const char *description,
		const struct actors_new *alias, struct naohw_error *err);
void actors_free(struct actors *actors);

/* By its name, with or without what may stand before and behind it; NULL: there is none. */
const char *actors_actuator(const struct actors *actors, const char *name);
bool actors_has_alias(const struct actors *actors, const char *name);
/* Is it what people alone may write: a pattern, or one that is short, "HeadYaw"? */
bool actors_is_short(const struct actors *actors, const char *name);
/* Say that a name is neither, and which is the nearest; -ENOENT. */
int actors_unknown(const struct actors *actors, const char *name, struct naohw_error *err);

/*
 * Whom a name stands for: an actuator; an alias; a pattern, for all actuators that it matches, by
 * name, and in it "*" stands for "/" too, or if it has no "/" for the positions of all joints whose
 * name it matches; or an actuator of which "/Actuator" is left out, or "/Position/Actuator".
 * Return: 0; -ENOENT for none; -ENOMEM.
 */
int actors_find(const struct actors *actors, const char *name,
		struct cast *cast, struct naohw_error *err);

/*
 * Make an alias of what these names stand for now, or give it others. Return: 0; -ENOENT as
 * actors_find(); -EINVAL one is in it twice, or an actuator has its name; -ENOMEM.
 */
int actors_name(struct actors *actors, const char *alias,
		const char *const *names, size_t count,
		struct naohw_error *err);

#endif
