// SPDX-License-Identifier: LGPL-2.1-or-later
/* One push is one sample for each bus, and that one sync write. */
#include <errno.h>
#include <poll.h>

#include "../base/base.h"
#include "../io/io.h"
#include "inside.h"
#include "monotonic.h"

#define NS_PER_MS 1000000
/* A queue that takes no pose for so long takes none any more. */
#define PUSH_NS	  ((int64_t)1000 * NS_PER_MS)

/* libiio takes as many bytes as the channel has in the sample. */
static void put(unsigned char *at, const struct iio_channel *channel, int value)
{
	const uint16_t half = (uint16_t)value;
	const uint32_t word = (uint32_t)value;
	bool is_half = iio_channel_get_data_format(channel)->length == 16;

	iio_channel_convert_inverse(channel, at, is_half ? (const void *)&half : &word);
}

static int cannot_push(const struct pose_bus *bus, int ret, struct naohw_error *err)
{
	if (ret == -EAGAIN)
		return fail(err, -ETIMEDOUT,
			    "dxl%u-goal: takes no poses any more; does its trigger run?",
			    bus->device.number);
	return fail(err, ret, "dxl%u-goal: cannot send a pose: %s", bus->device.number,
		    error_text(ret));
}

static int push_to(struct pose_bus *bus, struct naohw_error *err)
{
	ssize_t ret = iio_buffer_push(bus->device.buffer);

	bus->full = ret == -EAGAIN;
	if (ret >= 0)
		bus->pushed = true;
	return ret >= 0 || bus->full ? 0 : cannot_push(bus, (int)ret, err);
}

static void wait_for_room(struct naohw_pose *pose, const struct pose_bus *bus, int64_t deadline)
{
	int64_t left = deadline - monotonic_ns();
	struct pollfd room = {
		.fd = iio_buffer_get_poll_fd(bus->device.buffer),
		.events = POLLOUT,
	};
	int ms = (int)((pose->patience < left ? pose->patience : left) / NS_PER_MS);

	(void)poll(&room, 1, ms > 0 ? ms : 1);
	pose_stay_alive(pose);
}

static int push_when_there_is_room(struct naohw_pose *pose, struct pose_bus *bus,
				   int64_t deadline, struct naohw_error *err)
{
	int ret = 0;

	while (bus->full) {
		if (monotonic_ns() >= deadline)
			return cannot_push(bus, -EAGAIN, err);
		wait_for_room(pose, bus, deadline);
		ret = push_to(bus, err);
	}
	return ret;
}

static void put_all(const struct naohw_pose *pose)
{
	for (size_t i = 0; i < pose->axis_count; i++) {
		const struct pose_axis *axis = &pose->axis[i];
		unsigned char *sample = iio_buffer_start(axis->bus->device.buffer);

		put(sample + axis->goal_at, axis->goal_channel, axis->goal);
		put(sample + axis->speed_at, axis->speed_channel, axis->speed);
		if (axis->stiffness_channel)
			put(sample + axis->stiffness_at, axis->stiffness_channel, axis->stiffness);
	}
}

static int push_all(struct naohw_pose *pose, struct naohw_error *err)
{
	int ret = 0;

	put_all(pose);
	for (size_t i = 0; i < pose->bus_count; i++) {
		int pushed = push_to(&pose->bus[i], ret < 0 ? NULL : err);

		if (ret == 0)
			ret = pushed;
	}
	return ret;
}

int pose_push_now(struct naohw_pose *pose, struct naohw_error *err)
{
	int ret;

	if (!pose->open)
		return pose_not_open(err);
	ret = push_all(pose, err);
	for (size_t i = 0; i < pose->bus_count; i++) {
		if (!pose->bus[i].full)
			continue;
		/* Who would wait is well, and its joints are not to be let go for that. */
		pose_stay_alive(pose);
		if (ret == 0)
			ret = fail(err, -EAGAIN, "dxl%u-goal: has not sent the poses before this",
				   pose->bus[i].device.number);
	}
	return ret;
}

/* None waits for another's queue, and all that are full together no longer than one. */
int naohw_pose_push(struct naohw_pose *pose, struct naohw_error *err)
{
	int64_t deadline = monotonic_ns() + PUSH_NS;
	int ret;

	if (!pose->open)
		return pose_not_open(err);
	ret = push_all(pose, err);
	for (size_t i = 0; i < pose->bus_count; i++) {
		int pushed = push_when_there_is_room(pose, &pose->bus[i], deadline,
						     ret < 0 ? NULL : err);

		if (ret == 0)
			ret = pushed;
	}
	return ret;
}

int naohw_pose_restore_speeds(struct naohw_pose *pose, struct naohw_error *err)
{
	for (size_t i = 0; i < pose->axis_count; i++)
		pose_restore_speed(pose, i);
	return naohw_pose_push(pose, err);
}
