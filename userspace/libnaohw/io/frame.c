// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Frames: what all servos said in one period, through the buses' state devices. One sample of
 * such a device is one frame of its bus; where the values are in it is found out once, and
 * a value is decoded when it is asked for.
 */
#include <endian.h>
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"
#include "bus_device.h"
#include "channel.h"
#include "frame.h"
#include "monotonic.h"
#include "robot.h"

#define LABEL_SIZE	64
#define CLOCK		"current_timestamp_clock"
#define CLOCK_SIZE	32
#define NS_PER_S	1e9
#define NS_PER_MS	1000000
/* IIO's milli-units: volt, degree and ampere are what people reckon in. */
#define MILLI		0.001
#define DEPTH_DEFAULT	8
#define DEPTH_MAX	1024
#define TIMEOUT_DEFAULT 1000
#define TIMEOUT_PERIODS 4
#define TIMEOUT_MAX	3600000
/* Channels of what IIO has no type for are told apart by their number: kind * 256 + ID. */
#define KIND_SHIFT	8
#define KINDS		3
#define ID_MASK		0xffu
#define ALWAYS		(1u << NAOHW_AGE | 1u << NAOHW_ALARM)
#define AGE_UNKNOWN	255u

struct frame_bus {
	struct bus_device device;
	const struct iio_channel *timestamp;
	bool has_clock;
	char clock[CLOCK_SIZE]; /* the one it had before; "": it is not changed */
	int poll_fd;		/* below 0: it cannot be asked whether there is more */
	int64_t period;		/* 0: not known */
	int64_t time;		/* of the present frame; 0: none yet */
	const unsigned char *sample;
	size_t size;
	size_t time_at;
};

struct frame_channel {
	struct iio_channel *iio;
	const struct frame_bus *bus;
	unsigned int id;
	enum naohw_quantity quantity;
	size_t joint;
	size_t at; /* in the sample */
	struct iio_data_format format;
	double servo_scale; /* as IIO has it: in its unit, and not of the joint */
	double servo_offset;
	double scale;
	double offset;
};

struct frame_joint {
	char label[LABEL_SIZE];
	const struct frame_bus *bus;
	unsigned int id;
	unsigned int quantities;
	size_t first; /* of its channels */
	size_t count;
};

struct naohw_frame {
	struct frame_bus *bus;
	size_t bus_count;
	struct frame_channel *channel; /* by bus, ID and quantity */
	size_t channel_count;
	struct frame_joint *joint;
	size_t joint_count;
	unsigned int timeout_ms;
	int64_t deadline; /* of the present reading, by the monotonic clock */
	unsigned int depth;
	bool newest;
	uint64_t count;
	uint64_t lost;
	uint64_t skipped;
};

/* ---- what there is ---- */

/* A fault of the kernel side, so the words are for the people who build that. */
static int not_as_documented(const struct frame_bus *bus, const char *channel, const char *what,
			     struct naohw_error *err)
{
	return fail(err, -EINVAL, "dxl%u-state, channel %s: %s", bus->device.number, channel, what);
}

/* What IIO has a type for. "angl3" is of servo 3 there; the servo itself has it as "angl0". */
static const struct {
	const char *type;
	enum naohw_quantity quantity;
} types[] = {
	{ "angl", NAOHW_POSITION },   { "anglvel", NAOHW_SPEED },
	{ "voltage", NAOHW_VOLTAGE }, { "temp", NAOHW_TEMPERATURE },
	{ "current", NAOHW_CURRENT },
};

static bool find_type(const char *id, size_t length, enum naohw_quantity *quantity)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (strlen(types[i].type) != length || strncmp(id, types[i].type, length) != 0)
			continue;
		*quantity = types[i].quantity;
		return true;
	}
	return false;
}

/* "angl3" is the position of servo 3, "count259" the age of the same. */
static bool parse_channel(const char *id, enum naohw_quantity *quantity, unsigned int *servo)
{
	static const enum naohw_quantity kinds[KINDS] = { NAOHW_LOAD, NAOHW_AGE, NAOHW_ALARM };
	size_t length = strcspn(id, "0123456789");
	char *end;
	unsigned long number = strtoul(id + length, &end, 10);

	if (end == id + length || *end != '\0')
		return false;
	*servo = number & ID_MASK;
	if (length == strlen("count") && strncmp(id, "count", length) == 0) {
		if (number >> KIND_SHIFT >= KINDS)
			return false;
		*quantity = kinds[number >> KIND_SHIFT];
		return true;
	}
	return find_type(id, length, quantity) && number <= ID_MASK;
}

