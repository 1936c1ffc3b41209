// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What frames are waited for with, here and in event loops, and what ends a wait: one descriptor
 * stands for all buses. One that has more than can be taken yet is not waited for, or it would wake
 * its loop again and again while another bus has none.
 */
#include <errno.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "frame.h"

static int watch(const struct naohw_frame *frame, int operation, int fd, bool expected)
{
	struct epoll_event event = { .events = expected ? EPOLLIN : 0, .data.fd = fd };

	return epoll_ctl(frame->epoll_fd, operation, fd, &event) < 0 ? -errno : 0;
}

static bool can_poll_all(const struct naohw_frame *frame)
{
	for (size_t i = 0; i < frame->bus_count; i++)
		if (frame->bus[i].poll_fd < 0)
			return false;
	return true;
}

int frame_events_open(struct naohw_frame *frame)
{
	int ret;

	frame->cancel_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (frame->cancel_fd < 0)
		return -errno;
	if (!can_poll_all(frame))
		return 0;
	frame->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (frame->epoll_fd < 0)
		return -errno;
	ret = watch(frame, EPOLL_CTL_ADD, frame->cancel_fd, true);
	for (size_t i = 0; i < frame->bus_count && ret == 0; i++)
		ret = watch(frame, EPOLL_CTL_ADD, frame->bus[i].poll_fd, true);
	return ret;
}

void frame_events_close(struct naohw_frame *frame)
{
	if (frame->epoll_fd >= 0)
		close(frame->epoll_fd);
	if (frame->cancel_fd >= 0)
		close(frame->cancel_fd);
}

void frame_events_expect(struct naohw_frame *frame, struct frame_bus *bus, bool expected)
{
	if (frame->epoll_fd < 0 || bus->is_let_be == !expected)
		return;
	bus->is_let_be = !expected;
	(void)watch(frame, EPOLL_CTL_MOD, bus->poll_fd, expected);
}

void frame_events_forget(struct naohw_frame *frame, struct frame_bus *bus)
{
	(void)epoll_ctl(frame->epoll_fd, EPOLL_CTL_DEL, bus->poll_fd, NULL);
	bus->is_let_be = true;
}

bool frame_was_cancelled(struct naohw_frame *frame)
{
	uint64_t times;

	return read(frame->cancel_fd, &times, sizeof(times)) == sizeof(times);
}

int naohw_frame_fd(const struct naohw_frame *frame, int *fd)
{
	if (frame->epoll_fd < 0)
		return -EOPNOTSUPP;
	*fd = frame->epoll_fd;
	return 0;
}

void naohw_frame_cancel(struct naohw_frame *frame)
{
	const uint64_t once = 1;
	int before = errno;

	/* Full it is only when it has been said, so often that it cannot be counted. */
	if (write(frame->cancel_fd, &once, sizeof(once)) < 0)
		errno = before;
}
