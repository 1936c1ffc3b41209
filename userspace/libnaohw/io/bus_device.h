/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The IIO devices that stand for a whole bus: dxlN-goal and dxlN-state. */
#ifndef NAOHW_BUS_DEVICE_H
#define NAOHW_BUS_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

#include <iio.h>

#include "buffer.h"
#include "bus_channel.h"
#include "device.h"

struct bus_device {
	struct device held; /* the list's, who uses one has it lent */
	unsigned int number;
	struct bus_channel *channel; /* the list's, too */
	size_t channel_count;
	struct buffer *buffer;	   /* NULL: not taken */
	int lock;		   /* that nobody of us takes it too; -1: none */
	unsigned int poses;	   /* in the list: that have it open */
};

/*
 * All of one kind. The kernel registers them anew now and then; what takes their place is not
 * what libiio has seen.
 */
struct bus_devices {
	struct bus_device *list;
	size_t count;
};

/* Hold all that are "dxlN-@what". Return: 0 or -ENOMEM, and release them then too. */
int bus_devices_hold(struct bus_devices *devices, const struct iio_context *context,
		     const char *what);
void bus_devices_release(struct bus_devices *devices);
void bus_device_release(struct bus_device *bus);

/* Use one of the list; -ENODEV: it has gone since. */
int bus_device_borrow(struct bus_device *bus, const struct bus_device *from);

/* Take the device's buffer, with room for @depth samples. As buffer_open(). */
int bus_device_open(struct bus_device *bus, unsigned int depth);
void bus_device_close(struct bus_device *bus);

/* Has somebody the buffer of a device of this machine? Of another one nobody here knows. */
bool bus_device_is_taken(const struct bus_device *bus);

/*
 * The same in steps, for what is to be set while the buffer is nobody else's and does not run:
 * lock, buffer_open(), end, close. What fails is to be closed, too.
 */
int bus_device_lock(struct bus_device *bus);
void bus_device_end(struct bus_device *bus);

/*
 * Where a channel is in a sample of those that are enabled, in bytes. To be asked once: to look
 * through all channels for it takes longer than all that is done with a sample.
 */
size_t bus_device_place(const struct bus_device *bus, const struct iio_channel *channel);

#endif
