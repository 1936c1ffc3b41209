/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A frame's inside, and what its other readers get of it. */
#ifndef NAOHW_FRAME_H
#define NAOHW_FRAME_H

#include <stdatomic.h>
#include <stdbool.h>

#include <naohw.h>

#include "../io/io.h"

struct naohw_robot;

#define FRAME_CLOCK	  "current_timestamp_clock"
#define FRAME_CLOCK_SIZE  32
/* The text of a trigger's frequency */
#define FRAME_FREQUENCY_SIZE 32
/* The age of a servo that has not answered for so many frames, or never */
#define FRAME_AGE_UNKNOWN 255

/* How a number is in a sample. It is read as one of 64 bits, of which not all are its own. */
struct frame_format {
	unsigned char bytes;
	unsigned char above;  /* bits above its own */
	unsigned char beside; /* those and the ones below its own */
	bool is_signed;
	bool is_big; /* endian */
};

struct frame_bus {
	struct bus_device device;
	struct iio_channel *timestamp;
	bool has_clock;
	bool is_monotonic;
	char clock[FRAME_CLOCK_SIZE]; /* the one it had before; "": it is not changed */
	int poll_fd;		/* below 0: it cannot be asked whether there is more */
	bool is_let_be;		/* it has more, and is not waited for in epoll */
	_Atomic int64_t period; /* 0: not known; another thread may set it, as what follows */
	_Atomic int64_t period_before;
	_Atomic int64_t period_since; /* monotonic */
	/* Of that thread: the trigger's, before its last change and before the first; "": none */
	char frequency[FRAME_FREQUENCY_SIZE];
	char frequency_opened[FRAME_FREQUENCY_SIZE];
	int64_t time;		/* of the present frame; 0: none yet */
	unsigned char *sample;	/* that */
	unsigned char *next;	/* the one that was taken last, until all buses have theirs */
	size_t time_at;
	struct frame_format time_format;
	bool has_next;
	int64_t next_time;	/* of the last one that was taken; 0: none yet */
	unsigned int passed;	/* that were too old to be beside those of other buses */
	bool is_missing;	/* others go on without it until it has a frame again */
	bool is_gone;		/* and it will not have any */
	struct naohw_error absence; /* why it is missing */
	unsigned int late;	/* periods since its own; 0: it has one of the present */
};

/* What has no quantity, as most of what boards have */
#define FRAME_OTHER	 ((enum naohw_quantity)(NAOHW_QUANTITY_ALARM + 1))
#define FRAME_QUANTITIES (NAOHW_QUANTITY_ALARM + 1)
#define FRAME_NO_UNIT	 SIZE_MAX

struct frame_channel {
	const struct bus_channel *of;
	const struct frame_bus *bus;
	enum naohw_quantity quantity;
	size_t unit;
	size_t at; /* in the sample */
	struct frame_format format;
	double servo_scale; /* as IIO has it: in its unit, and not of the joint */
	double servo_offset;
	double scale;
	double offset;
};

/* A servo or a board */
struct frame_unit {
	const char *label;
	const struct frame_bus *bus;
	bool is_servo;
	unsigned int id; /* of a servo, and then also the robot's joint that it is */
	size_t joint;
	int channel[FRAME_QUANTITIES]; /* by quantity; negative: none */
};

struct naohw_frame_settings {
	unsigned int quantities; /* 0: all */
	unsigned int depth;
	unsigned int timeout_ms;
	bool has_timeout;
	bool newest;
	int64_t period; /* ns that the buses are to have; 0: what they have */
};

struct naohw_frame {
	struct frame_bus *bus;
	size_t bus_count;
	struct frame_channel *channel; /* first those of joints, by bus, ID and quantity */
	size_t channel_count;
	size_t joint_channel_count;
	struct frame_unit *unit;
	size_t unit_count;
	size_t *by_joint; /* the unit, or FRAME_NO_UNIT */
	size_t joint_count;
	int cancel_fd; /* of naohw_frame_cancel() */
	int epoll_fd;  /* of naohw_frame_fd(); below 0: there is none */
	unsigned int timeout_ms; /* 0: as long as some periods */
	int64_t deadline; /* of the present reading, by the monotonic clock */
	unsigned int depth;
	bool newest;
	unsigned int partial_ms; /* of frame_allow_partial(); 0: all buses are wanted */
	uint64_t count;
	uint64_t lost;
	uint64_t skipped;
};

/* Which buses, values and joints there are. What has been found is freed by who closes it. */
int frame_find(struct naohw_frame *frame, const struct naohw_robot *robot, unsigned int quantities,
	       struct naohw_error *err);

/*
 * The descriptors of cancelling and of event loops; the latter only where each bus can be polled.
 * Return: 0 or a negative errno.
 */
int frame_events_open(struct naohw_frame *frame);
void frame_events_close(struct naohw_frame *frame);

/* Whether the bus is to wake who waits. */
void frame_events_expect(struct naohw_frame *frame, struct frame_bus *bus, bool expected);

