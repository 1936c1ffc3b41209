// SPDX-License-Identifier: LGPL-2.1-or-later
#include "bus_device.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "monotonic.h"
#include "node.h"
#include "sysfs.h"

/* Between the lock and the buffer's opening a program takes far less. */
#define LOCK_NS	     ((int64_t)1000 * 1000000)
#define LOCK_LOOK_NS (10 * 1000000)

static bool is_named(const struct iio_device *iio, const char *what, unsigned int *number)
{
	const char *name = iio_device_get_name(iio);
	int end = 0;

	if (!name || sscanf(name, "dxl%u-%n", number, &end) != 1)
		return false;
	return end > 0 && strcmp(name + end, what) == 0;
}

int bus_devices_hold(struct bus_devices *devices, const struct iio_context *context,
		     const char *what)
{
	unsigned int count = iio_context_get_devices_count(context);

	devices->list = calloc(count + 1, sizeof(*devices->list));
	if (!devices->list)
		return -ENOMEM;
	for (unsigned int i = 0; i < count; i++) {
		const struct iio_device *iio = iio_context_get_device(context, i);
		struct bus_device *bus = &devices->list[devices->count];

		if (!is_named(iio, what, &bus->number))
			continue;
		/* What is gone already is told when it is wanted. */
		(void)device_hold(&bus->held, iio, context_is_local(context));
		devices->count++;
		if (bus_channels_read(&bus->held, bus->number, &bus->channel,
				      &bus->channel_count) < 0)
			return -ENOMEM;
	}
	return 0;
}

void bus_device_release(struct bus_device *bus)
{
	device_release(&bus->held);
	free(bus->channel);
}

void bus_devices_release(struct bus_devices *devices)
{
	for (size_t i = 0; i < devices->count; i++)
		bus_device_release(&devices->list[i]);
	free(devices->list);
	devices->list = NULL;
	devices->count = 0;
}

int bus_device_borrow(struct bus_device *bus, const struct bus_device *from)
{
	*bus = *from;
	bus->buffer = NULL;
	bus->lock = -1;
	return device_is_there(&bus->held) ? 0 : -ENODEV;
}

static void unlock(struct bus_device *bus)
{
	if (bus->lock >= 0)
		close(bus->lock);
	bus->lock = -1;
}

bool bus_device_is_taken(const struct bus_device *bus)
{
	return bus->held.dir >= 0 && device_is_there(&bus->held) &&
	       node_probe(iio_device_get_id(bus->held.iio)) == -EBUSY;
}

/*
 * Of two that come at one time both would find that nobody has the buffer yet. But who has the
 * lock for long has it in vain, as anybody may who can read the file.
 */
int bus_device_lock(struct bus_device *bus)
{
	const char *id = iio_device_get_id(bus->held.iio);
	const struct timespec pause = { .tv_nsec = LOCK_LOOK_NS };
	int64_t deadline = monotonic_ns() + LOCK_NS;
	int busy;

	if (bus->held.dir < 0)
		return 0;
	do {
		busy = node_probe(id);
		if (busy)
			return busy;
		bus->lock = sysfs_lock_buffer(bus->held.dir);
		if (bus->lock == -ENODEV)
			return bus->lock;
		/* What else is wrong is told when the buffer is opened. */
		if (bus->lock != -EBUSY)
			return node_probe(id);
		clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
	} while (monotonic_ns() < deadline);
	return 0;
}

int bus_device_open(struct bus_device *bus, unsigned int depth)
{
	int ret = bus_device_lock(bus);

	if (ret == 0)
		ret = buffer_open(&bus->held, depth, &bus->buffer);
	if (ret < 0)
		bus_device_close(bus);
	return ret;
}

void bus_device_end(struct bus_device *bus)
{
	if (bus->buffer)
		buffer_close(bus->buffer);
	bus->buffer = NULL;
}

void bus_device_close(struct bus_device *bus)
{
	bus_device_end(bus);
	unlock(bus);
}

static size_t length_of(const struct iio_channel *channel)
{
	return iio_channel_get_data_format(channel)->length / 8;
}

/* Each is at a multiple of its own length. */
static size_t aligned(size_t at, size_t length)
{
	return (at + length - 1) / length * length;
}

/* libiio has the channels of a sample in the sample's order. */
size_t bus_device_place(const struct bus_device *bus, const struct iio_channel *channel)
{
	const struct iio_channel *each;
	size_t at = 0;

	for (unsigned int i = 0; (each = iio_device_get_channel(bus->held.iio, i)) != channel; i++)
		if (iio_channel_is_enabled(each))
			at = aligned(at, length_of(each)) + length_of(each);
	return aligned(at, length_of(channel));
}
