// SPDX-License-Identifier: LGPL-2.1-or-later
#include "remote.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/base.h"
#include "../robot/robot.h"
#include "../store/store.h"
#include "actuator.h"
#include "live.h"
#include "monotonic.h"

#define NS_PER_MS 1000000
/* ms; a daemon that begins when somebody comes opens its robot first. */
#define OPEN_LIMIT 5000
/* Whoever closes the DCM does not wait longer for the thread than for one request beside. */
#define LOOK_MS 100

/* ---- the daemon's store ---- */

static int ask_store(struct dcm_remote *remote, int *fd, struct naohw_error *err)
{
	int ret = daemon_call(remote->daemon, "store", NULL, REMOTE_LIMIT, NULL, fd, err);

	if (ret == 0 && *fd < 0)
		return fail(err, -EPROTO, "naohwd: its store has no memory");
	return ret;
}

/* Its slots are those of before, so whoever has their numbers goes on. */
static int take_store(struct dcm_remote *remote, struct naohw_error *err)
{
	int fd, ret = ask_store(remote, &fd, err);

	if (ret < 0)
		return ret;
	ret = remote->base.store ? store_follow(remote->base.store, fd, err) :
				   naohw_store_attach(fd, &remote->base.store, err);
	close(fd);
	return ret;
}

/* Without the one that it cannot make, which what is set says then, a program can do the rest. */
static int make_alias(struct dcm_remote *remote, struct json_object *params,
		      struct naohw_error *err)
{
	int ret = daemon_call(remote->daemon, "createAlias", json_object_get(params), REMOTE_LIMIT,
			      NULL, NULL, err);

	return ret == -ETIMEDOUT || !daemon_is_connected(remote->daemon) ? ret : 0;
}

static int make_aliases(struct dcm_remote *remote, struct naohw_error *err)
{
	int ret = 0;

	json_object_object_foreach(remote->aliases, name, params)
	{
		(void)name;
		if (ret == 0)
			ret = make_alias(remote, params, err);
	}
	return ret;
}

/* As with an alias, a program can do the rest without. */
static void set_period(struct dcm_remote *remote)
{
	if (remote->period)
		(void)daemon_call(remote->daemon, "set", json_object_get(remote->period),
				  REMOTE_LIMIT, NULL, NULL, NULL);
}

/* ---- the daemon ---- */

static int gone(const struct dcm_remote *remote, struct naohw_error *err)
{
	return fail(err, -EOWNERDEAD, "%s: naohwd, which had the robot, is not there",
		    daemon_path(remote->daemon));
}

int remote_revive(struct dcm_remote *remote, struct naohw_error *err)
{
	int ret;

	/* Of those that waited for the lock none has another answer waited for. */
	if (usage_is_forbidden(&remote->base.usage))
		return dcm_is_closing(err);
	if (daemon_is_connected(remote->daemon))
		return 0;
	ret = daemon_connect(remote->daemon, REMOTE_LIMIT, err);
	if (ret == -ENOENT || ret == -ECONNREFUSED)
		return gone(remote, err);
	if (ret == 0)
		ret = take_store(remote, err);
	if (ret == 0)
		ret = make_aliases(remote, err);
	if (ret < 0) {
		daemon_disconnect(remote->daemon);
		return ret;
	}
	remote_renew_leases(remote);
	set_period(remote);
	return 0;
}

int remote_request(struct dcm_remote *remote, const char *method, struct json_object *params,
		   unsigned int timeout_ms, struct json_object **result, struct naohw_error *err)
{
	int ret = remote_revive(remote, err);

	if (ret == 0)
		return daemon_call(remote->daemon, method, params, timeout_ms, result, NULL, err);
	json_object_put(params);
	return ret;
}

int remote_call(struct dcm_remote *remote, const char *method, struct json_object *params,
		unsigned int timeout_ms, struct json_object **result, struct naohw_error *err)
{
	int ret;

	pthread_mutex_lock(&remote->lock);
	ret = remote_request(remote, method, params, timeout_ms, result, err);
	pthread_mutex_unlock(&remote->lock);
	return ret;
}

/* ---- the thread ---- */

static void one_cycle(struct dcm_remote *remote)
{
	struct naohw_value value;

	if (naohw_store_read(remote->base.store, remote->time_slot, &value) < 0)
		return;
	remote->time = value.integer;
	dcm_call_all(&remote->base, DCM_CALLBACK_POST);
	dcm_call_all(&remote->base, DCM_CALLBACK_PRE);
}

static void look_for_daemon(struct dcm_remote *remote)
{
	pthread_mutex_lock(&remote->lock);
	(void)remote_revive(remote, NULL);
	pthread_mutex_unlock(&remote->lock);
	(void)poll(NULL, 0, LOOK_MS);
}

static void *run(void *data)
{
	struct dcm_remote *remote = data;
	uint64_t sequence = 0;

	while (!atomic_load(&remote->is_to_end)) {
		int ret = naohw_store_wait(remote->base.store, &sequence, LOOK_MS);

		if (ret == 0)
			one_cycle(remote);
		else if (ret != -ETIMEDOUT && !atomic_load(&remote->is_to_end))
			look_for_daemon(remote);
	}
	return NULL;
}

/* ---- asked ---- */

static int64_t time_of(const struct naohw_dcm *dcm)
{
	return remote_of(dcm)->time;
}

