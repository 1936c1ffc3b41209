/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What becomes of joints of which no client says anything any more. */
#ifndef NAOHWD_LOLA_END_H
#define NAOHWD_LOLA_END_H

#include "lola.h"
#include "packet.h"

/* ms without a packet after which nobody is there: a program that is started anew has come again */
#define LOLA_GRACE 1000

/* All 0: nobody has said anything. */
struct lola_ending {
	struct leases *leases; /* NULL: all hold, whatever becomes of clients */
	struct lola_end end;
	bool is_moved[LOLA_JOINTS]; /* those that clients have said something of */
	uint64_t uses[LOLA_JOINTS]; /* of joints by other programs, by when that was of each */
	bool is_heard;		    /* who is there has said anything */
	int64_t heard;		    /* ms of the DCM's time, when anything was said last */
	bool is_ended;		    /* they have been brought to an end, */
	int64_t soft;		    /* to which they have come by this time */
};

/* A client says something at @now; before that is done. */
void lola_ending_heard(struct lola_ending *ending, int64_t now);

/* It has gone, which is nothing where it has only read. */
void lola_ending_gone(struct lola_ending *ending, int64_t now);

/* The robot rests, and what clients have said of joints is as if they had not. */
void lola_ending_forget(struct lola_ending *ending);

/* It has been done, of these joints. */
void lola_ending_moved(struct lola_ending *ending, const bool joint[LOLA_JOINTS]);

/* Has a client said something of this actuator of a joint, and no other program since? */
bool lola_ending_has(const struct lola_ending *ending, unsigned int joint, const char *actuator);

/* Is it as if nobody were there? */
bool lola_ending_is_silent(const struct lola_ending *ending, int64_t now);

/* Is it time for the end? */
bool lola_ending_is_due(const struct lola_ending *ending, int64_t now);

/* Bring them to it. */
void lola_ending_come(struct lola_ending *ending, int64_t now);

/* As lola_moved(), and lola_have_moved() for one in which nothing was moved yet. */
uint32_t lola_ending_owed(const struct lola_ending *ending, int64_t now);
void lola_ending_owe(struct lola_ending *ending, uint32_t joints, int64_t now);

#endif
