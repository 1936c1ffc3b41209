// SPDX-License-Identifier: GPL-2.0-or-later
#include "client.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "message.h"
#include "peer.h"
#include "requests.h"
#include "server.h"

/* Is there less in all clients' lines and answers than there may be? */
static bool is_room(const struct rpc *rpc)
{
	size_t size = 0;

	for (const struct client *client = rpc->clients; client; client = client->next)
		size += client->lines.size + client->output.end;
	return size <= CLIENTS_BYTES_MAX;
}

/* ---- what it gets ---- */

static bool tell(struct client *client, struct json_object *json)
{
	size_t length;
	const char *line = message_text(json, &length);

	if (!line || output_add(&client->output, line, length) < 0 ||
	    output_send(&client->output, client->watch.fd) < 0)
		return false;
	if (output_is_empty(&client->output) || is_room(client->rpc))
		return true;
	log_line("%s (%ld) does not read what it is answered, as others do not, and is let go",
		 client->party.program, (long)client->party.pid);
	return false;
}

void client_tell(struct client *client, struct json_object *json)
{
	if (!tell(client, json))
		client->is_gone = true;
	json_object_put(json);
}

void client_pass(struct client *client, int fd)
{
	client->output.fd = fd;
}

int client_answer_later(struct client *client, struct json_object *id, uint64_t ticket)
{
	if (client->later_count == CLIENT_LATER_MAX)
		return -EAGAIN;
	client->later[client->later_count++] = (struct later){ json_object_get(id), ticket };
	return 0;
}

/* They have come in order. Return: false: the first one has to wait. */
static bool answer_first(struct client *client)
{
	struct later *first = &client->later[0];
	struct naohw_error err;
	int ret = naohw_dcm_has_taken(client->rpc->host.dcm, first->ticket, &err);

	if (ret == -EAGAIN)
		return false;
	client_tell(client, ret < 0 ? message_error(first->id, RPC_FAILED, ret, err.message) :
				      message_result(first->id, NULL));
	json_object_put(first->id);
	memmove(first, first + 1, --client->later_count * sizeof(*first));
	return true;
}

/* ---- what it wants ---- */

int client_take(struct call *call, enum thing thing, size_t amount)
{
	struct client *client = call->client;

	if (budget_take(&call->rpc->budgets[thing], &client->spent[thing], amount))
		return 0;
	if (call->is_in_batch)
		return trouble(&call->err, -EAGAIN,
			       "in this cycle there is no more for you, and a batch does not wait");
	client->waits = true;
	client->waits_for = thing;
	client->waits_amount = amount;
	return CALL_AGAIN;
}

static void do_line(struct client *client, const char *line, size_t length)
{
	requests_do(client, line, length);
	/* As a text, which is a small part of what its objects are */
	if (client->waits)
		lines_again(&client->lines, line);
}

static bool may_go_on(const struct client *client)
{
	return !client->is_gone && !client->waits && output_is_empty(&client->output) &&
	       client->cost < CLIENT_COST_CYCLE;
}

static void do_lines(struct client *client)
{
	unsigned int begin = client->cost;
	const char *line;
	size_t length;

	while (may_go_on(client) && client->cost - begin < CLIENT_COST_TURN) {
		switch (lines_next(&client->lines, &line, &length)) {
		case LINES_NONE:
			return;
		case LINES_ONE:
			do_line(client, line, length);
			break;
		case LINES_TOO_LONG:
			client_tell(client, message_error(NULL, RPC_PARSE_ERROR, -EMSGSIZE,
							  "a line has 1 MiB at the most"));
			client->is_gone = true;
		}
	}
}

/* What had to wait for this cycle, and may have to for the next one. */
static void do_again(struct client *client)
{
	if (!client->waits)
		return;
	client->waits = !budget_has(&client->rpc->budgets[client->waits_for],
				    client->spent[client->waits_for], client->waits_amount);
	do_lines(client);
}

/* ---- its turns ---- */

