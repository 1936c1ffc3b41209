// SPDX-License-Identifier: LGPL-2.1-or-later
/* Waiting for the next frame of all buses, with one deadline for all of it. */
#include <endian.h>
#include <errno.h>
#include <poll.h>
#include <string.h>

#include "../base/base.h"
#include "../io/io.h"
#include "frame.h"
#include "monotonic.h"

#define NS_PER_MS 1000000

static uint64_t load(const unsigned char *at, unsigned int bytes, bool big)
{
	uint16_t half;
	uint32_t word;
	uint64_t full;

	switch (bytes) {
	case 1:
		return *at;
	case 2:
		memcpy(&half, at, sizeof(half));
		return big ? be16toh(half) : le16toh(half);
	case 4:
		memcpy(&word, at, sizeof(word));
		return big ? be32toh(word) : le32toh(word);
	default:
		memcpy(&full, at, sizeof(full));
		return big ? be64toh(full) : le64toh(full);
	}
}

int64_t frame_decode(const unsigned char *at, const struct iio_data_format *format)
{
	uint64_t raw = load(at, format->length / 8, format->is_be) >> format->shift;
	unsigned int unused = 64 - format->bits;

	if (format->is_signed)
		return (int64_t)(raw << unused) >> unused;
	return (int64_t)(raw << unused >> unused);
}

/* Periods between two frames that had none. A clock that was set back tells nothing. */
static uint64_t missing(const struct frame_bus *bus, int64_t time)
{
	int64_t periods;

	if (!bus->period || !bus->time || time <= bus->time)
		return 0;
	periods = (time - bus->time + bus->period / 2) / bus->period;
	return periods > 1 ? (uint64_t)periods - 1 : 0;
}

/* Somebody who waits for a device that is taken away is not always woken. */
static bool is_gone(const struct frame_bus *bus)
{
	char clock[FRAME_CLOCK_SIZE];

	return bus->has_clock &&
	       device_read(&bus->device.held, FRAME_CLOCK, clock, sizeof(clock)) < 0;
}

static int cannot_read(const struct naohw_frame *frame, const struct frame_bus *bus, int ret,
		       struct naohw_error *err)
{
	if (ret == -ETIMEDOUT && is_gone(bus))
		return fail(err, -ENODEV, "dxl%u-state: the bus is gone, or its servos are others",
			    bus->device.number);
	if (ret == -ETIMEDOUT)
		return fail(err, ret, "dxl%u-state: no frame within %u ms", bus->device.number,
			    frame->timeout_ms);
	return fail(err, ret, "dxl%u-state: cannot read a frame: %s", bus->device.number,
		    error_text(ret));
}

/*
 * What is there is taken even if it is late. Where nobody can ask, no wait begins late. Before
 * anything is taken the wait can be cancelled.
 */
static int await(struct naohw_frame *frame, const struct frame_bus *bus, bool can_cancel)
{
	struct pollfd fds[] = {
		{ .fd = bus->poll_fd, .events = POLLIN },
		{ .fd = can_cancel ? frame->cancel_fd : -1, .events = POLLIN },
	};
	int ret;

	if (bus->poll_fd < 0) {
		if (can_cancel && frame_was_cancelled(frame))
			return -ECANCELED;
		return monotonic_ns() < frame->deadline ? 0 : -ETIMEDOUT;
	}
	do
		ret = poll(fds, 2, monotonic_ms_until(frame->deadline));
	while (ret < 0 && errno == EINTR);
	if (ret < 0)
		return -errno;
	if (fds[1].revents && frame_was_cancelled(frame))
		return -ECANCELED;
	return ret ? 0 : -ETIMEDOUT;
}

static int refill(struct naohw_frame *frame, struct frame_bus *bus, struct naohw_error *err)
{
	ssize_t ret = await(frame, bus, false);
	int64_t time;

	if (ret == 0)
		ret = iio_buffer_refill(bus->device.buffer);
	if (ret < 0)
		return cannot_read(frame, bus, (int)ret, err);
	if ((size_t)ret < bus->size)
		return fail(err, -EIO, "dxl%u-state: a frame of %zd bytes, expected %zu",
			    bus->device.number, ret, bus->size);
	frame_events_expect(frame, bus, true);
	/* Not every backend keeps it in the same place. */
	bus->sample = iio_buffer_start(bus->device.buffer);
	time = frame_decode(bus->sample + bus->time_at, iio_channel_get_data_format(bus->timestamp));
	frame->lost += missing(bus, time);
	bus->time = time;
	return 0;
}

/* That the bus is gone is one too: reading tells. */
static bool has_event(const struct frame_bus *bus)
{
	struct pollfd pollfd = { .fd = bus->poll_fd, .events = POLLIN };

	return poll(&pollfd, 1, 0) == 1;
}

