/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A frame's inside, and what its other readers get of it. */
#ifndef NAOHW_FRAME_H
#define NAOHW_FRAME_H

#include <stdbool.h>

#include <naohw.h>

#include "bus_device.h"

struct naohw_robot;

#define FRAME_LABEL_SIZE 64
#define FRAME_CLOCK	 "current_timestamp_clock"
#define FRAME_CLOCK_SIZE 32
/* The age of a servo that has not answered for so many frames, or never */
#define FRAME_AGE_UNKNOWN 255u

struct frame_bus {
	struct bus_device device;
	const struct iio_channel *timestamp;
	bool has_clock;
	char clock[FRAME_CLOCK_SIZE]; /* the one it had before; "": it is not changed */
	int poll_fd;		/* below 0: it cannot be asked whether there is more */
	int64_t period;		/* 0: not known */
	int64_t time;		/* of the present frame; 0: none yet */
	const unsigned char *sample;
	size_t size;
	size_t time_at;
};

struct frame_channel {
	struct iio_channel *iio;
	const struct frame_bus *bus;
	unsigned int id;
	enum naohw_quantity quantity;
	size_t joint;
	size_t at; /* in the sample */
	struct iio_data_format format;
	double servo_scale; /* as IIO has it: in its unit, and not of the joint */
	double servo_offset;
	double scale;
	double offset;
};

struct frame_joint {
	char label[FRAME_LABEL_SIZE];
	const struct frame_bus *bus;
	unsigned int id;
	unsigned int quantities;
	size_t first; /* of its channels */
	size_t count;
};

struct naohw_frame {
	struct frame_bus *bus;
	size_t bus_count;
	struct frame_channel *channel; /* by bus, ID and quantity */
	size_t channel_count;
	struct frame_joint *joint;
	size_t joint_count;
	unsigned int timeout_ms;
	int64_t deadline; /* of the present reading, by the monotonic clock */
	unsigned int depth;
	bool newest;
	uint64_t count;
	uint64_t lost;
	uint64_t skipped;
};

/* Which buses, values and joints there are. What has been found is freed by who closes it. */
int frame_find(struct naohw_frame *frame, const struct naohw_robot *robot, unsigned int quantities,
	       struct naohw_error *err);

/* A value in a sample. */
int64_t frame_decode(const unsigned char *at, const struct iio_data_format *format);

/*
 * Which value of a frame a channel ("in_angl0") of the servo with this label has too; -ENOENT:
 * none. @id is the IIO channel's without "in_".
 */
int frame_find_channel(const struct naohw_frame *frame, const char *label, const char *id);

/* The value of a joint that is of this quantity, by number as naohw_frame_get_channel(). */
int frame_find_quantity(const struct naohw_frame *frame, size_t joint,
			enum naohw_quantity quantity);

/* As the servo's own channel gives it; not before there is a frame. */
double frame_value(const struct naohw_frame *frame, size_t channel);

/* When the bus that the value is of was read; buses are not in step. */
int64_t frame_value_time(const struct naohw_frame *frame, size_t channel);

#endif
