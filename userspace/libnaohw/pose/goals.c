// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The devices that a pose goes to. They are those that the robot has seen, or what the kernel has
 * registered in their place since: poses with stiffness, and those with the goals of all modes,
 * have devices of their own, which come when they are asked for and go with the stream.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"
#include "../robot/robot.h"
#include "inside.h"
#include "monotonic.h"

#define STIFFNESS "stiffness"
#define ALL_GOALS "all_goals"
#define ENABLE    "buffer/enable"

/*
 * What the kernel is given to register a device anew, and udev to let us use it. What we have asked for
 * comes, but with many joints on a slow machine it takes seconds. What is gone may not come again.
 */
#define ASKED_NS  ((int64_t)10000 * 1000000)
#define GONE_NS	  ((int64_t)2000 * 1000000)
#define LOOK_MS	  10
#define LOOK_MOST 100
#define NAME_SIZE 32

static void name_of(const struct pose_bus *bus, char *name)
{
	snprintf(name, NAME_SIZE, "dxl%u-goal", bus->device.number);
}

/* ---- those that there are ---- */

static const struct bus_device *find_bus(const struct bus_devices *devices, unsigned int number)
{
	for (size_t i = 0; i < devices->count; i++)
		if (devices->list[i].number == number && device_is_there(&devices->list[i].held))
			return &devices->list[i];
	return NULL;
}

/* Returns the first bus that has none, or NULL. */
static const struct pose_bus *borrow_all(struct naohw_pose *pose, const struct bus_devices *from)
{
	for (size_t i = 0; i < pose->bus_count; i++) {
		struct pose_bus *bus = &pose->bus[i];
		const struct bus_device *device = find_bus(from, bus->device.number);

		if (!device || bus_device_borrow(&bus->device, device) < 0)
			return bus;
	}
	return NULL;
}

static int make_buses(struct naohw_pose *pose, struct naohw_error *err)
{
	const struct bus_devices *goals = &pose->robot->goals;

	if (goals->count == 0)
		return fail(err, -ENODEV, "no IIO device is named dxlN-goal%s: no bus to move",
			    buses_wanted(pose->robot));
	pose->bus = calloc(goals->count, sizeof(*pose->bus));
	if (!pose->bus)
		return fail(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < goals->count; i++)
		(void)bus_device_borrow(&pose->bus[i].device, &goals->list[i]);
	pose->bus_count = goals->count;
	return 0;
}

/* ---- those that come in their place ---- */

/*
 * Each look reads the names of all IIO devices, of a NAO nearly 40. So the next one is after a tenth
 * of the time that has passed: a wait of seconds takes some 50 looks, and is a tenth longer at most.
 */
static void wait_to_look(int64_t passed_ns)
{
	int64_t ms = passed_ns / 10 / 1000000;

	pose_sleep_ms(ms < LOOK_MS ? LOOK_MS : ms > LOOK_MOST ? LOOK_MOST : ms);
}

/* What udev does not let us use in time is not refused here: opening it tells why. */
static bool has_come(const struct pose_bus *bus, const char *option, const char *value,
		     int64_t deadline)
{
	int64_t begin = monotonic_ns();
	enum anew found;
	char name[NAME_SIZE];

	name_of(bus, name);
	do {
		found = anew_look(name, option, value);
		if (found != ANEW_READY)
			wait_to_look(monotonic_ns() - begin);
	} while (found != ANEW_READY && monotonic_ns() < deadline);
	return found != ANEW_NOT_THERE;
}

static int has_gone(const struct pose_bus *bus, struct naohw_error *err)
{
	return fail(err, -ENODEV, "dxl%u-goal: is not the one any more that was there, as when a "
		    "servo has joined it; open the robot again", bus->device.number);
}

static void let_go(struct naohw_pose *pose)
{
	if (!pose->context)
		return;
	for (size_t i = 0; i < pose->bus_count; i++)
		pose->bus[i].device.held = (struct device){ .dir = -1 };
	bus_devices_release(&pose->goals);
	iio_context_destroy(pose->context);
	pose->context = NULL;
}

