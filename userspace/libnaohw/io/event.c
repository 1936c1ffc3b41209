// SPDX-License-Identifier: LGPL-2.1-or-later
#include "event.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <libevdev/libevdev.h>

#include "input.h"

#define UPDATE_MAX  1024
#define NS_PER_SEC  INT64_C(1000000000)
#define NS_PER_USEC INT64_C(1000)

int event_open(struct event_source *source, const char *label)
{
	int fd = input_open(label, "buttons", O_RDONLY);
	int ret;

	memset(source, 0, sizeof(*source));
	if (fd < 0)
		return fd;
	ret = libevdev_new_from_fd(fd, &source->device);
	if (ret == 0)
		ret = libevdev_set_clock_id(source->device, CLOCK_MONOTONIC);
	if (ret == 0)
		return 0;
	libevdev_free(source->device);
	source->device = NULL;
	close(fd);
	return ret;
}

void event_close(struct event_source *source)
{
	int fd;

	if (!source->device)
		return;
	fd = libevdev_get_fd(source->device);
	libevdev_free(source->device);
	source->device = NULL;
	close(fd);
}

int event_code(const char *name)
{
	int code = libevdev_event_code_from_name(EV_KEY, name);

	return code < 0 ? -ENOENT : code;
}

int event_descriptor(const struct event_source *source)
{
	return libevdev_get_fd(source->device);
}

static void note(struct event_source *source, const struct input_event *event)
{
	/* 2 is a button held for long, of a device that repeats them. */
	if (event->type != EV_KEY || event->code >= KEY_CNT || event->value == 2)
		return;
	source->changed[event->code] = event->input_event_sec * NS_PER_SEC +
				       event->input_event_usec * NS_PER_USEC;
}

/* 1: one was taken, or it is known that some are missing. 0: there is none. */
static int take_one(struct event_source *source)
{
	unsigned int flag = source->behind ? LIBEVDEV_READ_FLAG_SYNC : LIBEVDEV_READ_FLAG_NORMAL;
	struct input_event event;
	int ret = libevdev_next_event(source->device, flag, &event);

	if (ret == -EAGAIN && source->behind) {
		source->behind = false;
		return 1;
	}
	if (ret < 0)
		return ret == -EAGAIN ? 0 : ret;
	if (ret == LIBEVDEV_READ_STATUS_SYNC)
		source->behind = true;
	note(source, &event);
	return 1;
}

int event_update(struct event_source *source)
{
	int ret = source->gone ? -ENODEV : 1;

	for (unsigned int i = 0; i < UPDATE_MAX && ret > 0; i++)
		ret = take_one(source);
	if (ret == -ENODEV)
		source->gone = true;
	return ret;
}

static int check(const struct event_source *source, int code)
{
	if (source->gone)
		return -ENODEV;
	if (code < 0 || code >= KEY_CNT ||
	    !libevdev_has_event_code(source->device, EV_KEY, (unsigned int)code))
		return -ENOENT;
	return 0;
}

int event_value(const struct event_source *source, int code)
{
	int ret = check(source, code);

	if (ret < 0)
		return ret;
	return libevdev_get_event_value(source->device, EV_KEY, (unsigned int)code) != 0;
}

int64_t event_time(const struct event_source *source, int code)
{
	int ret = check(source, code);

	return ret < 0 ? ret : source->changed[code];
}
