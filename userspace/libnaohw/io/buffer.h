/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The buffer of an IIO device, which samples are read from or written to: on this machine the
 * kernel's own, by its files; of another machine libiio's. One thread at a time.
 */
#ifndef NAOHW_BUFFER_H
#define NAOHW_BUFFER_H

#include <stddef.h>
#include <sys/types.h>

#include "device.h"

struct buffer;

/*
 * Take the buffer with the channels that are enabled by iio_channel_enable(), and have it run with
 * room for @depth samples in the kernel. -EBUSY: another program has it, whose stream goes on where
 * the device is of this machine. -ENODEV: the device is gone. -ENOMEM. Or what the kernel or libiio
 * says.
 */
int buffer_open(const struct device *device, unsigned int depth, struct buffer **buffer);

/* Stop it, and let the next program have it. */
void buffer_close(struct buffer *buffer);

/* Bytes of a sample. */
size_t buffer_size(const struct buffer *buffer);

/*
 * A descriptor for poll(), of a buffer that never waits. -EOPNOTSUPP: it is of another machine, and
 * reading and writing wait, as long as iio_context_set_timeout() says.
 */
int buffer_poll_fd(const struct buffer *buffer);

/*
 * Read or write one sample, of buffer_size() bytes. Return: how many bytes that were; or -EAGAIN
 * there is none, or no room for one; -ETIMEDOUT the same after a wait; -ENODEV the device is gone;
 * or what the kernel or libiio says.
 */
ssize_t buffer_read(struct buffer *buffer, void *sample);
ssize_t buffer_write(struct buffer *buffer, const void *sample);

#endif
