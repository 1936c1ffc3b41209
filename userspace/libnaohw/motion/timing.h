/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How long a step takes and how fast each joint goes: arithmetic only. */
#ifndef NAOHW_TIMING_H
#define NAOHW_TIMING_H

#include <naohw.h>

#include "../pose/pose.h"
#include "page.h"

/*
 * The count that speed base reckons with, in rad: 1024 for 300 degrees. This belongs to the
 * file formats, whatever the servo; that an AX-12 has the same is where it comes from.
 */
#define TIMING_COUNT_RAD (300.0 / 1024 * 3.14159265358979323846 / 180)

/* Ticks of a step's movement; @travel is the longest way of any joint, in rad. */
unsigned int timing_move_ticks(const struct naohw_page *page, const struct motion_step *step,
			       double travel);

/* Ticks of the pause after it. */
unsigned int timing_pause_ticks(const struct naohw_page *page, const struct motion_step *step);

/* Nanoseconds of this many ticks at a tempo (2 = twice as fast). */
int64_t timing_ns(unsigned int ticks, double tempo);

/* The angle of the servo between two counts, in rad. */
double timing_travel(const struct servo_axis *axis, int from, int to);

/*
 * The servo's goal for a position of a page. One that counts from its zero both ways has
 * goals that a page cannot hold; to that a page speaks as to an MX-28. The axis's motion_offset is
 * in it.
 */
int timing_goal(const struct servo_axis *axis, uint16_t position);

/* Does it count as an AX-12 does, with positions of 10 bits, or as an MX-28, with 12? */
bool timing_is_10_bit(const struct servo_axis *axis);

/* Is there a position in it, rather than a flag? */
int timing_has_goal(uint16_t position);

#endif
