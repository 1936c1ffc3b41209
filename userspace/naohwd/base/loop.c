// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base.h"

struct loop {
	int fd;
	bool is_to_end;
};

int loop_new(struct loop **out, struct naohw_error *err)
{
	struct loop *loop = calloc(1, sizeof(*loop));
	int error;

	if (!loop)
		return trouble(err, -ENOMEM, "out of memory");
	loop->fd = epoll_create1(EPOLL_CLOEXEC);
	if (loop->fd < 0) {
		error = errno;
		free(loop);
		return trouble(err, -error, "epoll: %s", strerror(error));
	}
	*out = loop;
	return 0;
}

void loop_free(struct loop *loop)
{
	if (!loop)
		return;
	close(loop->fd);
	free(loop);
}

int loop_descriptor(const struct loop *loop)
{
	return loop->fd;
}

static int wait_for(struct loop *loop, struct watch *watch, uint32_t events)
{
	struct epoll_event event = { .events = events, .data.ptr = watch };
	int how = watch->is_on ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;

	if (watch->is_on && watch->events == events)
		return 0;
	if (epoll_ctl(loop->fd, how, watch->fd, &event) < 0)
		return -errno;
	watch->is_on = true;
	watch->events = events;
	return 0;
}

int loop_watch(struct loop *loop, struct watch *watch)
{
	return wait_for(loop, watch, EPOLLIN);
}

int loop_watch_room(struct loop *loop, struct watch *watch)
{
	return wait_for(loop, watch, EPOLLOUT);
}

int loop_watch_end(struct loop *loop, struct watch *watch)
{
	/* The kernel tells of that whatever is asked for. */
	return wait_for(loop, watch, 0);
}

void loop_unwatch(struct loop *loop, struct watch *watch)
{
	if (!watch->is_on)
		return;
	(void)epoll_ctl(loop->fd, EPOLL_CTL_DEL, watch->fd, NULL);
	watch->is_on = false;
}

/* One at a time: who is called may free what another event is of. The kernel takes turns. */
static int take_one(struct loop *loop, int timeout_ms)
{
	struct epoll_event event;
	int ret = epoll_wait(loop->fd, &event, 1, timeout_ms);
	const struct watch *watch;

	if (ret < 0)
		return errno == EINTR ? 0 : -errno;
	if (ret == 0)
		return 0;
	watch = event.data.ptr;
	watch->call(watch->data);
	return 1;
}

int loop_once(struct loop *loop, int timeout_ms)
{
	return take_one(loop, timeout_ms) > 0;
}

int loop_run(struct loop *loop, struct naohw_error *err)
{
	loop->is_to_end = false;
	while (!loop->is_to_end) {
		int ret = take_one(loop, -1);

		if (ret < 0)
			return trouble(err, ret, "epoll: %s", strerror(-ret));
	}
	return 0;
}

void loop_end(struct loop *loop)
{
	loop->is_to_end = true;
}
