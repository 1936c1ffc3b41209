// SPDX-License-Identifier: LGPL-2.1-or-later
/* Frames of those buses that have some, where a silent one does not keep the others from theirs. */
#include <errno.h>

#include "../base/base.h"
#include "frame.h"

void frame_allow_partial(struct naohw_frame *frame, unsigned int timeout_ms)
{
	frame->partial_ms = timeout_ms;
}

static bool may_be_partial(const struct naohw_frame *frame)
{
	return frame->partial_ms && frame->epoll_fd >= 0;
}

const char *frame_absence(const struct naohw_frame *frame)
{
	for (size_t i = 0; i < frame->bus_count; i++)
		if (frame->bus[i].is_missing)
			return frame->bus[i].absence.message;
	return "";
}

static bool has_any(const struct naohw_frame *frame)
{
	for (size_t i = 0; i < frame->bus_count; i++)
		if (frame->bus[i].has_next)
			return true;
	return false;
}

bool frame_go_on(struct naohw_frame *frame)
{
	if (!may_be_partial(frame) || !has_any(frame))
		return false;
	for (size_t i = 0; i < frame->bus_count; i++) {
		struct frame_bus *bus = &frame->bus[i];

		if (bus->has_next || bus->is_missing)
			continue;
		bus->is_missing = true;
		bus->is_gone = frame_cannot_read(frame, bus, -ETIMEDOUT, &bus->absence) == -ENODEV;
	}
	return true;
}

/* What could not be read may have been a moment's fault. */
void frame_look_again(struct naohw_frame *frame)
{
	for (size_t i = 0; i < frame->bus_count; i++)
		if (frame->bus[i].is_missing && !frame->bus[i].is_gone)
			frame_events_expect(frame, &frame->bus[i], true);
}

int frame_leave_out(struct naohw_frame *frame, struct frame_bus *bus, int ret,
		    struct naohw_error *err)
{
	if (!may_be_partial(frame))
		return ret;
	/* What cannot be read would wake its reader again at once. */
	bus->is_gone = ret == -ENODEV;
	if (bus->is_gone)
		frame_events_forget(frame, bus);
	else
		frame_events_expect(frame, bus, false);
	bus->has_next = false;
	bus->is_missing = true;
	if (err)
		bus->absence = *err;
	return -EAGAIN;
}

bool frame_lacks_bus(const struct naohw_frame *frame)
{
	for (size_t i = 0; i < frame->bus_count; i++)
		if (frame->bus[i].is_gone)
			return true;
	return false;
}
