// SPDX-License-Identifier: GPL-2.0-or-later
#include "events.h"

#include <string.h>

#include "message.h"
#include "methods.h"
#include "server.h"
#include "values.h"

static const char *const names[EVENTS] = {
	[EVENT_STREAM] = "stream",
	[EVENT_LEASES] = "leases",
	[EVENT_PLAY] = "play",
};

/* ---- what happens ---- */

static void tell(struct client *client, enum event event, const char *what)
{
	struct json_object *params = json_object_new_object();

	json_object_object_add(params, "event", json_object_new_string(names[event]));
	if (what)
		json_object_object_add(params, names[event], json_object_new_string(what));
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
	tell(client, EVENT_STREAM, stream_name(stream));
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

void events_cycle(struct client *client)
{
	if (may_tell(client, EVENT_STREAM))
		look_at_stream(client);
	if (may_tell(client, EVENT_LEASES))
		look_at_leases(client);
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
