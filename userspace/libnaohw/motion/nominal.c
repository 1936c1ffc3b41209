// SPDX-License-Identifier: LGPL-2.1-or-later
/* The servos that a motion file was written for, where no robot is there to tell. */
#include <math.h>

#include "motion.h"

#define AX_MAX 1023
#define MX_MAX 4095

/* The two kinds of servo that motion files are written for; only a dry run needs to guess. */
static const struct servo_axis ax12 = {
	.label = "AX-12",
	.max = AX_MAX,
	.servo_scale = TIMING_COUNT_RAD,
	.servo_offset = -512,
	.speed_max = 1023,
	.speed_scale = 0.111 * 2 * M_PI / 60,
};

static const struct servo_axis mx28 = {
	.label = "MX-28",
	.max = MX_MAX,
	.servo_scale = 360.0 / 4096 * M_PI / 180,
	.servo_offset = -2048,
	.speed_max = 1023,
	.speed_scale = 0.114 * 2 * M_PI / 60,
};

/* A position above 1023 cannot be meant for an AX-12. Flags and garbage tell nothing. */
static bool is_for_mx(const struct motion_step *step)
{
	for (unsigned int id = 0; id < NAOHW_PAGE_IDS; id++)
		if (step->position[id] > AX_MAX && step->position[id] <= MX_MAX)
			return true;
	return false;
}

const struct servo_axis *motion_nominal_axis(const struct naohw_motion *motion)
{
	for (unsigned int i = 0; i < motion->count; i++) {
		const struct naohw_page *page = &motion->page[i];

		if (page->state != NAOHW_PAGE_GOOD)
			continue;
		for (unsigned int k = 0; k < page->step_count; k++)
			if (is_for_mx(&page->step[k]))
				return &mx28;
	}
	return &ax12;
}
