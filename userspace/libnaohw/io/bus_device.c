// SPDX-License-Identifier: LGPL-2.1-or-later
#include "bus_device.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "node.h"
#include "sysfs.h"

static bool is_named(const struct iio_device *iio, const char *what, unsigned int *number)
{
	const char *name = iio_device_get_name(iio);
	int end = 0;

	if (!name || sscanf(name, "dxl%u-%n", number, &end) != 1)
		return false;
	return end > 0 && strcmp(name + end, what) == 0;
}

bool bus_device_hold(struct bus_device *bus, const struct iio_device *iio, const char *what,
		     bool local)
{
	bus->buffer = NULL;
	bus->lock = -1;
	return is_named(iio, what, &bus->number) && device_hold(&bus->held, iio, local) == 0;
}

void bus_device_release(struct bus_device *bus)
{
	bus_device_close(bus);
	device_release(&bus->held);
}

void bus_device_label(const struct bus_device *bus, const struct iio_channel *channel,
		      unsigned int id, char *label, size_t size)
{
	if (device_read_channel(&bus->held, channel, "label", label, size) < 0)
		snprintf(label, size, "%u-%03u", bus->number, id);
}

static void unlock(struct bus_device *bus)
{
	if (bus->lock >= 0)
		close(bus->lock);
	bus->lock = -1;
}

/* Of two that come at one time both would find that nobody has the buffer yet. */
static int lock(struct bus_device *bus)
{
	if (bus->held.dir < 0)
		return 0;
	bus->lock = sysfs_lock_buffer(bus->held.dir);
	/* What else is wrong is libiio's to tell. */
	if (bus->lock == -EBUSY || bus->lock == -ENODEV)
		return bus->lock;
	return node_probe(iio_device_get_id(bus->held.iio));
}

static int create(struct bus_device *bus, unsigned int depth)
{
	char name[64];

	/* A backend that cannot be told has a depth of its own. */
	(void)iio_device_set_kernel_buffers_count(bus->held.iio, depth);
	errno = 0;
	bus->buffer = iio_device_create_buffer(bus->held.iio, 1, false);
	if (!bus->buffer)
		return errno ? -errno : -EIO;
	/* libiio goes by the number, which is this device's as long as it is there. */
	if (bus->held.dir < 0 || sysfs_read(bus->held.dir, "name", name, sizeof(name)) == 0)
		return 0;
	return -ENODEV;
}

int bus_device_open(struct bus_device *bus, unsigned int depth)
{
	int ret = lock(bus);

	if (ret == 0)
		ret = create(bus, depth);
	if (ret < 0)
		bus_device_close(bus);
	return ret;
}

void bus_device_close(struct bus_device *bus)
{
	if (bus->buffer)
		iio_buffer_destroy(bus->buffer);
	bus->buffer = NULL;
	unlock(bus);
}

size_t bus_device_place(const struct bus_device *bus, const struct iio_channel *channel)
{
	const unsigned char *first = iio_buffer_first(bus->buffer, channel);

	return (size_t)(first - (const unsigned char *)iio_buffer_start(bus->buffer));
}
