/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A pose's inside: its axes, and the buses' goal outputs behind them. */
#ifndef NAOHW_POSE_INSIDE_H
#define NAOHW_POSE_INSIDE_H

#include <stdbool.h>
#include <stdint.h>

#include <naohw.h>

#include "../io/io.h"
#include "pose.h"

#define POSE_QUEUE_MIN	   2
#define POSE_QUEUE_MAX	   1024
#define POSE_QUEUE_DEFAULT 4

#define POSE_NO_AXIS SIZE_MAX

struct pose_bus {
	struct bus_device device;
	unsigned char *sample; /* of the pose, while it is open */
	bool has_wheels; /* poses are to have their speeds */
	bool asked;    /* its device has come with more than goals because of us, ... */
	bool streamed; /* ... and goes without, as it has streamed */
	bool replaced; /* by one without that is to come: the bus was there when the stream ended */
	bool pushed;
	bool full; /* in a push: has had no room yet */
};

/* Where a number is in a sample, and how */
struct pose_place {
	size_t at;     /* in bytes */
	uint32_t mask; /* the bits that it has */
	bool is_half;  /* it is 16 bits long, and not 32 */
	bool is_big;   /* endian */
};

struct pose_axis {
	struct servo_axis info;
	struct pose_bus *bus;
	struct iio_channel *goal_channel;
	struct iio_channel *speed_channel; /* NULL: it is a wheel */
	struct iio_channel *stiffness_channel; /* NULL: the pose has none */
	struct pose_place goal_place;
	struct pose_place speed_place;
	struct pose_place stiffness_place;
	const struct joint *joint;
	int goal;
	int speed;
	int stiffness;	       /* steps, or POSE_LEFT_ALONE */
	int speed_before;      /* 0: could not be read, so there is nothing to go back to */
	bool guessed;	       /* the goal is neither the servo's nor naohw_pose_set()'s */
};

struct naohw_pose_settings {
	unsigned int queue; /* poses that the kernel is to queue for a bus */
	bool stiffness;
	bool wheels;
	bool auto_recover;
};

struct naohw_pose {
	struct naohw_robot *robot;
	struct iio_context *context; /* of its own; NULL: the robot's devices are those that are */
	struct bus_devices goals;    /* of that */
	struct pose_bus *bus;
	size_t bus_count;
	struct pose_axis *axis;
	size_t axis_count;
	size_t *by_joint;   /* which axis, or POSE_NO_AXIS */
	unsigned int queue; /* 0: only described */
	bool stiffness;
	bool wheels;
	bool auto_recover;
	bool open; /* has the outputs, and so can be pushed */
	int64_t patience; /* ns between two signs of life that all buses can do with */
	int64_t alive_at; /* of the last one */
};

/*
 * Find the devices of the robot's buses, also those that have come since the robot was opened; have
 * them say how stiff joints are and how fast wheels turn, or not, as the pose is to; end what is
 * streamed to one; and leave them as they were: whoever opens the robot next finds them.
 */
int pose_take_goals(struct naohw_pose *pose, struct naohw_error *err);
int pose_ask_options(struct naohw_pose *pose, struct naohw_error *err);
void pose_end_stream(const struct naohw_pose *pose, struct pose_bus *bus);
void pose_release_goals(struct naohw_pose *pose);

/* Put a number into a bus's sample. */
void pose_put(unsigned char *sample, const struct pose_place *place, int value);

/* Says that somebody has the bus's poses; -EBUSY. */
int pose_is_moved(const struct bus_device *bus, struct naohw_error *err);

/*
 * Somebody holds a lease of the bus, and has come first: with its end he would let go what we move.
 */
bool pose_is_leased(const struct naohw_pose *pose, const struct pose_bus *bus);

void pose_sleep_ms(long milliseconds);

/* Which buses have wheels, if the pose is to have them. */
void pose_find_wheels(struct naohw_pose *pose);

/* Fill in what there is; nothing is taken, and no servo asked. */
int pose_find_axes(struct naohw_pose *pose, struct naohw_error *err);

/* Ask the servo of an axis what it is to start from. */
void pose_start_axis(struct naohw_pose *pose, size_t index);

/* Have the stream of a bus recover by itself. */
int pose_recover_by_itself(const struct pose_bus *bus, struct naohw_error *err);

/* The buses' watchdogs are as they are now. */
void pose_take_patience(struct naohw_pose *pose, const struct bus_device *bus);

/* A sign of life for all buses that are open */
void pose_keep_alive(struct naohw_pose *pose);

/* Says that a pose was only described; -EBADF. */
int pose_not_open(struct naohw_error *err);

/* As naohw_pose_stay(), of an axis. */
int pose_stay(struct naohw_pose *pose, size_t index, const struct naohw_frame *frame,
	      struct naohw_error *err);

/* As naohw_pose_restore_speeds() for one axis, without a push. */
void pose_restore_speed(struct pose_axis *axis);

/* What answers gets the place where it is found as its goal. */
void pose_stay_here(struct pose_axis *axis);

#endif
