// SPDX-License-Identifier: LGPL-2.1-or-later
/* How long a page takes, without playing it. */
#include <errno.h>
#include <stdlib.h>

#include "motion.h"
#include "timing.h"

static double travel_of(unsigned int id, uint16_t from, uint16_t to, const struct naohw_axis *axes,
			size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (axes[i].id == id)
			return timing_travel(&axes[i], timing_goal(&axes[i], from),
					     timing_goal(&axes[i], to));
	return axes ? 0 : abs(to - from) * NAOHW_COUNT_RAD;
}

static double travel_between(const struct naohw_step *from, const struct naohw_step *to,
			     const struct naohw_axis *axes, size_t count)
{
	double longest = 0;

	for (unsigned int id = 0; id < NAOHW_PAGE_IDS; id++) {
		double travel;

		if (!timing_has_goal(from->position[id]) || !timing_has_goal(to->position[id]))
			continue;
		travel = travel_of(id, from->position[id], to->position[id], axes, count);
		if (travel > longest)
			longest = travel;
	}
	return longest;
}

long naohw_motion_page_ms(const struct naohw_motion *motion, unsigned int number,
			  const struct naohw_axis *axes, size_t count)
{
	const struct motion_page *page = motion_playable(motion, number);
	unsigned int ticks = 0;

	if (!page)
		return -EINVAL;
	for (unsigned int i = 0; i < page->head.steps; i++) {
		double travel =
			i ? travel_between(&page->step[i - 1], &page->step[i], axes, count) : 0;

		ticks += timing_move_ticks(&page->head, &page->step[i], travel);
		ticks += timing_pause_ticks(&page->head, &page->step[i]);
	}
	return (long)ticks * NAOHW_TICK_MS;
}