static bool format_fits(const struct iio_data_format *format)
{
	if (format->length != 8 && format->length != 16 && format->length != 32)
		return false;
	return format->bits > 0 && format->shift + format->bits <= format->length;
}

static double unit_of(enum naohw_quantity quantity)
{
	switch (quantity) {
	case NAOHW_VOLTAGE:
	case NAOHW_TEMPERATURE:
	case NAOHW_CURRENT:
		return MILLI;
	default:
		return 1;
	}
}

static int add_channel(struct naohw_frame *frame, const struct frame_bus *bus,
		       struct iio_channel *iio, enum naohw_quantity quantity, unsigned int id,
		       struct naohw_error *err)
{
	struct frame_channel *channel = &frame->channel[frame->channel_count];
	struct channel scales;

	channel->iio = iio;
	channel->bus = bus;
	channel->id = id;
	channel->quantity = quantity;
	channel->format = *iio_channel_get_data_format(iio);
	if (!format_fits(&channel->format))
		return not_as_documented(bus, iio_channel_get_id(iio),
					 "not an element of 8, 16 or 32 bits", err);
	channel_take(&scales, &bus->device.held, iio);
	channel->servo_scale = scales.scale;
	channel->servo_offset = scales.offset;
	channel->scale = scales.scale * unit_of(quantity);
	channel->offset = scales.offset;
	frame->channel_count++;
	return 0;
}

static bool is_wanted(enum naohw_quantity quantity, unsigned int wanted)
{
	return !wanted || (wanted | ALWAYS) & 1u << quantity;
}

/* What was enabled in this context before may be what nobody wants now. */
static int take_channel(struct naohw_frame *frame, struct frame_bus *bus, struct iio_channel *iio,
			unsigned int wanted, struct naohw_error *err)
{
	enum naohw_quantity quantity;
	unsigned int id;

	iio_channel_disable(iio);
	if (iio_channel_is_output(iio) || !iio_channel_is_scan_element(iio))
		return 0;
	if (strcmp(iio_channel_get_id(iio), "timestamp") == 0) {
		if (iio_channel_get_data_format(iio)->length != 64)
			return not_as_documented(bus, "timestamp", "not of 64 bits", err);
		bus->timestamp = iio;
		iio_channel_enable(iio);
		return 0;
	}
	if (!parse_channel(iio_channel_get_id(iio), &quantity, &id) ||
	    !is_wanted(quantity, wanted))
		return 0;
	iio_channel_enable(iio);
	return add_channel(frame, bus, iio, quantity, id, err);
}

static int take_channels(struct naohw_frame *frame, struct frame_bus *bus, unsigned int wanted,
			 struct naohw_error *err)
{
	unsigned int count = iio_device_get_channels_count(bus->device.held.iio);

	for (unsigned int i = 0; i < count; i++) {
		int ret = take_channel(frame, bus, iio_device_get_channel(bus->device.held.iio, i), wanted,
				       err);

		if (ret < 0)
			return ret;
	}
	return bus->timestamp ? 0 : not_as_documented(bus, "timestamp", "not there", err);
}

/* Whatever ticks has its frequency there: the bus's own cycle, or an hrtimer trigger. */
static void take_period(struct frame_bus *bus)
{
	const struct iio_device *trigger;
	double frequency;

	if (iio_device_get_trigger(bus->device.held.iio, &trigger) < 0 || !trigger ||
	    iio_device_attr_read_double(trigger, "sampling_frequency", &frequency) < 0)
		return;
	if (frequency > 0)
		bus->period = llround(NS_PER_S / frequency);
}

static int find_buses(struct naohw_frame *frame, const struct bus_devices *states,
		      struct naohw_error *err)
{
	size_t channels = 0;

