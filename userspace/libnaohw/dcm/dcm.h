/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A DCM's inside. All in it is the cycle's (cycle.c), in the thread that thread.c begins, but for
 * what it says of others:
 *
 *	set.c     makes letters of commands, in any thread; in a callback it needs none
 *	alias.c   names for several actuators
 *	joints.c  what a joint may not do
 *	battery.c how much of all hardness the battery can bear
 *	writer.c  a thread for all that is slow to write
 *	live.c    the keys of DCM/ and HAL/
 *	texts.c   keys whose texts the host gives
 *	beat.c    waiting for the end of a cycle
 */
#ifndef NAOHW_DCM_H
#define NAOHW_DCM_H

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
#include "joints.h"
#include "live.h"
#include "mailbox.h"
#include "preferences.h"
#include "texts.h"
#include "writer.h"

#define DCM_CALLS_MAX 8
#define DCM_NS_PER_MS 1000000

struct dcm_call {
	void (*call)(void *data, struct naohw_dcm *dcm);
	void *data;
};

struct dcm_calls {
	struct dcm_call list[DCM_CALLS_MAX];
	size_t count;
};

struct naohw_dcm_settings {
	struct dcm_calls post;
	struct dcm_calls pre;
	struct text_names texts;
};

struct naohw_dcm {
	/* As they were opened, for all threads */
	struct naohw_robot *robot;
	struct dcm_preferences preferences;
	struct naohw_frame *frame;
	struct naohw_pose *pose;
	struct naohw_store *store;
	struct dcm_calls post;
	struct dcm_calls pre;
	/* Names and scales for all, queues and levels the cycle's */
	struct actuators actuators;
	/* With rules of their own for who may do what */
	struct aliases aliases;
	struct mailbox mailbox;
	struct texts texts;
	struct writer *writer;
	struct beat beat;
	struct joints joints;
	struct battery battery;
	struct live live;
	size_t *slot;	  /* in the store, of each actuator's value */
	int64_t time_ns;  /* of this cycle; 0: there has been none */
	int64_t time;	  /* the same in ms */
	int64_t before;	  /* and of the one before it, or not much longer ago than that */
	double since_ms;  /* since then, or not much more */
	int64_t sent_at;  /* ns, of the last pose */
	bool was_set;	  /* a callback has given commands */
	bool is_realtime; /* the thread has the priority that it is to have */
	/* What flush tells: lists that had no room, and whose that was last */
	atomic_uint refused;
	_Atomic(const struct actuator *) refused_last;
	atomic_uint refused_told;
	pthread_t thread;
	bool runs;
	atomic_bool is_to_end;
};

/* As naohw_dcm_open(), without a thread: whoever calls dcm_cycle() is the cycle. */
int dcm_new(struct naohw_robot *robot, const struct naohw_dcm_settings *settings,
	    struct naohw_dcm **dcm, struct naohw_error *err);

/* One period: waits for its frame, and returns when its poses are sent. */
void dcm_cycle(struct naohw_dcm *dcm);

/* Take the commands that were left; or have none of them done. */
void dcm_read_letters(struct naohw_dcm *dcm);
void dcm_drop_letters(struct naohw_dcm *dcm);

/* A command that is alone and has no time gets one; before it is asked whether there is room. */
void dcm_place(const struct naohw_dcm *dcm, const struct actuator *actuator, struct point *points,
	       size_t count);

/* Commands for an actuator, for which queue_has_room(). */
void dcm_update(struct naohw_dcm *dcm, struct actuator *actuator, enum naohw_update update,
		const struct point *points, size_t count);

/* Is this the thread of the cycle, within one of its callbacks? Of which kind? */
enum dcm_callback { DCM_CALLBACK_NONE, DCM_CALLBACK_POST, DCM_CALLBACK_PRE };
enum dcm_callback dcm_callback_of(const struct naohw_dcm *dcm);

#endif
