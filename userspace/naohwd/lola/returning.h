/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Joints that come back from a program that held them alone: they go slowly from where that has
 * left them to where the client's packets say, until they meet these.
 */
#ifndef NAOHWD_LOLA_RETURNING_H
#define NAOHWD_LOLA_RETURNING_H

#include <stdbool.h>
#include <stddef.h>

#include <naohw.h>

#include "packet.h"

/* All 0 but for what lola_returning_begin() fills: none returns. */
struct lola_returning {
	struct naohw_dcm *dcm;
	size_t goal[LOLA_JOINTS];     /* slots of where joints are sent, in the store, */
	size_t hardness[LOLA_JOINTS]; /* and of how stiff, */
	size_t guard[LOLA_JOINTS];    /* and of why one does less than it is told */
	bool is_back[LOLA_JOINTS];    /* it has come back, and has not met the packets yet */
	bool is_asked[LOLA_JOINTS];   /* a packet has said where it is to be: */
	double to[LOLA_JOINTS];	      /* rad; and the way there has come */
	double at[LOLA_JOINTS];	      /* up to here; NAN: it has not begun */
	double seen[LOLA_JOINTS];     /* the goal in the store; NAN: not looked at yet */
	int64_t changed[LOLA_JOINTS]; /* ms of the DCM's time, when that did */
	int64_t stepped;	      /* the same, of the last steps */
};

void lola_returning_begin(struct lola_returning *returning, struct naohw_dcm *dcm);

/* A packet says where a joint is to be that is back. */
void lola_returning_ask(struct lola_returning *returning, unsigned int joint, double to);

/* Nothing more is to be done of what packets have said. */
void lola_returning_stop(struct lola_returning *returning);

/* rad, by when in ms of the DCM's time: a cycle has ended, and joints are to go on by so much. */
struct lola_steps {
	bool is_in[LOLA_JOINTS];
	double to[LOLA_JOINTS];
	int64_t time;
};

/*
 * The next steps of all that are back and asked for. The last step of a joint ends it, and so does
 * one behind which it goes no further: packets have it from then on. Return: how many.
 */
size_t lola_returning_steps(struct lola_returning *returning, struct lola_steps *steps);

#endif