	if (states->count == 0)
		return fail(err, -ENODEV, "no IIO device is named dxlN-state: no bus gives frames");
	frame->bus = calloc(states->count, sizeof(*frame->bus));
	if (!frame->bus)
		return fail(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < states->count; i++) {
		struct frame_bus *bus = &frame->bus[i];

		if (bus_device_borrow(&bus->device, &states->list[i]) < 0)
			return fail(err, -ENODEV, "dxl%u-state: is not the one any more that was "
				    "there; open the robot again", bus->device.number);
		bus->poll_fd = -1;
		take_period(bus);
		frame->bus_count++;
		channels += iio_device_get_channels_count(bus->device.held.iio);
	}
	frame->channel = calloc(channels + 1, sizeof(*frame->channel));
	frame->joint = calloc(channels + 1, sizeof(*frame->joint));
	return frame->channel && frame->joint ? 0 : fail(err, -ENOMEM, "out of memory");
}

static int compare_channels(const void *a, const void *b)
{
	const struct frame_channel *left = a, *right = b;

	if (left->bus->device.number != right->bus->device.number)
		return left->bus->device.number < right->bus->device.number ? -1 : 1;
	if (left->id != right->id)
		return left->id < right->id ? -1 : 1;
	return (int)left->quantity - (int)right->quantity;
}

/* The label of a mere count has what is counted behind it: "HeadYaw age". */
static void cut_kind(char *label, enum naohw_quantity quantity)
{
	char *blank = strrchr(label, ' ');

	if (blank && (quantity == NAOHW_LOAD || quantity == NAOHW_AGE || quantity == NAOHW_ALARM))
		*blank = '\0';
}

static struct frame_joint *joint_of(struct naohw_frame *frame, const struct frame_channel *channel)
{
	struct frame_joint *joint = frame->joint + frame->joint_count;

	if (frame->joint_count && joint[-1].bus == channel->bus && joint[-1].id == channel->id)
		return joint - 1;
	joint->bus = channel->bus;
	joint->id = channel->id;
	joint->first = (size_t)(channel - frame->channel);
	bus_device_label(&joint->bus->device, channel->iio, joint->id, joint->label,
			 sizeof(joint->label));
	cut_kind(joint->label, channel->quantity);
	frame->joint_count++;
	return joint;
}

static void find_joints(struct naohw_frame *frame)
{
	qsort(frame->channel, frame->channel_count, sizeof(*frame->channel), compare_channels);
	for (size_t i = 0; i < frame->channel_count; i++) {
		struct frame_channel *channel = &frame->channel[i];
		struct frame_joint *joint = joint_of(frame, channel);

		channel->joint = (size_t)(joint - frame->joint);
		joint->quantities |= 1u << channel->quantity;
		joint->count++;
	}
}

static void take_direction(struct frame_channel *channel, const struct subdevice *position)
{
	switch (channel->quantity) {
	case NAOHW_POSITION:
		if (channel->scale != 0)
			subdevice_fold(position, &channel->scale, &channel->offset);
		break;
	case NAOHW_SPEED:
		channel->scale *= position->gain;
		break;
	case NAOHW_LOAD:
	case NAOHW_CURRENT:
		channel->scale = copysign(channel->scale, position->gain);
		break;
	default:
		break;
	}
}

/* What the servo says of itself becomes what the description calls the joint's. */
static void take_directions(struct naohw_frame *frame, const struct naohw_robot *robot)
{
	for (size_t i = 0; i < frame->joint_count; i++) {
		const struct frame_joint *joint = &frame->joint[i];
		const struct subdevice *position =
			subdevice_position_of(robot, joint->label, false);

		for (size_t c = 0; position && c < joint->count; c++)
			take_direction(&frame->channel[joint->first + c], position);
	}
}

/* ---- open and close ---- */

/* One that the user's clock settings cannot move, and that his other times are in. */
static void set_clock(struct frame_bus *bus)
{
	const struct device *device = &bus->device.held;

	bus->has_clock = device_has(device, CLOCK) &&
			 device_read(device, CLOCK, bus->clock, sizeof(bus->clock)) == 0;
	if (!bus->has_clock || strcmp(bus->clock, "monotonic") == 0)
		bus->clock[0] = '\0';
	if (*bus->clock && device_write(device, CLOCK, "monotonic") < 0)
		bus->clock[0] = '\0';
}

