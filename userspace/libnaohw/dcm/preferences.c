// SPDX-License-Identifier: LGPL-2.1-or-later
#include "preferences.h"

#include <errno.h>
#include <math.h>

#include "../base/base.h"
#include "../robot/robot.h"
#include "actuator.h"
#include "dcm.h"

struct row {
	const char *name;
	size_t at;
	double otherwise;
	double min;
	double max;
};

#define ROW(name, member, otherwise, min, max)                                                     \
	{ DCM_PREFIX name, offsetof(struct dcm_preferences, member), otherwise, min, max }

/*
 * CycleTimeWarning is NAO's. Its priority of 60 would be above the kernel's own threads of the bus
 * on a kernel with PREEMPT_RT, see cycle.rst. The speeds are ours: without a time, a quarter of a
 * turn takes a second and a half, and a wheel is at its speed within half of one.
 */
static const struct row rows[] = {
	ROW("TargetCycleTime", cycle_time, 0, NAOHW_PERIOD_MIN, NAOHW_PERIOD_MAX),
	ROW("CycleTimeWarning", cycle_time_warning, 50, 1, 10000),
	ROW("Realtime", realtime, 1, 0, 1),
	ROW("RealtimePriority", realtime_priority, 40, 1, 99),
	ROW("SpeedMax", speed_max, 4, 0.01, 100),
	ROW("AccelerationMax", acceleration_max, 10, 0.01, 1000),
	ROW("SpeedWithoutTime", speed_without_time, 1, 0.01, 100),
	ROW("AutoRecover", auto_recover, 0, 0, 1),
	/*
	 * An AX-12 switches itself off after 500 ms with more load than its torque limit. The goal of a joint that
	 * something stops is beyond normal lag some 150 ms after that, and comes back a few cycles late.
	 */
	ROW("StallTime", stall.time, 200, 0, 60000),
	ROW("StallError", stall.error, 0.1, 0.01, 10),
	ROW("StallLoad", stall.load, 0.9, 0.1, 1),
};

static int take(double *value, const struct row *row, const struct preference *preference,
		struct naohw_error *err)
{
	*value = row->otherwise;
	if (!preference)
		return 0;
	if (preference->type == NAOHW_KEY_STRING || !(preference->number >= row->min) ||
	    !(preference->number <= row->max))
		return fail(err, -EINVAL, "%s:%ld: %s: value \"%s\", expected a number from %g to %g",
			    preference->path, preference->line, preference->key, preference->text,
			    row->min, row->max);
	*value = preference->number;
	return 0;
}

static int take_rules(struct dcm_preferences *preferences, const struct description *description,
		      struct naohw_error *err)
{
	const struct preference *named = description_find_key(description, RULES_KEY);

	preferences->rules = NULL;
	if (!named || (named->type == NAOHW_KEY_STRING && !*named->text))
		return 0;
	if (named->type == NAOHW_KEY_STRING)
		preferences->rules = rules_find(named->text);
	return preferences->rules ?
		       0 :
		       source_wrong(named, "the string NAO or Pepper, or an empty one", err);
}

int dcm_preferences_read(struct dcm_preferences *preferences, const struct description *description,
			 struct naohw_error *err)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct row *row = &rows[i];
		int ret = take((double *)((char *)preferences + row->at), row,
			       description_find_key(description, row->name), err);

		if (ret < 0)
			return ret;
	}
	return take_rules(preferences, description, err);
}

double preferences_speed_max(const struct dcm_preferences *preferences,
			     const struct description *description, const char *actuator)
{
	const struct preference *own = description_find(description, actuator, "SpeedMax");

	return own ? own->number : preferences->speed_max;
}

double preferences_acceleration_max(const struct dcm_preferences *preferences,
				    const struct description *description, const char *actuator)
{
	const struct preference *own = description_find(description, actuator, "AccelerationMax");

	return own ? own->number : preferences->acceleration_max;
}

void preferences_stall(const struct dcm_preferences *preferences,
		       const struct description *description, const char *actuator, bool is_of_leg,
		       struct stall *stall)
{
	const struct preference *time = description_find(description, actuator, "StallTime");
	const struct preference *current = description_find(description, actuator, "StallCurrent");

	stall->time = is_of_leg ? 0 : preferences->stall.time;
	if (time)
		stall->time = time->number;
	stall->current = current ? current->number : (double)NAN;
}

int dcm_speed_max(const struct naohw_robot *robot, const char *position, double *rad_s,
		  struct naohw_error *err)
{
	struct dcm_preferences preferences;
	int ret = dcm_preferences_read(&preferences, robot->description, err);

	if (ret == 0)
		*rad_s = preferences_speed_max(&preferences, robot->description, position);
	return ret;
}
