// SPDX-License-Identifier: LGPL-2.1-or-later
/* To have frames read, and no more. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"
#include "../io/io.h"
#include "../robot/robot.h"
#include "frame.h"

#define DEPTH_DEFAULT 8
#define DEPTH_MAX     1024
#define TIMEOUT_MAX   3600000

/* One that the user's clock settings cannot move, and that his other times are in. */
static void set_clock(struct frame_bus *bus)
{
	const struct device *device = &bus->device.held;

	bus->has_clock = device_has(device, FRAME_CLOCK) &&
			 device_read(device, FRAME_CLOCK, bus->clock, sizeof(bus->clock)) == 0;
	bus->is_monotonic = bus->has_clock && strcmp(bus->clock, "monotonic") == 0;
	if (!bus->has_clock || bus->is_monotonic)
		bus->clock[0] = '\0';
	if (!*bus->clock)
		return;
	bus->is_monotonic = device_write(device, FRAME_CLOCK, "monotonic") == 0;
	if (!bus->is_monotonic)
		bus->clock[0] = '\0';
}

static int cannot_open(const struct frame_bus *bus, int ret, struct naohw_error *err)
{
	switch (ret) {
	case -EBUSY:
		return fail(err, ret, "dxl%u-state: another program reads the frames", bus->device.number);
	case -ENOSPC:
		return fail(err, ret,
			    "dxl%u-state: what is to be read does not fit into the bus's period; "
			    "lengthen cycle/period_us of dxl%u, the kernel's log has the times",
			    bus->device.number, bus->device.number);
	default:
		return fail(err, ret, "dxl%u-state: cannot open the buffer: %s", bus->device.number,
			    error_text(ret));
	}
}

static int open_bus(struct frame_bus *bus, const struct naohw_frame_settings *settings,
		    struct naohw_error *err)
{
	int ret = bus_device_lock(&bus->device);

	if (ret < 0)
		return cannot_open(bus, ret, err);
	/* Another reader's clock is neither ours to change nor the one to put back. */
	set_clock(bus);
	/* What there is to read may not fit into the period of before. */
	if (settings->period) {
		ret = frame_bus_set_period(bus, settings->period, err);
		if (ret < 0)
			return ret;
	}
	ret = buffer_open(&bus->device.held, settings->depth, &bus->device.buffer);
	if (ret < 0)
		return cannot_open(bus, ret, err);
	bus->poll_fd = buffer_poll_fd(bus->device.buffer);
	bus->time_at = bus_device_place(&bus->device, bus->timestamp);
	bus->sample = calloc(1, buffer_size(bus->device.buffer));
	bus->next = calloc(1, buffer_size(bus->device.buffer));
	return bus->sample && bus->next ? 0 : fail(err, -ENOMEM, "out of memory");
}

static int open_buses(struct naohw_frame *frame, const struct naohw_robot *robot,
		      const struct naohw_frame_settings *settings, struct naohw_error *err)
{
	/* For what cannot be polled for; only once, as a daemon has it for all its clients. */
	(void)iio_context_set_timeout(robot->context, frame_timeout_ms(frame));
	for (size_t i = 0; i < frame->bus_count; i++) {
		int ret = open_bus(&frame->bus[i], settings, err);

		if (ret < 0)
			return ret;
	}
	for (size_t i = 0; i < frame->channel_count; i++) {
		struct frame_channel *channel = &frame->channel[i];

		channel->at = bus_device_place(&channel->bus->device, channel->of->iio);
	}
	return 0;
}

static int take_settings(struct naohw_frame *frame, const struct naohw_frame_settings *settings,
			 struct naohw_error *err)
{
	frame->depth = settings->depth;
	frame->timeout_ms = settings->timeout_ms;
	frame->newest = settings->newest;
	if (frame->depth < 2 || frame->depth > DEPTH_MAX)
		return fail(err, -EINVAL, "depth %u, expected 2 to %u frames", frame->depth,
			    DEPTH_MAX);
	if (settings->has_timeout && (!frame->timeout_ms || frame->timeout_ms > TIMEOUT_MAX))
		return fail(err, -EINVAL, "time-out %u, expected 1 to %u ms", frame->timeout_ms,
			    TIMEOUT_MAX);
	return 0;
}

