/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Why a joint does not move: what the kernel and its servo say. All that tell a user of it ask here:
 * the keys DCM/Guard/LABEL, and what is refused to a program.
 */
#ifndef NAOHW_ROBOT_REASON_H
#define NAOHW_ROBOT_REASON_H

#include <stdbool.h>

#include <naohw.h>

#include "../../common/guard_words.h"
#include "inside.h"

/*
 * Of the servo whose IIO device has this directory. GUARD_NONE: it moves, or nothing is known.
 * @is_wheel: it is to turn, and needs no mode with goal positions.
 * @asks: its registers may be read, which waits for the bus, and GUARD_NO_ANSWER may become what the
 *	last scan of the bus has found. Otherwise only what the kernel knows by itself is told.
 * Any thread.
 */
enum guard_reason servo_reason(int dir, bool is_wheel, bool asks);

/*
 * The same of a joint. The description says which is a wheel.
 * @asks: a board is asked as well whether it gives the servos their supply, and the kernel whether
 *	a person has let the joints of the bus go. A DCM knows that of its streams.
 */
enum guard_reason joint_reason(const struct naohw_robot *robot, const struct joint *joint, bool asks);

/* Does another program stream to its bus, or hold a lease of it? */
bool joint_is_held(const struct naohw_robot *robot, const struct joint *joint);

/* Does it go where it is found, as it has been let go, or its mode has no goal positions? */
bool reason_lets_go(enum guard_reason reason);

/* What programs are told of it: for each reason always the same. */
const struct naohw_reason *reason_told(enum guard_reason reason);

/* The more important one. */
static inline enum guard_reason reason_of_both(enum guard_reason one, enum guard_reason other)
{
	return one > other ? one : other;
}

#endif
