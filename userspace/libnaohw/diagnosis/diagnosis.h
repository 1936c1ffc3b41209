/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What is broken of a robot, and what is to be done about it: called once a cycle by whoever hosts
 * that. It moves nothing itself.
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

struct diagnosis;

/* Before there is a store, which needs its keys. @rules: NULL: there are none, and nothing is done. */
int diagnosis_new(const struct naohw_robot *robot, const struct rules *rules,
		  struct diagnosis **diagnosis, struct naohw_error *err);
void diagnosis_free(struct diagnosis *diagnosis);

/* How many keys there are, and for the store: into room for that many. */
size_t diagnosis_key_count(const struct diagnosis *diagnosis);
void diagnosis_keys(const struct diagnosis *diagnosis, struct store_key *keys);

/* Where they, and what it reads, are in the store. */
void diagnosis_find(struct diagnosis *diagnosis, const struct naohw_store *store);

/*
 * A cycle's values are in the store. @frame: those that have come now, NULL: none have. @has_lost_torque:
 * for each joint of the robot, that a torque which it should have is gone. @now: ms. @since: as
 * passive_look() has it.
 */
void diagnosis_look(struct diagnosis *diagnosis, const struct naohw_store *store,
		    const struct naohw_frame *frame, const bool *has_lost_torque, int64_t now,
		    double since);

/* By the joints of the robot, in their order. */
const struct verdict *diagnosis_verdict(const struct diagnosis *diagnosis);

/* The part of its stiffness that the heat leaves a joint whose servo reduces nothing itself. */
double diagnosis_part(const struct diagnosis *diagnosis, size_t joint);

/* Why waking up is forbidden: "LABEL: CAUSE", or "". */
const char *diagnosis_forbids(const struct diagnosis *diagnosis);

/* Put its keys into the store, as of a time in ns; that of an Error is when it changed last. */
void diagnosis_tell(struct diagnosis *diagnosis, struct naohw_store *store, int64_t time);

#endif
