// SPDX-License-Identifier: GPL-2.0-or-later
#include "events.h"

#include <string.h>

#include "message.h"
#include "methods.h"
#include "plays.h"
#include "server.h"
#include "values.h"

static const char *const names[EVENTS] = {
	[EVENT_STREAM] = "stream",
	[EVENT_LEASES] = "leases",
	[EVENT_PLAY] = "play",
	[EVENT_DIAGNOSIS] = "diagnosis",
};

/* ---- what happens ---- */

/* @what: NULL: that it has is all. */
static void tell(struct client *client, enum event event, struct json_object *what)
{
	struct json_object *params = json_object_new_object();

	json_object_object_add(params, "event", json_object_new_string(names[event]));
	if (what)
		json_object_object_add(params, names[event], what);
	client->events.is_told[event] = true;
	client_tell(client, message_notification("event", params));
}

static bool may_tell(const struct client *client, enum event event)
{
	return client->events.wants[event] && !client->is_gone && output_is_empty(&client->output);
}

static void look_at_stream(struct client *client)
{
	enum naohw_stream stream = naohw_dcm_get_stream(client->rpc->host.dcm);
	struct events *events = &client->events;

	if (events->is_told[EVENT_STREAM] && events->stream == stream)
		return;
	events->stream = stream;
	tell(client, EVENT_STREAM, json_object_new_string(stream_name(stream)));
}

/* Which there are may be much, and is asked for by who wants to know. */
static void look_at_leases(struct client *client)
{
	unsigned int changes = leases_changes(client->rpc->host.leases);
	struct events *events = &client->events;

	if (events->is_told[EVENT_LEASES] && events->lease_changes == changes)
		return;
	events->lease_changes = changes;
	tell(client, EVENT_LEASES, NULL);
}

static void look_at_play(struct client *client)
{
	const struct plays *plays = client->rpc->host.plays;
	struct events *events = &client->events;

	if (events->is_told[EVENT_PLAY] && events->play_changes == plays_changes(plays))
		return;
	events->play_changes = plays_changes(plays);
	tell(client, EVENT_PLAY, play_tell(plays));
}

static bool read_key(const struct client *client, const char *name, struct naohw_value *value)
{
	const struct naohw_store *store = naohw_dcm_store(client->rpc->host.dcm);
	size_t slot;

	return naohw_store_find(store, name, &slot) == 0 && naohw_store_read(store, slot, value) == 0;
}

static void add_text(const struct client *client, struct json_object *to, const char *name,
		     const char *key)
{
	struct naohw_value value;

	if (read_key(client, key, &value))
		json_object_object_add(to, name, json_object_new_string(value.text));
}

/* There may be many errors; the keys have them. */
static void look_at_diagnosis(struct client *client)
{
	struct events *events = &client->events;
	struct json_object *what;
	struct naohw_value changes;

	if (!read_key(client, "Diagnosis/Changes", &changes) ||
	    (events->is_told[EVENT_DIAGNOSIS] && events->diagnosis_changes == changes.integer))
		return;
	events->diagnosis_changes = changes.integer;
	what = json_object_new_object();
	json_object_object_add(what, "changes", json_object_new_int64(changes.integer));
	add_text(client, what, "rest", "DCM/Rest");
	add_text(client, what, "forbidden", "DCM/WakeUpForbidden");
	tell(client, EVENT_DIAGNOSIS, what);
}

void events_cycle(struct client *client)
{
	if (may_tell(client, EVENT_DIAGNOSIS))
		look_at_diagnosis(client);
	if (may_tell(client, EVENT_STREAM))
		look_at_stream(client);
	if (may_tell(client, EVENT_LEASES))
		look_at_leases(client);
	if (may_tell(client, EVENT_PLAY))
		look_at_play(client);
}

/* ---- subscribe ---- */

static bool want(struct events *events, const char *name)
{
	for (unsigned int i = 0; i < EVENTS; i++)
		if (strcmp(names[i], name) == 0) {
			events->wants[i] = true;
			return true;
		}
	return false;
}

int method_subscribe(struct call *call)
{
	const char *wanted[EVENTS];
	struct events events = { .stream = NAOHW_STREAM_RUNNING };
	size_t count = 0;
	int ret = call_texts(call, "events", EVENTS, wanted, &count);

	if (ret < 0)
		return ret;
	for (size_t i = 0; i < count; i++)
		if (!want(&events, wanted[i]))
			return call_wrong(call, "events: %.80s: no such one", wanted[i]);
	call->client->events = events;
	return 0;
}
