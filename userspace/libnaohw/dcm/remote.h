/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A DCM that a naohwd hosts: what is set here is a request to it, the store is the daemon's, and a
 * thread of ours waits for each of its publishings.
 *
 *	remote.c	 begins and ends it, and brings it to a daemon that was begun anew
 *	remote_request.c what is set
 *	remote_lease.c	 what it holds
 */
#ifndef NAOHW_DCM_REMOTE_H
#define NAOHW_DCM_REMOTE_H

#include <pthread.h>
#include <stdatomic.h>

#include "../client/client.h"
#include "dcm.h"

/* ms; a request that takes no time by itself */
#define REMOTE_LIMIT 1000
/* The kernel asks servos that have shut themselves down before it recovers them, one after the other. */
#define REMOTE_RECOVER_LIMIT 5000

/* As many as a naohwd lets one program have */
#define REMOTE_LEASES 16

struct remote_lease {
	unsigned int own;	    /* its number here */
	int64_t number;		    /* and the daemon's */
	struct json_object *params; /* NULL: this is none */
};

struct dcm_remote {
	struct naohw_dcm base;			   /* first, so that it is the DCM too */
	struct daemon *daemon;			   /* under the lock */
	struct json_object *aliases;		   /* the requests that made them; the same */
	struct remote_lease leases[REMOTE_LEASES]; /* the same */
	unsigned int leases_ever;
	struct json_object *period; /* the request that set it last, or NULL; the same */
	pthread_mutex_t lock;
	pthread_t thread;
	bool runs;
	atomic_bool is_to_end;
	size_t stream_slot;
	size_t time_slot;
	int64_t time; /* ms, of the cycle; the thread's */
};

/*
 * As naohw_dcm_open(). Return: also -ENOENT, -ECONNREFUSED: there is no naohwd and none is to be;
 * -ENXIO: there is one of another robot.
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

/* The same for who has the lock. */
int remote_request(struct dcm_remote *remote, const char *method, struct json_object *params,
		   unsigned int timeout_ms, struct json_object **result, struct naohw_error *err);

/*
 * The same: there is a daemon, if need be one begun anew, at which the leases have new numbers.
 * Return: 0; -ESHUTDOWN the DCM is being closed; or a negative errno.
 */
int remote_revive(struct dcm_remote *remote, struct naohw_error *err);

/* What it does for naohw_dcm_set() and its kin (remote_request.c). */
int remote_set(struct naohw_dcm *dcm, const char *name, enum naohw_update update,
	       const struct naohw_command *commands, size_t count, struct naohw_error *err);
int remote_set_mixed(struct naohw_dcm *dcm, const char *alias, enum naohw_update update,
		     const struct naohw_command *const *commands, const size_t *counts,
		     size_t actuators, struct naohw_error *err);
int remote_set_separate(struct naohw_dcm *dcm, const char *alias, enum naohw_update update,
			const int64_t *times, size_t count, const double *values, size_t actuators,
			struct naohw_error *err);
int remote_set_step(struct naohw_dcm *dcm, const char *const *names, const double *goals,
		    size_t count, int64_t begin, int64_t end, struct naohw_error *err);
int remote_create_alias(struct naohw_dcm *dcm, const char *alias, const char *const *names,
			size_t count, const char **answer, struct naohw_error *err);
int remote_remove_alias(struct naohw_dcm *dcm, const char *alias, struct naohw_error *err);
int remote_flush(struct naohw_dcm *dcm, struct naohw_error *err);
int remote_recover(struct naohw_dcm *dcm, struct naohw_error *err);
int remote_let_go(struct naohw_dcm *dcm, struct naohw_error *err);
int remote_rest(struct naohw_dcm *dcm, struct naohw_error *err);
int remote_wake_up(struct naohw_dcm *dcm, struct naohw_error *err);
int remote_test(struct naohw_dcm *dcm, struct naohw_error *err);

/* The same for its leases (remote_lease.c). */
int remote_take_lease(struct naohw_dcm *dcm, const struct dcm_lease *wish, unsigned int *lease,
		      struct naohw_error *err);
int remote_release_lease(struct naohw_dcm *dcm, unsigned int lease, struct naohw_error *err);

/* Under the lock: of a daemon that knows of none; and at the end. */
void remote_renew_leases(struct dcm_remote *remote);
void remote_forget_leases(struct dcm_remote *remote);

#endif
