// SPDX-License-Identifier: LGPL-2.1-or-later
#include "bus_channel.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each unit of a state device has one labelled so, and each servo of a goal device an angle. */
#define AGE " age"

static size_t copy(char *to, size_t size, const char *from, size_t length)
{
	snprintf(to, size, "%.*s", (int)length, from);
	return length;
}

bool channel_id_parse(const char *text, struct channel_id *id)
{
	size_t length = strcspn(text, "0123456789_");
	char *end;

	if (!length || length >= sizeof(id->type))
		return false;
	text += copy(id->type, sizeof(id->type), text, length);
	id->number = (unsigned int)strtoul(text, &end, 10);
	id->axis[0] = '\0';
	if (*end == '\0')
		return true;
	if (*end != '_' || strlen(end + 1) >= sizeof(id->axis))
		return false;
	copy(id->axis, sizeof(id->axis), end + 1, strlen(end + 1));
	return true;
}

bool bus_channel_is_of_servo(const struct bus_channel *channel)
{
	return !*channel->part && !*channel->id.axis &&
	       (strcmp(channel->id.type, "angl") == 0 || strcmp(channel->id.type, "anglvel") == 0);
}

/* The beginning of a label */
struct start {
	const char *text;
	size_t length;
};

/*
 * Is the label, of which nobody knows yet what is part of it, one that tells of a unit? What has
 * a label alone comes from a kernel without them: an angle has the ID of its servo for a number.
 */
static bool names_unit(const struct bus_channel *channel, struct start *unit)
{
	size_t length = strlen(channel->label);

	unit->text = channel->label;
	unit->length = length;
	if (iio_channel_is_output(channel->iio))
		return strcmp(channel->id.type, "angl") == 0;
	unit->length = length - strlen(AGE);
	return length > strlen(AGE) && strcmp(channel->label + unit->length, AGE) == 0 &&
	       strcmp(channel->id.type, "count") == 0;
}

static bool begins_with(const char *label, const struct start *unit)
{
	return strncmp(label, unit->text, unit->length) == 0 &&
	       (label[unit->length] == '\0' || label[unit->length] == ' ');
}

/* Of "left arm load" it may be that of "left" and of "left arm". */
static size_t longest(const struct start *units, size_t count, const char *label)
{
	size_t found = 0;

	for (size_t i = 0; i < count; i++)
		if (units[i].length > found && begins_with(label, &units[i]))
			found = units[i].length;
	return found ? found : strlen(label);
}

/* What is a start of another one stays, as that is no longer. */
static void cut(struct bus_channel *channel, size_t length)
{
	channel->part = channel->label + length;
	if (!*channel->part)
		return;
	channel->label[length] = '\0';
	channel->part++;
}

static int split(struct bus_channel *channels, size_t count)
{
	struct start *units = calloc(count + 1, sizeof(*units));
	size_t unit_count = 0;

	if (!units)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		unit_count += names_unit(&channels[i], &units[unit_count]);
	for (size_t i = 0; i < count; i++)
		cut(&channels[i], longest(units, unit_count, channels[i].label));
	free(units);
	return 0;
}

static bool take(const struct device *device, unsigned int bus, struct iio_channel *iio,
		 struct bus_channel *channel)
{
	if (!iio_channel_is_scan_element(iio) ||
	    !channel_id_parse(iio_channel_get_id(iio), &channel->id) ||
	    strcmp(channel->id.type, "timestamp") == 0)
		return false;
	channel->iio = iio;
	if (device_read_channel(device, iio, "label", channel->label, sizeof(channel->label)) < 0)
		snprintf(channel->label, sizeof(channel->label), "%u-%03u", bus,
			 channel->id.number);
	return true;
}

int bus_channels_read(const struct device *device, unsigned int bus, struct bus_channel **out,
		      size_t *out_count)
{
	unsigned int all = device->iio ? iio_device_get_channels_count(device->iio) : 0;
	struct bus_channel *channels = calloc(all + 1u, sizeof(*channels));
	size_t count = 0;

	if (!channels)
		return -ENOMEM;
	for (unsigned int i = 0; i < all; i++)
		count += take(device, bus, iio_device_get_channel(device->iio, i),
			      &channels[count]);
	if (split(channels, count) < 0) {
		free(channels);
		return -ENOMEM;
	}
	*out = channels;
	*out_count = count;
	return 0;
}
