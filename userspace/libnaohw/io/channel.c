// SPDX-License-Identifier: LGPL-2.1-or-later
#include "channel.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"

#define NUMBER_SIZE 64
#define LABEL_SIZE  64

/* "[0 1 1023]" */
bool channel_read_range(const struct channel *channel, int *min, int *max)
{
	char text[64];

	return device_read_channel(&channel->device, channel->iio, "raw_available", text,
				   sizeof(text)) >= 0 &&
	       sscanf(text, "[%d %*d %d]", min, max) == 2 && *min <= *max;
}

void channel_take(struct channel *channel, const struct device *device,
		  const struct iio_channel *iio)
{
	memset(channel, 0, sizeof(*channel));
	channel->device = *device;
	channel->iio = iio;
	/* Not every channel has these; 1 and 0 then hold, as the IIO ABI says. */
	if (channel_read_attribute(channel, "scale", &channel->scale) < 0)
		channel->scale = 1;
	if (channel_read_attribute(channel, "offset", &channel->offset) < 0)
		channel->offset = 0;
}

static const struct iio_channel *find_label(const struct device *device, const char *label)
{
	unsigned int count = iio_device_get_channels_count(device->iio);
	char text[LABEL_SIZE];

	for (unsigned int i = 0; i < count; i++) {
		const struct iio_channel *iio = iio_device_get_channel(device->iio, i);

		if (!iio_channel_is_output(iio) &&
		    device_read_channel(device, iio, "label", text, sizeof(text)) == 0 &&
		    strcmp(text, label) == 0)
			return iio;
	}
	return NULL;
}

const struct iio_channel *channel_find(const struct device *device, const char *name)
{
	if (strncmp(name, "in_", 3) == 0)
		return iio_device_find_channel(device->iio, name + 3, false);
	if (strncmp(name, "out_", 4) == 0)
		return iio_device_find_channel(device->iio, name + 4, true);
	return find_label(device, name);
}

/* Whole, but of as many bits as the device has. */
static int read_raw(const struct channel *channel, double *raw)
{
	int ret = channel_read_attribute(channel, "raw", raw);

	if (ret < 0)
		return ret;
	return number_is_exact(*raw) ? 0 : -EPROTO;
}

int channel_read_raw(const struct channel *channel, int *raw)
{
	double number;
	int ret = read_raw(channel, &number);

	if (ret < 0)
		return ret;
	if (number < INT_MIN || number > INT_MAX)
		return -ERANGE;
	*raw = (int)number;
	return 0;
}

/* What the kernel calls unsigned is no int at its highest bit. */
int channel_read_bit(const struct channel *channel, int bit)
{
	double number;
	int ret = read_raw(channel, &number);

	return ret < 0 ? ret : (int)((uint64_t)(int64_t)number >> bit & 1u);
}

int channel_read(const struct channel *channel, double *value)
{
	double raw;
	int ret = read_raw(channel, &raw);

	if (ret < 0)
		return ret;
	*value = (raw + channel->offset) * channel->scale;
	return 0;
}

int channel_write(const struct channel *channel, double value)
{
	double raw = round(value / channel->scale - channel->offset);
	char text[NUMBER_SIZE];

	if (!(fabs(raw) <= INT_MAX))
		return -ERANGE;
	snprintf(text, sizeof(text), "%d", (int)raw);
	return device_write_channel(&channel->device, channel->iio, "raw", text);
}

int channel_read_attribute(const struct channel *channel, const char *attribute, double *value)
{
	char text[NUMBER_SIZE];
	int ret = device_read_channel(&channel->device, channel->iio, attribute, text,
				      sizeof(text));

	if (ret < 0)
		return ret;
	return number_parse(text, value) ? 0 : -EPROTO;
}

int channel_write_attribute(const struct channel *channel, const char *attribute, double value)
{
	char text[NUMBER_SIZE];
	int length = number_print_fixed(text, sizeof(text), value);

	if (length < 0)
		return length;
	if ((size_t)length >= sizeof(text))
		return -ERANGE;
	return device_write_channel(&channel->device, channel->iio, attribute, text);
}
