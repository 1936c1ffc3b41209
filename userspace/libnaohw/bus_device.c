// SPDX-License-Identifier: LGPL-2.1-or-later
#include "bus_device.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "probe.h"

bool bus_device_is(const struct iio_device *device, const char *what, unsigned int *number)
{
	const char *name = iio_device_get_name(device);
	int end = 0;

	if (!name || sscanf(name, "dxl%u-%n", number, &end) != 1)
		return false;
	return end > 0 && strcmp(name + end, what) == 0;
}

void bus_device_label(const struct iio_channel *channel, unsigned int bus, unsigned int id,
		      char *label, size_t size)
{
	if (iio_channel_attr_read(channel, "label", label, size) < 0)
		snprintf(label, size, "%u-%03u", bus, id);
	label[strcspn(label, "\n")] = '\0';
}

int bus_device_open(struct iio_device *device, bool local, unsigned int depth,
		    struct iio_buffer **buffer)
{
	int ret = local ? probe_buffer(iio_device_get_id(device)) : 0;

	if (ret < 0)
		return ret;
	/* A backend that cannot be told has a depth of its own. */
	(void)iio_device_set_kernel_buffers_count(device, depth);
	errno = 0;
	*buffer = iio_device_create_buffer(device, 1, false);
	if (*buffer)
		return 0;
	return errno ? -errno : -EIO;
}

size_t bus_device_place(const struct iio_buffer *buffer, const struct iio_channel *channel)
{
	const unsigned char *first = iio_buffer_first(buffer, channel);

	return (size_t)(first - (const unsigned char *)iio_buffer_start(buffer));
}
