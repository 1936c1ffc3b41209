/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How much of all hardness the battery can bear. */
#ifndef NAOHW_DCM_BATTERY_H
#define NAOHW_DCM_BATTERY_H

#include <stdbool.h>
#include <stddef.h>

#include <naohw.h>

#include "../robot/robot.h"

struct battery {
	bool has_limit;
	size_t slot;  /* of its current, in A, which is below 0 while it is drawn from */
	double limit; /* A, above 0 */
	double part;  /* of all hardness, 0 to 1 */
};

/* Where the current is in the store, and what its Max says; without either there is no limit. */
void battery_find(struct battery *battery, const struct naohw_robot *robot,
		  const struct naohw_store *store);

/* @ms later: what is drawn too much lowers it slowly, and otherwise it comes back. */
void battery_look(struct battery *battery, const struct naohw_store *store, double ms);

#endif
