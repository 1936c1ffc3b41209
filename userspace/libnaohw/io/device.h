/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An IIO device that is held on to, and not taken for the one that gets its number later. */
#ifndef NAOHW_DEVICE_H
#define NAOHW_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

#include <iio.h>

/* This machine's own devices, with files in /sys and /dev? */
bool context_is_local(const struct iio_context *context);

struct device {
	const struct iio_device *iio; /* NULL: not there */
	int dir;		      /* its directory, if it is one of this machine; else -1 */
};

/* -ENODEV: it is gone since libiio has seen it. What is held is to be released. */
int device_hold(struct device *device, const struct iio_device *iio, bool local);
void device_release(struct device *device);

/* Is it still? */
bool device_is_there(const struct device *device);

bool device_has(const struct device *device, const char *attribute);

/* An attribute of the device itself; without the line end. */
int device_read(const struct device *device, const char *attribute, char *text, size_t size);
int device_write(const struct device *device, const char *attribute, const char *text);

/* The same of one of its channels. */
int device_read_channel(const struct device *device, const struct iio_channel *channel,
			const char *attribute, char *text, size_t size);
int device_write_channel(const struct device *device, const struct iio_channel *channel,
			 const char *attribute, const char *text);

#endif