/*
 * What it is waited for next; or nothing, until the next cycle. A line that it has sent already
 * waits for its next turn, which comes as there is room to write.
 */
static void wait_on(struct client *client)
{
	struct loop *loop = client->rpc->host.loop;
	int ret = 0;

	if (!output_is_empty(&client->output))
		ret = loop_watch_room(loop, &client->watch);
	else if (client->waits || client->cost >= CLIENT_COST_CYCLE)
		loop_unwatch(loop, &client->watch);
	else if (lines_are_waiting(&client->lines))
		ret = loop_watch_room(loop, &client->watch);
	else if (client->bytes < CLIENT_BYTES_CYCLE)
		ret = loop_watch(loop, &client->watch);
	else
		loop_unwatch(loop, &client->watch);
	client->is_gone |= ret < 0;
}

static void end_turn(struct client *client)
{
	lines_shrink(&client->lines);
	if (!client->is_gone)
		wait_on(client);
	if (client->is_gone)
		client_free(client);
}

/* NULL: there is none. */
static char *room_to_read(struct client *client)
{
	char *room = lines_room(&client->lines);

	if (!room || client->lines.size <= LINES_ROOM || is_room(client->rpc))
		return room;
	client_tell(client, message_error(NULL, RPC_PARSE_ERROR, -ENOBUFS,
					  "there are too many long lines at once"));
	return NULL;
}

static void read_some(struct client *client)
{
	char *room = room_to_read(client);
	ssize_t size = room ? recv(client->watch.fd, room, LINES_CHUNK, MSG_DONTWAIT) : 0;

	if (size < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (size <= 0) {
		client->is_gone = true;
		return;
	}
	client->bytes += (size_t)size;
	lines_add(&client->lines, (size_t)size);
}

static void on_turn(void *data)
{
	struct client *client = data;

	if (!output_is_empty(&client->output))
		client->is_gone |= output_send(&client->output, client->watch.fd) < 0;
	else if (!lines_are_waiting(&client->lines))
		read_some(client);
	do_lines(client);
	end_turn(client);
}

void client_cycle(struct client *client)
{
	client->cost -= client->cost < CLIENT_COST_CYCLE ? client->cost : CLIENT_COST_CYCLE;
	client->bytes = 0;
	memset(client->spent, 0, sizeof(client->spent));
	while (client->later_count && !client->is_gone && answer_first(client))
		;
	do_again(client);
	watches_cycle(client);
	events_cycle(client);
	end_turn(client);
}

/* ---- it comes and goes ---- */

struct client *client_new(struct rpc *rpc, int fd, bool may_write)
{
	struct client *client = calloc(1, sizeof(*client));

	if (!client) {
		close(fd);
		return NULL;
	}
	client->rpc = rpc;
	client->watch = (struct watch){ .fd = fd, .call = on_turn, .data = client };
	client->output.fd = -1;
	client->may_write = may_write;
	client->party.leases = rpc->host.leases;
	peer_find(fd, &client->party);
	/* Who comes anew in a cycle has no share of it, or it would have another one each time. */
	for (size_t i = 0; i < THINGS; i++)
		client->spent[i] = rpc->budgets[i].share;
	client->next = rpc->clients;
	rpc->clients = client;
	rpc->client_count++;
	wait_on(client);
	return client;
}

static void leave_list(struct client *client)
{
	struct client **place = &client->rpc->clients;

	while (*place != client)
		place = &(*place)->next;
	*place = client->next;
	client->rpc->client_count--;
}

void client_free(struct client *client)
{
	leave_list(client);
	play_leave(client->rpc->host.plays, &client->party);
	party_leave(&client->party);
	loop_unwatch(client->rpc->host.loop, &client->watch);
	close(client->watch.fd);
	for (size_t i = 0; i < client->later_count; i++)
		json_object_put(client->later[i].id);
	watches_free(client);
	lines_free(&client->lines);
	output_free(&client->output);
	free(client);
}
