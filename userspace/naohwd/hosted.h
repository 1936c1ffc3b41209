/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A robot that is hosted, with all that is served of it. */
#ifndef NAOHWD_HOSTED_H
#define NAOHWD_HOSTED_H

#include "base/base.h"
#include "guards.h"
#include "lease/lease.h"
#include "lola/lola.h"
#include "options.h"
#include "play/play.h"
#include "rpc/rpc.h"

struct hosted {
	struct naohw_robot *robot;
	struct naohw_dcm *dcm;
	struct guards *guards;
	struct leases *leases;
	struct plays *plays;
	struct lola *lola; /* NULL: not served */
	struct rpc *rpc;   /* the same */
	/* By the one that was closed last: */
	struct owed *owed;   /* ends of leases; NULL: none */
	uint32_t lola_moved; /* joints of LoLA's clients, see lola_moved() */
};

/*
 * Take the robot, and begin with its cycle. hosted_close() it, also if that has failed.
 * Return: 0; or as naohw_robot_open() and naohw_dcm_open().
 */
int hosted_open(struct hosted *hosted, const struct options *options, struct naohw_error *err);
/* What it owes is for the next one, if that is opened and served; owed_free() that in the end. */
void hosted_close(struct hosted *hosted);

/* Serve it. @options lives as long as that. Return: 0; or as listen_open(). */
int hosted_serve(struct hosted *hosted, const struct options *options, struct loop *loop,
		 struct naohw_error *err);

/* Let all go, with their joints as they are; what is left for the cycle is done when it returns. */
void hosted_leave(struct hosted *hosted);

/* A cycle has ended. */
void hosted_cycle(struct hosted *hosted);

#endif
