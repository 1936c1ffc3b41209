/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A pose, for the rooms above: what naohw.h does not say of it, which is the servos behind the
 * joints, in their counts.
 */
#ifndef NAOHW_POSE_H
#define NAOHW_POSE_H

#include <naohw.h>

/*
 * One axis of a pose: a servo by bus ID and in counts, as motion pages have it.
 * (counts + offset) * scale is the joint's angle in rad, as its keys have it; the scale is below
 * 0 where the servo turns against the joint. (counts + servo_offset) * servo_scale is the angle
 * of the servo itself, which motion pages mean; speed counts * speed_scale is how fast that
 * turns, in rad/s. min..max is what the servo accepts, narrowed by Min and Max of its
 * Position/Actuator in the description.
 */
struct servo_axis {
	const char *label;
	unsigned int bus;
	unsigned int id;
	int min;
	int max;
	double scale;
	double offset;
	double servo_scale;
	double servo_offset;
	int speed_max;
	double speed_scale;
};

/* By bus and ID; past the end -EINVAL. */
size_t pose_axis_count(const struct naohw_pose *pose);
int pose_get_axis(const struct naohw_pose *pose, size_t index, struct servo_axis *axis);

/* Goal and speed in counts; -ERANGE outside of min..max or 1..speed_max. */
int pose_set_counts(struct naohw_pose *pose, size_t index, int goal, int speed);

/* What is in the pose, in counts. */
int pose_get_counts(const struct naohw_pose *pose, size_t index);
int pose_speed(const struct naohw_pose *pose, size_t index);

/* Ask the servo of an axis where it is. As naohw_key_read(). */
int pose_read_present(struct naohw_pose *pose, size_t index, int *counts, struct naohw_error *err);

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
