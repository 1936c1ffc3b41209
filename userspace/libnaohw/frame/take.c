// SPDX-License-Identifier: LGPL-2.1-or-later
/* Taking frames out of one bus's buffer: which is the newest, and what is missing between two. */
#include <errno.h>

#include "../base/base.h"
#include "../io/io.h"
#include "frame.h"
#include "monotonic.h"

/* Periods between two frames that had none. A clock that was set back tells nothing. */
static uint64_t missing(const struct frame_bus *bus, int64_t time)
{
	int64_t period = frame_period_at(bus, bus->next_time), periods;

	if (!period || !bus->next_time || time <= bus->next_time)
		return 0;
	periods = (time - bus->next_time + period / 2) / period;
	return periods > 1 ? (uint64_t)periods - 1 : 0;
}

bool frame_bus_is_gone(const struct frame_bus *bus)
{
	char clock[FRAME_CLOCK_SIZE];

	return bus->has_clock &&
	       device_read(&bus->device.held, FRAME_CLOCK, clock, sizeof(clock)) < 0;
}

int frame_cannot_read(const struct naohw_frame *frame, const struct frame_bus *bus, int ret,
		      struct naohw_error *err)
{
	if (ret == -ETIMEDOUT && frame_bus_is_gone(bus))
		return fail(err, -ENODEV, "dxl%u-state: the bus is gone, or its servos are others",
			    bus->device.number);
	if (ret == -ETIMEDOUT)
		return fail(err, ret, "dxl%u-state: no frame within %u ms", bus->device.number,
			    frame_timeout_ms(frame));
	return fail(err, ret, "dxl%u-state: cannot read a frame: %s", bus->device.number,
		    error_text(ret));
}

static int read_next(struct naohw_frame *frame, struct frame_bus *bus, struct naohw_error *err)
{
	size_t size = buffer_size(bus->device.buffer);
	ssize_t ret = buffer_read(bus->device.buffer, bus->next);
	int64_t time;

	if (ret == -EAGAIN)
		return -EAGAIN;
	if (ret < 0)
		return frame_cannot_read(frame, bus, (int)ret, err);
	if ((size_t)ret < size)
		return fail(err, -EIO, "dxl%u-state: a frame of %zd bytes, expected %zu",
			    bus->device.number, ret, size);
	time = frame_decode(bus->next + bus->time_at, &bus->time_format);
	/* One that was missing has been told of as such. */
	if (!bus->is_missing)
		frame->lost += missing(bus, time);
	frame->skipped += bus->has_next;
	bus->next_time = time;
	bus->has_next = true;
	return 0;
}

/*
 * Of one that is younger than a period there is none yet that is newer, and nobody has to be asked.
 * Where a reading would wait, nobody can.
 */
static bool may_have_newer(const struct naohw_frame *frame, const struct frame_bus *bus)
{
	int64_t period = frame_period_at(bus, bus->next_time);

	if (frame->epoll_fd < 0)
		return false;
	return !bus->is_monotonic || !period || monotonic_ns() - bus->next_time >= period;
}

int frame_take(struct naohw_frame *frame, struct frame_bus *bus, struct naohw_error *err)
{
	int ret = read_next(frame, bus, err);

	for (unsigned int i = 0; frame->newest && ret == 0 && i < frame->depth; i++) {
		if (!may_have_newer(frame, bus))
			return 0;
		ret = read_next(frame, bus, err);
		if (ret == -EAGAIN)
			return 0;
	}
	return ret;
}

void frame_show(struct frame_bus *bus)
{
	unsigned char *before = bus->sample;

	bus->sample = bus->next;
	bus->next = before;
	bus->time = bus->next_time;
	bus->has_next = false;
	bus->passed = 0;
	bus->is_missing = false;
	bus->late = 0;
}

void frame_grow_old(struct frame_bus *bus, int64_t now)
{
	int64_t period = frame_period_at(bus, bus->time);
	int64_t late = period ? (now - bus->time) / period : FRAME_AGE_UNKNOWN;

	bus->late = late < 1 ? 1 : late < FRAME_AGE_UNKNOWN ? (unsigned int)late : FRAME_AGE_UNKNOWN;
}
