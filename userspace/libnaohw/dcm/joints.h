/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a joint may not do, whatever the commands say: be pulled to where it is not when it becomes
 * stiff, go faster than it should, be stiff without a calibration, or come back with a jerk. Silence
 * takes nothing from a joint: only the kernel knows whether it has lost its torque.
 */
#ifndef NAOHW_DCM_JOINTS_H
#define NAOHW_DCM_JOINTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <naohw.h>

#include "../pose/pose.h"
#include "../robot/robot.h"
#include "actuator.h"
#include "preferences.h"
#include "reasons.h"
#include "stall.h"
#include "torque.h"

/* Does it do what it is told, or is it on its way to rest, or there, or moved there for a test? */
enum resting { REST_AWAKE, REST_GOING, REST_LIMP, REST_TESTED };

/* One that a pose can move, with its actuators: NULL if the description has none. */
struct joint_guard {
	struct actuator *position;
	struct actuator *wheel; /* its speed, and it has no position */
	double wheel_max;	/* levels: as fast as it may turn, ... */
	double wheel_per_ms;	/* ... and as fast as that may change */
	struct actuator *hardness;
	size_t axis;
	size_t joint;		/* of the robot */
	double levels_per_ms;	 /* of its position, at the most */
	double servo_per_ms;	 /* the most that its servo can be told */
	double levels_per_rad;
	int speed_max;		 /* the same as a pose has it */
	double rate;		 /* levels a ms: its servo is told to go so fast */
	double next_rate;	 /* how fast its goal is going to go; 0: it stays */
	bool has_zero;
	size_t zero_slot;	 /* where its jointZeroPosition is in the store */
	bool has_reason_slot;
	size_t reason_slot;	 /* where its reason is */
	bool is_seen;		 /* it has ever answered */
	double present;		 /* where it was when it answered last */
	int64_t seen_at;	 /* ms */
	atomic_int stiffness;	 /* as it said it when it was asked, or POSE_LEFT_ALONE */
	bool is_placed;		 /* it has a goal: its servo's own at first, or where it was seen */
	enum guard_reason found; /* as the kernel has it */
	bool is_soft;		 /* it has come back, and gets its hardness slowly */
	int64_t soft_at;	 /* since then */
	bool returns;		 /* to the commanded line, slowly */
	struct stall stall;
	bool is_behind;		 /* it was limp, and has not been where its commands have it yet */
	enum guard_reason reason;	 /* why it does not do what is commanded */
	bool is_left_alone;	 /* the next pose says nothing of it */
	enum resting resting;	 /* as rest.c has it, and what follows */
	double rest_level;	 /* where it goes to rest; NAN: nowhere */
	enum guard_reason rests_for;
	double part;		 /* of its hardness, that its heat leaves it */
	int64_t lost_at;	 /* ms, since when its torque is gone; 0: it is not */
	bool has_lost;		 /* and that for long enough, as it was to have some */
	int64_t well_at;	 /* ms: it was not astray then, while the robot woke up */
	double at;		 /* where it was sent, more exactly than its levels */
	double next_at;
	double low;		 /* where it may be by that with normal lag: from here */
	double high;		 /* to here */
};

/* One of the robot that no pose moves: why, and where that is told in the store */
struct still_joint {
	size_t joint;
	size_t slot;
	enum guard_reason reason;
};

struct joints {
	struct joint_guard *list;
	size_t count;
	struct still_joint *still;
	size_t still_count;
	const struct stall_limits *stall_limits; /* of the preferences */
	atomic_bool is_to_forget_stalls; /* another thread asks for that */
	bool has_tripped; /* the kernel has let a bus go, and so all are */
	bool is_limp;	  /* as a person has let the robot go */
	bool found_trip;  /* that was before the DCM began: what nobody commands is left alone */
	bool is_found;	  /* and that trip lasts: the DCM has let nothing go for it */
};

/* @preferences must outlive them. */
int joints_find(struct joints *joints, const struct actuators *actuators,
		const struct naohw_robot *robot, const struct naohw_pose *pose,
		const struct naohw_store *store, const struct dcm_preferences *preferences,
		const struct body *body, struct naohw_error *err);
void joints_free(struct joints *joints);

/*
 * A bus has tripped before the DCM began. Its joints come back as the kernel has them, and those of
 * other buses may hold the robot.
 */
void joints_find_trip(struct joints *joints);

/* Is it further from where its goals would have it, with normal lag, than that? */
bool joint_is_astray(const struct joint_guard *joint, double rad);

/* A frame has come. */
void joints_look(struct joints *joints, const struct naohw_pose *pose,
		 const struct naohw_frame *frame, int64_t now);

/* Take what other threads have read by now: the stiffness of joints, and the state of their torque. */
void joints_take_news(struct joints *joints, const struct torque *torque, int64_t now);

/* Another thread's: ask the servos whose stiffness is unknown. */
void joints_ask(struct joints *joints, const struct naohw_pose *pose);

/*
 * Make what the actuators of joints are to be sent next what they may be. @ms after the last time
 * they were sent; @part: of all hardness, see battery.h. May be done again before that.
 */
void joints_guard(struct joints *joints, const struct naohw_store *store, int64_t now, double ms,
		  double part);

/* Put it into the pose. @ms as above. */
void joints_put(struct joints *joints, struct naohw_pose *pose, double ms);

/* Put into the store what was not done as commanded, as of a time in ns. */
void joints_tell(const struct joints *joints, struct naohw_store *store, int64_t time);

#endif
