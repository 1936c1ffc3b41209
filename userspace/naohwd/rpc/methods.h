/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which methods there are. */
#ifndef NAOHWD_RPC_METHODS_H
#define NAOHWD_RPC_METHODS_H

#include "call.h"

#define METHOD_PARAMS_MAX 8

struct method {
	const char *name;
	/* Return: 0; CALL_LATER; CALL_AGAIN; or a negative errno, with the call's error. */
	int (*call)(struct call *call);
	bool writes;	   /* is not for those who may only read */
	unsigned int cost; /* how much it is, at least, of what a client may have done in a cycle */
	const char *params[METHOD_PARAMS_MAX]; /* which it knows */
};

/* NULL: there is none. */
const struct method *method_find(const char *name);

/* Have it done, if it may be. As a method. */
int method_call(const struct method *method, struct call *call);

/* ---- of each subject ---- */

int method_describe(struct call *call);
int method_list(struct call *call);
int method_store(struct call *call);

int method_get(struct call *call);
int method_watch(struct call *call);
int method_unwatch(struct call *call);

int method_subscribe(struct call *call);

int method_lease(struct call *call);
int method_release(struct call *call);
int method_revoke(struct call *call);
int method_leases(struct call *call);

int method_set(struct call *call);
int method_set_alias(struct call *call);
int method_set_step(struct call *call);
int method_create_alias(struct call *call);
int method_remove_alias(struct call *call);
int method_flush(struct call *call);
int method_recover(struct call *call);
int method_limp(struct call *call);
int method_rest(struct call *call);
int method_wake_up(struct call *call);
int method_diagnose(struct call *call);

int method_play(struct call *call);
int method_stop(struct call *call);

#endif
