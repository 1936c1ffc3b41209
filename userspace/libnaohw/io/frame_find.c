// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What a frame has: the values of the buses' state devices, by joints. Where they are in a sample
 * is found out once.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"
#include "bus_device.h"
#include "channel.h"
#include "frame.h"
#include "robot.h"

#define NS_PER_S   1e9
/* IIO's milli-units: volt, degree and ampere are what people reckon in. */
#define MILLI	   0.001
/* Channels of what IIO has no type for are told apart by their number: kind * 256 + ID. */
#define KIND_SHIFT 8
#define KINDS	   3
#define ID_MASK	   0xffu
#define ALWAYS	   (1u << NAOHW_QUANTITY_AGE | 1u << NAOHW_QUANTITY_ALARM)

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
	{ "angl", NAOHW_QUANTITY_POSITION },   { "anglvel", NAOHW_QUANTITY_SPEED },
	{ "voltage", NAOHW_QUANTITY_VOLTAGE }, { "temp", NAOHW_QUANTITY_TEMPERATURE },
	{ "current", NAOHW_QUANTITY_CURRENT },
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
	static const enum naohw_quantity kinds[KINDS] = {
		NAOHW_QUANTITY_LOAD, NAOHW_QUANTITY_AGE, NAOHW_QUANTITY_ALARM
	};
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
	case NAOHW_QUANTITY_VOLTAGE:
	case NAOHW_QUANTITY_TEMPERATURE:
	case NAOHW_QUANTITY_CURRENT:
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

	if (blank && (quantity == NAOHW_QUANTITY_LOAD || quantity == NAOHW_QUANTITY_AGE ||
		      quantity == NAOHW_QUANTITY_ALARM))
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

/* What the servo says of itself becomes what the description calls the joint's. */
static void take_directions(struct naohw_frame *frame, const struct naohw_robot *robot)
{
	for (size_t i = 0; i < frame->joint_count; i++) {
		const struct frame_joint *joint = &frame->joint[i];
		const struct subdevice *position =
			subdevice_position_of(robot, joint->label, false);

		for (size_t c = 0; position && c < joint->count; c++) {
			struct frame_channel *channel = &frame->channel[joint->first + c];

			subdevice_fold(position, channel->quantity, &channel->scale,
				       &channel->offset);
		}
	}
}

int frame_find(struct naohw_frame *frame, const struct naohw_robot *robot, unsigned int quantities,
	       struct naohw_error *err)
{
	int ret = find_buses(frame, &robot->states, err);

	for (size_t i = 0; i < frame->bus_count && ret == 0; i++)
		ret = take_channels(frame, &frame->bus[i], quantities, err);
	if (ret < 0)
		return ret;
	find_joints(frame);
	take_directions(frame, robot);
	return 0;
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
