/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a client wants, as commands for the DCM. */
#ifndef NAOHWD_LOLA_ACTUATORS_H
#define NAOHWD_LOLA_ACTUATORS_H

#include <naohw.h>

#include "../lease/lease.h"
#include "end.h"
#include "packet.h"
#include "returning.h"

/* Some of the values that a packet may have: in which each field has room for the longest one. */
#define LOLA_CHOICES (LOLA_ACTUATORS * LOLA_VALUES)

struct lola_choice {
	bool is_in[LOLA_CHOICES];
};

struct lola_orders {
	struct naohw_dcm *dcm;
	struct lola_choice there;  /* whose actuators the robot has, and no other program alone */
	struct lola_choice chosen; /* whose actuators are in the alias for packets, in order */
	struct leases *leases;	   /* NULL: nobody holds anything */
	unsigned int changes;	   /* of these, up to which what others hold is left out */
	int64_t freed_at; /* ms of the DCM's time, when a joint is there again; 0: none is to be */
	struct lola_returning returning;
	struct lola_ending ending;
	struct lola_actuators waiting; /* what has been said and is not given yet */
	bool is_waiting;
	unsigned int may_give; /* packets, before there is another cycle */
	double sonar;	       /* the mode that was set last; below 0: none was by this client */
};

/* Look what there is. Return: 0 or a negative errno. */
int lola_orders_begin(struct lola_orders *orders, struct naohw_dcm *dcm, struct naohw_error *err);

/* As lola_obey() */
void lola_orders_obey(struct lola_orders *orders, struct leases *leases,
		      const struct lola_end *end);

/*
 * Have done what a packet says, all of it in one cycle, the next; what it says nothing of stays as
 * it is, and what the robot lacks, or others hold, is passed over. What another program has held
 * alone is passed over until it has come to the end that this program's lease has, and then goes
 * where packets say with 1 rad/s at most, until it is there. Of more packets than one a cycle
 * some wait, and are one by then. Return: 0; or as naohw_dcm_create_alias() and
 * naohw_dcm_set_separate().
 */
int lola_orders_give(struct lola_orders *orders, const struct lola_actuators *actuators,
		     struct naohw_error *err);

/* A cycle has ended, whether a client is there or not. */
void lola_orders_look(struct lola_orders *orders);

/* A cycle has ended: what waits is given, and joints return. Return: as lola_orders_give(). */
int lola_orders_cycle(struct lola_orders *orders, struct naohw_error *err);

/*
 * The client has gone: joints that are still on their way by it hold where they were sent last, as
 * stiff as they are, and the sonar is off if it had it on.
 */
void lola_orders_end(struct lola_orders *orders);

/* Should joints be brought to their end now, unless a packet has come? And do so. */
bool lola_orders_are_over(const struct lola_orders *orders);
void lola_orders_finish(struct lola_orders *orders);
/* As lola_moved() and lola_have_moved() */
uint32_t lola_orders_moved(const struct lola_orders *orders);
void lola_orders_have_moved(struct lola_orders *orders, uint32_t joints);
/* Is the last packet so long ago that nobody waits for another one of its client's? */
bool lola_orders_are_silent(const struct lola_orders *orders);

#endif
