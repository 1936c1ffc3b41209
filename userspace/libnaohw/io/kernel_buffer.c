// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernel_buffer.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "attribute.h"
#include "node.h"
#include "sysfs.h"

#define FILE_SIZE 128

static int run(const struct device *device, bool on)
{
	return sysfs_write(device->dir, "buffer/enable", on ? "1" : "0");
}

static int select_channel(const struct device *device, const struct iio_channel *channel, bool on)
{
	char file[FILE_SIZE];

	snprintf(file, sizeof(file), "scan_elements/%s_%s_en",
		 iio_channel_is_output(channel) ? "out" : "in", iio_channel_get_id(channel));
	return sysfs_write(device->dir, file, on ? "1" : "0");
}

/* Another program may have left any channel enabled. @any: those that are wanted; else none. */
static int select_channels(const struct device *device, bool any)
{
	unsigned int count = iio_device_get_channels_count(device->iio);
	int ret = 0;

	for (unsigned int i = 0; i < count && ret == 0; i++) {
		const struct iio_channel *channel = iio_device_get_channel(device->iio, i);

		if (iio_channel_is_scan_element(channel))
			ret = select_channel(device, channel,
					     any && iio_channel_is_enabled(channel));
	}
	return ret;
}

/* A program that has died has left its stream running, and the kernel changes nothing of that. */
static int start(const struct device *device, unsigned int depth)
{
	int ret = run(device, false);

	if (ret == 0)
		ret = select_channels(device, true);
	if (ret == 0)
		ret = attribute_write_count(device->dir, "buffer/length", depth);
	/* A reader is woken for each sample. */
	if (ret == 0)
		ret = attribute_write_count(device->dir, "buffer/watermark", 1);
	return ret == 0 ? run(device, true) : ret;
}

/*
 * The character device comes first: it refuses a second program before that has changed anything.
 * Its number is this device's own as long as the directory takes what is written.
 */
int kernel_buffer_open(const struct device *device, unsigned int depth)
{
	int fd = node_open(iio_device_get_id(device->iio));
	int ret;

	if (fd < 0)
		return fd;
	ret = start(device, depth);
	if (ret == 0)
		return fd;
	kernel_buffer_close(device, fd);
	return ret;
}

/* With its stream a device of poses may be registered anew, and its files go meanwhile. */
void kernel_buffer_close(const struct device *device, int fd)
{
	if (run(device, false) == 0)
		(void)select_channels(device, false);
	close(fd);
}

ssize_t kernel_buffer_read(int fd, void *sample, size_t size)
{
	ssize_t ret;

	do
		ret = read(fd, sample, size);
	while (ret < 0 && errno == EINTR);
	return ret < 0 ? -errno : ret;
}

ssize_t kernel_buffer_write(int fd, const void *sample, size_t size)
{
	ssize_t ret;

	do
		ret = write(fd, sample, size);
	while (ret < 0 && errno == EINTR);
	return ret < 0 ? -errno : ret;
}
