// SPDX-License-Identifier: GPL-2.0-or-later
#include "returning.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* rad/s */
#define SPEED 1.0
/* ms; a step is as long as the time since the one before, but no longer than that. */
#define STEP_MAX 50
/* So many steps a joint may be behind, as the store has where it was sent a cycle before. */
#define BEHIND 3

#define NO_SLOT	  SIZE_MAX
#define NAME_SIZE 128
#define MS_PER_S  1000

void lola_returning_begin(struct lola_returning *returning, struct naohw_dcm *dcm)
{
	*returning = (struct lola_returning){ .dcm = dcm };
	for (unsigned int i = 0; i < LOLA_JOINTS; i++) {
		char name[NAME_SIZE];

		snprintf(name, sizeof(name), "Device/SubDeviceList/%s/Position/Actuator/Value",
			 naohw_nao_joint_name(i));
		if (naohw_store_find(naohw_dcm_store(dcm), name, &returning->goal[i]) < 0)
			returning->goal[i] = NO_SLOT;
	}
}

void lola_returning_stop(struct lola_returning *returning)
{
	memset(returning->is_asked, 0, sizeof(returning->is_asked));
}

/* NAN: it is not known. */
static double goal_of(const struct lola_returning *returning, unsigned int joint)
{
	const struct naohw_store *store = naohw_dcm_store(returning->dcm);
	struct naohw_value value;

	if (naohw_store_read(store, returning->goal[joint], &value) < 0)
		return NAN;
	return value.number;
}

static double near(double value, double to, double most)
{
	if (value < to - most)
		return to - most;
	return value > to + most ? to + most : value;
}

/* A joint that does not follow, as one without stiffness, is not left behind. */
static double next_at(const struct lola_returning *returning, unsigned int joint, double step)
{
	double goal = goal_of(returning, joint);
	double at;

	if (isnan(goal))
		return NAN;
	at = goal;
	if (!isnan(returning->at[joint]))
		at = near(returning->at[joint], goal, BEHIND * step);
	return near(returning->to[joint], at, step);
}

void lola_returning_ask(struct lola_returning *returning, unsigned int joint, double to)
{
	if (!returning->is_asked[joint])
		returning->at[joint] = NAN;
	returning->is_asked[joint] = true;
	returning->to[joint] = to;
}

size_t lola_returning_steps(struct lola_returning *returning, struct lola_steps *steps)
{
	int64_t now = naohw_dcm_get_time(returning->dcm, 0);
	int64_t ms = now - returning->stepped < STEP_MAX ? now - returning->stepped : STEP_MAX;
	size_t count = 0;

	*steps = (struct lola_steps){ .time = now + ms };
	returning->stepped = now;
	for (unsigned int i = 0; i < LOLA_JOINTS; i++) {
		double at;

		if (!returning->is_back[i] || !returning->is_asked[i])
			continue;
		at = next_at(returning, i, SPEED * (double)ms / MS_PER_S);
		/* Not known where it is sent */
		if (isnan(at))
			continue;
		returning->at[i] = steps->to[i] = at;
		returning->is_back[i] = at != returning->to[i];
		steps->is_in[i] = true;
		count++;
	}
	return count;
}
