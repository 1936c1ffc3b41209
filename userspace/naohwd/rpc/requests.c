// SPDX-License-Identifier: GPL-2.0-or-later
#include "requests.h"

#include <errno.h>

#include <plain.h>

#include "client.h"
#include "message.h"
#include "methods.h"

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

/* What a request in a batch costs of all clients' calls */
#define BATCH_COST 4

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
	if (!batch)
		ret = client_take(call, THING_CALLS, method->cost);
	if (ret != 0)
		return ret;
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
	return answer_of(&call, ret);
}

/* As a whole, as nothing in it waits. */
static bool may_begin(struct client *client, size_t count)
{
	struct call call = { .rpc = client->rpc, .client = client };
	size_t cost = count * BATCH_COST;

	return client_take(&call, THING_CALLS,
			   cost < CLIENT_COST_CYCLE ? cost : CLIENT_COST_CYCLE) == 0;
}

/* It may be much, of which some is freed in each of the next turns. */
static void spend(struct client *client, struct json_object *json)
{
	client->spent = json;
	message_free_some(&client->spent);
}

static void do_next(struct client *client, struct batch *batch)
{
	struct json_object *answer = do_request(
		client, json_object_array_get_idx(batch->requests, batch->next++), batch);
	size_t length;

	if (!answer)
		return;
	(void)message_text(answer, &length);
	batch->length += length;
	json_object_array_add(batch->answers, answer);
}

static bool is_over(const struct batch *batch)
{
	return batch->next == json_object_array_length(batch->requests);
}

/* To the next turn, behind a request that costs more than one that moves a joint. */
static bool go_on(struct client *client)
{
	struct batch *batch = &client->batch;
	unsigned int before;

	do {
		before = batch->cost;
		do_next(client, batch);
	} while (!is_over(batch) && batch->cost - before <= 1);
	if (!is_over(batch))
		return false;
	if (json_object_array_length(batch->answers))
		client_tell(client, batch->answers);
	else
		json_object_put(batch->answers);
	spend(client, batch->requests);
	*batch = (struct batch){ .requests = NULL };
	return true;
}

static bool do_batch(struct client *client, struct json_object *json)
{
	size_t count = json_object_array_length(json);
	bool is_good = count > 0 && count <= MESSAGE_BATCH_MAX;

	if (!is_good)
		client_tell(client, invalid(NULL, "a batch has 1 to 64 requests"));
	if (!is_good || !may_begin(client, count)) {
		spend(client, json);
		return true;
	}
	client->batch = (struct batch){ .requests = json, .answers = json_object_new_array() };
	return go_on(client);
}

static void do_alone(struct client *client, struct json_object *json)
{
	struct json_object *answer = do_request(client, json, NULL);

	if (answer)
		client_tell(client, answer);
	spend(client, json);
}

bool requests_do(struct client *client, const char *line, size_t length)
{
	struct json_object *json;
	struct naohw_error err;
	int ret;

	if (client->batch.requests)
		return go_on(client);
	ret = message_read(&client->reading, line, length, &json, &err);
	if (ret == -EAGAIN)
		return false;
	client->cost++;
	if (ret < 0)
		client_tell(client, message_error(NULL, RPC_PARSE_ERROR, ret, err.message));
	else if (json_object_is_type(json, json_type_array))
		return do_batch(client, json);
	else
		do_alone(client, json);
	return true;
}

void requests_stop(struct client *client)
{
	message_stop(&client->reading);
	json_object_put(client->batch.requests);
	json_object_put(client->batch.answers);
	json_object_put(client->spent);
}
