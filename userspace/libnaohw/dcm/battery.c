// SPDX-License-Identifier: LGPL-2.1-or-later
#include "battery.h"

#include <math.h>
#include <stdio.h>

#include "../base/base.h"

#define CURRENT "/Battery/Current/Sensor"

/*
 * NAO's maker says "slowly" of the one, and nothing of the other. Ours: slow enough for a robot
 * that stands to sink and not to fall, and back more slowly, lest the two take turns.
 */
#define MS_TO_NOTHING 5000.0
#define MS_TO_ALL     10000.0

void battery_find(struct battery *battery, const struct naohw_robot *robot,
		  const struct naohw_store *store)
{
	battery->part = 1;
	for (size_t i = 0; i < robot->subdevice_count; i++) {
		const struct subdevice *s = &robot->subdevice[i];
		char name[256];

		if (!text_ends_with(s->name, CURRENT) || !isfinite(s->max) || s->max <= 0)
			continue;
		snprintf(name, sizeof(name), "%s/Value", s->name);
		if (naohw_store_find(store, name, &battery->slot) < 0)
			continue;
		battery->has_limit = true;
		battery->limit = s->max;
		return;
	}
}

/* An alarm is no reason to doubt it. */
static bool is_known(const struct naohw_value *current)
{
	return current->state == NAOHW_STATE_FRESH || current->state == NAOHW_STATE_FAULTY;
}

/* One that nobody can ask is no reason to let a robot sink, nor to make it stiff again. */
void battery_look(struct battery *battery, const struct naohw_store *store, double ms)
{
	struct naohw_value current;

	if (!battery->has_limit || naohw_store_read(store, battery->slot, &current) < 0 ||
	    !is_known(&current))
		return;
	if (-current.number > battery->limit)
		battery->part = fmax(battery->part - ms / MS_TO_NOTHING, 0);
	else
		battery->part = fmin(battery->part + ms / MS_TO_ALL, 1);
}