static bool has_more(const struct frame_bus *bus)
{
	struct pollfd pollfd = { .fd = bus->poll_fd, .events = POLLIN };

	return bus->poll_fd >= 0 && poll(&pollfd, 1, 0) == 1 && (pollfd.revents & POLLIN);
}

static int read_bus(struct naohw_frame *frame, struct frame_bus *bus, struct naohw_error *err)
{
	int ret = refill(frame, bus, err);

	for (unsigned int i = 0; frame->newest && ret == 0 && i < frame->depth && has_more(bus);
	     i++) {
		frame->skipped++;
		ret = refill(frame, bus, err);
	}
	return ret;
}

/* The newest of all buses' frames sets the time; the others are less than a period older. */
static int align(struct naohw_frame *frame, struct frame_bus *bus, int64_t newest,
		 struct naohw_error *err)
{
	for (unsigned int i = 0; i < frame->depth && newest - bus->time >= bus->period; i++) {
		int ret;

		if (!bus->period)
			break;
		frame->skipped++;
		ret = refill(frame, bus, err);
		if (ret < 0)
			return ret;
	}
	return 0;
}

static int cancelled(struct naohw_error *err)
{
	return fail(err, -ECANCELED, "the wait for a frame was cancelled");
}

/* Nothing is taken before all are there: the frame before stays, and the buses in step. */
static int await_all(struct naohw_frame *frame, struct naohw_error *err)
{
	for (size_t i = 0; i < frame->bus_count; i++) {
		int ret = await(frame, &frame->bus[i], true);

		if (ret == -ECANCELED)
			return cancelled(err);
		if (ret < 0)
			return cannot_read(frame, &frame->bus[i], ret, err);
	}
	return 0;
}

static void set_deadline(struct naohw_frame *frame, int64_t ns)
{
	frame->deadline = monotonic_ns() + ns;
}

static int64_t timeout_ns(const struct naohw_frame *frame)
{
	return (int64_t)frame->timeout_ms * NS_PER_MS;
}

/* Who never waits for a frame is told all the same when none can come any more. */
static int not_yet(struct naohw_frame *frame, struct naohw_error *err)
{
	if (monotonic_ns() >= frame->deadline) {
		set_deadline(frame, timeout_ns(frame));
		for (size_t i = 0; i < frame->bus_count; i++)
			if (is_gone(&frame->bus[i]))
				return cannot_read(frame, &frame->bus[i], -ETIMEDOUT, err);
	}
	return fail(err, -EAGAIN, "not all buses have a frame yet");
}

/* The same without a wait. */
static int look_at_all(struct naohw_frame *frame, struct naohw_error *err)
{
	bool all = true;

	if (frame_was_cancelled(frame))
		return cancelled(err);
	for (size_t i = 0; i < frame->bus_count; i++) {
		struct frame_bus *bus = &frame->bus[i];
		bool is_there = bus->poll_fd < 0 || has_event(bus);

		frame_events_expect(frame, bus, !is_there);
		all &= is_there;
	}
	return all ? 0 : not_yet(frame, err);
}

static int read_all(struct naohw_frame *frame, struct naohw_error *err)
{
	int64_t newest = INT64_MIN;

	for (size_t i = 0; i < frame->bus_count; i++) {
		int ret = read_bus(frame, &frame->bus[i], err);

		if (ret < 0)
			return ret;
		if (frame->bus[i].time > newest)
			newest = frame->bus[i].time;
	}
	for (size_t i = 0; i < frame->bus_count; i++) {
		int ret = align(frame, &frame->bus[i], newest, err);

		if (ret < 0)
			return ret;
	}
	return 0;
}

static int take_next(struct naohw_frame *frame, struct naohw_error *err)
{
	int ret = read_all(frame, err);

	if (ret == 0)
		frame->count++;
	return ret;
}

int naohw_frame_read(struct naohw_frame *frame, struct naohw_error *err)
{
	int ret;

	set_deadline(frame, timeout_ns(frame));
	ret = await_all(frame, err);
	if (ret == 0)
		ret = take_next(frame, err);
	/* Not every wait can be ended by who cancels it. */
	return ret == -ETIMEDOUT && frame_was_cancelled(frame) ? cancelled(err) : ret;
}

int naohw_frame_try_read(struct naohw_frame *frame, struct naohw_error *err)
{
	bool can_poll = frame->epoll_fd >= 0;
	int ret = look_at_all(frame, err);

	if (ret < 0)
		return ret;
	/* Where buses are not in step, the older one's next frame is on its way. */
	set_deadline(frame, can_poll ? naohw_frame_period(frame) : timeout_ns(frame));
	ret = take_next(frame, err);
	set_deadline(frame, timeout_ns(frame));
	return ret == -ETIMEDOUT && can_poll ? -EAGAIN : ret;
}
