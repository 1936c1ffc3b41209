// SPDX-License-Identifier: GPL-2.0
/*
 * The bus for oneself
 *
 * The bus's `maintenance` mutex is held by whoever changes how devices are reached or
 * what they keep without power, so that two do not meet in one device. It nests in
 * devices_lock, which is held where a device is taken from its driver meanwhile. The
 * queue, too, is reserved where others could suffer: while an ID or a baud rate changes.
 * A write to a device's EEPROM makes just that device deaf for some milliseconds, and a
 * reboot for some more; the bus goes on for the others.
 */
#include <linux/export.h>
#include <linux/mutex.h>

#include "../base/base.h"
#include "../queue/queue.h"

/**
 * dxl_bus_reserve() - have a bus for oneself
 * @bus: the bus
 *
 * From here to dxl_bus_release() only transfers of %DXL_PRIO_MAINTENANCE and
 * %DXL_PRIO_RELEASE are sent. All others wait, so this is no place to wait for one. It
 * is refused while somebody streams poses, who cannot wait.
 *
 * Context: Process context. Sleeps; not for a driver's probe or remove, nor
 * twice by one caller.
 * Return: 0, -EBUSY while poses are streamed, or -EINTR if a signal came first
 */
int dxl_bus_reserve(struct dxl_bus *bus)
{
	int ret;

	ret = mutex_lock_interruptible(&bus->maintenance);
	if (ret)
		return ret;

	ret = dxl_queue_reserve(bus);
	if (ret)
		mutex_unlock(&bus->maintenance);

	return ret;
}
EXPORT_SYMBOL_NS_GPL(dxl_bus_reserve, "DXL");

/**
 * dxl_bus_release() - take back dxl_bus_reserve()
 * @bus: the bus
 */
void dxl_bus_release(struct dxl_bus *bus)
{
	dxl_queue_unreserve(bus);
	mutex_unlock(&bus->maintenance);
}
EXPORT_SYMBOL_NS_GPL(dxl_bus_release, "DXL");