static int cannot_open(const struct frame_bus *bus, int ret, struct naohw_error *err)
{
	switch (ret) {
	case -EBUSY:
		return fail(err, ret, "dxl%u-state: another program reads the frames", bus->device.number);
	case -ENOSPC:
		return fail(err, ret,
			    "dxl%u-state: what is to be read does not fit into the bus's period; "
			    "lengthen cycle/period_us of dxl%u, the kernel's log has the times",
			    bus->device.number, bus->device.number);
	default:
		return fail(err, ret, "dxl%u-state: cannot open the buffer: %s", bus->device.number,
			    error_text(ret));
	}
}

static int open_bus(struct frame_bus *bus, unsigned int depth, struct naohw_error *err)
{
	int ret = bus_device_lock(&bus->device);

	if (ret < 0)
		return cannot_open(bus, ret, err);
	/* Another reader's clock is neither ours to change nor the one to put back. */
	set_clock(bus);
	ret = bus_device_begin(&bus->device, depth);
	if (ret < 0)
		return cannot_open(bus, ret, err);
	bus->poll_fd = iio_buffer_get_poll_fd(bus->device.buffer);
	bus->sample = iio_buffer_start(bus->device.buffer);
	bus->size = (size_t)iio_buffer_step(bus->device.buffer);
	bus->time_at = bus_device_place(&bus->device, bus->timestamp);
	return 0;
}

static unsigned int default_timeout(const struct naohw_frame *frame)
{
	int64_t some = TIMEOUT_PERIODS * naohw_frame_period(frame) / NS_PER_MS;

	return some > TIMEOUT_DEFAULT ? (unsigned int)some : TIMEOUT_DEFAULT;
}

static int open_buses(struct naohw_frame *frame, const struct naohw_robot *robot,
		      struct naohw_error *err)
{
	if (!frame->timeout_ms)
		frame->timeout_ms = default_timeout(frame);
	/* For what cannot be polled for; only once, as a daemon has it for all its clients. */
	(void)iio_context_set_timeout(robot->context, frame->timeout_ms);
	for (size_t i = 0; i < frame->bus_count; i++) {
		int ret = open_bus(&frame->bus[i], frame->depth, err);

		if (ret < 0)
			return ret;
	}
	for (size_t i = 0; i < frame->channel_count; i++) {
		struct frame_channel *channel = &frame->channel[i];

		channel->at = bus_device_place(&channel->bus->device, channel->iio);
	}
	return 0;
}

static int take_options(struct naohw_frame *frame, const struct naohw_frame_options *options,
			struct naohw_error *err)
{
	frame->depth = options->depth ? options->depth : DEPTH_DEFAULT;
	frame->timeout_ms = options->timeout_ms;
	frame->newest = options->newest;
	if (frame->depth < 2 || frame->depth > DEPTH_MAX)
		return fail(err, -EINVAL, "depth %u, expected 2 to %u frames", frame->depth,
			    DEPTH_MAX);
	if (frame->timeout_ms > TIMEOUT_MAX)
		return fail(err, -EINVAL, "time-out %u, expected 1 to %u ms", frame->timeout_ms,
			    TIMEOUT_MAX);
	return 0;
}

static int build(struct naohw_frame *frame, const struct naohw_robot *robot,
		 const struct naohw_frame_options *options, struct naohw_error *err)
{
	int ret = take_options(frame, options, err);

	if (ret == 0)
		ret = find_buses(frame, &robot->states, err);
	for (size_t i = 0; i < frame->bus_count && ret == 0; i++)
		ret = take_channels(frame, &frame->bus[i], options->quantities, err);
	if (ret < 0)
		return ret;
	find_joints(frame);
	take_directions(frame, robot);
	return open_buses(frame, robot, err);
}

int naohw_frame_open(struct naohw_robot *robot, const struct naohw_frame_options *options,
		     struct naohw_error *err, struct naohw_frame **out)
{
	static const struct naohw_frame_options none;
	struct naohw_frame *frame = calloc(1, sizeof(*frame));
	int ret;

