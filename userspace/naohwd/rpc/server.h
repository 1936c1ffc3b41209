/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the clients of a server have in common. */
#ifndef NAOHWD_RPC_SERVER_H
#define NAOHWD_RPC_SERVER_H

#include "client.h"
#include "rpc.h"

struct rpc {
	struct rpc_host host;
	const struct rpc_settings *settings;
	struct watch door;
	gid_t group;  /* of the socket */
	bool is_full; /* which was told */
	struct client *clients;
	size_t client_count;
	struct naohw_snapshot *snapshot; /* of this cycle */
	size_t values_left;		 /* that may be told in it */
};

#endif
