// SPDX-License-Identifier: LGPL-2.1-or-later
/* What is in a frame: a value is decoded when it is asked for. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "frame.h"

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
	return frame_decode(channel->bus->sample + channel->at, &channel->format);
}

static void put(struct naohw_joint_state *state, enum naohw_quantity quantity, double value)
{
	switch (quantity) {
	case NAOHW_QUANTITY_POSITION:
		state->position = value;
		break;
	case NAOHW_QUANTITY_SPEED:
		state->speed = value;
		break;
	case NAOHW_QUANTITY_LOAD:
		state->load = value;
		break;
	case NAOHW_QUANTITY_CURRENT:
		state->current = value;
		break;
	case NAOHW_QUANTITY_VOLTAGE:
		state->voltage = value;
		break;
	case NAOHW_QUANTITY_TEMPERATURE:
		state->temperature = value;
		break;
	case NAOHW_QUANTITY_AGE:
		state->age = (unsigned int)value;
		break;
	case NAOHW_QUANTITY_ALARM:
		state->alarm = (unsigned int)value;
		break;
	case NAOHW_QUANTITY_GOAL:
		break;
	}
}

int naohw_frame_get(const struct naohw_frame *frame, size_t index, struct naohw_joint_state *state)
{
	const struct frame_joint *joint = &frame->joint[index];

	if (index >= frame->joint_count)
		return -EINVAL;
	*state = (struct naohw_joint_state){ NAN, NAN, NAN, NAN, NAN, NAN, FRAME_AGE_UNKNOWN, 0 };
	for (size_t i = joint->first; frame->count && i < joint->first + joint->count; i++) {
		const struct frame_channel *channel = &frame->channel[i];
		double raw = (double)naohw_frame_raw(frame, i);

		/* What is added makes 0 of -0. */
		put(state, channel->quantity, (raw + channel->offset) * channel->scale + 0.0);
	}
	return 0;
}

int frame_find_quantity(const struct naohw_frame *frame, size_t joint,
			enum naohw_quantity quantity)
{
	const struct frame_joint *of = &frame->joint[joint];

	for (size_t i = of->first; i < of->first + of->count; i++)
		if (frame->channel[i].quantity == quantity)
			return (int)i;
	return -ENOENT;
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
