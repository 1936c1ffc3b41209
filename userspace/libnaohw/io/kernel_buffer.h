/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The buffer of an IIO device of this machine, by the device's files: its directory, which is held,
 * and its character device, which one program has at a time. Nothing here waits, and nothing is
 * printed where the device has gone.
 */
#ifndef NAOHW_KERNEL_BUFFER_H
#define NAOHW_KERNEL_BUFFER_H

#include <stddef.h>
#include <sys/types.h>

#include "device.h"

/*
 * Take the buffer and start it: with the channels that are enabled by iio_channel_enable(), and
 * room for @depth samples. Return: its character device, for poll() too; or -EBUSY another program
 * has it, whose stream goes on; -ENODEV the device is gone; or what the kernel says.
 */
int kernel_buffer_open(const struct device *device, unsigned int depth);

/* Stop it, leave no channel enabled, and let the next program have it. */
void kernel_buffer_close(const struct device *device, int fd);

/*
 * Read or write one sample of @size bytes. Return: how many bytes that were; or -EAGAIN there is
 * none, or no room for one; -ENODEV the device is gone; or what the kernel says.
 */
ssize_t kernel_buffer_read(int fd, void *sample, size_t size);
ssize_t kernel_buffer_write(int fd, const void *sample, size_t size);

#endif
