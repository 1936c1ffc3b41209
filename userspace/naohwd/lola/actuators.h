/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a client wants, as commands for the DCM. */
#ifndef NAOHWD_LOLA_ACTUATORS_H
#define NAOHWD_LOLA_ACTUATORS_H

#include <naohw.h>

#include "../lease/lease.h"
#include "packet.h"

/* The actuators of a field that a robot has, which are an alias of the DCM */
struct lola_group {
	char alias[32];
	size_t count;
	unsigned char index[LOLA_VALUES]; /* of each of them, in the field */
};

struct lola_orders {
	struct naohw_dcm *dcm;
	struct lola_group group[LOLA_ACTUATORS];
	struct leases *leases; /* NULL: nobody holds anything */
	unsigned int changes; /* of these, up to which the groups are without what others hold */
	double sonar; /* the mode that was set last; below 0: none was */
};

/* Look what there is. Return: 0 or a negative errno. */
int lola_orders_begin(struct lola_orders *orders, struct naohw_dcm *dcm, struct naohw_error *err);

/* Leave alone what others hold alone. */
void lola_orders_obey(struct lola_orders *orders, struct leases *leases);

/*
 * Have done what a packet says, from the next cycle on; what it says nothing of stays as it is, and
 * what the robot lacks, or others hold, is passed over. Return: 0; or as naohw_dcm_set_separate().
 */
int lola_orders_give(struct lola_orders *orders, const struct lola_actuators *actuators,
		     struct naohw_error *err);

/* Joints that are still on their way hold where they were sent last, as stiff as they are. */
void lola_orders_hold(struct lola_orders *orders);

/* Which period the DCM is to have, in ms. */
int lola_orders_period(struct lola_orders *orders, double ms, struct naohw_error *err);

#endif
