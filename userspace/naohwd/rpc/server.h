/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the clients of a server have in common. */
#ifndef NAOHWD_RPC_SERVER_H
#define NAOHWD_RPC_SERVER_H

#include "aliases.h"
#include "client.h"
#include "rpc.h"
#include "unread.h"

/*
 * What a call leaves for the cycle, as the DCM counts it (libnaohw/dcm/mailbox.h): 1 a command, and
 * more an actuator. Of what a cycle takes half is for all clients, and what they may have waiting is
 * a small part of what the DCM keeps: so LoLA, plays and leases always have room, and in time. One
 * call is done in one cycle, which is not to become much longer by it.
 */
#define RPC_WORK_OF_ACTUATOR 8
#define RPC_WORK_CYCLE	     2048
#define RPC_WORK_CALL_MAX    (2 * RPC_WORK_CYCLE)
/* Of what lines are to read (message.h) in a cycle, a few milliseconds of the clients' thread */
#define RPC_LINES_CYCLE (256 * 1024)
/* Of all methods' costs in a cycle, some milliseconds of the clients' thread */
#define RPC_CALLS_CYCLE 512

struct rpc {
	struct rpc_host host;
	const struct rpc_settings *settings;
	struct watch door;
	gid_t group;	    /* of the socket */
	struct often full; /* that nobody more can come in */
	struct often often;
	/*
	 * Of clients that may only read. All together they have the turns of one client in the host's
	 * loop, and one program's share of a cycle: who moves the robot does not wait for them.
	 */
	struct loop *readers;
	struct watch readers_turn;
	struct client *clients;
	size_t client_count;
	struct unread unread;		 /* each in the place of a client */
	struct naohw_snapshot *snapshot; /* of this cycle, if it is taken */
	bool is_taken;
	struct budget budgets[THINGS];
	struct aliases_made aliases;
};

#endif