/* What libiio has seen is of its context, and the robot's is as old as the robot. */
static int hold(struct naohw_pose *pose, struct naohw_error *err)
{
	const struct pose_bus *missing;

	let_go(pose);
	errno = 0;
	pose->context = iio_create_local_context();
	if (!pose->context)
		return fail(err, errno ? -errno : -ENODEV,
			    "this machine has no IIO devices any more");
	if (bus_devices_hold(&pose->goals, pose->context, "goal") < 0)
		return fail(err, -ENOMEM, "out of memory");
	missing = borrow_all(pose, &pose->goals);
	return missing ? has_gone(missing, err) : 0;
}

/* The speeds of wheels are among the goals of other modes. */
static const char *wanted_of(const struct naohw_pose *pose, const struct pose_bus *bus,
			     const char *option)
{
	bool is_wanted = strcmp(option, STIFFNESS) == 0 ? pose->stiffness : bus->has_wheels;

	return is_wanted ? "1" : "0";
}

/* @option: what they are to come with, or without; NULL: whatever they have. */
static int renew(struct naohw_pose *pose, const char *option, struct naohw_error *err)
{
	int64_t deadline = monotonic_ns() + (option ? ASKED_NS : GONE_NS);

	for (size_t i = 0; i < pose->bus_count; i++) {
		const struct pose_bus *bus = &pose->bus[i];
		const char *wanted = option ? wanted_of(pose, bus, option) : NULL;

		if (has_come(bus, option, wanted, deadline))
			continue;
		if (!option)
			return has_gone(bus, err);
		return fail(err, -ETIMEDOUT,
			    "dxl%u-goal: has not been registered anew within %d ms, with %s %s",
			    bus->device.number, (int)(ASKED_NS / 1000000), option, wanted);
	}
	return hold(pose, err);
}

int pose_take_goals(struct naohw_pose *pose, struct naohw_error *err)
{
	const struct pose_bus *missing;
	int ret = make_buses(pose, err);

	if (ret < 0)
		return ret;
	missing = borrow_all(pose, &pose->robot->goals);
	if (!missing)
		return 0;
	return context_is_local(pose->robot->context) ? renew(pose, NULL, err)
						      : has_gone(missing, err);
}

/* ---- stiffness, and all goals ---- */

bool pose_is_leased(const struct naohw_pose *pose, const struct pose_bus *bus)
{
	const struct bus_device *device = &bus->device;
	char state[32];

	if (lease_is_ours(pose->robot, device->number) ||
	    !device_has(&device->held, "stream_state") ||
	    device_read(&device->held, "stream_state", state, sizeof(state)) < 0)
		return false;
	return strcmp(state, "leased") == 0 || strcmp(state, "lapsed") == 0;
}

int pose_is_moved(const struct bus_device *bus, struct naohw_error *err)
{
	return fail(err, -EBUSY, "dxl%u-goal: another program is moving the robot", bus->number);
}

static int refused(const struct pose_bus *bus, const char *option, int ret,
		   struct naohw_error *err)
{
	if (ret == -EBUSY)
		return pose_is_moved(&bus->device, err);
	return fail(err, ret, "dxl%u-goal: %s: %s", bus->device.number, option, error_text(ret));
}

/* A program that has died has left it running: nobody has the device any more. */
static bool end_left(struct pose_bus *bus)
{
	char enabled[8];
	bool left = device_read(&bus->device.held, ENABLE, enabled, sizeof(enabled)) == 0 &&
		    strcmp(enabled, "1") == 0 && bus_device_lock(&bus->device) == 0 &&
		    device_write(&bus->device.held, ENABLE, "0") == 0;

	bus_device_close(&bus->device);
	return left;
}

static bool has_option(const struct pose_bus *bus, const char *option)
{
	char has[8];

	return device_read(&bus->device.held, option, has, sizeof(has)) == 0 &&
	       strcmp(has, "1") == 0;
}

/*
 * While a stream is there the kernel does not register the device again. With the stream goes what
 * the dead program had asked for, and so the device.
 */
