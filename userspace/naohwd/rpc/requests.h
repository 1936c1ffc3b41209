/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a line wants: a request, or a batch of them, of which each is a method's call. */
#ifndef NAOHWD_RPC_REQUESTS_H
#define NAOHWD_RPC_REQUESTS_H

#include <stdbool.h>
#include <stddef.h>

#include <json-c/json_object.h>

struct client;

/* What is done of a batch, whose answers are one line */
struct batch {
	struct json_object *requests; /* NULL: none has begun */
	struct json_object *answers;
	size_t next; /* of the requests */
	unsigned int cost;
	size_t length; /* of the answers */
};

/*
 * Do what a turn has time for of a line, as message_read() has it, and answer it when it is done.
 * Return: false: this was a part of it, which is to be called with it again in the next turn; true:
 * it is done, or has to begin anew when what the client waits for is there.
 */
bool requests_do(struct client *client, const char *line, size_t length);
/* However far it is. */
void requests_stop(struct client *client);

#endif