/* It wakes nobody any more, whatever happens to it. */
void frame_events_forget(struct naohw_frame *frame, struct frame_bus *bus);

/* Somebody has called naohw_frame_cancel() since it was asked last. */
bool frame_was_cancelled(struct naohw_frame *frame);

/*
 * Take what a bus has, which is its next frame then, or the newest. -EAGAIN: there is none. Where
 * nobody can ask, it is waited for.
 */
int frame_take(struct naohw_frame *frame, struct frame_bus *bus, struct naohw_error *err);

/* The bus's next frame is its present one from now on. */
void frame_show(struct frame_bus *bus);

/* The present frame has nothing of the bus, and is of the time @now. */
void frame_grow_old(struct frame_bus *bus, int64_t now);

/* As naohw_frame_open(), for who has the robot, whatever unit is enabled. */
int frame_open(struct naohw_robot *robot, const struct naohw_frame_settings *settings,
	       struct naohw_frame **frame, struct naohw_error *err);

/*
 * From now on a reading waits for @timeout_ms, or two periods where these are longer; and a bus that
 * has no frame then, or cannot be read, is missing: the next readings wait for the others alone, and
 * what is of this bus grows old, as that of a silent servo does, until it has a frame again. The
 * latter only where frames can be waited for by their descriptor.
 */
void frame_allow_partial(struct naohw_frame *frame, unsigned int timeout_ms);

/* Why a bus is missing, or "". */
const char *frame_absence(const struct naohw_frame *frame);

/* The others have waited long enough. False: those that have no frame are to be waited for. */
bool frame_go_on(struct naohw_frame *frame);

/* A reading begins. */
void frame_look_again(struct naohw_frame *frame);

/* A bus cannot be read, for the reason in @err. Return: -EAGAIN, or @ret: all are wanted. */
int frame_leave_out(struct naohw_frame *frame, struct frame_bus *bus, int ret,
		    struct naohw_error *err);

/* Says why there is none of this bus; @ret, or -ENODEV. */
int frame_cannot_read(const struct naohw_frame *frame, const struct frame_bus *bus, int ret,
		      struct naohw_error *err);

/* Somebody who waits for a device that is taken away is not always woken. */
bool frame_bus_is_gone(const struct frame_bus *bus);

/* Is the device of a bus gone, without which the reader goes on? */
bool frame_lacks_bus(const struct naohw_frame *frame);

/* Look what the bus's period is. */
void frame_period_take(struct frame_bus *bus);

/*
 * Have one bus beat every @ns, as frame_set_period() does; and at its end as it did before any change of
 * ours.
 */
int frame_bus_set_period(struct frame_bus *bus, int64_t ns, struct naohw_error *err);
void frame_bus_put_period_back(const struct frame_bus *bus);

/* The period that a frame of this time has been followed by; 0: not known. */
int64_t frame_period_at(const struct frame_bus *bus, int64_t time);

/*
 * Have all buses beat every @ns: to the nearest microsecond, and then what their triggers make of
 * it, which naohw_frame_period() tells. Frames go on. Another thread than the frame's may do so
 * while that reads and waits; one at a time.
 *
 * Return: 0; -ERANGE not within 1 ms to 1 s, or what the trigger can; -ENOSPC what is exchanged
 * does not fit; -EOPNOTSUPP the trigger has no frequency; -ENODEV the bus is gone; -EACCES. What
 * fails for one bus leaves all with the period that they had. With naohw_frame_close() they have the
 * one of before again.
 */
int frame_set_period(struct naohw_frame *frame, int64_t ns, struct naohw_error *err);

/*
 * ns that what is read of the slowest bus, and sent to it, takes now: no shorter period can be set. 0:
 * not known.
 */
int64_t frame_needed(const struct naohw_frame *frame);

/* How long a reading is to wait. */
unsigned int frame_timeout_ms(const struct naohw_frame *frame);

struct frame_format frame_format_of(const struct iio_channel *channel);

/* A value in a sample. */
int64_t frame_decode(const unsigned char *at, const struct frame_format *format);

/*
 * The channel of a unit that has on the unit's own device this type and axis, and @part for a label
 * ("": none). Its number; -ENOENT: it is in no frame.
 */
int frame_find_channel(const struct naohw_frame *frame, const char *label,
		       const struct channel_id *id, const char *part);

/* The channel of a joint; negative: frames do not have it. */
int frame_of_joint(const struct naohw_frame *frame, size_t joint, enum naohw_quantity quantity);

/* As naohw_frame_raw(), of any channel. */
int64_t frame_raw(const struct naohw_frame *frame, size_t channel);

/* As the servo's own channel gives it; not before there is a frame. */
double frame_value(const struct naohw_frame *frame, size_t channel);

/* When the bus that the value is of was read; buses are not in step. */
int64_t frame_value_time(const struct naohw_frame *frame, size_t channel);

#endif
