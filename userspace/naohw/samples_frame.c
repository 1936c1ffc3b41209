// SPDX-License-Identifier: GPL-2.0-or-later
/* Samples of frames. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "samples.h"

struct frame_samples {
	struct samples samples;
	struct naohw_frame *frame; /* which has the same channels */
};

static const struct frame_samples *of(const struct samples *samples)
{
	return (const struct frame_samples *)samples;
}

static int wait_for_frame(struct samples *samples, struct naohw_error *err)
{
	return naohw_frame_read(of(samples)->frame, err);
}

static void look_at_frame(struct samples *samples)
{
	(void)samples;
}

static uint64_t frame_number(const struct samples *samples)
{
	return naohw_frame_count(of(samples)->frame);
}

static uint64_t frame_lost(const struct samples *samples)
{
	return naohw_frame_lost(of(samples)->frame);
}

static int64_t frame_time(const struct samples *samples)
{
	return naohw_frame_time(of(samples)->frame);
}

static int64_t frame_raw(const struct samples *samples, size_t channel)
{
	return naohw_frame_raw(of(samples)->frame, channel);
}

static void free_frame_samples(struct samples *samples)
{
	free(samples->channel);
	free(samples);
}

static const struct samples_kind frame_kind = {
	.wait = wait_for_frame,
	.look = look_at_frame,
	.number = frame_number,
	.lost = frame_lost,
	.time = frame_time,
	.raw = frame_raw,
	.free = free_frame_samples,
};

static void add_channel(struct frame_samples *own, size_t channel)
{
	struct sample_channel *added;

	added = samples_add(&own->samples, naohw_frame_channel_joint(own->frame, channel),
			    naohw_frame_channel_quantity(own->frame, channel),
			    naohw_frame_channel_scale(own->frame, channel));
	added->bits = naohw_frame_channel_bits(own->frame, channel);
	added->is_signed = naohw_frame_channel_is_signed(own->frame, channel);
	added->offset = naohw_frame_channel_offset(own->frame, channel);
}

static void add_channels(struct frame_samples *own)
{
	for (size_t i = 0; i < naohw_frame_channel_count(own->frame); i++)
		add_channel(own, i);
}

int samples_of_frame(const struct naohw_robot *robot, struct naohw_frame *frame,
		     struct samples **samples, struct naohw_error *err)
{
	struct frame_samples *own = calloc(1, sizeof(*own));

	if (own) {
		own->samples.kind = &frame_kind;
		own->samples.robot = robot;
		own->samples.period = naohw_frame_period(frame);
		own->samples.channel = calloc(naohw_frame_channel_count(frame) + 1,
					      sizeof(*own->samples.channel));
		own->frame = frame;
	}
	if (!own || !own->samples.channel) {
		samples_free(own ? &own->samples : NULL);
		snprintf(err->message, sizeof(err->message), "out of memory");
		return -ENOMEM;
	}
	add_channels(own);
	*samples = &own->samples;
	return 0;
}
