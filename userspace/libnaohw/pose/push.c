// SPDX-License-Identifier: LGPL-2.1-or-later
/* One push is one sample for each bus, and that one sync write. */
#include <endian.h>
#include <errno.h>
#include <poll.h>
#include <string.h>

#include "../base/base.h"
#include "../io/io.h"
#include "inside.h"
#include "monotonic.h"

#define NS_PER_MS 1000000
/* A queue that takes no pose for so long takes none any more. */
#define PUSH_NS	  ((int64_t)1000 * NS_PER_MS)

/* iio_channel_convert_inverse() would look at the whole format anew each time. */
void pose_put(unsigned char *sample, const struct pose_place *place, int value)
{
	uint32_t word = (uint32_t)value & place->mask;
	uint16_t half = (uint16_t)word;

	if (place->is_half) {
		half = place->is_big ? htobe16(half) : htole16(half);
		memcpy(sample + place->at, &half, sizeof(half));
		return;
	}
	word = place->is_big ? htobe32(word) : htole32(word);
	memcpy(sample + place->at, &word, sizeof(word));
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
	ssize_t ret = buffer_write(bus->device.buffer, bus->sample);

	bus->full = ret == -EAGAIN;
	if (ret >= 0)
		bus->pushed = true;
	return ret >= 0 || bus->full ? 0 : cannot_push(bus, (int)ret, err);
}

static void wait_for_room(struct naohw_pose *pose, const struct pose_bus *bus, int64_t deadline)
{
	int64_t left = deadline - monotonic_ns();
	struct pollfd room = {
		.fd = buffer_poll_fd(bus->device.buffer),
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
		unsigned char *sample = axis->bus->sample;

		pose_put(sample, &axis->goal_place, axis->goal);
		if (axis->speed_channel)
			pose_put(sample, &axis->speed_place, axis->speed);
		if (axis->stiffness_channel)
			pose_put(sample, &axis->stiffness_place, axis->stiffness);
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

static bool any_is_full(const struct naohw_pose *pose)
{
	for (size_t i = 0; i < pose->bus_count; i++)
		if (pose->bus[i].full)
			return true;
	return false;
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
static int wait_for_all(struct naohw_pose *pose, struct naohw_error *err)
{
	int64_t deadline = monotonic_ns() + PUSH_NS;
	int ret = 0;

	for (size_t i = 0; i < pose->bus_count; i++) {
		int pushed = push_when_there_is_room(pose, &pose->bus[i], deadline,
						     ret < 0 ? NULL : err);

		if (ret == 0)
			ret = pushed;
	}
	return ret;
}

int naohw_pose_push(struct naohw_pose *pose, struct naohw_error *err)
{
	int ret, waited;

	if (!pose->open)
		return pose_not_open(err);
	ret = push_all(pose, err);
	if (!any_is_full(pose))
		return ret;
	waited = wait_for_all(pose, ret < 0 ? NULL : err);
	return ret < 0 ? ret : waited;
}

int naohw_pose_restore_speeds(struct naohw_pose *pose, struct naohw_error *err)
{
	for (size_t i = 0; i < pose->axis_count; i++)
		pose_restore_speed(&pose->axis[i]);
	return naohw_pose_push(pose, err);
}
