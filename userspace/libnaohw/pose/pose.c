// SPDX-License-Identifier: LGPL-2.1-or-later
/* Poses through the buses' goal outputs: to open and to close them, and what is in them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../base/base.h"
#include "../io/io.h"
#include "../robot/robot.h"
#include "inside.h"
#include "monotonic.h"

/* A queue of four poses at 100 Hz is empty long before. */
#define FLUSH_NS      ((int64_t)500 * 1000000)
#define FLUSH_LOOK_MS 5

static struct pose_place place_of(const struct pose_bus *bus, const struct iio_channel *channel)
{
	const struct iio_data_format *format = iio_channel_get_data_format(channel);

	return (struct pose_place){
		.at = bus_device_place(&bus->device, channel),
		.mask = UINT32_MAX >> (32 - format->bits),
		.is_half = format->length == 16,
		.is_big = format->is_be,
	};
}

/* The kernel's number for that, see cycle.rst, of a goal as of a stiffness */
static int left_out(const struct pose_place *place)
{
	return (int)(place->mask - (place->mask >> 1));
}

/*
 * What is no axis asks for nothing. Where poses have the goals of all modes, they leave out those
 * of the modes that an axis is not for.
 */
static int make_sample(struct pose_bus *bus, struct naohw_error *err)
{
	unsigned int count = iio_device_get_channels_count(bus->device.held.iio);

	bus->sample = calloc(1, buffer_size(bus->device.buffer));
	if (!bus->sample)
		return fail(err, -ENOMEM, "out of memory");
	for (unsigned int i = 0; i < count && bus->has_wheels; i++) {
		struct iio_channel *channel = iio_device_get_channel(bus->device.held.iio, i);
		struct pose_place place;

		if (!iio_channel_is_scan_element(channel))
			continue;
		place = place_of(bus, channel);
		pose_put(bus->sample, &place, left_out(&place));
	}
	return 0;
}

static int open_buffer(const struct naohw_pose *pose, struct pose_bus *bus,
		       struct naohw_error *err)
{
	unsigned int count = iio_device_get_channels_count(bus->device.held.iio);
	int ret;

	if (pose_is_leased(pose, bus))
		return fail(err, -EBUSY, "dxl%u: another program is moving its joints, one by one",
			    bus->device.number);
	for (unsigned int i = 0; i < count; i++) {
		struct iio_channel *channel = iio_device_get_channel(bus->device.held.iio, i);

		if (iio_channel_is_scan_element(channel))
			iio_channel_enable(channel);
	}
	ret = bus_device_open(&bus->device, pose->queue);
	switch (ret) {
	case 0:
		bus->streamed = true;
		return make_sample(bus, err);
	case -EBUSY:
		return pose_is_moved(&bus->device, err);
	case -ENOSPC:
		return fail(err, ret,
			    "dxl%u-goal: poses do not fit into the bus's period; lengthen "
			    "cycle/period_us of dxl%u, the kernel's log has the times",
			    bus->device.number, bus->device.number);
	default:
		return fail(err, ret, "dxl%u-goal: cannot open the output buffer: %s",
			    bus->device.number, error_text(ret));
	}
}

static void place(struct pose_axis *axis)
{
	axis->goal_place = place_of(axis->bus, axis->goal_channel);
	if (axis->speed_channel)
		axis->speed_place = place_of(axis->bus, axis->speed_channel);
	if (axis->stiffness_channel)
		axis->stiffness_place = place_of(axis->bus, axis->stiffness_channel);
}

/* What is streamed needs nobody else to watch. A pose has its buses in the list's order. */
static void mark_buses(const struct naohw_pose *pose, int poses)
{
	for (size_t i = 0; i < pose->bus_count; i++)
		pose->robot->goals.list[i].poses += (unsigned int)poses;
}

static int open_bus(struct naohw_pose *pose, struct pose_bus *bus, struct naohw_error *err)
{
	int ret = open_buffer(pose, bus, err);

	if (ret < 0)
		return ret;
	pose_take_patience(pose, &bus->device);
	pose_keep_alive(pose);
	return pose->auto_recover ? pose_recover_by_itself(bus, err) : 0;
}

