/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values that a client is told again and again. One that does not read misses some, each as a
 * whole; and how many values are told in a cycle is bounded for all clients together.
 */
#ifndef NAOHWD_RPC_WATCHES_H
#define NAOHWD_RPC_WATCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <naohw.h>

struct client;

/* Of one client, and of all of them in one cycle */
#define WATCHES_MAX	   16
#define WATCHES_KEYS_MAX   2048
#define WATCHES_KEYS_CYCLE 2048

struct values_watch {
	struct values_watch *next;
	int64_t id;
	int64_t period;	   /* ms; 0: each cycle */
	int64_t due;	   /* ms of the DCM's time */
	bool is_due;	   /* and is told in one of the client's next turns */
	bool changes;	   /* alone are told */
	uint64_t sequence; /* of what was told last */
	uint64_t missed;   /* since then */
	size_t count;
	size_t *slots;
	struct naohw_value *told; /* of each, in the last of its notifications */
};

/* A cycle has ended, by which watches are due, or miss one. */
void watches_cycle(struct client *client);
bool watches_are_due(const struct client *client);
/* One of those that are, of the server's snapshot. */
void watches_tell_one(struct client *client);
void watches_free(struct client *client);

#endif
