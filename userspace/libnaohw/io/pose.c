// SPDX-License-Identifier: LGPL-2.1-or-later
/* Poses through the buses' goal outputs: one sample is one sync write. */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../base/base.h"
#include "bus_device.h"
#include "channel.h"
#include "monotonic.h"
#include "pose.h"
#include "robot.h"

/* A queue of four poses at 100 Hz is empty long before. */
#define FLUSH_NS     ((int64_t)500 * 1000000)
#define FLUSH_LOOK_MS 5
/* A queue that takes no pose for so long takes none any more. */
#define PUSH_NS	     ((int64_t)1000 * 1000000)
#define NS_PER_MS    1000000
/* One lost packet must not decide where a joint starts from. */
#define TRIES	     3
/* A pose value that needs no rounding to be the servo's own range. */
#define HALF_COUNT   0.5

static int channel_id(const struct iio_channel *channel, const char *type, unsigned int *id)
{
	const char *name = iio_channel_get_id(channel);
	size_t length = strlen(type);
	char *end;

	if (!iio_channel_is_output(channel) || strncmp(name, type, length) != 0)
		return -EINVAL;
	if (name[length] < '0' || name[length] > '9')
		return -EINVAL;
	*id = (unsigned int)strtoul(name + length, &end, 10);
	return *end == '\0' ? 0 : -EINVAL;
}

static struct iio_channel *speed_channel(const struct iio_device *device, unsigned int id)
{
	char name[32];

	snprintf(name, sizeof(name), "anglvel%u", id);
	return iio_device_find_channel(device, name, true);
}

/* As long as the servo's register, for which what is below 0 is a two's complement. */
static bool is_goal(const struct iio_channel *channel)
{
	const struct iio_data_format *format = iio_channel_get_data_format(channel);

	return iio_channel_is_scan_element(channel) && format->bits == format->length &&
	       (format->length == 16 || format->length == 32);
}

/* A fault of the kernel side, so the words are for the people who build that. */
static int not_as_documented(const struct pose_axis *axis, const char *what,
			     struct naohw_error *err)
{
	return fail(err, -EINVAL, "dxl%u-goal, servo %u: %s", axis->info.bus, axis->info.id, what);
}

static int take_scales(struct pose_axis *axis, const struct channel *goal, struct naohw_error *err)
{
	struct channel speed;

	channel_take(&speed, &axis->bus->device.held, axis->speed_channel);
	if (!goal->has_range)
		return not_as_documented(axis, "no raw_available of the goal, expected [MIN 1 MAX]",
					 err);
	if (!(fabs(goal->scale) > 0) || !(speed.scale > 0))
		return not_as_documented(axis, "a scale of 0, expected rad and rad/s", err);
	axis->info.min = goal->min;
	axis->info.max = goal->max;
	axis->info.scale = axis->info.servo_scale = goal->scale;
	axis->info.offset = axis->info.servo_offset = goal->offset;
	axis->info.speed_scale = speed.scale;
	axis->info.speed_max = speed.has_range ? speed.max : 1023;
	return 0;
}

static int add_axis(struct naohw_pose *pose, struct pose_bus *bus, struct iio_channel *channel,
		    const struct channel *goal, unsigned int id, struct naohw_error *err)
{
	struct pose_axis *axis = &pose->axis[pose->axis_count];

	axis->bus = bus;
	axis->info.bus = bus->device.number;
	axis->info.id = id;
	axis->goal_channel = channel;
	axis->speed_channel = speed_channel(bus->device.held.iio, id);
	if (!axis->speed_channel)
		return not_as_documented(axis, "has no out_anglvel channel", err);
	if (!is_goal(axis->goal_channel) || !is_goal(axis->speed_channel))
		return not_as_documented(axis, "not a scan element of 16 or 32 bits", err);
	bus_device_label(&bus->device, channel, id, axis->label, sizeof(axis->label));
	pose->axis_count++;
	return take_scales(axis, goal, err);
}

