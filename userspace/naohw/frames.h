/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the subcommands that work with frames share. */
#ifndef NAOHW_FRAMES_H
#define NAOHW_FRAMES_H

#include <stdbool.h>

#include <naohw.h>

/* As the settings of naohw_frame_open(); 0 is what that has without them. */
struct frame_options {
	unsigned int depth;
	bool newest;
};

/* The frames of a robot. Return: as naohw_frame_open(). */
int try_frames(struct naohw_robot *robot, const struct frame_options *options,
	       struct naohw_frame **frame, struct naohw_error *err);

/*
 * Memory locked and real time as far as may be, with room for what a DCM takes behind it. Before it is
 * opened: where the disk is slow this takes its time, and then the kernel's watchdog waits for poses.
 */
void prepare_for_dcm(bool quiet);

/*
 * Wait until it knows where its joints are, and what has become of their torque: for its second cycle,
 * as the first one sees frames before the kernel has been asked. Return: as naohw_dcm_wait().
 */
int await_dcm(struct naohw_dcm *dcm, struct naohw_error *err);

/* That of the naohwd that has the robot. NULL, and no error: there is none. */
int try_naohwd(struct naohw_robot *robot, struct naohw_dcm **dcm, struct naohw_error *err);

/* Be in real time as far as we may, and say what came of it. */
void go_realtime(bool quiet);

#endif
