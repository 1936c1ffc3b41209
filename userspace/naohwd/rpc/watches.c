// SPDX-License-Identifier: GPL-2.0-or-later
#include "watches.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "message.h"
#include "methods.h"
#include "server.h"
#include "values.h"

/* ms; an hour */
#define PERIOD_MAX 3600000

/* ---- telling ---- */

static bool is_same(const struct naohw_value *a, const struct naohw_value *b)
{
	return a->state == b->state && a->integer == b->integer &&
	       (a->number == b->number || (isnan(a->number) && isnan(b->number))) &&
	       strcmp(a->text, b->text) == 0;
}

/* Nothing has been told yet, or this is something else. */
static bool is_to_be_told(const struct values_watch *watch, size_t index,
			  const struct naohw_value *value)
{
	return !watch->changes || !watch->sequence || !is_same(&watch->told[index], value);
}

/* By the first in a cycle. One that cannot be taken is the one of a cycle before. */
static void take_snapshot(struct rpc *rpc)
{
	if (!rpc->is_taken)
		(void)naohw_snapshot_take(rpc->snapshot);
	rpc->is_taken = true;
}

static void add_values(const struct rpc *rpc, struct values_watch *watch,
		       struct json_object *values)
{
	const struct naohw_store *store = naohw_dcm_store(rpc->host.dcm);

	for (size_t i = 0; i < watch->count; i++) {
		struct naohw_value value;

		if (naohw_snapshot_get(rpc->snapshot, watch->slots[i], &value) < 0 ||
		    !is_to_be_told(watch, i, &value))
			continue;
		watch->told[i] = value;
		value_add(values, naohw_store_name(store, watch->slots[i]), &value);
	}
}

static void tell(struct client *client, struct values_watch *watch)
{
	struct json_object *values = array_new(), *params;

	if (!values) {
		watch->missed++;
		return;
	}
	add_values(client->rpc, watch, values);
	if (array_is_empty(values)) {
		json_object_put(values);
		return;
	}
	params = json_object_new_object();
	json_object_object_add(params, "watch", json_object_new_int64(watch->id));
	json_object_object_add(params, "sequence", json_object_new_uint64(++watch->sequence));
	json_object_object_add(params, "missed", json_object_new_uint64(watch->missed));
	json_object_object_add(params, "values", values);
	watch->missed = 0;
	client_tell(client, message_notification("values", params));
}

/* After a pause it is not made up for. */
static bool becomes_due(struct values_watch *watch, int64_t now)
{
	if (now < watch->due)
		return false;
	watch->due += watch->period;
	if (watch->due <= now)
		watch->due = now + watch->period;
	return true;
}

/* Else it misses this one, as it does where it has not been told the one before. */
static bool may_be_told(struct client *client, const struct values_watch *watch)
{
	return !watch->is_due && output_is_empty(&client->output) &&
	       budget_take(&client->rpc->budgets[THING_TOLD], &client->portions[THING_TOLD],
			   watch->count);
}

void watches_cycle(struct client *client)
{
	int64_t now = naohw_dcm_get_time(client->rpc->host.dcm, 0);

	for (struct values_watch *watch = client->watches; watch; watch = watch->next) {
		if (!becomes_due(watch, now))
			continue;
		if (may_be_told(client, watch))
			watch->is_due = true;
		else
			watch->missed++;
	}
}

static struct values_watch *next_due(const struct client *client)
{
	struct values_watch *watch = client->watches;

	while (watch && !watch->is_due)
		watch = watch->next;
	return watch;
}

bool watches_are_due(const struct client *client)
{
	return next_due(client);
}

void watches_tell_one(struct client *client)
{
	struct values_watch *watch = next_due(client);

	watch->is_due = false;
	take_snapshot(client->rpc);
	tell(client, watch);
}

/* ---- watch ---- */

static void watch_free(struct values_watch *watch)
{
	free(watch->slots);
	free(watch->told);
	free(watch);
}

void watches_free(struct client *client)
{
	while (client->watches) {
		struct values_watch *watch = client->watches;

		client->watches = watch->next;
		watch_free(watch);
	}
}

static int check_room(struct call *call, size_t keys)
{
	size_t watches = 1;

	for (struct values_watch *watch = call->client->watches; watch; watch = watch->next) {
		watches++;
		keys += watch->count;
	}
	if (watches <= WATCHES_MAX && keys <= WATCHES_KEYS_MAX)
		return 0;
	return trouble(&call->err, -ENOSPC, "more than %d watches, or %d keys in them", WATCHES_MAX,
		       WATCHES_KEYS_MAX);
}

/* @slots is its own then, whatever comes of it. */
static struct values_watch *new_watch(size_t *slots, size_t count)
{
	struct values_watch *watch = calloc(1, sizeof(*watch));
	struct naohw_value *told = calloc(count, sizeof(*told));

	if (!watch || !told) {
		free(slots);
		free(told);
		free(watch);
		return NULL;
	}
	watch->slots = slots;
	watch->count = count;
	watch->told = told;
	return watch;
}

static int add_watch(struct call *call, int64_t period, bool changes)
{
	struct client *client = call->client;
	struct values_watch *watch;
	size_t *slots, count;
	int ret = values_find(call, &slots, &count);

	if (ret == 0) {
		ret = check_room(call, count);
		if (ret < 0)
			free(slots);
	}
	if (ret != 0)
		return ret;
	watch = new_watch(slots, count);
	if (!watch)
		return trouble(&call->err, -ENOMEM, "out of memory");
	watch->id = ++client->last_watch;
	watch->period = period;
	watch->changes = changes;
	watch->next = client->watches;
	client->watches = watch;
	call->result = json_object_new_object();
	json_object_object_add(call->result, "watch", json_object_new_int64(watch->id));
	return 0;
}

int method_watch(struct call *call)
{
	int64_t period = 0;
	bool changes = false;
	int ret = call_whole(call, "period", false, 0, PERIOD_MAX, &period);

	if (ret == 0)
		ret = call_flag(call, "changes", &changes);
	return ret < 0 ? ret : add_watch(call, period, changes);
}

int method_unwatch(struct call *call)
{
	struct values_watch **place = &call->client->watches, *watch;
	int64_t id = 0;
	int ret = call_whole(call, "watch", true, 0, CALL_WHOLE_MAX, &id);

	if (ret < 0)
		return ret;
	while (*place && (*place)->id != id)
		place = &(*place)->next;
	watch = *place;
	if (!watch)
		return trouble(&call->err, -ENOENT, "watch %lld: you have no such one",
			       (long long)id);
	*place = watch->next;
	watch_free(watch);
	return 0;
}