/* What is published tells what was sent in the cycle before. */
static int wait_for_cycle(struct naohw_dcm *dcm, uint64_t *cycle, unsigned int timeout_ms,
			  struct naohw_error *err)
{
	int ret = naohw_store_wait(dcm->store, cycle, timeout_ms);

	switch (ret) {
	case 0:
		return 0;
	case -ETIMEDOUT:
		return fail(err, ret, "no cycle has ended within %u ms", timeout_ms);
	default:
		return gone(remote_of(dcm), err);
	}
}

/* What it was sent last; the daemon has what it is going to be sent. */
static int get_value(const struct naohw_dcm *dcm, const char *name, double *value)
{
	char key[2 * ACTUATOR_NAME_MAX];
	struct naohw_value found;
	size_t slot;

	if (!actuator_key(name, key, sizeof(key)) || naohw_store_find(dcm->store, key, &slot) < 0)
		return -ENOENT;
	if (naohw_store_read(dcm->store, slot, &found) < 0 || found.state == NAOHW_STATE_ABSENT)
		return -ENODEV;
	*value = found.number;
	return 0;
}

/* Without a daemon the kernel lets all go. */
static enum naohw_stream get_stream(const struct naohw_dcm *dcm)
{
	struct naohw_value value;

	if (naohw_store_check(dcm->store, NAOHW_STORE_DEAD_MS) < 0 ||
	    naohw_store_read(dcm->store, remote_of(dcm)->stream_slot, &value) < 0)
		return NAOHW_STREAM_TRIPPED;
	return live_stream(value.text);
}

/* ---- begin and end ---- */

static void stop_remote(struct naohw_dcm *dcm)
{
	struct dcm_remote *remote = remote_of(dcm);

	atomic_store(&remote->is_to_end, true);
	if (remote->base.store)
		store_end_waits(remote->base.store);
	if (remote->runs)
		pthread_join(remote->thread, NULL);
}

static void free_remote(struct naohw_dcm *dcm)
{
	struct dcm_remote *remote = remote_of(dcm);

	naohw_store_close(remote->base.store);
	daemon_free(remote->daemon);
	json_object_put(remote->aliases);
	json_object_put(remote->period);
	remote_forget_leases(remote);
	pthread_mutex_destroy(&remote->lock);
	free(remote);
}

static const struct dcm_ops remote_ops = {
	.set = remote_set,
	.set_mixed = remote_set_mixed,
	.set_separate = remote_set_separate,
	.set_step = remote_set_step,
	.flush = remote_flush,
	.get_stream = get_stream,
	.create_alias = remote_create_alias,
	.remove_alias = remote_remove_alias,
	.wait = wait_for_cycle,
	.recover = remote_recover,
	.let_go = remote_let_go,
	.rest = remote_rest,
	.wake_up = remote_wake_up,
	.test = remote_test,
	.lease = remote_take_lease,
	.release = remote_release_lease,
	.get_value = get_value,
	.time = time_of,
	.stop = stop_remote,
	.free = free_remote,
};

static int find_slots(struct dcm_remote *remote, struct naohw_error *err)
{
	const struct naohw_store *store = remote->base.store;

	if (naohw_store_find(store, LIVE_STREAM, &remote->stream_slot) < 0 ||
	    naohw_store_find(store, LIVE_TIME, &remote->time_slot) < 0)
		return fail(err, -EPROTO, "naohwd: its store has not what a DCM's has");
	return 0;
}

/* Who wants a daemon's cycle alone has something else to do without one. */
static int join(struct dcm_remote *remote, const struct naohw_dcm_settings *settings,
		struct naohw_error *err)
{
	if (settings && settings->host < 0)
		return daemon_join(remote->daemon, OPEN_LIMIT, err);
	return daemon_await(remote->daemon, OPEN_LIMIT, err);
}

static int begin(struct dcm_remote *remote, const struct naohw_robot *robot,
		 const struct naohw_dcm_settings *settings, struct naohw_error *err)
{
	int ret = daemon_new(naohw_robot_path(robot), &remote->daemon, err);

	if (ret == 0)
		ret = join(remote, settings, err);
	if (ret == 0)
		ret = take_store(remote, err);
	if (ret == 0)
		ret = find_slots(remote, err);
	if (ret < 0)
		return ret;
	ret = thread_begin(&remote->thread, run, remote);
	remote->runs = ret == 0;
	return ret < 0 ? fail(err, ret, "no thread for naohwd's cycle: %s", error_text(ret)) : 0;
}

int remote_open(struct naohw_robot *robot, const struct naohw_dcm_settings *settings,
		struct naohw_dcm **out, struct naohw_error *err)
{
	struct dcm_remote *remote;
	int ret;

	if (!robot_is_here(robot))
		return fail(err, -ENOENT, "a naohwd has no robot of another machine's");
	remote = calloc(1, sizeof(*remote));
	if (!remote || pthread_mutex_init(&remote->lock, NULL)) {
		free(remote);
		return fail(err, -ENOMEM, "out of memory");
	}
	remote->base.ops = &remote_ops;
	remote->aliases = json_object_new_object();
	if (settings) {
		remote->base.post = settings->post;
		remote->base.pre = settings->pre;
	}
	ret = begin(remote, robot, settings, err);
	if (ret < 0) {
		naohw_dcm_close(&remote->base);
		return ret;
	}
	*out = &remote->base;
	return 0;
}
