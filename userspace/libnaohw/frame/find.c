// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What a frame has: the values of the buses' state devices, by the units that they are of. Where
 * they are in a sample is found out once.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"
#include "../io/io.h"
#include "../robot/robot.h"
#include "frame.h"

/* IIO's milli-units: volt, degree and ampere are what people reckon in. */
#define MILLI	 0.001
#define ALWAYS	 (1u << NAOHW_QUANTITY_AGE | 1u << NAOHW_QUANTITY_ALARM)

/* A fault of the kernel side, so the words are for the people who build that. */
static int not_as_documented(const struct frame_bus *bus, const char *channel, const char *what,
			     struct naohw_error *err)
{
	return fail(err, -EINVAL, "dxl%u-state, channel %s: %s", bus->device.number, channel, what);
}

/* ---- what a channel is ---- */

/* Of what a servo has one alone there is no part; what IIO has no type for is a count. */
static const struct {
	const char *type;
	const char *part;
	enum naohw_quantity quantity;
} known[] = {
	{ "angl", "", NAOHW_QUANTITY_POSITION },
	{ "anglvel", "", NAOHW_QUANTITY_SPEED },
	{ "voltage", "", NAOHW_QUANTITY_VOLTAGE },
	{ "temp", "", NAOHW_QUANTITY_TEMPERATURE },
	{ "current", "", NAOHW_QUANTITY_CURRENT },
	{ "count", "load", NAOHW_QUANTITY_LOAD },
	{ "count", "age", NAOHW_QUANTITY_AGE },
	{ "count", "alarm", NAOHW_QUANTITY_ALARM },
};

static enum naohw_quantity quantity_of(const struct bus_channel *channel)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]) && !*channel->id.axis; i++)
		if (strcmp(channel->id.type, known[i].type) == 0 &&
		    strcmp(channel->part, known[i].part) == 0)
			return known[i].quantity;
	return FRAME_OTHER;
}

/* What nobody can ask frames for by its quantity is there with all. */
static bool is_wanted(enum naohw_quantity quantity, unsigned int wanted)
{
	if (!wanted)
		return true;
	return quantity != FRAME_OTHER && (wanted | ALWAYS) & 1u << quantity;
}

