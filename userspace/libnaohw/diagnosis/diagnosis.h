/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What is broken of a robot, and what is to be done about it: called once a cycle by whoever hosts
 * that. It moves nothing itself. All but diagnosis_ask() and diagnosis_keep() is the cycle's thread's, from
 * diagnosis_find() on; it is freed when that has ended, and before the robot.
 */
#ifndef NAOHW_DIAGNOSIS_H
#define NAOHW_DIAGNOSIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <naohw.h>

#include "../frame/frame.h"
#include "../robot/robot.h"
#include "../store/store.h"
#include "verdict.h"

/* What has crashed is NAO's word for the program that had the cycle before. */
#define CRASH_LABEL "HAL"

struct diagnosis;

/* Before there is a store, which needs its keys. @rules: NULL: there are none, and nothing is done. */
int diagnosis_new(const struct naohw_robot *robot, const struct rules *rules,
		  struct diagnosis **diagnosis, struct naohw_error *err);
void diagnosis_free(struct diagnosis *diagnosis);

/* How many keys there may be, and for the store: into room for that many. Return: how many there are. */
size_t diagnosis_key_count(const struct diagnosis *diagnosis);
size_t diagnosis_keys(const struct diagnosis *diagnosis, struct store_key *keys);

/* Where they, and what it reads, are in the store. */
void diagnosis_find(struct diagnosis *diagnosis, const struct naohw_store *store);

/* What a cycle has seen, beside the values that are in the store */
struct diagnosis_seen {
	const struct naohw_frame *frame; /* that has come now; NULL: none has */
	const bool *has_lost_torque; /* of each joint of the robot: a torque that it should have is gone, */
	const bool *is_stiff;	     /* or it has some */
	bool has_crashed;	     /* the program that had the cycle before, and it is not over yet */
	bool lacks_bus;		     /* a device of a bus is gone */
	int64_t now;		     /* ms */
	double since;		     /* ms, as passive_look() has it */
};

void diagnosis_look(struct diagnosis *diagnosis, const struct naohw_store *store,
		    const struct diagnosis_seen *seen);

/* Its joints by groups and chains, also where there are no rules */
const struct body *diagnosis_body(const struct diagnosis *diagnosis);

/* By the joints of the robot, in their order. */
const struct verdict *diagnosis_verdict(const struct diagnosis *diagnosis);

/* The part of its stiffness that the heat leaves a joint whose servo reduces nothing itself. */
double diagnosis_part(const struct diagnosis *diagnosis, size_t joint);

/* Why waking up is forbidden: "LABEL: CAUSE", or "". */
const char *diagnosis_forbids(const struct diagnosis *diagnosis);
/* Is a crash all that forbids it? */
bool diagnosis_forbids_by_crash(const struct diagnosis *diagnosis);

/*
 * The active diagnosis: a test of all sensors begins, and ends, between which they are looked at for some
 * time, see diagnosed_end_test(); and what a joint's own one has shown. May a joint be moved for that: does it answer,
 * is it well, and does its servo keep the speed that a wheel is told? And how fast does a wheel turn: rad/s, or NAN?
 */
void diagnosis_begin_test(struct diagnosis *diagnosis);
void diagnosis_end_test(struct diagnosis *diagnosis, bool is_wanted);
void diagnosis_judge_joint(struct diagnosis *diagnosis, size_t joint, bool has_failed);
bool diagnosis_may_move(const struct diagnosis *diagnosis, size_t joint);
double diagnosis_speed(const struct diagnosis *diagnosis, size_t joint);

/* Another thread's, a few times a second: ask what is silent, see diagnosed_ask(), for 0.1 s and one answer more. */
void diagnosis_ask(struct diagnosis *diagnosis);

/*
 * The same thread's: write down what a later host is to know, if that has changed. What cannot be written, as on a
 * full disk, is tried again; where the program may not write, with the next change.
 */
void diagnosis_keep(struct diagnosis *diagnosis);

/* Put what is new into the store, as of a time in ns; that of an Error is when it became so. Return: is there any? */
bool diagnosis_tell(struct diagnosis *diagnosis, struct naohw_store *store, int64_t time);

#endif