	if (!frame)
		return fail(err, -ENOMEM, "out of memory");
	ret = build(frame, robot, options ? options : &none, err);
	if (ret < 0) {
		naohw_frame_close(frame);
		return ret;
	}
	*out = frame;
	return 0;
}

void naohw_frame_close(struct naohw_frame *frame)
{
	if (!frame)
		return;
	for (size_t i = 0; i < frame->bus_count; i++) {
		struct frame_bus *bus = &frame->bus[i];

		bus_device_end(&bus->device);
		/* Whoever reads next finds the clock that he set. */
		if (*bus->clock)
			(void)device_write(&bus->device.held, CLOCK, bus->clock);
		bus_device_close(&bus->device);
	}
	free(frame->joint);
	free(frame->channel);
	free(frame->bus);
	free(frame);
}

/* ---- read ---- */

static uint64_t load(const unsigned char *at, unsigned int bytes, bool big)
{
	uint16_t half;
	uint32_t word;
	uint64_t full;

	switch (bytes) {
	case 1:
		return *at;
	case 2:
		memcpy(&half, at, sizeof(half));
		return big ? be16toh(half) : le16toh(half);
	case 4:
		memcpy(&word, at, sizeof(word));
		return big ? be32toh(word) : le32toh(word);
	default:
		memcpy(&full, at, sizeof(full));
		return big ? be64toh(full) : le64toh(full);
	}
}

static int64_t decode(const unsigned char *at, const struct iio_data_format *format)
{
	uint64_t raw = load(at, format->length / 8, format->is_be) >> format->shift;
	unsigned int unused = 64 - format->bits;

	if (format->is_signed)
		return (int64_t)(raw << unused) >> unused;
	return (int64_t)(raw << unused >> unused);
}

/* Periods between two frames that had none. A clock that was set back tells nothing. */
static uint64_t missing(const struct frame_bus *bus, int64_t time)
{
	int64_t periods;

	if (!bus->period || !bus->time || time <= bus->time)
		return 0;
	periods = (time - bus->time + bus->period / 2) / bus->period;
	return periods > 1 ? (uint64_t)periods - 1 : 0;
}

/* Somebody who waits for a device that is taken away is not always woken. */
static bool is_gone(const struct frame_bus *bus)
{
	char clock[CLOCK_SIZE];

	return bus->has_clock &&
	       device_read(&bus->device.held, CLOCK, clock, sizeof(clock)) < 0;
}

static int cannot_read(const struct naohw_frame *frame, const struct frame_bus *bus, int ret,
		       struct naohw_error *err)
{
	if (ret == -ETIMEDOUT && is_gone(bus))
		return fail(err, -ENODEV, "dxl%u-state: the bus is gone, or its servos are others",
			    bus->device.number);
	if (ret == -ETIMEDOUT)
		return fail(err, ret, "dxl%u-state: no frame within %u ms", bus->device.number,
			    frame->timeout_ms);
	return fail(err, ret, "dxl%u-state: cannot read a frame: %s", bus->device.number,
		    error_text(ret));
}

/* Rounded up: who wakes before the deadline would only have to wait again. */
static int ms_until(int64_t deadline)
{
	int64_t rest = deadline - monotonic_ns();

	return rest > 0 ? (int)((rest + NS_PER_MS - 1) / NS_PER_MS) : 0;
}

/* What is there is taken even if it is late. Where nobody can ask, no wait begins late. */
static int await(const struct naohw_frame *frame, const struct frame_bus *bus)
{
	struct pollfd pollfd = { .fd = bus->poll_fd, .events = POLLIN };
	int ret;

	if (bus->poll_fd < 0)
		return monotonic_ns() < frame->deadline ? 0 : -ETIMEDOUT;
	do
		ret = poll(&pollfd, 1, ms_until(frame->deadline));
	while (ret < 0 && errno == EINTR);
	if (ret < 0)
		return -errno;
	return ret ? 0 : -ETIMEDOUT;
}

