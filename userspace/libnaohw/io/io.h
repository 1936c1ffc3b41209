/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The robot's devices, for the rooms above: what naohw.h does not say of them. All that is
 * read and written through libiio, /sys and /dev is in here.
 */
#ifndef NAOHW_IO_H
#define NAOHW_IO_H

#include <naohw.h>

/* The speed in the pose, in counts. */
int pose_speed(const struct naohw_pose *pose, size_t index);

/*
 * Where the servo of an axis is by a frame, in counts; -ENOENT: it is not in it, or has not
 * answered. That is the servo's own place: what a description says of the sensor may not be what
 * it says of the actuator.
 */
int pose_present_in(const struct naohw_pose *pose, size_t index, const struct naohw_frame *frame,
		    int *counts);

/* As naohw_pose_restore_speeds() for one axis, without a push. */
void pose_restore_speed(struct naohw_pose *pose, size_t index);

#endif
