/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A client. What it may have done is bounded in each cycle, and it is not read from as long as it
 * does not read what it was answered: so an answer and a line are all that waits of it, and others
 * have their turns.
 */
#ifndef NAOHWD_RPC_CLIENT_H
#define NAOHWD_RPC_CLIENT_H

#include "budget.h"
#include "call.h"
#include "events.h"
#include "lines.h"
#include "message.h"
#include "output.h"
#include "requests.h"
#include "rpc.h"
#include "watches.h"

/*
 * A turn's, after which it is others' turn, and a cycle's. The methods' costs are counted in the
 * same unit; what is begun is done, and what of it is beyond a cycle's is of the next ones'.
 */
#define CLIENT_COST_TURN   8
#define CLIENT_COST_CYCLE  64
#define CLIENT_BYTES_CYCLE (4 * LINES_CHUNK)
/* Of lines that have come in part, and of answers that have not gone, of all clients */
#define CLIENTS_BYTES_MAX (16 * 1024 * 1024)
/* So many names of a new alias cost 1, each of which is looked for among all. */
#define CLIENT_NAMES_OF_COST 16
/*
 * Descriptors of the store that one is given: what is sent and not read counts as an open file of
 * naohwd's user, for all clients together (unread.h).
 */
#define CLIENT_STORES_MAX 2
/* Calls whose answers come later */
#define CLIENT_LATER_MAX 16

/* Of what clients have a budget */
enum thing {
	THING_LINES, /* by what it is to read them */
	THING_CALLS, /* by their costs */
	THING_TOLD,  /* values, by watches */
	THING_KEYS,  /* that calls look up */
	THING_WORK,  /* that calls leave for the DCM's cycle */
	THINGS,
};

/* A flush that waits for the cycle */
struct later {
	struct json_object *id;
	uint64_t ticket;
};

struct client {
	struct rpc *rpc;
	struct client *next;
	struct watch watch;
	struct watch life; /* of its process; its fd is below 0 where that is not known */
	bool is_gone;	   /* and is freed when nobody is at it any more */
	bool says_no_more; /* has closed its own direction, and may still read */
	bool may_write;
	struct loop *loop; /* in which it has its turns */
	struct party party;
	unsigned int number; /* the DCM's party, from 1 on; 0 is all that is not a client's */
	unsigned int cost;   /* of this cycle, and what is left of those before */
	size_t bytes;	     /* in this cycle */
	struct lines lines;
	/* Of its next line: how far it is, and what it has taken, which may wait for more */
	struct reading reading;
	struct batch batch;
	size_t taken[THINGS];
	struct json_object *spent; /* the line before, which is done and not freed yet; or NULL */
	struct portion portions[THINGS];
	bool waits; /* its next line does, for so much of this: */
	enum thing waits_for;
	size_t waits_amount;
	struct output output;
	struct later later[CLIENT_LATER_MAX];
	size_t later_count;
	struct values_watch *watches;
	int64_t last_watch;  /* its id */
	unsigned int stores; /* descriptors that it was given */
	struct events events;
};

/* The descriptor is its own from now on. Return: NULL: out of memory, and it is closed. */
struct client *client_new(struct rpc *rpc, int fd, bool may_write);
/* Its connection ends. */
void client_free(struct client *client);

/*
 * A cycle has ended: first for all, then for those that have waited for it and now have what they
 * wait for, and then for all it is told what it waits for. @siblings: clients that its
 * share is divided among, itself among them.
 */
void client_begin(struct client *client, size_t siblings);
bool client_may_resume(const struct client *client);
void client_resume(struct client *client);
void client_cycle(struct client *client);

/* A line for it; one that cannot be kept ends the connection. @json is taken over. */
void client_tell(struct client *client, struct json_object *json);
/*
 * A call takes so much. Return: 0; CALL_AGAIN: it waits until there may be so much; in a batch,
 * which does not wait: -EAGAIN, with the call's error.
 */
int client_take(struct call *call, enum thing thing, size_t amount);

/* The next line has a descriptor with it. */
void client_pass(struct client *client, int fd);

/* An answer that comes when the cycle has taken what was set. Return: 0 or -EAGAIN. */
int client_answer_later(struct client *client, struct json_object *id, uint64_t ticket);

#endif
