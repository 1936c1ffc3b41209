/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One IIO channel with its raw number and its physical value. */
#ifndef NAOHW_CHANNEL_H
#define NAOHW_CHANNEL_H

#include <stdbool.h>

#include <iio.h>

#include "device.h"

struct channel {
	struct device device; /* lent */
	const struct iio_channel *iio; /* NULL: the device has no such channel */
	double scale;
	double offset;
};

/* "in_angl0" of @device, or an input by its label, "fsr1"; NULL when it has none. */
const struct iio_channel *channel_find(const struct device *device, const char *name);

/* Read what is to be known of it, once. */
void channel_take(struct channel *channel, const struct device *device,
		  const struct iio_channel *iio);

/* -ERANGE: it is no int. */
int channel_read_raw(const struct channel *channel, int *raw);
/* Of the raw number, 0 to 31: 1, 0 or a negative errno. */
int channel_read_bit(const struct channel *channel, int bit);
int channel_read(const struct channel *channel, double *value);

/* What raw numbers it takes now; false: it does not say. */
bool channel_read_range(const struct channel *channel, int *min, int *max);

/* -ERANGE when its raw number is no int, or none that the device takes. */
int channel_write(const struct channel *channel, double value);

int channel_read_attribute(const struct channel *channel, const char *attribute, double *value);
int channel_write_attribute(const struct channel *channel, const char *attribute, double value);

#endif