static int refill(struct naohw_frame *frame, struct frame_bus *bus, struct naohw_error *err)
{
	ssize_t ret = await(frame, bus);
	int64_t time;

	if (ret == 0)
		ret = iio_buffer_refill(bus->device.buffer);
	if (ret < 0)
		return cannot_read(frame, bus, (int)ret, err);
	if ((size_t)ret < bus->size)
		return fail(err, -EIO, "dxl%u-state: a frame of %zd bytes, expected %zu",
			    bus->device.number, ret, bus->size);
	/* Not every backend keeps it in the same place. */
	bus->sample = iio_buffer_start(bus->device.buffer);
	time = decode(bus->sample + bus->time_at, iio_channel_get_data_format(bus->timestamp));
	frame->lost += missing(bus, time);
	bus->time = time;
	return 0;
}

static bool has_more(const struct frame_bus *bus)
{
	struct pollfd pollfd = { .fd = bus->poll_fd, .events = POLLIN };

	return bus->poll_fd >= 0 && poll(&pollfd, 1, 0) == 1 && (pollfd.revents & POLLIN);
}

static int read_bus(struct naohw_frame *frame, struct frame_bus *bus, struct naohw_error *err)
{
	int ret = refill(frame, bus, err);

	for (unsigned int i = 0; frame->newest && ret == 0 && i < frame->depth && has_more(bus);
	     i++) {
		frame->skipped++;
		ret = refill(frame, bus, err);
	}
	return ret;
}

/* The newest of all buses' frames sets the time; the others are less than a period older. */
static int align(struct naohw_frame *frame, struct frame_bus *bus, int64_t newest,
		 struct naohw_error *err)
{
	for (unsigned int i = 0; i < frame->depth && newest - bus->time >= bus->period; i++) {
		int ret;

		if (!bus->period)
			break;
		frame->skipped++;
		ret = refill(frame, bus, err);
		if (ret < 0)
			return ret;
	}
	return 0;
}

/* Nothing is taken before all are there: the frame before stays, and the buses in step. */
static int await_all(const struct naohw_frame *frame, struct naohw_error *err)
{
	for (size_t i = 0; i < frame->bus_count; i++) {
		int ret = await(frame, &frame->bus[i]);

		if (ret < 0)
			return cannot_read(frame, &frame->bus[i], ret, err);
	}
	return 0;
}

static int read_all(struct naohw_frame *frame, struct naohw_error *err)
{
	int64_t newest = INT64_MIN;

	for (size_t i = 0; i < frame->bus_count; i++) {
		int ret = read_bus(frame, &frame->bus[i], err);

		if (ret < 0)
			return ret;
		if (frame->bus[i].time > newest)
			newest = frame->bus[i].time;
	}
	for (size_t i = 0; i < frame->bus_count; i++) {
		int ret = align(frame, &frame->bus[i], newest, err);

		if (ret < 0)
			return ret;
	}
	return 0;
}

int naohw_frame_read(struct naohw_frame *frame, struct naohw_error *err)
{
	int ret;

	frame->deadline = monotonic_ns() + (int64_t)frame->timeout_ms * NS_PER_MS;
	ret = await_all(frame, err);
	if (ret == 0)
		ret = read_all(frame, err);
	if (ret == 0)
		frame->count++;
	return ret;
}

/* ---- look ---- */

uint64_t naohw_frame_count(const struct naohw_frame *frame)
{
	return frame->count;
}

uint64_t naohw_frame_lost(const struct naohw_frame *frame)
{
	return frame->lost;
}

uint64_t naohw_frame_skipped(const struct naohw_frame *frame)
{
	return frame->skipped;
}

int64_t naohw_frame_time(const struct naohw_frame *frame)
{
	int64_t first = frame->bus[0].time;

	for (size_t i = 1; i < frame->bus_count; i++)
		if (frame->bus[i].time < first)
			first = frame->bus[i].time;
	return first;
}

int64_t naohw_frame_period(const struct naohw_frame *frame)
{
	int64_t longest = 0;

	for (size_t i = 0; i < frame->bus_count; i++)
		if (frame->bus[i].period > longest)
			longest = frame->bus[i].period;
	return longest;
}

size_t naohw_frame_joint_count(const struct naohw_frame *frame)
{
	return frame->joint_count;
}

