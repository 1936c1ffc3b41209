/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the player's sink needs of a pose beside the public functions. */
#ifndef NAOHW_POSE_H
#define NAOHW_POSE_H

#include <naohw.h>

#define POSE_QUEUE_MIN	   2
#define POSE_QUEUE_MAX	   1024
#define POSE_QUEUE_DEFAULT 4

/* The speed in the pose, in counts. */
int pose_speed(const struct naohw_pose *pose, size_t index);

/* An angle in the counts of an axis. */
int pose_present_counts(const struct naohw_pose *pose, size_t index, double rad);

/* As naohw_pose_restore_speeds() for one axis, without a push. */
void pose_restore_speed(struct naohw_pose *pose, size_t index);

#endif
