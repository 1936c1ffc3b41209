/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The channels of a device that stands for a bus, and whose they are. Labels tell: each begins
 * with that of a servo or a board, and behind it may be what the channel is of that.
 */
#ifndef NAOHW_BUS_CHANNEL_H
#define NAOHW_BUS_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>

#include <iio.h>

#include "device.h"

#define TYPE_SIZE  16
#define LABEL_SIZE 128

/* "anglvel0_x" in parts: the type, a number and an axis, of which the last two may be missing. */
struct channel_id {
	char type[TYPE_SIZE];
	unsigned int number;
	char axis[TYPE_SIZE];
};

/* false: no channel is called so. */
bool channel_id_parse(const char *text, struct channel_id *id);

/* "anglvel201_x", labelled "InertialSensor gyro" */
struct bus_channel {
	struct iio_channel *iio;
	struct channel_id id;
	char label[LABEL_SIZE]; /* of the unit */
	const char *part;	/* and what is behind it; "": nothing */
};

/* An angle or a speed of a servo, whose numbers are its ID. */
bool bus_channel_is_of_servo(const struct bus_channel *channel);

/* All that samples may have, but for the timestamp. 0 with @channels for free(); -ENOMEM. */
int bus_channels_read(const struct device *device, unsigned int bus, struct bus_channel **channels,
		      size_t *count);

#endif
