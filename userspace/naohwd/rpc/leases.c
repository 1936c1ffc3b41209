// SPDX-License-Identifier: GPL-2.0-or-later
/* Who holds what. */
#include <errno.h>
#include <stdlib.h>

#include <json-c/linkhash.h>

#include "leases.h"
#include "methods.h"
#include "server.h"
#include "values.h"

#define JOINTS_MAX 256

static const char *const ends[] = {
	[LEASE_HOLD] = "hold",
	[LEASE_SOFTEN] = "soften",
	[LEASE_REST] = "rest",
	[LEASE_FREE] = "free",
	NULL,
};

/* ---- lease ---- */

struct pose {
	size_t count;
	const char *joints[JOINTS_MAX];
	double angles[JOINTS_MAX];
};

static int read_pose(struct call *call, struct pose *pose)
{
	struct json_object *json;

	pose->count = 0;
	(void)call_any(call, "pose", false, &json);
	if (!json)
		return 0;
	if (!json_object_is_type(json, json_type_object) || json_object_object_length(json) < 1 ||
	    json_object_object_length(json) > JOINTS_MAX)
		return call_wrong(call, "pose: expected an object of 1 to %d joints", JOINTS_MAX);
	json_object_object_foreach(json, joint, angle)
	{
		if (!number_of(angle, &pose->angles[pose->count]))
			return call_wrong(call, "pose: expected a number for %.80s", joint);
		pose->joints[pose->count++] = joint;
	}
	return 0;
}

static int read_wish(struct call *call, struct lease_wish *wish, struct pose *pose)
{
	unsigned int end = LEASE_SOFTEN;
	int ret = call_choice(call, "end", ends, &end);

	wish->end = end;
	if (ret == 0)
		ret = call_number(call, "seconds", 0, LEASE_SECONDS_MAX, &wish->seconds);
	if (ret == 0)
		ret = call_flag(call, "exclusive", &wish->is_exclusive);
	if (ret == 0)
		ret = call_number(call, "timeout", LEASE_TIMEOUT_MIN, LEASE_TIMEOUT_MAX,
				  &wish->timeout);
	if (ret == 0)
		ret = read_pose(call, pose);
	wish->joints = pose->joints;
	wish->angles = pose->angles;
	wish->joint_count = pose->count;
	if (ret == 0 && (end == LEASE_REST) != (pose->count != 0))
		return call_wrong(call, "pose: is for \"rest\", which needs it");
	return ret;
}

/*
 * What its end will leave for the cycle, at the most: it comes when there is nobody any more whom
 * it could be asked of.
 */
static size_t work_of_end(struct call *call, const struct lease_wish *wish)
{
	return lease_count(call->rpc->host.leases, wish->names, wish->count) *
	       (RPC_WORK_OF_ACTUATOR + LEASE_END_COMMANDS);
}

int method_lease(struct call *call)
{
	const char *names[CALL_NAMES_MAX];
	struct pose pose;
	struct lease_wish wish = { .names = names, .seconds = LEASE_SECONDS, .is_exclusive = true };
	unsigned int id;
	int ret = call_texts(call, "names", CALL_NAMES_MAX, names, &wish.count);

	if (ret == 0)
		ret = read_wish(call, &wish, &pose);
	if (ret == 0)
		ret = client_take(call, THING_WORK, work_of_end(call, &wish));
	if (ret == 0)
		ret = lease_take(&call->client->party, &wish, &id, &call->err);
	if (ret != 0)
		return ret;
	call->result = json_object_new_object();
	json_object_object_add(call->result, "lease", json_object_new_int64(id));
	return 0;
}

static int read_lease(struct call *call, unsigned int *lease)
{
	int64_t id = 0;
	int ret = call_whole(call, "lease", true, 0, UINT32_MAX, &id);

	*lease = (unsigned int)id;
	return ret;
}

int method_release(struct call *call)
{
	unsigned int id;
	int ret = read_lease(call, &id);

	return ret < 0 ? ret : lease_release(&call->client->party, id, &call->err);
}

/* A play without its lease would go on moving the joints. */
int method_revoke(struct call *call)
{
	struct plays *plays = call->rpc->host.plays;
	unsigned int id;
	int ret = read_lease(call, &id);

	if (ret < 0)
		return ret;
	if (play_holds(plays, id))
		return play_stop(plays, true, &call->err);
	return lease_revoke(call->rpc->host.leases, id, &call->client->party, &call->err);
}

/* ---- leases ---- */

static struct json_object *new_names(const struct leasehold *lease)
{
	struct json_object *names = json_object_new_array();

	for (size_t i = 0; i < lease->count; i++)
		json_object_array_add(names, value_text(lease_actuator(lease, i)));
	return names;
}

static struct json_object *new_lease(const struct leasehold *lease)
{
	const struct party *party = lease->party;
	struct json_object *json = json_object_new_object();

	json_object_object_add(json, "lease", json_object_new_int64(lease->id));
	json_object_object_add(json, "name", value_text(party->program));
	json_object_object_add(json, "pid", json_object_new_int64(party->pid));
	json_object_object_add(json, "uid", json_object_new_int64(party->uid));
	json_object_object_add(json, "names", new_names(lease));
	json_object_object_add(json, "end", json_object_new_string(ends[lease->end]));
	json_object_object_add(json, "exclusive", json_object_new_boolean(lease->is_exclusive));
	json_object_object_add(json, "timeout",
			       lease->timeout > 0 ? json_object_new_double(lease->timeout) : NULL);
	return json;
}

struct json_object *leases_tell(const struct leases *leases)
{
	struct json_object *list = json_object_new_array();
	const struct leasehold *lease = leases_first(leases);

	for (; lease; lease = lease->next)
		json_object_array_add(list, new_lease(lease));
	return list;
}

static size_t count_names(const struct leases *leases)
{
	size_t count = 0;

	for (const struct leasehold *lease = leases_first(leases); lease; lease = lease->next)
		count += lease->count;
	return count;
}

int method_leases(struct call *call)
{
	int ret = client_take(call, THING_KEYS, count_names(call->rpc->host.leases));

	if (ret != 0)
		return ret;
	call->result = json_object_new_object();
	json_object_object_add(call->result, "leases", leases_tell(call->rpc->host.leases));
	return 0;
}
