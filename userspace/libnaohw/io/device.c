// SPDX-License-Identifier: LGPL-2.1-or-later
#include "device.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "sysfs.h"

bool context_is_local(const struct iio_context *context)
{
	return strcmp(iio_context_get_name(context), "local") == 0;
}

/* libiio has looked at it some time ago. */
static bool says(int dir, const char *file, const char *expected)
{
	char text[128];

	return !expected ||
	       (sysfs_read(dir, file, text, sizeof(text)) == 0 && strcmp(text, expected) == 0);
}

int device_hold(struct device *device, const struct iio_device *iio, bool local)
{
	device->iio = NULL;
	device->dir = -1;
	if (!local) {
		device->iio = iio;
		return 0;
	}
	device->dir = sysfs_open(iio_device_get_id(iio));
	if (device->dir < 0)
		return -ENODEV;
	if (says(device->dir, "name", iio_device_get_name(iio)) &&
	    says(device->dir, "label", iio_device_get_label(iio))) {
		device->iio = iio;
		return 0;
	}
	device_release(device);
	return -ENODEV;
}

void device_release(struct device *device)
{
	if (device->dir >= 0)
		close(device->dir);
	device->dir = -1;
	device->iio = NULL;
}

bool device_is_there(const struct device *device)
{
	char name[64];

	if (!device->iio)
		return false;
	return device->dir < 0 || sysfs_read(device->dir, "name", name, sizeof(name)) == 0;
}

bool device_has(const struct device *device, const char *attribute)
{
	return iio_device_find_attr(device->iio, attribute);
}

/* libiio counts the NUL and keeps the line end. */
static int read_result(ssize_t ret, char *text)
{
	if (ret < 0)
		return (int)ret;
	text[strcspn(text, "\n")] = '\0';
	return 0;
}

int device_read(const struct device *device, const char *attribute, char *text, size_t size)
{
	if (device->dir >= 0)
		return sysfs_read(device->dir, attribute, text, size);
	return read_result(iio_device_attr_read(device->iio, attribute, text, size), text);
}

int device_write(const struct device *device, const char *attribute, const char *text)
{
	ssize_t ret;

	if (device->dir >= 0)
		return sysfs_write(device->dir, attribute, text);
	ret = iio_device_attr_write(device->iio, attribute, text);
	return ret < 0 ? (int)ret : 0;
}

int device_read_channel(const struct device *device, const struct iio_channel *channel,
			const char *attribute, char *text, size_t size)
{
	if (!iio_channel_find_attr(channel, attribute))
		return -ENOENT;
	if (device->dir >= 0)
		return sysfs_read(device->dir, iio_channel_attr_get_filename(channel, attribute),
				  text, size);
	return read_result(iio_channel_attr_read(channel, attribute, text, size), text);
}

int device_write_channel(const struct device *device, const struct iio_channel *channel,
			 const char *attribute, const char *text)
{
	ssize_t ret;

	if (!iio_channel_find_attr(channel, attribute))
		return -ENOENT;
	if (device->dir >= 0)
		return sysfs_write(device->dir, iio_channel_attr_get_filename(channel, attribute),
				   text);
	ret = iio_channel_attr_write(channel, attribute, text);
	return ret < 0 ? (int)ret : 0;
}
