/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Joints at rest: those that a person has sent there, and those that the diagnosis does. Commands do
 * nothing to a joint on its way to rest, or at it.
 */
#ifndef NAOHW_DCM_REST_H
#define NAOHW_DCM_REST_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <naohw.h>

#include "../diagnosis/diagnosis.h"
#include "test.h"

/* What another thread wants of the cycle */
enum rest_wish { WISH_NOTHING, WISH_REST, WISH_WAKE_UP, WISH_TEST };

struct rest {
	struct diagnosis *diagnosis;
	bool *has_lost_torque; /* by the robot's joints, for the diagnosis */
	bool *is_stiff;	       /* the same */
	int64_t begun_at;      /* ms, of the first cycle */
	bool found_crash;      /* the program that had the cycle before has died, and that is not over */
	struct test test;
	_Atomic enum rest_wish wish;
	int64_t wish_until; /* ms, of one to wake up that waits; 0: none does */
	bool is_wanted;	  /* of the whole robot, until it is woken up */
	bool is_underway; /* a joint is on its way */
	int64_t deadline; /* ms, of those: then they have come as far as they can */
	size_t rest_slot; /* of its keys */
	size_t forbidden_slot;
	size_t fall_manager_slot;
	size_t stiffness_slot;
	size_t changes_slot;
	size_t tests_slot;
	size_t untested_slot;
	unsigned int changes;	/* of all these keys, and of those of the diagnosis */
	const char *told_state; /* as it was told last, with the next one */
	char told_forbids[NAOHW_TEXT_SIZE];
};

struct actuator;
struct joint_guard;
struct dcm_host;

/* Keys besides those of the diagnosis */
#define REST_KEYS 7
#define REST_FORBIDDEN_KEY "DCM/WakeUpForbidden"

/* Before there is a store, and then in it. */
int rest_begin(struct rest *rest, const struct naohw_robot *robot, const struct rules *rules,
	       struct naohw_error *err);
void rest_end(struct rest *rest);
/* How many keys there may be, and their names into room for so many. Return: how many there are. */
size_t rest_key_count(const struct rest *rest);
size_t rest_keys(const struct rest *rest, struct store_key *keys);
void rest_find(struct rest *rest, const struct naohw_store *store);

/* Before the first cycle: the bus has tripped before, and not as a person has let the robot go. */
void rest_find_crash(struct rest *rest);

/* The cycle's: what it has read is in the store. Have joints rest that are to, and let others go on. */
void rest_look(struct dcm_host *dcm, bool has_frame);

/* The cycle's: all that an actuator was to do is forgotten, and this is to be done; and a joint is let go. */
void rest_command(const struct dcm_host *dcm, struct actuator *actuator, int64_t time, double level);
void rest_let_go(const struct dcm_host *dcm, struct joint_guard *joint);

/* The host ends: what it has on a way that another one would not go on with is let go. Return: is there any? */
bool rest_stop(struct dcm_host *dcm);

/* As naohw_dcm_rest() and its kin; any thread. */
int host_rest(struct naohw_dcm *dcm, struct naohw_error *err);
int host_wake_up(struct naohw_dcm *dcm, struct naohw_error *err);
int host_test(struct naohw_dcm *dcm, struct naohw_error *err);

#endif
