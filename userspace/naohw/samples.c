// SPDX-License-Identifier: GPL-2.0-or-later
#include "samples.h"

void samples_free(struct samples *samples)
{
	if (samples)
		samples->kind->free(samples);
}

int samples_wait(struct samples *samples, struct naohw_error *err)
{
	return samples->kind->wait(samples, err);
}

void samples_look(struct samples *samples)
{
	samples->kind->look(samples);
}

uint64_t samples_number(const struct samples *samples)
{
	return samples->kind->number(samples);
}

uint64_t samples_lost(const struct samples *samples)
{
	return samples->kind->lost(samples);
}

int64_t samples_time(const struct samples *samples)
{
	return samples->kind->time(samples);
}

int64_t samples_raw(const struct samples *samples, size_t channel)
{
	return samples->kind->raw(samples, channel);
}

struct sample_channel *samples_add(struct samples *samples, size_t joint,
				   enum naohw_quantity quantity, double scale)
{
	struct sample_channel *channel = &samples->channel[samples->count++];

	*channel = (struct sample_channel){
		.joint = joint,
		.quantity = quantity,
		.bits = SAMPLE_BITS,
		.is_signed = true,
		.scale = scale,
	};
	return channel;
}
