// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The next frame of all buses, with one deadline for all of it. What comes is taken when it comes,
 * and seen when all have theirs: until then the frame before stays.
 */
#include <errno.h>
#include <sys/epoll.h>

#include "../base/base.h"
#include "../io/io.h"
#include "frame.h"
#include "monotonic.h"

#define NS_PER_MS  1000000
/* More are looked at the next time. */
#define EVENTS_MAX 16

static void set_deadline(struct naohw_frame *frame)
{
	frame->deadline = monotonic_ns() + (int64_t)frame_timeout_ms(frame) * NS_PER_MS;
}

static int cancelled(struct naohw_error *err)
{
	return fail(err, -ECANCELED, "the wait for a frame was cancelled");
}

/* ---- all together ---- */

static struct frame_bus *first_without(const struct naohw_frame *frame)
{
	for (size_t i = 0; i < frame->bus_count; i++)
		if (!frame->bus[i].has_next && !frame->bus[i].is_missing)
			return &frame->bus[i];
	return NULL;
}

static int64_t newest_time(const struct naohw_frame *frame)
{
	int64_t newest = INT64_MIN;

	for (size_t i = 0; i < frame->bus_count; i++)
		if (frame->bus[i].has_next && frame->bus[i].next_time > newest)
			newest = frame->bus[i].next_time;
	return newest;
}

/* By a period or more. Clocks that have nothing in common never meet, which is borne with. */
static bool is_behind(const struct naohw_frame *frame, const struct frame_bus *bus, int64_t newest)
{
	int64_t period = frame_period_at(bus, bus->next_time);

	return bus->has_next && period && newest - bus->next_time >= period &&
	       bus->passed < frame->depth;
}

/* The newest of all buses' frames sets the time; the others are less than a period older. */
static bool is_whole(struct naohw_frame *frame)
{
	int64_t newest = newest_time(frame);

	if (newest == INT64_MIN || first_without(frame))
		return false;
	for (size_t i = 0; i < frame->bus_count; i++) {
		struct frame_bus *bus = &frame->bus[i];

		if (!is_behind(frame, bus, newest))
			continue;
		bus->has_next = false;
		bus->passed++;
		frame->skipped++;
		frame_events_expect(frame, bus, true);
	}
	return !first_without(frame);
}

static void show_all(struct naohw_frame *frame)
{
	int64_t newest = newest_time(frame);

	for (size_t i = 0; i < frame->bus_count; i++) {
		struct frame_bus *bus = &frame->bus[i];

		if (!bus->has_next) {
			frame_grow_old(bus, newest);
			continue;
		}
		frame_show(bus);
		frame_events_expect(frame, bus, true);
	}
	frame->count++;
}

/* ---- as it comes ---- */

static struct frame_bus *bus_of(const struct naohw_frame *frame, int fd)
{
	for (size_t i = 0; i < frame->bus_count; i++)
		if (frame->bus[i].poll_fd == fd)
			return &frame->bus[i];
	return NULL;
}

/* Who wants all frames leaves what he cannot take yet where it is, and is not woken by it. */
static int take_if_wanted(struct naohw_frame *frame, struct frame_bus *bus, struct naohw_error *err)
{
	if (!bus->has_next || frame->newest)
		return frame_take(frame, bus, err);
	frame_events_expect(frame, bus, false);
	return -EAGAIN;
}

static bool is_cancelled(struct naohw_frame *frame, const struct epoll_event *events, int count)
{
	for (int i = 0; i < count; i++)
		if (events[i].data.fd == frame->cancel_fd)
			return frame_was_cancelled(frame);
	return false;
}

/* A program that was stopped looks once more, however late it is. @ms: until the deadline, or 0. */
static int wait_for_events(const struct naohw_frame *frame, struct epoll_event *events, int ms)
{
	int count;

	while ((count = epoll_wait(frame->epoll_fd, events, EVENTS_MAX, ms)) < 0 && errno == EINTR)
		ms = ms ? monotonic_ms_until(frame->deadline) : 0;
	return count < 0 ? -errno : count;
}

