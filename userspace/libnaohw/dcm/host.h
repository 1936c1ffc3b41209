/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A DCM that is this program's own. All in it is the cycle's (cycle.c), in the thread that host.c
 * begins, but for what it says of others:
 *
 *	set.c     makes letters of commands, in any thread; in a callback it needs none
 *	alias.c   names for several actuators
 *	joints.c  what a joint may not do
 *	stall.c   a joint that is blocked
 *	battery.c how much of all hardness the battery can bear
 *	rest.c    joints that are at rest, and why
 *	test.c    the active diagnosis
 *	reasons.c why a joint does not do what is commanded
 *	torque.c  a thread that looks at what the kernel says of torque
 *	writer.c  a thread for all that is slow to write
 *	live.c    the keys of DCM/ and HAL/
 *	texts.c   keys whose texts the host gives
 *	beat.c    waiting for the end of a cycle
 */
#ifndef NAOHW_DCM_HOST_H
#define NAOHW_DCM_HOST_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <naohw.h>

#include "actuator.h"
#include "alias.h"
#include "battery.h"
#include "beat.h"
#include "dcm.h"
#include "joints.h"
#include "live.h"
#include "mailbox.h"
#include "preferences.h"
#include "refusals.h"
#include "rest.h"
#include "texts.h"
#include "torque.h"
#include "writer.h"

#define DCM_NS_PER_MS 1000000

struct dcm_host {
	struct naohw_dcm base; /* first, so that it is the DCM too */
	/* As they were opened, for all threads */
	struct naohw_robot *robot;
	struct dcm_preferences preferences;
	struct naohw_frame *frame;
	struct naohw_pose *pose;
	/* Names and scales for all, queues and levels the cycle's */
	struct actuators actuators;
	/* With rules of their own for who may do what */
	struct aliases aliases;
	struct mailbox mailbox;
	struct texts texts;
	struct writer *writer;
	struct torque *torque;
	struct beat beat;
	struct joints joints;
	struct battery battery;
	struct rest rest;
	struct live live;
	size_t *slot;	  /* in the store, of each actuator's value */
	int64_t time_ns;  /* of this cycle; 0: there has been none */
	int64_t time;	  /* the same in ms */
	int64_t before;	  /* and of the one before it, or not much longer ago than that */
	double since_ms;  /* since then, or not much more */
	int64_t sent_at;  /* ns, of the last pose */
	bool lacks_bus;	  /* the device of one is gone */
	bool was_set;	  /* a callback has given commands */
	bool is_realtime; /* the thread has the priority that it is to have */
	struct refusals refusals;
	pthread_t thread;
	bool runs;
	atomic_bool is_to_end;
};

/* As naohw_dcm_open(), without a thread: whoever calls dcm_cycle() is the cycle. */
int host_new(struct naohw_robot *robot, const struct naohw_dcm_settings *settings,
	     struct dcm_host **dcm, struct naohw_error *err);

/* The same with its thread. */
int host_open(struct naohw_robot *robot, const struct naohw_dcm_settings *settings,
	      struct naohw_dcm **dcm, struct naohw_error *err);

static inline struct dcm_host *host_of(const struct naohw_dcm *dcm)
{
	return (struct dcm_host *)dcm;
}

/* Is it one? What the host alone has to say is nothing to its clients. */
bool is_hosted(const struct naohw_dcm *dcm);

/* What it does for naohw_dcm_set() and its kin (set.c). */
int host_set(struct naohw_dcm *dcm, const char *name, enum naohw_update update,
	     const struct naohw_command *commands, size_t count, struct naohw_error *err);
int host_set_mixed(struct naohw_dcm *dcm, const char *alias, enum naohw_update update,
		   const struct naohw_command *const *commands, const size_t *counts,
		   size_t actuators, struct naohw_error *err);
int host_set_separate(struct naohw_dcm *dcm, const char *alias, enum naohw_update update,
		      const int64_t *times, size_t count, const double *values, size_t actuators,
		      struct naohw_error *err);
int host_set_step(struct naohw_dcm *dcm, const char *const *names, const double *goals,
		  size_t count, int64_t begin, int64_t end, struct naohw_error *err);
int host_create_alias(struct naohw_dcm *dcm, const char *alias, const char *const *names,
		      size_t count, const char **answer, struct naohw_error *err);
int host_remove_alias(struct naohw_dcm *dcm, const char *alias, struct naohw_error *err);
int host_flush(struct naohw_dcm *dcm, struct naohw_error *err);

/* For who serves others, outside of callbacks */
int host_set_text(struct naohw_dcm *dcm, const char *name, const char *text);
int host_get_actuators(struct naohw_dcm *dcm, const char *name, const char **actuators,
		       size_t room);
uint64_t host_ticket(const struct naohw_dcm *dcm);
int host_has_taken(struct naohw_dcm *dcm, uint64_t ticket, struct naohw_error *err);

/* One period: waits for its frame, and returns when its poses are sent. */
void dcm_cycle(struct dcm_host *dcm);

/* After the last one, when no thread has it any more: see rest_stop(). */
void dcm_end_cycles(struct dcm_host *dcm);

/* Take the commands that were left; or have none of them done. */
void dcm_read_letters(struct dcm_host *dcm);
void dcm_drop_letters(struct dcm_host *dcm);

/* A command that is alone and has no time gets one; before it is asked whether there is room. */
void dcm_place(const struct dcm_host *dcm, const struct actuator *actuator, struct point *points,
	       size_t count);

/* Commands for an actuator, for which queue_has_room(). */
void dcm_update(struct dcm_host *dcm, struct actuator *actuator, enum naohw_update update,
		const struct point *points, size_t count);

#endif
