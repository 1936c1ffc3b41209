// SPDX-License-Identifier: LGPL-2.1-or-later
#include "channel.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* "[0 1 1023]" */
static void take_range(struct channel *channel)
{
	char text[64];
	int step;
	ssize_t ret = iio_channel_attr_read(channel->iio, "raw_available", text, sizeof(text));

	if (ret < 0)
		return;
	channel->has_range =
		sscanf(text, "[%d %d %d]", &channel->min, &step, &channel->max) == 3 &&
		channel->min <= channel->max;
}

void channel_take(struct channel *channel, const struct iio_channel *iio)
{
	memset(channel, 0, sizeof(*channel));
	channel->iio = iio;
	/* Not every channel has these; 1 and 0 then hold, as the IIO ABI says. */
	if (iio_channel_attr_read_double(iio, "scale", &channel->scale) < 0)
		channel->scale = 1;
	if (iio_channel_attr_read_double(iio, "offset", &channel->offset) < 0)
		channel->offset = 0;
	take_range(channel);
}

int channel_open(struct channel *channel, const struct iio_device *device, const char *name)
{
	const struct iio_channel *iio = NULL;

	memset(channel, 0, sizeof(*channel));
	if (strncmp(name, "in_", 3) == 0)
		iio = iio_device_find_channel(device, name + 3, false);
	else if (strncmp(name, "out_", 4) == 0)
		iio = iio_device_find_channel(device, name + 4, true);
	if (!iio)
		return -ENOENT;
	channel_take(channel, iio);
	return 0;
}

int channel_read_raw(const struct channel *channel, int *raw)
{
	long long value;
	int ret = iio_channel_attr_read_longlong(channel->iio, "raw", &value);

	if (ret < 0)
		return ret;
	*raw = (int)value;
	return 0;
}

int channel_read(const struct channel *channel, double *value)
{
	int raw;
	int ret = channel_read_raw(channel, &raw);

	if (ret < 0)
		return ret;
	*value = (raw + channel->offset) * channel->scale;
	return 0;
}

int channel_write(const struct channel *channel, double value)
{
	double raw = round(value / channel->scale - channel->offset);

	if (channel->has_range && (raw < channel->min || raw > channel->max))
		return -ERANGE;
	return iio_channel_attr_write_longlong(channel->iio, "raw", (long long)raw);
}

int channel_read_attribute(const struct channel *channel, const char *attribute, double *value)
{
	if (!iio_channel_find_attr(channel->iio, attribute))
		return -ENOENT;
	return iio_channel_attr_read_double(channel->iio, attribute, value);
}

int channel_write_attribute(const struct channel *channel, const char *attribute, double value)
{
	if (!iio_channel_find_attr(channel->iio, attribute))
		return -ENOENT;
	return iio_channel_attr_write_double(channel->iio, attribute, value);
}