static bool format_fits(const struct iio_channel *channel)
{
	const struct iio_data_format *format = iio_channel_get_data_format(channel);

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

/* ---- buses ---- */

static int take_timestamp(struct frame_bus *bus, struct naohw_error *err)
{
	bus->timestamp = iio_device_find_channel(bus->device.held.iio, "timestamp", false);
	if (!bus->timestamp)
		return not_as_documented(bus, "timestamp", "not there", err);
	if (iio_channel_get_data_format(bus->timestamp)->length != 64)
		return not_as_documented(bus, "timestamp", "not of 64 bits", err);
	bus->time_format = frame_format_of(bus->timestamp);
	return 0;
}

static int make_room(struct naohw_frame *frame, const struct naohw_robot *robot,
		     struct naohw_error *err)
{
	size_t channels = 0;

	for (size_t i = 0; i < robot->states.count; i++)
		channels += robot->states.list[i].channel_count;
	frame->bus = calloc(robot->states.count + 1, sizeof(*frame->bus));
	frame->channel = calloc(channels + 1, sizeof(*frame->channel));
	frame->unit = calloc(channels + 1, sizeof(*frame->unit));
	frame->by_joint = calloc(robot->joint_count + 1, sizeof(*frame->by_joint));
	if (!frame->bus || !frame->channel || !frame->unit || !frame->by_joint)
		return fail(err, -ENOMEM, "out of memory");
	return 0;
}

static int find_buses(struct naohw_frame *frame, const struct bus_devices *states,
		      struct naohw_error *err)
{
	for (size_t i = 0; i < states->count; i++) {
		struct frame_bus *bus = &frame->bus[i];
		int ret;

		if (bus_device_borrow(&bus->device, &states->list[i]) < 0)
			return fail(err, -ENODEV, "dxl%u-state: is not the one any more that was "
				    "there; open the robot again", bus->device.number);
		bus->poll_fd = -1;
		frame_period_take(bus);
		ret = take_timestamp(bus, err);
		if (ret < 0)
			return ret;
		frame->bus_count++;
	}
	return 0;
}

/* ---- units ---- */

static struct frame_unit *find_unit(const struct naohw_frame *frame, const struct frame_bus *bus,
				    const char *label)
{
	for (size_t i = 0; i < frame->unit_count; i++)
		if (frame->unit[i].bus == bus && strcmp(frame->unit[i].label, label) == 0)
			return &frame->unit[i];
	return NULL;
}

static struct frame_unit *add_unit(struct naohw_frame *frame, const struct frame_bus *bus,
				   const char *label)
{
	struct frame_unit *unit = &frame->unit[frame->unit_count++];

	unit->label = label;
	unit->bus = bus;
	unit->joint = SIZE_MAX;
	for (size_t i = 0; i < FRAME_QUANTITIES; i++)
		unit->channel[i] = -1;
	return unit;
}

static void find_units_of(struct naohw_frame *frame, const struct frame_bus *bus)
{
	for (size_t i = 0; i < bus->device.channel_count; i++) {
		const struct bus_channel *channel = &bus->device.channel[i];
		struct frame_unit *unit = find_unit(frame, bus, channel->label);

		if (!unit)
			unit = add_unit(frame, bus, channel->label);
		if (bus_channel_is_of_servo(channel)) {
			unit->is_servo = true;
			unit->id = channel->id.number;
		}
	}
}

/* Servos as they are on the wire, and behind them the boards. */
static int compare_units(const void *a, const void *b)
{
	const struct frame_unit *left = a, *right = b;

	if (left->is_servo != right->is_servo)
		return left->is_servo ? -1 : 1;
	if (left->bus != right->bus)
		return left->bus->device.number < right->bus->device.number ? -1 : 1;
	if (left->id != right->id)
		return left->id < right->id ? -1 : 1;
	return strcmp(left->label, right->label);
}

static void find_units(struct naohw_frame *frame)
{
	for (size_t i = 0; i < frame->bus_count; i++)
		find_units_of(frame, &frame->bus[i]);
	qsort(frame->unit, frame->unit_count, sizeof(*frame->unit), compare_units);
}

/* ---- channels ---- */

static int add_channel(struct naohw_frame *frame, const struct frame_bus *bus,
		       const struct bus_channel *of, enum naohw_quantity quantity,
		       struct naohw_error *err)
{
	struct frame_channel *channel = &frame->channel[frame->channel_count];
	struct channel scales;

	channel->of = of;
	channel->bus = bus;
	channel->quantity = quantity;
	channel->unit = (size_t)(find_unit(frame, bus, of->label) - frame->unit);
	if (!format_fits(of->iio))
		return not_as_documented(bus, iio_channel_get_id(of->iio),
					 "not an element of 8, 16 or 32 bits", err);
	channel->format = frame_format_of(of->iio);
	channel_take(&scales, &bus->device.held, of->iio);
	channel->servo_scale = scales.scale;
	channel->servo_offset = scales.offset;
	channel->scale = scales.scale * unit_of(quantity);
	channel->offset = scales.offset;
	frame->channel_count++;
	return 0;
}

/* What was enabled in this context before may be what nobody wants now. */
static int take_channels(struct naohw_frame *frame, const struct frame_bus *bus,
			 unsigned int wanted, struct naohw_error *err)
{
	unsigned int count = iio_device_get_channels_count(bus->device.held.iio);

	for (unsigned int i = 0; i < count; i++)
		iio_channel_disable(iio_device_get_channel(bus->device.held.iio, i));
	iio_channel_enable(bus->timestamp);
	for (size_t i = 0; i < bus->device.channel_count; i++) {
		const struct bus_channel *channel = &bus->device.channel[i];
		enum naohw_quantity quantity = quantity_of(channel);
		int ret;

		if (!is_wanted(quantity, wanted))
			continue;
		iio_channel_enable(channel->iio);
		ret = add_channel(frame, bus, channel, quantity, err);
		if (ret < 0)
			return ret;
	}
	return 0;
}

/* What is a joint's comes first, for those who count only these. */
static bool is_of_joint(const struct frame_channel *channel, const struct frame_unit *units)
{
	return units[channel->unit].is_servo && channel->quantity != FRAME_OTHER;
}

static int compare_channels(const void *a, const void *b, void *units)
{
	const struct frame_channel *left = a, *right = b;
	bool is_first = is_of_joint(left, units);

	if (is_first != is_of_joint(right, units))
		return is_first ? -1 : 1;
	if (left->unit != right->unit)
		return left->unit < right->unit ? -1 : 1;
	return (int)left->quantity - (int)right->quantity;
}

static int same_label(const struct frame_unit *unit, struct naohw_error *err)
{
	return fail(err, -ENOTUNIQ, "dxl%u: two servos have the label \"%s\", expected one; the "
		    "overlay says which", unit->bus->device.number, unit->label);
}

/* Two of a kind could be taken for one another. */
static int count_channel(struct naohw_frame *frame, size_t index, struct naohw_error *err)
{
	const struct frame_channel *channel = &frame->channel[index];
	struct frame_unit *unit = &frame->unit[channel->unit];

	if (channel->quantity == FRAME_OTHER)
		return 0;
	if (unit->channel[channel->quantity] >= 0)
		return same_label(unit, err);
	unit->channel[channel->quantity] = (int)index;
	frame->joint_channel_count += is_of_joint(channel, frame->unit);
	return 0;
}

static int find_channels(struct naohw_frame *frame, unsigned int wanted, struct naohw_error *err)
{
	int ret = 0;

	for (size_t i = 0; i < frame->bus_count && ret == 0; i++)
		ret = take_channels(frame, &frame->bus[i], wanted, err);
	if (ret < 0)
		return ret;
	qsort_r(frame->channel, frame->channel_count, sizeof(*frame->channel), compare_channels,
		frame->unit);
	for (size_t i = 0; i < frame->channel_count && ret == 0; i++)
		ret = count_channel(frame, i, err);
	return ret;
}

/* ---- joints ---- */

/* What the servo says of itself becomes what the description calls the joint's. */
static void turn(struct naohw_frame *frame, const struct frame_unit *unit,
		 const struct subdevice *position)
{
	for (size_t i = 0; position && i < FRAME_QUANTITIES; i++) {
		struct frame_channel *channel;

		if (unit->channel[i] < 0)
			continue;
		channel = &frame->channel[unit->channel[i]];
		subdevice_fold(position, channel->quantity, &channel->scale, &channel->offset);
	}
}

static int match_joints(struct naohw_frame *frame, const struct naohw_robot *robot,
			struct naohw_error *err)
{
	frame->joint_count = robot->joint_count;
	for (size_t i = 0; i < robot->joint_count; i++)
		frame->by_joint[i] = FRAME_NO_UNIT;
	for (size_t i = 0; i < frame->unit_count; i++) {
		struct frame_unit *unit = &frame->unit[i];

		if (!unit->is_servo || naohw_robot_find_joint(robot, unit->label, &unit->joint) < 0)
			continue;
		if (frame->by_joint[unit->joint] != FRAME_NO_UNIT)
			return same_label(unit, err);
		frame->by_joint[unit->joint] = i;
		turn(frame, unit, subdevice_position_of(robot, unit->label, false));
	}
	return 0;
}

int frame_find(struct naohw_frame *frame, const struct naohw_robot *robot, unsigned int quantities,
	       struct naohw_error *err)
{
	int ret;

	if (robot->states.count == 0)
		return fail(err, -ENODEV, "no IIO device is named dxlN-state%s: no bus gives frames",
			    buses_wanted(robot));
	ret = make_room(frame, robot, err);
	if (ret == 0)
		ret = find_buses(frame, &robot->states, err);
	if (ret < 0)
		return ret;
	find_units(frame);
	ret = find_channels(frame, quantities, err);
	return ret < 0 ? ret : match_joints(frame, robot, err);
}

int frame_find_channel(const struct naohw_frame *frame, const char *label,
		       const struct channel_id *id, const char *part)
{
	for (size_t i = 0; i < frame->channel_count; i++) {
		const struct bus_channel *of = frame->channel[i].of;

		if (strcmp(of->label, label) == 0 && strcmp(of->part, part) == 0 &&
		    strcmp(of->id.type, id->type) == 0 && strcmp(of->id.axis, id->axis) == 0)
			return (int)i;
	}
	return -ENOENT;
}
