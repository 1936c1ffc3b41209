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

/* What another thread wants of the cycle */
enum rest_wish { WISH_NOTHING, WISH_REST, WISH_WAKE_UP };

struct rest {
	struct diagnosis *diagnosis;
	bool *has_lost_torque; /* by the robot's joints, for the diagnosis */
	_Atomic enum rest_wish wish;
	int64_t wish_until; /* ms, of one to wake up that waits; 0: none does */
	bool is_wanted;	  /* of the whole robot, until it is woken up */
	bool is_underway; /* a joint is on its way */
	int64_t deadline; /* ms, of those: then they have come as far as they can */
	size_t rest_slot; /* of its keys */
	size_t forbidden_slot;
	size_t fall_manager_slot;
	size_t stiffness_slot;
};

struct dcm_host;

/* Keys besides those of the diagnosis */
#define REST_KEYS 4
#define REST_FORBIDDEN_KEY "DCM/WakeUpForbidden"

/* Before there is a store, and then in it. */
int rest_begin(struct rest *rest, const struct naohw_robot *robot, const struct rules *rules,
	       struct naohw_error *err);
void rest_end(struct rest *rest);
size_t rest_key_count(const struct rest *rest);
void rest_keys(const struct rest *rest, struct store_key *keys);
void rest_find(struct rest *rest, const struct naohw_store *store);

/* The cycle's: what it has read is in the store. Have joints rest that are to, and let others go on. */
void rest_look(struct dcm_host *dcm, bool has_frame);

/* As naohw_dcm_rest() and naohw_dcm_wake_up(); any thread. */
int host_rest(struct naohw_dcm *dcm, struct naohw_error *err);
int host_wake_up(struct naohw_dcm *dcm, struct naohw_error *err);

#endif
