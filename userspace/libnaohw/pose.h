/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the player's sink needs of a pose beside the public functions. */
#ifndef NAOHW_POSE_H
#define NAOHW_POSE_H

#include <naohw.h>

/* The speed in the pose, in counts. */
int pose_speed(const struct naohw_pose *pose, size_t index);

/* As naohw_pose_restore_speeds() for one axis, without a push. */
void pose_restore_speed(struct naohw_pose *pose, size_t index);

#endif
