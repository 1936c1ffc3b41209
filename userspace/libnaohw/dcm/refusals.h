/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Lists that had no room beside those of their actuators. The cycle finds that out when who has set
 * them has long gone on, so it is kept until that one asks, and told to nobody else.
 */
#ifndef NAOHW_DCM_REFUSALS_H
#define NAOHW_DCM_REFUSALS_H

#include <naohw.h>

#include <stdatomic.h>

struct actuator;

struct refusals {
	atomic_uint count; /* that there have ever been */
	/* Of each party the last one's actuator, until it has been told; NULL: there is none. */
	_Atomic(const struct actuator *) last[NAOHW_DCM_PARTIES_MAX];
};

/* The cycle's. */
void refusals_note(struct refusals *refusals, unsigned int party, const struct actuator *actuator);

/* Any thread: whose actuator had no room for a list of this party, once; or NULL. */
const struct actuator *refusals_take(struct refusals *refusals, unsigned int party);

#endif