/* One in a mode without goal positions, such as a wheel, has none that it would take. */
static bool is_joint(const struct channel *goal)
{
	return !goal->has_range || goal->min < goal->max;
}

static int add_axes_of(struct naohw_pose *pose, struct pose_bus *bus, struct naohw_error *err)
{
	unsigned int count = iio_device_get_channels_count(bus->device.held.iio);

	for (unsigned int i = 0; i < count; i++) {
		struct iio_channel *channel = iio_device_get_channel(bus->device.held.iio, i);
		struct channel goal;
		unsigned int id;
		int ret;

		if (channel_id(channel, "angl", &id) < 0)
			continue;
		channel_take(&goal, &bus->device.held, channel);
		if (!is_joint(&goal))
			continue;
		ret = add_axis(pose, bus, channel, &goal, id, err);
		if (ret < 0)
			return ret;
	}
	return 0;
}

static int compare_axes(const void *a, const void *b)
{
	const struct naohw_axis *left = a, *right = b;

	if (left->bus != right->bus)
		return left->bus < right->bus ? -1 : 1;
	return left->id < right->id ? -1 : 1;
}

static int find_buses(struct naohw_pose *pose, const struct bus_devices *goals,
		      struct naohw_error *err)
{
	size_t channels = 0;

	if (goals->count == 0)
		return fail(err, -ENODEV, "no IIO device is named dxlN-goal: no bus to move");
	pose->bus = calloc(goals->count, sizeof(*pose->bus));
	if (!pose->bus)
		return fail(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < goals->count; i++) {
		struct bus_device *bus = &pose->bus[i].device;

		if (bus_device_borrow(bus, &goals->list[i]) < 0)
			return fail(err, -ENODEV, "dxl%u-goal: is not the one any more that was "
				    "there, as when a servo has joined it; open the robot again",
				    bus->number);
		pose->bus_count++;
		channels += iio_device_get_channels_count(bus->held.iio);
	}
	pose->axis = calloc(channels + 1, sizeof(*pose->axis));
	return pose->axis ? 0 : fail(err, -ENOMEM, "out of memory");
}

/* Min and Max of the description are the body's limits; the servo's are in the kernel. */
static void narrow(struct pose_axis *axis, const struct subdevice *s)
{
	const struct naohw_axis *info = &axis->info;
	double a = subdevice_to_device(s, s->min) / info->servo_scale - info->servo_offset;
	double b = subdevice_to_device(s, s->max) / info->servo_scale - info->servo_offset;
	double low = ceil(fmin(a, b) - HALF_COUNT), high = floor(fmax(a, b) + HALF_COUNT);

	if (low > axis->info.min)
		axis->info.min = low > axis->info.max ? axis->info.max : (int)low;
	if (high < axis->info.max)
		axis->info.max = high < axis->info.min ? axis->info.min : (int)high;
}

static int bounded(int value, int min, int max)
{
	if (value < min)
		return min;
	return value > max ? max : value;
}

/* Its goal, if the torque holds it there; else where it is. */
static int first_goal(const struct naohw_joint *joint, int *goal)
{
	double on;
	int ret = channel_read_attribute(&joint->goal, "en", &on);

	if (ret < 0)
		return ret;
	return channel_read_raw(on != 0 ? &joint->goal : &joint->position, goal);
}

static int ask_first_goal(const struct naohw_joint *joint, int *goal)
{
	int ret = 0;

	for (int i = 0; i < TRIES; i++) {
		ret = first_goal(joint, goal);
		if (ret >= 0)
			break;
	}
	return ret;
}

static int ask(const struct channel *channel, int *raw)
{
	int ret = 0;

	for (int i = 0; i < TRIES; i++) {
		ret = channel_read_raw(channel, raw);
		if (ret >= 0)
			break;
	}
	return ret;
}

/* A speed of 0 is "no limit" to the servo; a pose never says that. */
static int first_speed(const struct pose_axis *axis, int *speed)
{
	int ret;

	*speed = 0;
	if (!axis->joint->goal_speed.iio)
		ret = 0;
	else
		ret = ask(&axis->joint->goal_speed, speed);
	if (*speed == 0)
		*speed = axis->info.speed_max;
	return ret;
}

