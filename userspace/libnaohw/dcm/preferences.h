/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a description says of the DCM itself, "DCM/...", or else is so. */
#ifndef NAOHW_DCM_PREFERENCES_H
#define NAOHW_DCM_PREFERENCES_H

#include <naohw.h>

#include "../description/description.h"
#include "../diagnosis/diagnosis.h"
#include "stall.h"

struct dcm_preferences {
	double cycle_time;	   /* TargetCycleTime, ms; 0: as the buses have it */
	double cycle_time_warning; /* CycleTimeWarning, ms: a longer one is counted */
	double realtime;	   /* Realtime: 0 or 1 */
	double realtime_priority;  /* RealtimePriority, of SCHED_FIFO */
	double speed_max;	   /* SpeedMax, rad/s, of joints without one of their own */
	double acceleration_max;   /* AccelerationMax, rad/s^2, of wheels without their own */
	double speed_without_time; /* SpeedWithoutTime, rad/s, of commands without a time */
	double auto_recover;	   /* AutoRecover: 0 or 1 */
	struct stall_limits stall; /* StallTime, StallError, StallLoad */
	const struct rules *rules; /* DiagnosisRules; NULL: no text, and nothing is diagnosed */
};

/* -EINVAL: one is no number, or out of its range, or no table has that name. */
int dcm_preferences_read(struct dcm_preferences *preferences,
			 const struct description *description, struct naohw_error *err);

/* How fast a joint may go, see dcm_speed_max(), or a wheel turn. */
double preferences_speed_max(const struct dcm_preferences *preferences,
			     const struct description *description, const char *actuator);

/* How fast the speed of a wheel may change. */
double preferences_acceleration_max(const struct dcm_preferences *preferences,
				    const struct description *description, const char *actuator);

/*
 * Of a joint that is blocked. A leg without a StallTime of its own is not eased: it would stay away from its goal when
 * somebody has leaned on a robot that stands.
 */
void preferences_stall(const struct dcm_preferences *preferences,
		       const struct description *description, const char *actuator, bool is_of_leg,
		       struct stall *stall);

#endif
