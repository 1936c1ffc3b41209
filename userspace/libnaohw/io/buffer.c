// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * libiio has a buffer for this machine's devices, too. But closing it prints an error for each
 * channel of a device that has gone, and each sample costs a question to the clock.
 */
#include "buffer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_buffer.h"

struct buffer {
	struct device device;	/* lent */
	struct iio_buffer *iio; /* of another machine; NULL: of this one, ... */
	int fd;			/* ... by its character device; else below 0 */
	size_t size;
};

static int open_here(struct buffer *buffer, unsigned int depth)
{
	buffer->fd = kernel_buffer_open(&buffer->device, depth);
	return buffer->fd < 0 ? buffer->fd : 0;
}

static int open_there(struct buffer *buffer, unsigned int depth)
{
	const struct iio_device *iio = buffer->device.iio;

	/* A backend that cannot be told has a depth of its own. */
	(void)iio_device_set_kernel_buffers_count(iio, depth);
	buffer->fd = -EOPNOTSUPP;
	errno = 0;
	buffer->iio = iio_device_create_buffer(iio, 1, false);
	if (!buffer->iio)
		return errno ? -errno : -EIO;
	return 0;
}

int buffer_open(const struct device *device, unsigned int depth, struct buffer **out)
{
	ssize_t size = iio_device_get_sample_size(device->iio);
	struct buffer *buffer;
	int ret;

	if (size <= 0)
		return -EINVAL;
	buffer = calloc(1, sizeof(*buffer));
	if (!buffer)
		return -ENOMEM;
	buffer->device = *device;
	buffer->size = (size_t)size;
	ret = device->dir >= 0 ? open_here(buffer, depth) : open_there(buffer, depth);
	if (ret < 0) {
		free(buffer);
		return ret;
	}
	*out = buffer;
	return 0;
}

void buffer_close(struct buffer *buffer)
{
	if (buffer->iio)
		iio_buffer_destroy(buffer->iio);
	else
		kernel_buffer_close(&buffer->device, buffer->fd);
	free(buffer);
}

size_t buffer_size(const struct buffer *buffer)
{
	return buffer->size;
}

int buffer_poll_fd(const struct buffer *buffer)
{
	return buffer->fd;
}

ssize_t buffer_read(struct buffer *buffer, void *sample)
{
	ssize_t ret;

	if (!buffer->iio)
		return kernel_buffer_read(buffer->fd, sample, buffer->size);
	ret = iio_buffer_refill(buffer->iio);
	if (ret > (ssize_t)buffer->size)
		ret = (ssize_t)buffer->size;
	if (ret > 0)
		memcpy(sample, iio_buffer_start(buffer->iio), (size_t)ret);
	return ret;
}

ssize_t buffer_write(struct buffer *buffer, const void *sample)
{
	if (!buffer->iio)
		return kernel_buffer_write(buffer->fd, sample, buffer->size);
	memcpy(iio_buffer_start(buffer->iio), sample, buffer->size);
	return iio_buffer_push(buffer->iio);
}