static int end_all_left(struct naohw_pose *pose, struct naohw_error *err)
{
	int64_t deadline = monotonic_ns() + ASKED_NS;
	bool any = false;

	for (size_t i = 0; i < pose->bus_count; i++) {
		struct pose_bus *bus = &pose->bus[i];
		bool had_any = has_option(bus, STIFFNESS) || has_option(bus, ALL_GOALS);

		if (!device_has(&bus->device.held, STIFFNESS) || !end_left(bus) || !had_any)
			continue;
		(void)has_come(bus, STIFFNESS, "0", deadline);
		any = true;
	}
	return any ? renew(pose, NULL, err) : 0;
}

/* Who is about to begin a stream, or has begun one, keeps the device that he has. */
static int tell(struct pose_bus *bus, const char *option, const char *wanted)
{
	int ret = bus_device_lock(&bus->device);

	if (ret == 0)
		ret = device_write(&bus->device.held, option, wanted);
	bus_device_close(&bus->device);
	return ret;
}

/* Returns whether the device is going to be registered anew. */
static int ask_bus(struct naohw_pose *pose, struct pose_bus *bus, const char *option,
		   struct naohw_error *err)
{
	const char *wanted = wanted_of(pose, bus, option);
	bool is_wanted = *wanted == '1';
	char has[8];
	int ret;

	if (!device_has(&bus->device.held, option)) {
		if (!is_wanted)
			return 0;
		return fail(err, -EOPNOTSUPP, "dxl%u-goal: this kernel has no poses with %s",
			    bus->device.number, option);
	}
	ret = device_read(&bus->device.held, option, has, sizeof(has));
	if (ret < 0)
		return refused(bus, option, ret, err);
	if (strcmp(has, wanted) == 0)
		return 0;
	ret = pose_is_leased(pose, bus) ? -EBUSY : tell(bus, option, wanted);
	if (ret < 0)
		return refused(bus, option, ret, err);
	bus->asked |= is_wanted;
	return 1;
}

static int ask_for(struct naohw_pose *pose, const char *option, struct naohw_error *err)
{
	bool any = false;

	for (size_t i = 0; i < pose->bus_count; i++) {
		int ret = ask_bus(pose, &pose->bus[i], option, err);

		if (ret < 0)
			return ret;
		any |= ret;
	}
	return any ? renew(pose, option, err) : 0;
}

/*
 * Of poses without it none may say of a joint that it has none: what another program has asked for,
 * and left, is taken back.
 */
int pose_ask_options(struct naohw_pose *pose, struct naohw_error *err)
{
	int ret;

	if (!context_is_local(pose->robot->context)) {
		if (!pose->stiffness)
			return 0;
		return fail(err, -EOPNOTSUPP,
			    "poses with stiffness are for the robot itself, and not over the network");
	}
	ret = end_all_left(pose, err);
	if (ret == 0)
		ret = ask_for(pose, ALL_GOALS, err);
	return ret < 0 ? ret : ask_for(pose, STIFFNESS, err);
}

/* ---- close ---- */

/* With a stream it is gone by itself. */
static void take_back(struct pose_bus *bus)
{
	char name[NAME_SIZE];

	if (!bus->asked || bus->streamed)
		return;
	name_of(bus, name);
	if (bus->has_wheels)
		(void)anew_write(name, ALL_GOALS, "0");
	bus->replaced = anew_write(name, STIFFNESS, "0") == 0;
}

void pose_end_stream(const struct naohw_pose *pose, struct pose_bus *bus)
{
	bus->replaced = pose->stiffness && bus->streamed && device_is_there(&bus->device.held);
	bus_device_close(&bus->device);
	free(bus->sample);
}

void pose_release_goals(struct naohw_pose *pose)
{
	int64_t deadline = monotonic_ns() + ASKED_NS;

	for (size_t i = 0; i < pose->bus_count; i++)
		take_back(&pose->bus[i]);
	for (size_t i = 0; i < pose->bus_count; i++)
		if (pose->bus[i].replaced)
			(void)has_come(&pose->bus[i], STIFFNESS, "0", deadline);
	let_go(pose);
	free(pose->bus);
}
