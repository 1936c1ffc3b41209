// SPDX-License-Identifier: LGPL-2.1-or-later
#include "timing.h"

#include <math.h>

#include "../base/base.h"

#define SPEED_UNIT	  32u
#define TICK_NS		  ((int64_t)NAOHW_TICK_MS * 1000000)
/* Those of a servo with 4096 to a turn, whose zero is in the middle. */
#define PAGE_COUNT_RAD	  (2 * M_PI / 4096)
#define PAGE_ZERO	  2048
/* A hair below a whole number of counts is that number: doubles are not exact. */
#define ROUNDING	  1e-9

static unsigned int at_least_one(unsigned int ticks)
{
	return ticks ? ticks : 1;
}

unsigned int timing_move_ticks(const struct naohw_page *page, const struct motion_step *step,
			       double travel)
{
	unsigned int scaled = at_least_one(step->time * page->speed / SPEED_UNIT);
	double counts = travel / TIMING_COUNT_RAD;

	if (page->time_base)
		return scaled;
	return at_least_one((unsigned int)(counts * 40.0 / (scaled * 3.0) + ROUNDING));
}

unsigned int timing_pause_ticks(const struct naohw_page *page, const struct motion_step *step)
{
	if (page->speed == 0)
		return step->pause;
	if (page->time_base)
		return step->pause * page->speed / SPEED_UNIT;
	return step->pause * SPEED_UNIT / page->speed;
}

int64_t timing_ns(unsigned int ticks, double tempo)
{
	return llround((double)(ticks * TICK_NS) / tempo);
}

double timing_travel(const struct servo_axis *axis, int from, int to)
{
	return fabs((to - from) * axis->servo_scale);
}

int timing_goal(const struct servo_axis *axis, uint16_t position)
{
	double counts = position;

	if (axis->servo_offset == 0)
		counts = (position - PAGE_ZERO) * PAGE_COUNT_RAD / axis->servo_scale;
	return number_to_int(counts + axis->motion_offset);
}

/* All of 10 bits have 300 degrees; those of 12 have a turn at the most, in counts a quarter as large. */
bool timing_is_10_bit(const struct servo_axis *axis)
{
	return axis->servo_offset != 0 && fabs(axis->servo_scale) > TIMING_COUNT_RAD / 2;
}

int timing_has_goal(uint16_t position)
{
	return !(position & (NAOHW_POSITION_INVALID | NAOHW_POSITION_TORQUE_OFF));
}
