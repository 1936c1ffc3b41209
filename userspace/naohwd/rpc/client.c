// SPDX-License-Identifier: GPL-2.0-or-later
#include "client.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <plain.h>

#include "message.h"
#include "methods.h"
#include "peer.h"
#include "server.h"

/* ---- what it gets ---- */

void client_tell(struct client *client, struct json_object *json)
{
	size_t length;
	const char *line = message_text(json, &length);

	if (!line || output_add(&client->output, line, length) < 0 ||
	    output_send(&client->output, client->watch.fd) < 0)
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

static struct json_object *answer_of(struct call *call, int ret)
{
	if (ret > 0 || !call->is_answered) {
		json_object_put(call->result);
		return NULL;
	}
	if (ret == 0)
		return message_result(call->id, call->result);
	json_object_put(call->result);
	text_make_plain(call->err.message);
	return message_error(call->id, call->code, ret, call->err.message);
}

static struct json_object *invalid(struct json_object *id, const char *message)
{
	return message_error(id, RPC_INVALID_REQUEST, -EINVAL, message);
}

/* How much has been done of a batch, whose answers are one line */
struct batch {
	unsigned int cost;
	size_t length;
};

/* Of a list of many keys the answer is not much shorter than a line may be. */
static int check_batch(const struct batch *batch, const struct method *method, struct call *call)
{
	if (batch->cost + method->cost <= CLIENT_COST_CYCLE && batch->length <= LINES_LONGEST / 2)
		return 0;
	return trouble(&call->err, -E2BIG, "this is too much for one batch");
}

/* Its cost, to which it may add itself, is a batch's too. As a method. */
static int do_method(const struct method *method, struct call *call, struct batch *batch)
{
	struct client *client = call->client;
	unsigned int before = client->cost;
	int ret = batch ? check_batch(batch, method, call) : 0;

	if (ret < 0)
		return ret;
	client->cost += method->cost;
	ret = method_call(method, call);
	if (batch)
		batch->cost += client->cost - before;
	return ret;
}

/* Return: its answer, or NULL. @batch: NULL: it is alone. */
static struct json_object *do_request(struct client *client, struct json_object *json,
				      struct batch *batch)
{
	struct call call = {
		.rpc = client->rpc,
		.client = client,
		.code = RPC_FAILED,
		.is_in_batch = batch,
	};
	const struct method *method;
	struct request request;
	int ret;

	if (!message_request(json, &request, &call.err))
		return invalid(request.id, call.err.message);
	call.params = request.params;
	call.id = request.id;
	call.is_answered = request.has_id;
	method = method_find(request.method);
	if (!method) {
		call.code = RPC_NO_METHOD;
		ret = trouble(&call.err, -ENOSYS, "%.80s: no such method", request.method);
		return answer_of(&call, ret);
	}
	ret = do_method(method, &call, batch);
	if (ret == CALL_AGAIN)
		client->again = json_object_get(json);
	return answer_of(&call, ret);
}

static void do_batch(struct client *client, struct json_object *json)
{
	size_t count = json_object_array_length(json), length;
	struct json_object *answers;
	struct batch batch = { 0 };

	if (count == 0 || count > MESSAGE_BATCH_MAX) {
		client_tell(client, invalid(NULL, "a batch has 1 to 64 requests"));
		return;
	}
	answers = json_object_new_array();
	for (size_t i = 0; i < count; i++) {
		struct json_object *answer =
			do_request(client, json_object_array_get_idx(json, i), &batch);

		if (!answer)
			continue;
		(void)message_text(answer, &length);
		batch.length += length;
		json_object_array_add(answers, answer);
	}
	if (json_object_array_length(answers))
		client_tell(client, answers);
	else
		json_object_put(answers);
}

static void do_alone(struct client *client, struct json_object *json)
{
	struct json_object *answer = do_request(client, json, NULL);

	if (answer)
		client_tell(client, answer);
}

static void do_line(struct client *client, const char *line, size_t length)
{
	struct json_object *json;

	client->cost++;
	if (!message_parse(line, length, &json)) {
		client_tell(client, message_error(NULL, RPC_PARSE_ERROR, -EBADMSG,
						  "this line is no JSON, or too much of it"));
		return;
	}
	if (json_object_is_type(json, json_type_array))
		do_batch(client, json);
	else
		do_alone(client, json);
	json_object_put(json);
}

static bool may_go_on(const struct client *client)
{
	return !client->is_gone && output_is_empty(&client->output) &&
	       client->cost < CLIENT_COST_CYCLE;
}

static void do_lines(struct client *client)
{
	unsigned int begin = client->cost;
	const char *line;
	size_t length;

	while (may_go_on(client) && !client->again && client->cost - begin < CLIENT_COST_TURN) {
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
	struct json_object *json = client->again;

	if (!json || !may_go_on(client))
		return;
	client->again = NULL;
	do_alone(client, json);
	json_object_put(json);
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
	else if (client->again || client->cost >= CLIENT_COST_CYCLE)
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
	if (!client->is_gone)
		wait_on(client);
	if (client->is_gone)
		client_free(client);
}

static void read_some(struct client *client)
{
	char *room = lines_room(&client->lines);
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
	json_object_put(client->again);
	watches_free(client);
	lines_free(&client->lines);
	output_free(&client->output);
	free(client);
}
