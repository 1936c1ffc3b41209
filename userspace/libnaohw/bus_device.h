/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The IIO devices that stand for a whole bus: dxlN-goal and dxlN-state. */
#ifndef NAOHW_BUS_DEVICE_H
#define NAOHW_BUS_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

#include <iio.h>

/* Is it "dxlN-@what"? */
bool bus_device_is(const struct iio_device *device, const char *what, unsigned int *number);

/* What the channel belongs to, or "N-ID" as the kernel calls a device without a name. */
void bus_device_label(const struct iio_channel *channel, unsigned int bus, unsigned int id,
		      char *label, size_t size);

/*
 * Take the device's buffer, of one sample here and of @depth in the kernel. -EBUSY when
 * somebody has it; on this machine (@local) that is found out without disturbing him.
 */
int bus_device_open(struct iio_device *device, bool local, unsigned int depth,
		    struct iio_buffer **buffer);

/*
 * Where a channel is in a sample, in bytes. To be asked once: libiio looks through all
 * channels for it, which takes longer than all that is done with a sample.
 */
size_t bus_device_place(const struct iio_buffer *buffer, const struct iio_channel *channel);

#endif