/* What happens within @ms, or has; a cancelled wait comes before what has come. 1: some has. */
static int look(struct naohw_frame *frame, int ms, struct naohw_error *err)
{
	struct epoll_event events[EVENTS_MAX];
	int count = wait_for_events(frame, events, ms);
	int taken = 0;

	if (count < 0)
		return fail(err, count, "cannot wait for frames: %s", error_text(count));
	if (is_cancelled(frame, events, count))
		return cancelled(err);
	for (int i = 0; i < count; i++) {
		struct frame_bus *bus = bus_of(frame, events[i].data.fd);
		int ret = bus ? take_if_wanted(frame, bus, err) : -EAGAIN;

		if (ret < 0 && ret != -EAGAIN)
			ret = frame_leave_out(frame, bus, ret, err);
		if (ret < 0 && ret != -EAGAIN)
			return ret;
		taken |= ret == 0;
	}
	return taken;
}

/* All are missing, so no wait is worth while. A bus that cannot be read for another reason is not gone. */
static int no_frame(const struct naohw_frame *frame, struct naohw_error *err)
{
	const struct frame_bus *bus = first_without(frame);

	if (bus)
		return frame_cannot_read(frame, bus, -ETIMEDOUT, err);
	return fail(err, frame_lacks_bus(frame) ? -ENODEV : -EIO, "%s", frame_absence(frame));
}

static int wait_for_all(struct naohw_frame *frame, struct naohw_error *err)
{
	int ms = (int)frame_timeout_ms(frame); /* the deadline has just been set */
	int ret;

	do {
		ret = look(frame, ms, err);
		if (ret < 0)
			return ret;
		if (is_whole(frame))
			return 0;
		ms = monotonic_ms_until(frame->deadline);
		/* What is there is taken even if it is late. */
	} while (ret > 0 || ms > 0);
	return frame_go_on(frame) ? 0 : no_frame(frame, err);
}

/* ---- where nobody can be asked what has come ---- */

/* No wait begins late. */
static int read_waiting(struct naohw_frame *frame, struct naohw_error *err)
{
	struct frame_bus *bus;

	while (!is_whole(frame)) {
		int ret;

		bus = first_without(frame);
		if (frame_was_cancelled(frame))
			return cancelled(err);
		if (monotonic_ns() >= frame->deadline)
			return frame_cannot_read(frame, bus, -ETIMEDOUT, err);
		ret = frame_take(frame, bus, err);
		if (ret < 0)
			return ret;
	}
	return 0;
}

/* ---- for those who read ---- */

static int read_all(struct naohw_frame *frame, struct naohw_error *err)
{
	int ret;

	set_deadline(frame);
	frame_look_again(frame);
	ret = frame->epoll_fd < 0 ? read_waiting(frame, err) : wait_for_all(frame, err);
	if (ret == 0)
		show_all(frame);
	return ret;
}

int naohw_frame_read(struct naohw_frame *frame, struct naohw_error *err)
{
	int ret = read_all(frame, err);

	/* Not every wait can be ended by who cancels it. */
	return ret == -ETIMEDOUT && frame_was_cancelled(frame) ? cancelled(err) : ret;
}

/* Who never waits for a frame is told all the same when none can come any more. */
static int not_yet(struct naohw_frame *frame, struct naohw_error *err)
{
	if (monotonic_ns() >= frame->deadline) {
		set_deadline(frame);
		for (size_t i = 0; i < frame->bus_count; i++)
			if (frame_bus_is_gone(&frame->bus[i]))
				return frame_cannot_read(frame, &frame->bus[i], -ETIMEDOUT, err);
	}
	return fail(err, -EAGAIN, "not all buses have a frame yet");
}

int naohw_frame_try_read(struct naohw_frame *frame, struct naohw_error *err)
{
	int ret;

	if (frame->epoll_fd < 0)
		return read_all(frame, err);
	do {
		ret = look(frame, 0, err);
		if (ret < 0)
			return ret;
		if (is_whole(frame)) {
			show_all(frame);
			set_deadline(frame);
			return 0;
		}
	} while (ret > 0);
	return not_yet(frame, err);
}
