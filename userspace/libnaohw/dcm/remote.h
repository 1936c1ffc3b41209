/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A DCM that a naohwd hosts: what is set here is a request to it, the store is the daemon's, and a
 * thread of ours waits for each of its publishings.
 *
 *	remote.c	 begins and ends it, and brings it to a daemon that was begun anew
 *	remote_request.c what is set
 */
#ifndef NAOHW_DCM_REMOTE_H
#define NAOHW_DCM_REMOTE_H

#include <pthread.h>
#include <stdatomic.h>

#include "../client/client.h"
#include "dcm.h"

/* ms; a request that takes no time by itself */
#define REMOTE_LIMIT 1000

struct dcm_remote {
	struct naohw_dcm base;	     /* first, so that it is the DCM too */
	struct daemon *daemon;	     /* under the lock */
	struct json_object *aliases; /* the requests that made them; the same */
	pthread_mutex_t lock;
	pthread_t thread;
	atomic_bool is_to_end;
	size_t stream_slot;
	size_t time_slot;
	int64_t time; /* ms, of the cycle; the thread's */
};

/*
 * As naohw_dcm_open(). Return: also -ENOENT, -ECONNREFUSED: there is no naohwd; -ENXIO: there is
 * one of another robot.
 */
int remote_open(struct naohw_robot *robot, const struct naohw_dcm_settings *settings,
		struct naohw_dcm **dcm, struct naohw_error *err);

static inline struct dcm_remote *remote_of(const struct naohw_dcm *dcm)
{
	return (struct dcm_remote *)dcm;
}

/*
 * Any thread: a request and its answer, of a daemon that is there, if need be anew. @params and
 * @result as daemon_call() has them.
 */
int remote_call(struct dcm_remote *remote, const char *method, struct json_object *params,
		unsigned int timeout_ms, struct json_object **result, struct naohw_error *err);

/* What it does for naohw_dcm_set() and its kin (remote_request.c). */
int remote_set(struct naohw_dcm *dcm, const char *name, enum naohw_update update,
	       const struct naohw_command *commands, size_t count, struct naohw_error *err);
int remote_set_mixed(struct naohw_dcm *dcm, const char *alias, enum naohw_update update,
		     const struct naohw_command *const *commands, const size_t *counts,
		     size_t actuators, struct naohw_error *err);
int remote_set_separate(struct naohw_dcm *dcm, const char *alias, enum naohw_update update,
			const int64_t *times, size_t count, const double *values, size_t actuators,
			struct naohw_error *err);
int remote_create_alias(struct naohw_dcm *dcm, const char *alias, const char *const *names,
			size_t count, const char **answer, struct naohw_error *err);
int remote_flush(struct naohw_dcm *dcm, struct naohw_error *err);
int remote_recover(struct naohw_dcm *dcm, struct naohw_error *err);

#endif
