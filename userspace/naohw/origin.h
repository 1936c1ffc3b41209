/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a command that only reads has a robot's values from. A naohwd that has the robot has its
 * frames, too, and its store says what they say.
 */
#ifndef NAOHW_ORIGIN_H
#define NAOHW_ORIGIN_H

#include <naohw.h>

#include "frames.h"

/* One of both; the other one is NULL. */
struct origin {
	struct naohw_dcm *dcm; /* naohwd's */
	struct naohw_frame *frame;
};

/*
 * Use naohwd's, or else open frames with these options. Return: 0; as naohw_dcm_open() and
 * naohw_frame_open() with @err saying why, and nothing is open.
 */
int origin_open(struct origin *origin, struct naohw_robot *robot,
		const struct frame_options *options, struct naohw_error *err);

/* Also of one that is all zero */
void origin_close(struct origin *origin);

#endif
