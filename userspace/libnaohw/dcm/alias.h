/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Names for several actuators. They are made and changed by any thread but the cycle's, one at a
 * time under a lock; the cycle's own callbacks look them up without it, and so what is in
 * an alias never changes: another one takes its place, and it goes when no cycle can see it.
 */
#ifndef NAOHW_DCM_ALIAS_H
#define NAOHW_DCM_ALIAS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "actuator.h"
#include "beat.h"

struct alias {
	char name[NAOHW_ALIAS_NAME_SIZE];
	struct alias *retired; /* the next of those whose place is another's */
	uint64_t retired_at;   /* which cycle that was */
	size_t count;
	struct actuator *actuator[];
};

struct aliases {
	pthread_mutex_t lock;
	const struct beat *beat; /* which tells the cycles */
	_Atomic(struct alias *) list[NAOHW_ALIASES_MAX]; /* NULL: this place is free */
	struct alias *retired;
};

/* @beat: of the cycle whose callbacks look them up. */
int aliases_begin(struct aliases *aliases, const struct beat *beat);
void aliases_end(struct aliases *aliases);

/* The cycle's, or under the lock; NULL: there is none. */
const struct alias *alias_find(const struct aliases *aliases, const char *name);

/* As naohw_dcm_create_alias(). */
int alias_create(struct aliases *aliases, const struct actuators *actuators, const char *name,
		 const char *const *names, size_t count, const char **answer,
		 struct naohw_error *err);

/* As naohw_dcm_remove_alias(). */
int alias_remove(struct aliases *aliases, const char *name, struct naohw_error *err);

#endif
