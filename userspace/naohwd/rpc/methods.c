// SPDX-License-Identifier: GPL-2.0-or-later
#include "methods.h"

#include <errno.h>
#include <string.h>

#include <json-c/linkhash.h>

#include "client.h"

#define READS  false
#define WRITES true

static const struct method methods[] = {
	{ "createAlias", method_create_alias, WRITES, 4, { "alias", "names" } },
	{ "describe", method_describe, READS, 1, { NULL } },
	{ "diagnose", method_diagnose, WRITES, 16, { NULL } },
	{ "flush", method_flush, READS, 1, { NULL } },
	{ "get", method_get, READS, 4, { "keys" } },
	{ "lease",
	  method_lease,
	  WRITES,
	  8,
	  { "names", "end", "seconds", "pose", "exclusive", "timeout" } },
	{ "leases", method_leases, READS, 16, { NULL } },
	{ "limp", method_limp, WRITES, 16, { NULL } },
	{ "list", method_list, READS, 16, { "pattern", "after", "limit" } },
	{ "play",
	  method_play,
	  WRITES,
	  16,
	  { "motion", "text", "page", "speed", "repeat", "head", "stiff", "stays" } },
	{ "recover", method_recover, WRITES, 16, { NULL } },
	{ "release", method_release, WRITES, 8, { "lease" } },
	{ "removeAlias", method_remove_alias, WRITES, 4, { "alias" } },
	{ "rest", method_rest, WRITES, 16, { NULL } },
	{ "revoke", method_revoke, WRITES, 8, { "lease" } },
	{ "set", method_set, WRITES, 1, { "name", "update", "base", "commands" } },
	{ "setAlias",
	  method_set_alias,
	  WRITES,
	  1,
	  { "alias", "update", "base", "commands", "times", "values" } },
	{ "setStep",
	  method_set_step,
	  WRITES,
	  1,
	  { "names", "base", "begin", "end", "goals" } },
	{ "stop", method_stop, WRITES, 1, { "halt" } },
	{ "store", method_store, READS, 1, { NULL } },
	{ "subscribe", method_subscribe, READS, 4, { "events" } },
	{ "unwatch", method_unwatch, READS, 4, { "watch" } },
	{ "wakeUp", method_wake_up, WRITES, 16, { NULL } },
	{ "watch", method_watch, READS, 4, { "keys", "period", "changes" } },
};

const struct method *method_find(const char *name)
{
	for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++)
		if (strcmp(methods[i].name, name) == 0)
			return &methods[i];
	return NULL;
}

static bool knows(const struct method *method, const char *param)
{
	for (size_t i = 0; i < METHOD_PARAMS_MAX && method->params[i]; i++)
		if (strcmp(method->params[i], param) == 0)
			return true;
	return false;
}

/* One that is misspelt would otherwise be as one that was left out. */
static int check_params(const struct method *method, struct call *call)
{
	if (!call->params)
		return 0;
	json_object_object_foreach(call->params, name, value)
	{
		(void)value;
		if (!knows(method, name))
			return call_wrong(call, "%.80s: %s has no such parameter", name,
					  method->name);
	}
	return 0;
}

int method_call(const struct method *method, struct call *call)
{
	if (method->writes && !call->client->may_write)
		return trouble(&call->err, -EACCES,
			       "%s: you may only read here; who moves the robot is in the group of "
			       "the socket",
			       method->name);
	return check_params(method, call) < 0 ? -EINVAL : method->call(call);
}
