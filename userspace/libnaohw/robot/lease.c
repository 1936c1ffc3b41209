// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Joints that are moved one by one are watched by the kernel as those of a pose are: whoever
 * gives them goals or torque holds a lease of their bus, and each write is a sign of life.
 */
#include <errno.h>
#include <unistd.h>

#include "../base/base.h"
#include "../io/io.h"
#include "inside.h"

static const struct lease *find_lease(const struct naohw_robot *robot, unsigned int bus)
{
	for (size_t i = 0; i < robot->lease_count; i++)
		if (robot->lease[i].bus == bus)
			return &robot->lease[i];
	return NULL;
}

bool bus_is_streamed(const struct naohw_robot *robot, unsigned int bus)
{
	for (size_t i = 0; i < robot->goals.count; i++)
		if (robot->goals.list[i].number == bus && robot->goals.list[i].poses)
			return true;
	return false;
}

bool lease_is_ours(const struct naohw_robot *robot, unsigned int bus)
{
	return find_lease(robot, bus);
}

static int cannot_lease(const struct naohw_robot *robot, unsigned int bus, int ret,
			struct naohw_error *err)
{
	if (ret == -EBUSY) {
		fail(err, ret, "/dev/dxl%u: another program is moving the robot", bus);
		robot_tell_mover(robot, err);
		return ret;
	}
	return fail(err, ret, "/dev/dxl%u: %s; without it nobody would watch over the joints", bus,
		    error_text(ret));
}

/*
 * A unit has one bus, and each bus one lease, so there are never more than units. Where the
 * unit has gone meanwhile, the lease is of a bus that has come in its place.
 */
static int begin(struct naohw_robot *robot, const struct unit *unit, unsigned int bus,
		 struct naohw_error *err)
{
	int fd = node_lease(bus);

	if (fd < 0)
		return cannot_lease(robot, bus, fd, err);
	if (!device_is_there(&unit->device)) {
		close(fd);
		return fail(err, -ENODEV, "%s: is gone", unit->label);
	}
	robot->lease[robot->lease_count++] = (struct lease){ .bus = bus, .fd = fd };
	return 0;
}

static int sign(const struct lease *lease, struct naohw_error *err)
{
	int ret = node_sign(lease->fd);

	if (ret == -ETIMEDOUT)
		return fail(err, -EPIPE,
			    "dxl%u: no sign of life came in time, and the kernel has let the joints "
			    "go; give them Hardness again", lease->bus);
	if (ret < 0)
		return fail(err, ret, "/dev/dxl%u: %s", lease->bus, error_text(ret));
	return 0;
}

/* Asked once, as it is for a lease: who has begun goes on. */
static int move_unwatched(struct naohw_robot *robot, struct naohw_error *err)
{
	int ret;

	for (size_t i = 0; i < robot->goals.count; i++)
		if (robot->goals.list[i].poses)
			return 0;
	ret = robot->is_free ? 0 : robot_leave_to_unit(robot, err);
	robot->is_free = ret == 0;
	return ret;
}

int lease_unit(struct naohw_robot *robot, const struct unit *unit, struct naohw_error *err)
{
	const struct lease *lease;
	unsigned int bus;
	int ret;

	if (unit->device.dir < 0)
		return 0;
	if (robot->unwatched)
		return move_unwatched(robot, err);
	ret = device_is_there(&unit->device) ? sysfs_bus(unit->device.dir, &bus) : -ENODEV;
	if (ret == -ENXIO)
		return 0;
	if (ret < 0)
		return fail(err, ret, "%s: its bus cannot be told (%s), so nobody would watch",
			    unit->label, error_text(ret));
	lease = find_lease(robot, bus);
	if (lease)
		return sign(lease, err);
	if (bus_is_streamed(robot, bus))
		return 0;
	ret = robot_leave_to_unit(robot, err);
	return ret < 0 ? ret : begin(robot, unit, bus, err);
}

void leases_end(struct naohw_robot *robot)
{
	for (size_t i = 0; i < robot->lease_count; i++)
		close(robot->lease[i].fd);
	robot->lease_count = 0;
}

int naohw_robot_keep_alive(struct naohw_robot *robot, struct naohw_error *err)
{
	int ret = 0;

	for (size_t i = 0; i < robot->lease_count; i++) {
		int told = sign(&robot->lease[i], ret < 0 ? NULL : err);

		if (ret == 0)
			ret = told;
	}
	return ret;
}

void naohw_robot_set_unwatched(struct naohw_robot *robot)
{
	robot->unwatched = true;
}
