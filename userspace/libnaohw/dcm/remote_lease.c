// SPDX-License-Identifier: LGPL-2.1-or-later
/* What a program holds of a naohwd's robot, and takes again when that was begun anew. */
#include <errno.h>
#include <math.h>

#include "../base/base.h"
#include "remote.h"

#define NOT_HELD (-1)

static struct json_object *new_pose(const struct dcm_lease *wish)
{
	struct json_object *pose = json_object_new_object();

	for (size_t i = 0; i < wish->joint_count; i++)
		json_object_object_add(pose, wish->joints[i],
				       json_object_new_double(wish->angles[i]));
	return pose;
}

static struct json_object *new_params(const struct dcm_lease *wish)
{
	struct json_object *params = json_object_new_object(), *list = json_object_new_array();

	for (size_t i = 0; i < wish->count; i++)
		json_object_array_add(list, json_object_new_string(wish->names[i]));
	json_object_object_add(params, "names", list);
	json_object_object_add(params, "end", json_object_new_string(wish->end));
	json_object_object_add(params, "seconds", json_object_new_double(wish->seconds));
	if (wish->joint_count)
		json_object_object_add(params, "pose", new_pose(wish));
	return params;
}

/* What JSON cannot say: the daemon would not see what it was. */
static int check_wish(const struct dcm_lease *wish, struct naohw_error *err)
{
	if (!wish->end || !isfinite(wish->seconds))
		return fail(err, -EINVAL, "a lease ends in no such way");
	for (size_t i = 0; i < wish->joint_count; i++)
		if (!isfinite(wish->angles[i]))
			return fail(err, -EINVAL, "%.80s: its angle is no finite number",
				    wish->joints[i]);
	return 0;
}

static int take_number(struct json_object *result, int64_t *number, struct naohw_error *err)
{
	struct json_object *found = daemon_member(result, "lease", json_type_int);
	int ret = found ? 0 : fail(err, -EPROTO, "naohwd: its answer makes no sense");

	*number = json_object_get_int64(found);
	json_object_put(result);
	return ret;
}

static struct remote_lease *find(struct dcm_remote *remote, unsigned int lease)
{
	for (size_t i = 0; i < REMOTE_LEASES; i++)
		if (remote->leases[i].params && remote->leases[i].own == lease)
			return &remote->leases[i];
	return NULL;
}

static int keep(struct dcm_remote *remote, struct json_object *params, int64_t number,
		unsigned int *lease, struct naohw_error *err)
{
	for (size_t i = 0; i < REMOTE_LEASES; i++) {
		struct remote_lease *place = &remote->leases[i];

		if (place->params)
			continue;
		*lease = ++remote->leases_ever;
		*place = (struct remote_lease){ *lease, number, params };
		return 0;
	}
	return fail(err, -ENOSPC, "a program has %d leases at the most", REMOTE_LEASES);
}

/* A number is one of this connection alone, so none is begun for it. */
static int release_number(struct dcm_remote *remote, int64_t number, struct naohw_error *err)
{
	struct json_object *params = json_object_new_object();

	json_object_object_add(params, "lease", json_object_new_int64(number));
	return daemon_call(remote->daemon, "release", params, REMOTE_LIMIT, NULL, NULL, err);
}

/* One that cannot be kept is none. */
static int take(struct dcm_remote *remote, struct json_object *params, unsigned int *lease,
		struct naohw_error *err)
{
	struct json_object *result;
	int64_t number = NOT_HELD;
	int ret = remote_request(remote, "lease", json_object_get(params), REMOTE_LIMIT, &result,
				 err);

	if (ret == 0)
		ret = take_number(result, &number, err);
	if (ret < 0)
		return ret;
	ret = keep(remote, params, number, lease, err);
	if (ret < 0)
		(void)release_number(remote, number, NULL);
	return ret;
}

int remote_take_lease(struct naohw_dcm *dcm, const struct dcm_lease *wish, unsigned int *lease,
		      struct naohw_error *err)
{
	struct dcm_remote *remote = remote_of(dcm);
	struct json_object *params;
	int ret = check_wish(wish, err);

	if (ret < 0)
		return ret;
	params = new_params(wish);
	pthread_mutex_lock(&remote->lock);
	ret = take(remote, params, lease, err);
	pthread_mutex_unlock(&remote->lock);
	if (ret < 0)
		json_object_put(params);
	return ret;
}

/* Numbers are others once it is revived. If it is not, the lease is none to be taken again. */
static int release(struct dcm_remote *remote, unsigned int lease, struct naohw_error *err)
{
	int ret = remote_revive(remote, err);
	struct remote_lease *held = find(remote, lease);
	int64_t number;

	if (!held)
		return fail(err, -ENOENT, "there is no lease %u", lease);
	number = held->number;
	json_object_put(held->params);
	held->params = NULL;
	if (ret < 0)
		return ret;
	if (number == NOT_HELD)
		return fail(err, -ENOENT,
			    "lease %u is another program's, since naohwd was begun anew", lease);
	return release_number(remote, number, err);
}

int remote_release_lease(struct naohw_dcm *dcm, unsigned int lease, struct naohw_error *err)
{
	struct dcm_remote *remote = remote_of(dcm);
	int ret;

	pthread_mutex_lock(&remote->lock);
	ret = release(remote, lease, err);
	pthread_mutex_unlock(&remote->lock);
	return ret;
}

/* Whoever was faster has it, and what is set here is refused by naming him. */
static void renew(struct dcm_remote *remote, struct remote_lease *held)
{
	struct json_object *result;
	int ret = daemon_call(remote->daemon, "lease", json_object_get(held->params), REMOTE_LIMIT,
			      &result, NULL, NULL);

	/* What is granted too late would have no number: all are taken anew. */
	if (ret == -ETIMEDOUT)
		daemon_disconnect(remote->daemon);
	if (ret == 0)
		ret = take_number(result, &held->number, NULL);
	if (ret < 0)
		held->number = NOT_HELD;
}

void remote_renew_leases(struct dcm_remote *remote)
{
	for (size_t i = 0; i < REMOTE_LEASES; i++)
		if (remote->leases[i].params)
			renew(remote, &remote->leases[i]);
}

void remote_forget_leases(struct dcm_remote *remote)
{
	for (size_t i = 0; i < REMOTE_LEASES; i++)
		json_object_put(remote->leases[i].params);
}