int naohw_frame_get_joint(const struct naohw_frame *frame, size_t index,
			  struct naohw_frame_joint *joint)
{
	if (index >= frame->joint_count)
		return -EINVAL;
	joint->label = frame->joint[index].label;
	joint->bus = frame->joint[index].bus->device.number;
	joint->id = frame->joint[index].id;
	joint->quantities = frame->joint[index].quantities;
	return 0;
}

int naohw_frame_find_joint(const struct naohw_frame *frame, const char *label)
{
	for (size_t i = 0; i < frame->joint_count; i++)
		if (strcmp(frame->joint[i].label, label) == 0)
			return (int)i;
	return -ENOENT;
}

size_t naohw_frame_channel_count(const struct naohw_frame *frame)
{
	return frame->channel_count;
}

int naohw_frame_get_channel(const struct naohw_frame *frame, size_t index,
			    struct naohw_frame_channel *out)
{
	const struct frame_channel *channel = &frame->channel[index];

	if (index >= frame->channel_count)
		return -EINVAL;
	out->joint = channel->joint;
	out->quantity = channel->quantity;
	out->bits = channel->format.length;
	out->is_signed = channel->format.is_signed;
	out->scale = channel->scale;
	out->offset = channel->offset;
	return 0;
}

int64_t naohw_frame_raw(const struct naohw_frame *frame, size_t index)
{
	const struct frame_channel *channel = &frame->channel[index];

	if (index >= frame->channel_count || !frame->count)
		return 0;
	return decode(channel->bus->sample + channel->at, &channel->format);
}

static void put(struct naohw_joint_state *state, enum naohw_quantity quantity, double value)
{
	switch (quantity) {
	case NAOHW_POSITION:
		state->position = value;
		break;
	case NAOHW_SPEED:
		state->speed = value;
		break;
	case NAOHW_LOAD:
		state->load = value;
		break;
	case NAOHW_CURRENT:
		state->current = value;
		break;
	case NAOHW_VOLTAGE:
		state->voltage = value;
		break;
	case NAOHW_TEMPERATURE:
		state->temperature = value;
		break;
	case NAOHW_AGE:
		state->age = (unsigned int)value;
		break;
	case NAOHW_ALARM:
		state->alarm = (unsigned int)value;
		break;
	case NAOHW_GOAL:
		break;
	}
}

int naohw_frame_get(const struct naohw_frame *frame, size_t index, struct naohw_joint_state *state)
{
	const struct frame_joint *joint = &frame->joint[index];

	if (index >= frame->joint_count)
		return -EINVAL;
	*state = (struct naohw_joint_state){ NAN, NAN, NAN, NAN, NAN, NAN, AGE_UNKNOWN, 0 };
	for (size_t i = joint->first; frame->count && i < joint->first + joint->count; i++) {
		const struct frame_channel *channel = &frame->channel[i];
		double raw = (double)naohw_frame_raw(frame, i);

		/* What is added makes 0 of -0. */
		put(state, channel->quantity, (raw + channel->offset) * channel->scale + 0.0);
	}
	return 0;
}

/* ---- as keys have it ---- */

int frame_find_quantity(const struct naohw_frame *frame, size_t joint,
			enum naohw_quantity quantity)
{
	const struct frame_joint *of = &frame->joint[joint];

	for (size_t i = of->first; i < of->first + of->count; i++)
		if (frame->channel[i].quantity == quantity)
			return (int)i;
	return -ENOENT;
}

int frame_find_channel(const struct naohw_frame *frame, const char *label, const char *id)
{
	size_t length = strcspn(id, "0123456789");
	int joint = naohw_frame_find_joint(frame, label);
	enum naohw_quantity quantity;

	/* What else of a kind a servo has, as angl1, is in no frame. */
	if (joint < 0 || strcmp(id + length, "0") != 0 || !find_type(id, length, &quantity))
		return -ENOENT;
	return frame_find_quantity(frame, (size_t)joint, quantity);
}

double frame_value(const struct naohw_frame *frame, size_t index)
{
	const struct frame_channel *channel = &frame->channel[index];

	return ((double)naohw_frame_raw(frame, index) + channel->servo_offset) *
	       channel->servo_scale;
}

int64_t frame_value_time(const struct naohw_frame *frame, size_t index)
{
	return frame->channel[index].bus->time;
}
