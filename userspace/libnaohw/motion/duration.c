// SPDX-License-Identifier: LGPL-2.1-or-later
/* How long a page takes, without playing it. */
#include <errno.h>
#include <stdlib.h>

#include "motion.h"

/* The longest way of any ID in the count that speed base reckons with, in rad. */
static double travel_between(const struct motion_step *from, const struct motion_step *to)
{
	int longest = 0;

	for (unsigned int id = 0; id < NAOHW_PAGE_IDS; id++) {
		int counts = abs(to->position[id] - from->position[id]);

		if (!timing_has_goal(from->position[id]) || !timing_has_goal(to->position[id]))
			continue;
		if (counts > longest)
			longest = counts;
	}
	return longest * TIMING_COUNT_RAD;
}

int naohw_page_ms(const struct naohw_page *page, long *ms)
{
	unsigned int ticks = 0;

	if (page->state != NAOHW_PAGE_GOOD)
		return -EINVAL;
	for (unsigned int i = 0; i < page->step_count; i++) {
		double travel = i ? travel_between(&page->step[i - 1], &page->step[i]) : 0;

		ticks += timing_move_ticks(page, &page->step[i], travel);
		ticks += timing_pause_ticks(page, &page->step[i]);
	}
	*ms = (long)ticks * NAOHW_TICK_MS;
	return 0;
}
