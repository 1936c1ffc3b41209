// SPDX-License-Identifier: GPL-2.0-or-later
#include "returning.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "guard_words.h"
#include "key_forms.h"

/* rad/s */
#define SPEED 1.0
/* ms; a step is as long as the time since the one before, but no longer than that. */
#define STEP_MAX 50
/* So many steps a joint may be behind, as the store has where it was sent a cycle before. */
#define BEHIND 3

/* ms; a stiff joint's goal that has not changed for so long is as far as the DCM lets it go. */
#define STILL 200

#define NO_SLOT	   SIZE_MAX
#define NAME_SIZE  128
#define MS_PER_S   1000

static size_t find_slot(const struct naohw_store *store, const char *before, unsigned int joint,
			const char *behind)
{
	char name[NAME_SIZE];
	size_t slot;

	snprintf(name, sizeof(name), "%s%s%s", before, naohw_nao_joint_name(joint), behind);
	return naohw_store_find(store, name, &slot) < 0 ? NO_SLOT : slot;
}

void lola_returning_begin(struct lola_returning *returning, struct naohw_dcm *dcm)
{
	const struct naohw_store *store = naohw_dcm_store(dcm);

	*returning = (struct lola_returning){ .dcm = dcm };
	for (unsigned int i = 0; i < LOLA_JOINTS; i++) {
		returning->goal[i] = find_slot(store, KEY_PREFIX, i, "/Position/Actuator/Value");
		returning->hardness[i] =
			find_slot(store, KEY_PREFIX, i, "/Hardness/Actuator/Value");
		returning->guard[i] = find_slot(store, GUARD_PREFIX, i, "");
	}
}

void lola_returning_stop(struct lola_returning *returning)
{
	memset(returning->is_asked, 0, sizeof(returning->is_asked));
}

/* NAN: it is not known. */
static double sent(const struct lola_returning *returning, size_t slot)
{
	struct naohw_value value;

	if (naohw_store_read(naohw_dcm_store(returning->dcm), slot, &value) < 0)
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
static double next_at(const struct lola_returning *returning, unsigned int joint, double goal,
		      double step)
{
	double at = goal;

	if (!isnan(returning->at[joint]))
		at = near(returning->at[joint], goal, BEHIND * step);
	return near(returning->to[joint], at, step);
}

/* Its servo may have no torque, however stiff it is told to be. */
static bool does_what_it_is_told(const struct lola_returning *returning, unsigned int joint)
{
	struct naohw_value guard;

	if (!(sent(returning, returning->hardness[joint]) > 0))
		return false;
	return naohw_store_read(naohw_dcm_store(returning->dcm), returning->guard[joint],
				&guard) < 0 || !*guard.text;
}

/* Packets may say more than the joint has. One that is limp stands still for another reason. */
static bool is_at_end(struct lola_returning *returning, unsigned int joint, double goal)
{
	if (goal != returning->seen[joint] || !does_what_it_is_told(returning, joint)) {
		returning->seen[joint] = goal;
		returning->changed[joint] = returning->stepped;
	}
	return returning->stepped - returning->changed[joint] >= STILL;
}

void lola_returning_ask(struct lola_returning *returning, unsigned int joint, double to)
{
	if (!returning->is_asked[joint])
		returning->at[joint] = returning->seen[joint] = NAN;
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
		double goal, at;

		if (!returning->is_back[i] || !returning->is_asked[i])
			continue;
		goal = sent(returning, returning->goal[i]);
		/* Not known where it is sent */
		if (isnan(goal))
			continue;
		at = next_at(returning, i, goal, SPEED * (double)ms / MS_PER_S);
		returning->at[i] = steps->to[i] = at;
		returning->is_back[i] = at != returning->to[i] && !is_at_end(returning, i, goal);
		returning->is_asked[i] = returning->is_back[i];
		steps->is_in[i] = true;
		count++;
	}
	return count;
}
