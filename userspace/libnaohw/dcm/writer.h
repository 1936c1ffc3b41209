/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A thread for all that takes its time: lights, other attributes of boards, the period of the
 * buses and how short it may be, asking servos how stiff they are that did not say it, asking what
 * the diagnosis finds silent, and what that keeps for a later host. The
 * cycle leaves the newest value of each, and never waits; of several that come while one is written
 * the last one is.
 */
#ifndef NAOHW_DCM_WRITER_H
#define NAOHW_DCM_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include <naohw.h>

#include "../diagnosis/diagnosis.h"
#include "actuator.h"
#include "beat.h"
#include "joints.h"

struct writer;

/* For all actuators that are written so. Return: 0; -ENOMEM, or why there is no thread. */
int writer_begin(const struct actuators *actuators, struct joints *joints, struct beat *beat,
		 struct naohw_frame *frame, struct naohw_pose *pose, struct diagnosis *diagnosis,
		 struct writer **writer, struct naohw_error *err);

/* What was left is written before. NULL is fine. The beat has ended. */
void writer_end(struct writer *writer);

/* The cycle's: a level for an actuator that is written so. */
void writer_leave(struct writer *writer, const struct actuator *actuator, double level);

/* Is there anything for the thread to do? */
bool writer_has_work(const struct writer *writer);

/* The frame's frame_needed(), as last seen. */
int64_t writer_needed(const struct writer *writer);

/* What came of the last writing: 0 or a negative errno. */
int writer_error_of(const struct writer *writer, const struct actuator *actuator);

#endif