/* The outputs first: from then on nobody else changes what the servos are asked for. */
static int occupy(struct naohw_pose *pose, struct naohw_error *err)
{
	/* From its opening on each has a watchdog, and all take their time. */
	for (size_t i = 0; i < pose->bus_count; i++) {
		int ret = open_bus(pose, &pose->bus[i], err);

		if (ret < 0)
			return ret;
	}
	for (size_t i = 0; i < pose->axis_count; i++)
		place(&pose->axis[i]);
	pose->open = true;
	mark_buses(pose, 1);
	/* Silent servos take their time, and the kernel's watchdog is on its guard already. */
	for (size_t i = 0; i < pose->axis_count; i++) {
		pose_start_axis(pose, i);
		(void)naohw_pose_keep_alive(pose, NULL);
	}
	return 0;
}

static int check_settings(const struct naohw_pose_settings *settings, struct naohw_error *err)
{
	if (settings->queue >= POSE_QUEUE_MIN && settings->queue <= POSE_QUEUE_MAX)
		return 0;
	return fail(err, -EINVAL, "a queue of %u, expected %u to %u poses", settings->queue,
		    POSE_QUEUE_MIN, POSE_QUEUE_MAX);
}

static int build(struct naohw_pose *pose, struct naohw_error *err)
{
	int ret = pose_take_goals(pose, err);

	if (ret == 0)
		pose_find_wheels(pose);
	if (ret == 0 && pose->queue)
		ret = pose_ask_options(pose, err);
	if (ret == 0)
		ret = pose_find_axes(pose, err);
	return ret == 0 && pose->queue ? occupy(pose, err) : ret;
}

static int new_pose(struct naohw_robot *robot, const struct naohw_pose_settings *settings,
		    struct naohw_pose **out, struct naohw_error *err)
{
	struct naohw_pose *pose = calloc(1, sizeof(*pose));
	int ret;

	if (!pose)
		return fail(err, -ENOMEM, "out of memory");
	pose->robot = robot;
	pose->queue = settings->queue;
	pose->stiffness = settings->stiffness;
	pose->wheels = settings->wheels;
	pose->auto_recover = settings->auto_recover;
	ret = build(pose, err);
	if (ret < 0) {
		naohw_pose_close(pose);
		return ret;
	}
	*out = pose;
	return 0;
}

int naohw_pose_settings_new(struct naohw_pose_settings **out)
{
	struct naohw_pose_settings *settings = calloc(1, sizeof(*settings));

	if (!settings)
		return -ENOMEM;
	settings->queue = POSE_QUEUE_DEFAULT;
	*out = settings;
	return 0;
}

void naohw_pose_settings_free(struct naohw_pose_settings *settings)
{
	free(settings);
}

void naohw_pose_settings_set_queue(struct naohw_pose_settings *settings, unsigned int poses)
{
	settings->queue = poses;
}

void naohw_pose_settings_set_stiffness(struct naohw_pose_settings *settings, int stiffness)
{
	settings->stiffness = stiffness;
}

void pose_settings_set_wheels(struct naohw_pose_settings *settings, bool wheels)
{
	settings->wheels = wheels;
}

void naohw_pose_settings_set_auto_recover(struct naohw_pose_settings *settings, int by_itself)
{
	settings->auto_recover = by_itself;
}

int pose_open(struct naohw_robot *robot, const struct naohw_pose_settings *settings,
	      struct naohw_pose **out, struct naohw_error *err)
{
	static const struct naohw_pose_settings usual = { .queue = POSE_QUEUE_DEFAULT };
	int ret;

	if (!settings)
		settings = &usual;
	ret = check_settings(settings, err);
	if (ret == 0)
		ret = new_pose(robot, settings, out, err);
	if (ret == -EBUSY)
		robot_tell_mover(robot, err);
	return ret;
}

int pose_check_mover(struct naohw_robot *robot, struct naohw_error *err)
{
	for (size_t i = 0; i < robot->goals.count; i++) {
		if (!bus_device_is_taken(&robot->goals.list[i]))
			continue;
		(void)pose_is_moved(&robot->goals.list[i], err);
		robot_tell_mover(robot, err);
		return -EBUSY;
	}
	return 0;
}

int naohw_pose_open(struct naohw_robot *robot, const struct naohw_pose_settings *settings,
		    struct naohw_pose **pose, struct naohw_error *err)
{
	int ret = robot_leave_to_unit(robot, err);

