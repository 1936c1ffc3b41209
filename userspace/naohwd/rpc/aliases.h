/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which aliases clients have made. All programs have the same ones, and they stay when their maker
 * goes; but the DCM has room for some only, which is neither one program's nor of the dead.
 */
#ifndef NAOHWD_RPC_ALIASES_H
#define NAOHWD_RPC_ALIASES_H

#include <stddef.h>

#include "call.h"

/* Of one program */
#define ALIASES_PROGRAM_MAX 128

struct alias_made {
	char name[NAOHW_ALIAS_NAME_SIZE];
	const struct client *maker; /* any of its program; NULL: has gone */
};

/* The oldest first; one that is made anew is new. */
struct aliases_made {
	struct alias_made list[NAOHW_ALIASES_MAX];
	size_t count;
};

/*
 * It is none of the server's clients any more. Its aliases are another one's of its program, or else
 * nobody's, and the first to give way.
 */
void aliases_leave(struct rpc *rpc, const struct client *client);

#endif
