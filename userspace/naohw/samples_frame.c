// SPDX-License-Identifier: GPL-2.0-or-later
/* Samples of frames, with the goals of a pose. */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "samples.h"

struct frame_samples {
	struct samples samples;
	struct naohw_frame *frame;
	const struct naohw_pose *pose;
	size_t *source; /* of each channel: one of the frame's; or of a goal, the joint */
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

static int64_t raw_goal(const struct naohw_pose *pose, size_t joint)
{
	double goal = 0;

	(void)naohw_pose_get_goal(pose, joint, &goal);
	return llround(goal / SAMPLE_RAD);
}

static int64_t frame_raw(const struct samples *samples, size_t channel)
{
	const struct frame_samples *own = of(samples);
	size_t source = own->source[channel];

	if (samples->channel[channel].quantity == NAOHW_QUANTITY_GOAL)
		return raw_goal(own->pose, source);
	return naohw_frame_raw(own->frame, source);
}

static void free_frame_samples(struct samples *samples)
{
	free(((struct frame_samples *)samples)->source);
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

/* Beside the joint's position, where one can compare them. */
static void add_goal(struct frame_samples *own, size_t joint)
{
	if (!naohw_pose_has(own->pose, joint))
		return;
	own->source[own->samples.count] = joint;
	samples_add(&own->samples, joint, NAOHW_QUANTITY_GOAL, SAMPLE_RAD);
}

static void add_channel(struct frame_samples *own, size_t joint, size_t channel)
{
	struct sample_channel *added;

	own->source[own->samples.count] = channel;
	added = samples_add(&own->samples, joint, naohw_frame_channel_quantity(own->frame, channel),
			    naohw_frame_channel_scale(own->frame, channel));
	added->bits = naohw_frame_channel_bits(own->frame, channel);
	added->is_signed = naohw_frame_channel_is_signed(own->frame, channel);
	added->offset = naohw_frame_channel_offset(own->frame, channel);
}

static void add_channels(struct frame_samples *own)
{
	size_t last = SIZE_MAX;

	for (size_t i = 0; i < naohw_frame_channel_count(own->frame); i++) {
		size_t joint = naohw_frame_channel_joint(own->frame, i);

		if (own->pose && joint != last)
			add_goal(own, joint);
		last = joint;
		add_channel(own, joint, i);
	}
}

static int make_room(struct frame_samples *own)
{
	size_t most = naohw_frame_channel_count(own->frame) +
		      naohw_robot_joint_count(own->samples.robot) + 1;

	own->samples.channel = calloc(most, sizeof(*own->samples.channel));
	own->source = calloc(most, sizeof(*own->source));
	return own->samples.channel && own->source ? 0 : -ENOMEM;
}

int samples_of_frame(const struct naohw_robot *robot, struct naohw_frame *frame,
		     const struct naohw_pose *pose, struct samples **samples,
		     struct naohw_error *err)
{
	struct frame_samples *own = calloc(1, sizeof(*own));

	if (own) {
		own->samples.kind = &frame_kind;
		own->samples.robot = robot;
		own->samples.period = naohw_frame_period(frame);
		own->frame = frame;
		own->pose = pose;
	}
	if (!own || make_room(own) < 0) {
		samples_free(own ? &own->samples : NULL);
		snprintf(err->message, sizeof(err->message), "out of memory");
		return -ENOMEM;
	}
	add_channels(own);
	*samples = &own->samples;
	return 0;
}
