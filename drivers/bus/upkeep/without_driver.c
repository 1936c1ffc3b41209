// SPDX-License-Identifier: GPL-2.0
/*
 * A device without its driver
 *
 * Writing EEPROM is the business of drivers too, and so is forgetting turns. The rest
 * changes what a driver has learnt about its device when it was bound, so the device is
 * taken from it first, while it still answers, and given back afterwards.
 */
#include <linux/cleanup.h>
#include <linux/device.h>
#include <linux/errno.h>
#include <linux/lockdep.h>
#include <linux/module.h>
#include <linux/sysfs.h>

#include "../base/base.h"
#include "../queue/queue.h"
#include "without_driver.h"

/**
 * dxl_copy_table() - keep what a device's driver has told of it
 * @ddev: the device
 * @table: where it goes, without the list of baud rates
 *
 * The table lies in the driver's module, which may go with the driver.
 *
 * Return: 0, or -EOPNOTSUPP if no driver is bound that knows the table
 */
int dxl_copy_table(struct dxl_device *ddev, struct dxl_table *table)
{
	guard(device)(&ddev->dev);

	if (!ddev->table)
		return -EOPNOTSUPP;

	*table = *ddev->table;
	table->bauds = NULL;

	return 0;
}

/**
 * dxl_check_present() - whether a device is still on its bus
 * @ddev: the device
 *
 * Return: 0, or -ENODEV for one that was removed while its caller waited for
 * the lock
 */
int dxl_check_present(struct dxl_device *ddev)
{
	lockdep_assert_held(&ddev->bus->devices_lock);

	return device_is_registered(&ddev->dev) ? 0 : -ENODEV;
}

/**
 * dxl_take_from_driver() - unbind a device's driver
 * @ddev: the device
 *
 * Return: 0, or -EBUSY while poses are streamed, as its joint would be let go
 */
int dxl_take_from_driver(struct dxl_device *ddev)
{
	if (dxl_queue_has_stream(ddev->bus))
		return -EBUSY;

	device_release_driver(&ddev->dev);

	return 0;
}

/*
 * What is written here may remove the device, and its attributes with it, which
 * would wait for the writer; or it waits for a lock that is held by somebody
 * who removes the device. Without that protection nothing else keeps this
 * module.
 */
ssize_t dxl_run_unprotected(struct device *dev, struct device_attribute *attr,
			    int (*run)(struct dxl_device *ddev, u8 arg),
			    u8 arg, size_t len)
{
	struct kernfs_node *self;
	int ret = -ENODEV;

	if (!try_module_get(THIS_MODULE))
		return -ENODEV;

	self = sysfs_break_active_protection(&dev->kobj, &attr->attr);
	if (self) {
		ret = run(to_dxl_device(dev), arg);
		sysfs_unbreak_active_protection(self);
	}
	module_put(THIS_MODULE);

	return ret ?: len;
}