static bool can_be_asked(const struct naohw_joint *joint)
{
	return joint && joint->goal.iio && joint->position.iio;
}

static int middle(const struct naohw_axis *axis)
{
	return (axis->min + axis->max + 1) / 2;
}

/*
 * A servo that does not answer now may hear the pose all the same: it gets the goal it
 * was last sent, or the middle of its range at the lowest speed.
 */
static void start_unseen(struct pose_axis *axis)
{
	struct channel goal = { .device = axis->bus->device.held, .iio = axis->goal_channel };
	int counts;

	axis->guessed = true;
	if (channel_read_raw(&goal, &counts) == 0)
		axis->goal = bounded(counts, axis->info.min, axis->info.max);
}

static void start(struct pose_axis *axis)
{
	int goal, speed;

	if (!can_be_asked(axis->joint) || ask_first_goal(axis->joint, &goal) < 0) {
		start_unseen(axis);
		return;
	}
	axis->goal = bounded(goal, axis->info.min, axis->info.max);
	if (first_speed(axis, &speed) < 0)
		return;
	axis->speed = bounded(speed, 1, axis->info.speed_max);
	axis->speed_before = axis->speed;
}

/* What is known of an axis without asking its servo. */
static void describe(const struct naohw_robot *robot, struct pose_axis *axis)
{
	const struct subdevice *position;

	axis->info.label = axis->label;
	axis->joint = joint_find(robot, axis->label);
	position = subdevice_of(robot, axis->label, "/Position/Actuator");
	if (position) {
		narrow(axis, position);
		subdevice_fold(position, &axis->info.scale, &axis->info.offset);
	}
	axis->goal = middle(&axis->info);
	axis->speed = 1;
}

/* What is no axis asks for nothing. */
static void clear_sample(struct iio_buffer *buffer)
{
	unsigned char *start = iio_buffer_start(buffer), *end = iio_buffer_end(buffer);

	memset(start, 0, (size_t)(end - start));
}

/*
 * Somebody who holds a lease of the bus, and has come first: with its end he would let go what
 * we move.
 */
static bool is_leased(const struct bus_device *bus, const struct naohw_robot *robot)
{
	char state[32];

	if (lease_is_ours(robot, bus->number) || !device_has(&bus->held, "stream_state") ||
	    device_read(&bus->held, "stream_state", state, sizeof(state)) < 0)
		return false;
	return strcmp(state, "leased") == 0 || strcmp(state, "lapsed") == 0;
}

static int open_buffer(struct pose_bus *bus, const struct naohw_robot *robot,
		       struct naohw_error *err)
{
	unsigned int count = iio_device_get_channels_count(bus->device.held.iio);
	int ret;

