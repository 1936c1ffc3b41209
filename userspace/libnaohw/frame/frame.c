// SPDX-License-Identifier: LGPL-2.1-or-later
/* What is in a frame: a value is decoded when it is asked for. */
#include <endian.h>
#include <errno.h>
#include <math.h>
#include <string.h>

#include "frame.h"

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

struct frame_format frame_format_of(const struct iio_channel *channel)
{
	const struct iio_data_format *format = iio_channel_get_data_format(channel);

	return (struct frame_format){
		.bytes = (unsigned char)(format->length / 8),
		.above = (unsigned char)(64 - format->bits - format->shift),
		.beside = (unsigned char)(64 - format->bits),
		.is_signed = format->is_signed,
		.is_big = format->is_be,
	};
}

/* Each value that is got goes through it, and what calls it here is faster without the call. */
inline int64_t frame_decode(const unsigned char *at, const struct frame_format *format)
{
	uint64_t raw = load(at, format->bytes, format->is_big) << format->above;

	if (format->is_signed)
		return (int64_t)raw >> format->beside;
	return (int64_t)(raw >> format->beside);
}

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
	int64_t first = INT64_MAX;

	for (size_t i = 0; i < frame->bus_count; i++)
		if (!frame->bus[i].is_missing && frame->bus[i].time < first)
			first = frame->bus[i].time;
	return first == INT64_MAX ? 0 : first;
}

static const struct frame_channel *channel_at(const struct naohw_frame *frame, size_t index)
{
	return index < frame->joint_channel_count ? &frame->channel[index] : NULL;
}

size_t naohw_frame_channel_count(const struct naohw_frame *frame)
{
	return frame->joint_channel_count;
}

size_t naohw_frame_channel_joint(const struct naohw_frame *frame, size_t index)
{
	const struct frame_channel *channel = channel_at(frame, index);

	return channel ? frame->unit[channel->unit].joint : 0;
}

enum naohw_quantity naohw_frame_channel_quantity(const struct naohw_frame *frame, size_t index)
{
	const struct frame_channel *channel = channel_at(frame, index);

	return channel ? channel->quantity : NAOHW_QUANTITY_POSITION;
}

unsigned int naohw_frame_channel_bits(const struct naohw_frame *frame, size_t index)
{
	const struct frame_channel *channel = channel_at(frame, index);

	return channel ? channel->format.bytes * 8u : 0;
}

int naohw_frame_channel_is_signed(const struct naohw_frame *frame, size_t index)
{
	const struct frame_channel *channel = channel_at(frame, index);

	return channel && channel->format.is_signed;
}

double naohw_frame_channel_scale(const struct naohw_frame *frame, size_t index)
{
	const struct frame_channel *channel = channel_at(frame, index);

	return channel ? channel->scale : 0;
}

double naohw_frame_channel_offset(const struct naohw_frame *frame, size_t index)
{
	const struct frame_channel *channel = channel_at(frame, index);

	return channel ? channel->offset : 0;
}

/* What a whole bus misses each of its servos misses. */
static int64_t age_of(const struct frame_bus *bus, int64_t age)
{
	return age + bus->late < FRAME_AGE_UNKNOWN ? age + bus->late : FRAME_AGE_UNKNOWN;
}

/* Of the present frame, which there is */
static inline int64_t raw_of(const struct frame_channel *channel)
{
	int64_t raw = frame_decode(channel->bus->sample + channel->at, &channel->format);

	return channel->quantity == NAOHW_QUANTITY_AGE ? age_of(channel->bus, raw) : raw;
}

int64_t frame_raw(const struct naohw_frame *frame, size_t index)
{
	return frame->count ? raw_of(&frame->channel[index]) : 0;
}

int64_t naohw_frame_raw(const struct naohw_frame *frame, size_t index)
{
	return channel_at(frame, index) ? frame_raw(frame, index) : 0;
}

int frame_of_joint(const struct naohw_frame *frame, size_t joint, enum naohw_quantity quantity)
{
	if (joint >= frame->joint_count || frame->by_joint[joint] == FRAME_NO_UNIT ||
	    (unsigned int)quantity >= FRAME_QUANTITIES)
		return -ENOENT;
	return frame->unit[frame->by_joint[joint]].channel[quantity];
}

int naohw_frame_has(const struct naohw_frame *frame, size_t joint, enum naohw_quantity quantity)
{
	return frame_of_joint(frame, joint, quantity) >= 0;
}

int naohw_frame_get(const struct naohw_frame *frame, size_t joint, enum naohw_quantity quantity,
		    double *value)
{
	const struct frame_channel *channel;
	int index = frame_of_joint(frame, joint, quantity);

	if (joint >= frame->joint_count)
		return -EINVAL;
	*value = NAN;
	if (index < 0 || !frame->count)
		return 0;
	channel = &frame->channel[index];
	/* What is added makes 0 of -0. */
	*value = ((double)raw_of(channel) + channel->offset) * channel->scale + 0.0;
	return 0;
}

double frame_value(const struct naohw_frame *frame, size_t index)
{
	const struct frame_channel *channel = &frame->channel[index];

	return ((double)frame_raw(frame, index) + channel->servo_offset) * channel->servo_scale;
}

int64_t frame_value_time(const struct naohw_frame *frame, size_t index)
{
	return frame->channel[index].bus->time;
}
