/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON-RPC 2.0 at a DCM, a message a line, for any number of clients; Documentation/naohwd-rpc.rst
 * tells the rest.
 *
 *	lines.c     what comes, as lines
 *	message.c   a line's text and what JSON-RPC says that it is
 *	call.c      the parameters of a method
 *	array.c     of what is answered, arrays of many values
 *	output.c    what goes
 *	budget.c    how much of something clients may have in a cycle
 *	requests.c  what a line wants
 *	client.c    one client: what it may have done in a cycle
 *	server.c    who is connected
 *	methods.c   which methods there are; each is in the file of its subject:
 *	describe.c  describe, list, store
 *	values.c    get, and how a value is told
 *	watches.c   watch, unwatch
 *	events.c    subscribe
 *	leases.c    lease, release, revoke, leases
 *	plays.c     play, stop
 *	aliases.c   createAlias, removeAlias, and who has made which
 *	commands.c  set, setAlias, setStep, flush, recover, limp, rest, wakeUp, diagnose
 */
#ifndef NAOHWD_RPC_H
#define NAOHWD_RPC_H

#include <naohw.h>

#include "../base/base.h"
#include "../lease/lease.h"
#include "../play/play.h"

struct rpc;

struct rpc_settings {
	struct listen_settings listen;
	/* Who is neither root, nor of naohwd's own user, nor in the socket's group may only read. */
	bool others_only_read;
};

/* What it serves; all of it outlives it. */
struct rpc_host {
	struct loop *loop;
	struct naohw_robot *robot;
	struct naohw_dcm *dcm;
	struct leases *leases;
	struct plays *plays;
};

/*
 * Serve it at a socket. Nothing moves. @settings live as long as it does.
 * Return: 0; or as listen_open().
 */
int rpc_open(const struct rpc_host *host, const struct rpc_settings *settings, struct rpc **rpc,
	     struct naohw_error *err);

/* A cycle has ended: who has waited for it is told, and all may say more. */
void rpc_cycle(struct rpc *rpc);

/* Let all go. NULL is fine. */
void rpc_close(struct rpc *rpc);

#endif