	if (is_leased(&bus->device, robot))
		return fail(err, -EBUSY, "dxl%u: another program is moving its joints, one by one",
			    bus->device.number);
	for (unsigned int i = 0; i < count; i++) {
		struct iio_channel *channel = iio_device_get_channel(bus->device.held.iio, i);

		if (iio_channel_is_scan_element(channel))
			iio_channel_enable(channel);
	}
	ret = bus_device_open(&bus->device, robot->pose_queue);
	switch (ret) {
	case 0:
		clear_sample(bus->device.buffer);
		/* What cannot be told so waits as long as libiio does. */
		(void)iio_buffer_set_blocking_mode(bus->device.buffer, false);
		return 0;
	case -EBUSY:
		return fail(err, ret, "dxl%u-goal: another program is moving the robot",
			    bus->device.number);
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

static int build(struct naohw_pose *pose, struct naohw_robot *robot, struct naohw_error *err)
{
	int ret = find_buses(pose, &robot->goals, err);

	for (size_t i = 0; i < pose->bus_count && ret == 0; i++)
		ret = add_axes_of(pose, &pose->bus[i], err);
	if (ret < 0)
		return ret;
	qsort(pose->axis, pose->axis_count, sizeof(*pose->axis), compare_axes);
	for (size_t i = 0; i < pose->axis_count; i++)
		describe(robot, &pose->axis[i]);
	return 0;
}

static void place(struct pose_axis *axis)
{
	axis->goal_at = bus_device_place(&axis->bus->device, axis->goal_channel);
	axis->speed_at = bus_device_place(&axis->bus->device, axis->speed_channel);
}

/* The outputs first: from then on nobody else changes what the servos are asked for. */
static int occupy(struct naohw_pose *pose, const struct naohw_robot *robot, struct naohw_error *err)
{
	/* From its opening on each has a watchdog, and all take their time. */
	for (size_t i = 0; i < pose->bus_count; i++) {
		int ret = open_buffer(&pose->bus[i], robot, err);

		if (ret < 0)
			return ret;
		pose_take_patience(pose, &pose->bus[i].device);
		pose_keep_alive(pose);
	}
	for (size_t i = 0; i < pose->axis_count; i++)
		place(&pose->axis[i]);
	pose->open = true;
	pose->robot->poses++;
	/* Silent servos take their time, and the kernel's watchdog is on its guard already. */
	for (size_t i = 0; i < pose->axis_count; i++) {
		start(&pose->axis[i]);
		(void)naohw_pose_keep_alive(pose, NULL);
	}
	return 0;
}

static int new_pose(struct naohw_robot *robot, bool open, struct naohw_error *err,
		    struct naohw_pose **out)
{
	struct naohw_pose *pose = calloc(1, sizeof(*pose));
	int ret;

	if (!pose)
		return fail(err, -ENOMEM, "out of memory");
	pose->robot = robot;
	ret = build(pose, robot, err);
	if (ret == 0 && open)
		ret = occupy(pose, robot, err);
	if (ret < 0) {
		naohw_pose_close(pose);
		return ret;
	}
	*out = pose;
	return 0;
}

int naohw_pose_open(struct naohw_robot *robot, struct naohw_error *err, struct naohw_pose **out)
{
	return new_pose(robot, true, err, out);
}

int naohw_pose_describe(struct naohw_robot *robot, struct naohw_error *err, struct naohw_pose **out)
{
	return new_pose(robot, false, err, out);
}

int naohw_pose_set_queue(struct naohw_robot *robot, unsigned int poses)
{
	if (poses < POSE_QUEUE_MIN || poses > POSE_QUEUE_MAX)
		return -EINVAL;
	robot->pose_queue = poses;
	return 0;
}

void pose_stay_here(struct pose_axis *axis)
{
	int counts;

	if (can_be_asked(axis->joint) && ask(&axis->joint->position, &counts) >= 0)
		axis->goal = bounded(counts, axis->info.min, axis->info.max);
}

int pose_not_open(struct naohw_error *err)
{
	return fail(err, -EBADF, "this pose describes the joints and cannot move them");
}

/* ---- close ---- */

static void sleep_ms(long milliseconds)
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
		sleep_ms(FLUSH_LOOK_MS);
		pose_stay_alive(pose);
	}
	/* The last one may have left the queue for the bus a moment ago. */
	sleep_ms(2 * FLUSH_LOOK_MS);
}

void naohw_pose_close(struct naohw_pose *pose)
{
	if (!pose)
		return;
	if (pose->open) {
		pose->robot->poses--;
		flush(pose);
	}
	/* To end a stream takes its time too, and the others are watched till theirs has ended. */
	for (size_t i = 0; i < pose->bus_count; i++) {
		pose_keep_alive(pose);
		bus_device_close(&pose->bus[i].device);
	}
	free(pose->axis);
	free(pose->bus);
	free(pose);
}

size_t naohw_pose_axis_count(const struct naohw_pose *pose)
{
	return pose->axis_count;
}

int naohw_pose_get_axis(const struct naohw_pose *pose, size_t index, struct naohw_axis *axis)
{
	if (index >= pose->axis_count)
		return -EINVAL;
	*axis = pose->axis[index].info;
	return 0;
}

