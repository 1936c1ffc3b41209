/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a DCM is, whoever hosts its cycle: this program (host.h), or a naohwd (remote.h). What all
 * of them do alike is in dcm.c.
 */
#ifndef NAOHW_DCM_H
#define NAOHW_DCM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <naohw.h>

#include "../../common/usage.h"
#include "../pose/pose.h"
#include "../robot/robot.h"
#include "texts.h"

#define DCM_CALLS_MAX 8

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
	int host; /* as naohw_dcm_settings_set_host() has it */
};

/* What a program wants to hold. */
struct dcm_lease {
	const char *const *names;
	size_t count;
	const char *end; /* as naohwd has it; NULL: there is no such one */
	double seconds;
	/* Of "rest": where each of these is to go, in rad */
	const char *const *joints;
	const double *angles;
	size_t joint_count;
};

/* As the functions of naohw.h. A callback comes to the first six and to get_value() alone. */
struct dcm_ops {
	int (*set)(struct naohw_dcm *dcm, const char *name, enum naohw_update update,
		   const struct naohw_command *commands, size_t count, struct naohw_error *err);
	int (*set_mixed)(struct naohw_dcm *dcm, const char *alias, enum naohw_update update,
			 const struct naohw_command *const *commands, const size_t *counts,
			 size_t actuators, struct naohw_error *err);
	int (*set_separate)(struct naohw_dcm *dcm, const char *alias, enum naohw_update update,
			    const int64_t *times, size_t count, const double *values,
			    size_t actuators, struct naohw_error *err);
	int (*set_step)(struct naohw_dcm *dcm, const char *const *names, const double *goals,
			size_t count, int64_t begin, int64_t end, struct naohw_error *err);
	int (*flush)(struct naohw_dcm *dcm, struct naohw_error *err);
	enum naohw_stream (*get_stream)(const struct naohw_dcm *dcm);
	int (*create_alias)(struct naohw_dcm *dcm, const char *alias, const char *const *names,
			    size_t count, const char **answer, struct naohw_error *err);
	int (*remove_alias)(struct naohw_dcm *dcm, const char *alias, struct naohw_error *err);
	int (*wait)(struct naohw_dcm *dcm, uint64_t *cycle, unsigned int timeout_ms,
		    struct naohw_error *err);
	int (*recover)(struct naohw_dcm *dcm, struct naohw_error *err);
	int (*let_go)(struct naohw_dcm *dcm, struct naohw_error *err);
	int (*rest)(struct naohw_dcm *dcm, struct naohw_error *err);
	int (*wake_up)(struct naohw_dcm *dcm, struct naohw_error *err);
	int (*test)(struct naohw_dcm *dcm, struct naohw_error *err);
	/* NULL: there are none */
	int (*lease)(struct naohw_dcm *dcm, const struct dcm_lease *wish, unsigned int *lease,
		     struct naohw_error *err);
	int (*release)(struct naohw_dcm *dcm, unsigned int lease, struct naohw_error *err);
	/* In a pre-process callback */
	int (*get_value)(const struct naohw_dcm *dcm, const char *name, double *value);
	/* ms, of the cycle, in a callback */
	int64_t (*time)(const struct naohw_dcm *dcm);
	/*
	 * Its end, in two steps: there is no cycle any more, and whoever waits for one is told
	 * -ESHUTDOWN; and, when no call is under way, nothing is left of it.
	 */
	void (*stop)(struct naohw_dcm *dcm);
	void (*free)(struct naohw_dcm *dcm);
};

struct naohw_dcm {
	const struct dcm_ops *ops;
	struct naohw_store *store;
	struct dcm_calls post;
	struct dcm_calls pre;
	struct usage usage; /* of the calls that other threads make, and that may wait */
};

/*
 * How fast the joint of this position, a key without "/Value", may go in rad/s: as its SpeedMax says,
 * or else that of all. Return: 0; -EINVAL: a preference of the DCM's is wrong.
 */
int dcm_speed_max(const struct naohw_robot *robot, const char *position, double *rad_s,
		  struct naohw_error *err);

