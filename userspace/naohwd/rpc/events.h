/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a client wants to be told of when it happens. An event tells how it is now, so that one for
 * which there is no room is not lost: the next one tells as much.
 */
#ifndef NAOHWD_RPC_EVENTS_H
#define NAOHWD_RPC_EVENTS_H

#include <stdbool.h>

#include <naohw.h>

struct client;

enum event { EVENT_STREAM, EVENT_LEASES, EVENT_PLAY, EVENT_DIAGNOSIS, EVENTS };

struct events {
	bool wants[EVENTS];
	bool is_told[EVENTS];	    /* how it was when it subscribed, at least */
	enum naohw_stream stream;   /* as it was told last */
	unsigned int lease_changes; /* the same */
	unsigned int play_changes;
	int64_t diagnosis_changes;
};

/* Tell what has happened. */
void events_cycle(struct client *client);

#endif
