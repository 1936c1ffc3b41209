/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A pose, for the rooms above: what naohw.h does not say of it, which is the servos behind the
 * joints, in their counts.
 */
#ifndef NAOHW_POSE_H
#define NAOHW_POSE_H

#include <stdbool.h>
#include <stdint.h>

#include <naohw.h>

#include "../../common/guard_words.h"

/*
 * One axis of a pose: a servo by bus ID and in counts, as motion pages have it.
 * (counts + offset) * scale is the joint's angle in rad, as its keys have it; the scale is below
 * 0 where the servo turns against the joint. (counts + servo_offset) * servo_scale is the angle
 * of the servo itself, which motion pages mean; speed counts * speed_scale is how fast that
 * turns, in rad/s. min..max is what the servo accepts, narrowed by Min and Max of its
 * Position/Actuator in the description. motion_offset counts are added to what motion pages say.
 * stiffness_max steps are the highest torque limit, each of
 * them stiffness_scale percent of it; 0: the pose says nothing of that.
 * Under the robot's own weight it may be off its goal by sag counts.
 *
 * A wheel has a speed in place of an angle: (counts + offset) * scale is that in rad/s, as its
 * keys have it, and min..max is narrowed by its Speed/Actuator. It has no speed to a goal.
 */
struct servo_axis {
	const char *label;
	bool is_wheel;
	unsigned int bus;
	unsigned int id;
	int min;
	int max;
	double scale;
	double offset;
	double servo_scale;
	double servo_offset;
	double motion_offset;
	int speed_max;
	double speed_scale;
	int stiffness_max;
	double stiffness_scale;
	int sag;
};

/*
 * Servos that the description calls wheels, and that are in a mode for that, are to be axes, too.
 * To the functions of naohw.h they are joints that no pose can move.
 */
void pose_settings_set_wheels(struct naohw_pose_settings *settings, bool wheels);

/* As naohw_pose_open(), for who has the robot, whatever unit is enabled. */
int pose_open(struct naohw_robot *robot, const struct naohw_pose_settings *settings,
	      struct naohw_pose **pose, struct naohw_error *err);

/* Is another program moving the robot? -EBUSY: @err says which; 0: it is not. Nothing is taken. */
int pose_check_mover(struct naohw_robot *robot, struct naohw_error *err);

/* Whose it is. */
const struct naohw_robot *pose_robot(const struct naohw_pose *pose);

/* By bus and ID; past the end -EINVAL. */
size_t pose_axis_count(const struct naohw_pose *pose);
int pose_get_axis(const struct naohw_pose *pose, size_t index, struct servo_axis *axis);

/* Which one has this label; -ENOENT: none. */
int pose_find_axis(const struct naohw_pose *pose, const char *label, size_t *index);

/* Goal and speed in counts; -ERANGE outside of min..max or 1..speed_max; -EINVAL it is a wheel. */
int pose_set_counts(struct naohw_pose *pose, size_t index, int goal, int speed);

/* The speed of a wheel in counts; -ERANGE outside of min..max; -EINVAL it is none. */
int pose_set_wheel(struct naohw_pose *pose, size_t index, int counts);

/* What is in the pose, in counts. */
int pose_get_counts(const struct naohw_pose *pose, size_t index);
int pose_speed(const struct naohw_pose *pose, size_t index);

/* The servo has not said what its goal is: the one in the pose is a guess. */
bool pose_is_guessed(const struct naohw_pose *pose, size_t index);
/* From now on it is this one, or the nearest within its limits; the speed stays. */
void pose_place(struct naohw_pose *pose, size_t index, int counts);

/*
 * How stiff it is, in steps of what the pose has of that: up to stiffness_max, which the caller sees
 * to; 0 no torque, below 0 not even a brake. POSE_LEFT_ALONE: the servo gets neither a
 * stiffness nor its goal, as nobody knows how stiff it is; that is the kernel's number, see cycle.rst.
 */
#define POSE_LEFT_ALONE INT16_MIN

void pose_set_stiffness(struct naohw_pose *pose, size_t index, int steps);
int pose_get_stiffness(const struct naohw_pose *pose, size_t index);

/* Ask the servo of an axis how stiff it is. Any thread. As naohw_key_read(). */
int pose_read_stiffness(const struct naohw_pose *pose, size_t index, int *steps);

/*
 * Which joint of its robot an axis is, and what the kernel says of it: joint_reason(), which does not
 * ask the servo. Any thread, while another one pushes the pose.
 */
size_t pose_joint(const struct naohw_pose *pose, size_t index);
enum guard_reason pose_read_reason(const struct naohw_pose *pose, size_t index);

/*
 * As naohw_pose_recover(), and no goal in the pose becomes another one, which is for who has them
 * follow what frames say. Of an open pose; any thread may do so while another one pushes it, as
 * nothing of the pose is written to.
 */
int pose_tell_recover(const struct naohw_pose *pose, struct naohw_error *err);

/*
 * As naohw_pose_push(), which waits for room where the poses before are not sent yet; this one is
 * nobody's then, and -EAGAIN says so.
 */
int pose_push_now(struct naohw_pose *pose, struct naohw_error *err);

/* Let all joints of its buses go, as naohw_robot_limp(), and wait for nothing. As above. */
int pose_let_go(const struct naohw_pose *pose, struct naohw_error *err);

/* Has a person let the joints of a bus go (naohw_robot_limp())? Any thread, as above. */
bool pose_is_limp(const struct naohw_pose *pose);

/* A sign of life for all buses that are open, if it is time for one. */
void pose_stay_alive(struct naohw_pose *pose);

/* ns between two signs of life that all buses can do with; 0: it has no bus. */
int64_t pose_patience(const struct naohw_pose *pose);

/*
 * Where the servo of an axis is by a frame, in counts; -ENOENT: it is not in it, -EAGAIN: it has
 * not answered. That is the servo's own place: what a description says of the sensor may not be
 * what it says of the actuator.
 */
int pose_present_in(const struct naohw_pose *pose, size_t index, const struct naohw_frame *frame,
		    int *counts);

#endif