/* What is told of a robot at rest */
#define DCM_RESTS "the robot is at rest, or on its way there; \"naohw wake\" makes it stiff again"

/* Whether a robot may move: the key, and its texts */
#define REST_KEY     "DCM/Rest"
#define REST_NONE    "awake"
#define REST_GOES    "going to rest"
#define REST_AT_REST "at rest"
#define REST_TESTS   "testing"

/* What is told of a robot that a person has let go */
#define DCM_LIMP "\"naohw limp\" has let the robot go; \"naohw recover\" brings the torque back"

#define DCM_JOINT_KEY 256

/*
 * Where the store of a DCM has what is known of a joint (arrival.c). It is as valid as the DCM and
 * the robot; any thread may ask.
 */
struct naohw_dcm_joint {
	struct servo_axis axis;
	const struct naohw_store *store;
	const struct subdevice *sensor; /* of its position; NULL: it has none */
	const char *position; /* its Position/Actuator; NULL: it has none, ... */
	char hardness[DCM_JOINT_KEY]; /* ... nor a Hardness/Actuator beside it */
	double speed_max; /* rad/s: as dcm_speed_max(), and no more than its servo has */
	size_t present_slot; /* those without a slot have DCM_NO_SLOT */
	size_t sent_slot;
	size_t hardness_slot;
	size_t guard_slot;
};

#define DCM_NO_SLOT SIZE_MAX

/* Return: as dcm_speed_max(). */
int dcm_joint_find(const struct naohw_dcm *dcm, const struct naohw_robot *robot,
		   const struct servo_axis *axis, struct naohw_dcm_joint *joint,
		   struct naohw_error *err);

/*
 * Where its servo is, in counts, be that old. Return: 0; -ENODEV it has no sensor; -ENODATA its
 * servo has never answered; -ETIMEDOUT it does not answer any more.
 */
int dcm_joint_present(const struct naohw_dcm_joint *joint, int *counts);

/* The joint's angle for its servo's counts, in rad. */
double dcm_joint_rad(const struct servo_axis *axis, int counts);

/* Where it was sent by now, in rad; false: nobody knows. */
bool dcm_joint_sent(const struct naohw_dcm_joint *joint, double *rad);

/* Why it does not move, as its key says, or without one the kernel. Asks no servo. */
enum guard_reason dcm_joint_reason(const struct naohw_dcm *dcm, const struct naohw_robot *robot,
				   const struct joint *joint);
/* The same as its key alone says it. */
enum guard_reason dcm_joint_guard(const struct naohw_dcm_joint *joint);

/* Has it no torque, or none to speak of? And does its hardness give it some? */
bool dcm_joint_is_limp(const struct naohw_dcm_joint *joint);
bool dcm_joint_wants_torque(const struct naohw_dcm_joint *joint);

/*
 * The one answer to "has it arrived?": how far is a servo that is at @present from where it was
 * sent, in counts? One that hangs a little beyond the limit to which it was sent has arrived.
 */
int dcm_joint_off(const struct servo_axis *axis, int present, int goal);

/* ms that the slowest bus needs for a frame and a pose; 0: not known, or the robot prefers a period. */
double dcm_needed_ms(const struct naohw_dcm *dcm, const struct naohw_robot *robot);

/* Say that there is none any more to be called, -ESHUTDOWN. */
int dcm_is_closing(struct naohw_error *err);

/* What it sends, with its servos and their labels; NULL where another process hosts it. */
const struct naohw_pose *dcm_pose(const struct naohw_dcm *dcm);

/* Is this the thread of the cycle, within one of its callbacks? Of which kind? */
enum dcm_callback { DCM_CALLBACK_NONE, DCM_CALLBACK_POST, DCM_CALLBACK_PRE };
enum dcm_callback dcm_callback_of(const struct naohw_dcm *dcm);

/* The thread's: call those of a kind. */
void dcm_call_all(struct naohw_dcm *dcm, enum dcm_callback kind);

#endif