static int build(struct naohw_frame *frame, const struct naohw_robot *robot,
		 const struct naohw_frame_settings *settings, struct naohw_error *err)
{
	int ret = take_settings(frame, settings, err);

	if (ret == 0)
		ret = frame_find(frame, robot, settings->quantities, err);
	if (ret == 0)
		ret = open_buses(frame, robot, settings, err);
	if (ret < 0)
		return ret;
	ret = frame_events_open(frame);
	return ret < 0 ? fail(err, ret, "no descriptor to wait with: %s", error_text(ret)) : 0;
}

static const struct naohw_frame_settings usual = { .depth = DEPTH_DEFAULT };

int naohw_frame_settings_new(struct naohw_frame_settings **settings)
{
	struct naohw_frame_settings *made = calloc(1, sizeof(*made));

	if (!made)
		return -ENOMEM;
	*made = usual;
	*settings = made;
	return 0;
}

void naohw_frame_settings_free(struct naohw_frame_settings *settings)
{
	free(settings);
}

void naohw_frame_settings_set_quantities(struct naohw_frame_settings *settings,
					 unsigned int quantities)
{
	settings->quantities = quantities;
}

void naohw_frame_settings_set_depth(struct naohw_frame_settings *settings, unsigned int frames)
{
	settings->depth = frames;
}

void naohw_frame_settings_set_timeout(struct naohw_frame_settings *settings, unsigned int ms)
{
	settings->timeout_ms = ms;
	settings->has_timeout = true;
}

void naohw_frame_settings_set_newest(struct naohw_frame_settings *settings, int newest)
{
	settings->newest = newest;
}

/* The next reader finds the clock and the period that were there before. */
static void close_bus(struct frame_bus *bus)
{
	bus_device_end(&bus->device);
	if (*bus->clock)
		(void)device_write(&bus->device.held, FRAME_CLOCK, bus->clock);
	frame_bus_put_period_back(bus);
	bus_device_close(&bus->device);
	free(bus->sample);
	free(bus->next);
}

static void close_buses(struct naohw_frame *frame)
{
	for (size_t i = 0; i < frame->bus_count; i++)
		close_bus(&frame->bus[i]);
}

static void free_frame(struct naohw_frame *frame)
{
	frame_events_close(frame);
	free(frame->by_joint);
	free(frame->unit);
	free(frame->channel);
	free(frame->bus);
	free(frame);
}

int frame_open(struct naohw_robot *robot, const struct naohw_frame_settings *settings,
	       struct naohw_frame **out, struct naohw_error *err)
{
	struct naohw_frame *frame = calloc(1, sizeof(*frame));
	int ret;

	if (!frame)
		return fail(err, -ENOMEM, "out of memory");
	frame->cancel_fd = frame->epoll_fd = -1;
	ret = build(frame, robot, settings ? settings : &usual, err);
	if (ret == -EBUSY)
		robot_tell_reader(robot, err);
	if (ret < 0) {
		close_buses(frame);
		free_frame(frame);
		return ret;
	}
	*out = frame;
	return 0;
}

int naohw_frame_open(struct naohw_robot *robot, const struct naohw_frame_settings *settings,
		     struct naohw_frame **frame, struct naohw_error *err)
{
	int ret = robot_leave_to_unit(robot, err);

	return ret < 0 ? ret : frame_open(robot, settings, frame, err);
}

void naohw_frame_close(struct naohw_frame *frame)
{
	if (!frame)
		return;
	close_buses(frame);
	free_frame(frame);
}
