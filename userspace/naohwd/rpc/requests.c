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

static void do_batch(struct client *client, struct json_object *json)
{
	size_t count = json_object_array_length(json), length;
	struct json_object *answers;
	struct batch batch = { 0 };

	if (count == 0 || count > MESSAGE_BATCH_MAX) {
		client_tell(client, invalid(NULL, "a batch has 1 to 64 requests"));
		return;
	}
	if (!may_begin(client, count))
		return;
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

void requests_do(struct client *client, const char *line, size_t length)
{
	struct json_object *json;

	client->cost++;
	if (!message_parse(line, length, &json)) {
		client_tell(client, message_error(NULL, RPC_PARSE_ERROR, -EBADMSG,
						  "this line is no JSON, has too much in it, or half of "
						  "a surrogate pair"));
		return;
	}
	if (json_object_is_type(json, json_type_array))
		do_batch(client, json);
	else
		do_alone(client, json);
	json_object_put(json);
}
