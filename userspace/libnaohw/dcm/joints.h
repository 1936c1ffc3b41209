/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a joint may not do, whatever the commands say: be pulled to where it is not when it becomes
 * stiff, go faster than it should, be stiff without a calibration, or come back with a jerk.
 */
#ifndef NAOHW_DCM_JOINTS_H
#define NAOHW_DCM_JOINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <naohw.h>

#include "../robot/robot.h"
#include "actuator.h"
#include "preferences.h"

/* One that a pose can move, with its actuators: NULL if the description has none. */
struct joint_guard {
	struct actuator *position;
	struct actuator *hardness;
	size_t axis;
	double levels_per_ms; /* of its position, at the most */
	int speed;	      /* the same as a pose has it */
	bool has_zero;
	size_t zero_slot; /* where its jointZeroPosition is in the store */
	bool is_seen;	  /* it has ever answered */
	double present;	  /* where it was when it answered last */
	int64_t seen_at;  /* ms */
	bool is_lost;
	bool is_soft;	  /* it has come back, and gets its hardness slowly */
	int64_t soft_at;  /* since then */
	double at;	  /* where it was sent, more exactly than its levels */
	double next_at;
};

struct joints {
	struct joint_guard *list;
	size_t count;
	bool has_frames;  /* there has been one */
	bool has_tripped; /* the kernel has let all go */
};

int joints_find(struct joints *joints, const struct actuators *actuators,
		const struct naohw_robot *robot, const struct naohw_pose *pose,
		const struct naohw_store *store, const struct dcm_preferences *preferences,
		struct naohw_error *err);
void joints_free(struct joints *joints);

/*
 * A frame has come. Without one nobody is known to be lost, and then all were that nobody has seen
 * for so long.
 */
void joints_look(struct joints *joints, const struct naohw_pose *pose,
		 const struct naohw_frame *frame, int64_t now);

/* The cycle stood still: whatever was planned begins where the joints are, and softly. */
void joints_have_stalled(struct joints *joints, int64_t now);

/* One bus has let its joints go, or the last one has its torque back: all come back together. */
void joints_trip(struct joints *joints, bool has_tripped, int64_t now);

/*
 * Make what the actuators of joints are to be sent next what they may be. @ms after the last time
 * they were sent; @part: of all hardness, see battery.h. May be done again before that.
 */
void joints_guard(struct joints *joints, const struct naohw_store *store, int64_t now, double ms,
		  double part);

/* Put it into the pose. */
void joints_put(struct joints *joints, struct naohw_pose *pose);

#endif