	return ret < 0 ? ret : pose_open(robot, settings, pose, err);
}

int naohw_pose_describe(struct naohw_robot *robot, struct naohw_pose **out, struct naohw_error *err)
{
	static const struct naohw_pose_settings nothing;

	return new_pose(robot, &nothing, out, err);
}

int pose_not_open(struct naohw_error *err)
{
	return fail(err, -EBADF, "this pose describes the joints and cannot move them");
}

/* ---- close ---- */

void pose_sleep_ms(long milliseconds)
{
	const struct timespec time = { .tv_nsec = milliseconds * 1000000 };

	clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
}

static bool is_queued(const struct pose_bus *bus)
{
	long long queued;

	return bus->pushed &&
	       iio_device_buffer_attr_read_longlong(bus->device.held.iio, "data_available",
						    &queued) == 0 && queued > 0;
}

static bool any_is_queued(const struct naohw_pose *pose)
{
	for (size_t i = 0; i < pose->bus_count; i++)
		if (is_queued(&pose->bus[i]))
			return true;
	return false;
}

/* Closing a buffer drops what is queued, which would be the last pose of a motion. */
static void flush(struct naohw_pose *pose)
{
	int64_t deadline = monotonic_ns() + FLUSH_NS;

	while (any_is_queued(pose) && monotonic_ns() < deadline) {
		pose_sleep_ms(FLUSH_LOOK_MS);
		pose_stay_alive(pose);
	}
	/* The last one may have left the queue for the bus a moment ago. */
	pose_sleep_ms(2 * FLUSH_LOOK_MS);
}

void naohw_pose_close(struct naohw_pose *pose)
{
	if (!pose)
		return;
	if (pose->open) {
		mark_buses(pose, -1);
		flush(pose);
	}
	/* To end a stream takes its time too, and the others are watched till theirs has ended. */
	for (size_t i = 0; i < pose->bus_count; i++) {
		pose_keep_alive(pose);
		pose_end_stream(pose, &pose->bus[i]);
	}
	pose_release_goals(pose);
	free(pose->by_joint);
	free(pose->axis);
	free(pose);
}

const struct naohw_robot *pose_robot(const struct naohw_pose *pose)
{
	return pose->robot;
}

size_t pose_axis_count(const struct naohw_pose *pose)
{
	return pose->axis_count;
}

int pose_get_axis(const struct naohw_pose *pose, size_t index, struct servo_axis *axis)
{
	if (index >= pose->axis_count)
		return -EINVAL;
	*axis = pose->axis[index].info;
	return 0;
}

int pose_set_counts(struct naohw_pose *pose, size_t index, int goal, int speed)
{
	struct pose_axis *axis;

	if (index >= pose->axis_count)
		return -EINVAL;
	axis = &pose->axis[index];
	if (axis->info.is_wheel)
		return -EINVAL;
	if (goal < axis->info.min || goal > axis->info.max)
		return -ERANGE;
	if (speed < 1 || speed > axis->info.speed_max)
		return -ERANGE;
	axis->goal = goal;
	axis->speed = speed;
	axis->guessed = false;
	return 0;
}

int pose_set_wheel(struct naohw_pose *pose, size_t index, int counts)
{
	struct pose_axis *axis;

	if (index >= pose->axis_count || !pose->axis[index].info.is_wheel)
		return -EINVAL;
	axis = &pose->axis[index];
	if (counts < axis->info.min || counts > axis->info.max)
		return -ERANGE;
	axis->goal = counts;
	return 0;
}

int pose_get_counts(const struct naohw_pose *pose, size_t index)
{
	return pose->axis[index].goal;
}

void pose_set_stiffness(struct naohw_pose *pose, size_t index, int steps)
{
	pose->axis[index].stiffness = steps;
}

int pose_get_stiffness(const struct naohw_pose *pose, size_t index)
{
	return pose->axis[index].stiffness;
}

int pose_find_axis(const struct naohw_pose *pose, const char *label, size_t *index)
{
	for (size_t i = 0; i < pose->axis_count; i++) {
		if (strcmp(pose->axis[i].info.label, label) != 0)
			continue;
		*index = i;
		return 0;
	}
	return -ENOENT;
}