int naohw_pose_set(struct naohw_pose *pose, size_t index, int goal, int speed)
{
	struct pose_axis *axis;

	if (index >= pose->axis_count)
		return -EINVAL;
	axis = &pose->axis[index];
	if (goal < axis->info.min || goal > axis->info.max)
		return -ERANGE;
	if (speed < 1 || speed > axis->info.speed_max)
		return -ERANGE;
	axis->goal = goal;
	axis->speed = speed;
	axis->guessed = false;
	return 0;
}

int naohw_pose_get_goal(const struct naohw_pose *pose, size_t index)
{
	return index < pose->axis_count ? pose->axis[index].goal : -EINVAL;
}

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

static void wait_for_room(struct naohw_pose *pose, const struct pose_bus *bus)
{
	struct pollfd room = {
		.fd = iio_buffer_get_poll_fd(bus->device.buffer),
		.events = POLLOUT,
	};
	int ms = (int)(pose->patience / NS_PER_MS);

	(void)poll(&room, 1, ms ? ms : 1);
	pose_stay_alive(pose);
}

static int push_when_there_is_room(struct naohw_pose *pose, struct pose_bus *bus,
				   int64_t deadline, struct naohw_error *err)
{
	int ret = 0;

	while (bus->full) {
		if (monotonic_ns() >= deadline)
			return cannot_push(bus, -EAGAIN, err);
		wait_for_room(pose, bus);
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
	}
}

/* None waits for another's queue, and all that are full together no longer than one. */
int naohw_pose_push(struct naohw_pose *pose, struct naohw_error *err)
{
	int64_t deadline = monotonic_ns() + PUSH_NS;
	int ret = 0;

	if (!pose->open)
		return pose_not_open(err);
	put_all(pose);
	for (size_t i = 0; i < pose->bus_count; i++) {
		int pushed = push_to(&pose->bus[i], ret < 0 ? NULL : err);

		if (ret == 0)
			ret = pushed;
	}
	for (size_t i = 0; i < pose->bus_count; i++) {
		int pushed = push_when_there_is_room(pose, &pose->bus[i], deadline,
						     ret < 0 ? NULL : err);

		if (ret == 0)
			ret = pushed;
	}
	return ret;
}

int naohw_pose_read_present(struct naohw_pose *pose, size_t index, int *counts,
			    struct naohw_error *err)
{
	const struct pose_axis *axis;
	int ret;

	if (index >= pose->axis_count)
		return fail(err, -EINVAL, "axis %zu: there are %zu", index, pose->axis_count);
	axis = &pose->axis[index];
	if (!axis->joint || !axis->joint->position.iio)
		return fail(err, -ENODEV, "%s: no IIO device with this label to read from",
			    axis->label);
	ret = channel_read_raw(&axis->joint->position, counts);
	if (ret < 0)
		return fail(err, ret, "%s: %s", axis->label, error_text(ret));
	return 0;
}

int pose_present_counts(const struct naohw_pose *pose, size_t index, double rad)
{
	const struct naohw_axis *axis = &pose->axis[index].info;

	return (int)lround(rad / axis->scale - axis->offset);
}

int pose_speed(const struct naohw_pose *pose, size_t index)
{
	return pose->axis[index].speed;
}

/*
 * Where the speed before is not known, any other than the one in the pose might make the
 * joint snap. Nor may it go on creeping to a goal that nobody asked for.
 */
void pose_restore_speed(struct naohw_pose *pose, size_t index)
{
	struct pose_axis *axis = &pose->axis[index];

	if (axis->speed_before)
		axis->speed = axis->speed_before;
	else if (axis->guessed)
		pose_stay_here(axis);
}

int naohw_pose_restore_speeds(struct naohw_pose *pose, struct naohw_error *err)
{
	for (size_t i = 0; i < pose->axis_count; i++)
		pose_restore_speed(pose, i);
	return naohw_pose_push(pose, err);
}
