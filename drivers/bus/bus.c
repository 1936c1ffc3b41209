// SPDX-License-Identifier: GPL-2.0
/*
 * Dynamixel bus: its life from a transport's probe to its removal
 *
 * A transport allocates a bus, adds it and feeds it with dxl_bus_receive().
 * Devices exist only while the bus is @live: dxl_bus_remove() first removes
 * them, with transfers still possible unless the line has been disconnected, and
 * only then stops the queue. The memory stays until the last reference is gone.
 *
 * Locks, the outer ones first: @devices_lock, see devices/device.c; a device's own lock,
 * as the driver core takes it; @maintenance, see access/reserve.c; @line_lock, which
 * keeps the line from going while its rate is changed; the queue's lock.
 */
#include <linux/device.h>
#include <linux/export.h>
#include <linux/idr.h>
#include <linux/kstrtox.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/of.h>
#include <linux/pm.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

#include <linux/dxl/transport.h>

#include "base/base.h"
#include "cycle/cycle.h"
#include "devices/devices.h"
#include "queue/queue.h"
#include "upkeep/upkeep.h"

/* An exchange may take a second longer than computed before it is given up. */
#define MARGIN_MAX_US	1000000

/* Who is not heard in so many attempts is not there. */
#define RETRIES_MAX	10

static uint timeout_margin_us = 1000;
module_param(timeout_margin_us, uint, 0444);
MODULE_PARM_DESC(timeout_margin_us,
		 "What new buses add to the computed time of an exchange before it has timed out, in microseconds (default 1000)");

static DEFINE_IDA(dxl_bus_ida);

static ssize_t timeout_margin_us_show(struct device *dev,
				      struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u\n",
			  READ_ONCE(to_dxl_bus(dev)->timing.margin_us));
}

static ssize_t timeout_margin_us_store(struct device *dev,
				       struct device_attribute *attr,
				       const char *buf, size_t len)
{
	u32 margin;
	int ret;

	ret = kstrtou32(buf, 0, &margin);
	if (ret)
		return ret;
	if (margin > MARGIN_MAX_US)
		return -ERANGE;

	WRITE_ONCE(to_dxl_bus(dev)->timing.margin_us, margin);

	return len;
}
static DEVICE_ATTR_RW(timeout_margin_us);

static ssize_t retries_show(struct device *dev, struct device_attribute *attr,
			    char *buf)
{
	return sysfs_emit(buf, "%u\n", dxl_queue_retries(to_dxl_bus(dev)));
}

static ssize_t retries_store(struct device *dev, struct device_attribute *attr,
			     const char *buf, size_t len)
{
	u32 retries;
	int ret;

	ret = kstrtou32(buf, 0, &retries);
	if (ret)
		return ret;
	if (retries > RETRIES_MAX)
		return -ERANGE;

	dxl_queue_set_retries(to_dxl_bus(dev), retries);

	return len;
}
static DEVICE_ATTR_RW(retries);

static struct attribute *dxl_bus_attrs[] = {
	&dev_attr_retries.attr,
	&dev_attr_timeout_margin_us.attr,
	NULL
};

static const struct attribute_group dxl_bus_group = {
	.attrs = dxl_bus_attrs,
};

static const struct attribute_group *dxl_bus_groups[] = {
	&dxl_bus_group,
	&dxl_baud_group,
	&dxl_cycle_group,
	&dxl_new_device_group,
	&dxl_scan_group,
	&dxl_stats_group,
	NULL
};

static const struct attribute_group *dxl_device_groups[] = {
	&dxl_device_group,
	&dxl_ladder_group,
	&dxl_identity_group,
	&dxl_reset_group,
	&dxl_clear_group,
	&dxl_backup_group,
	&dxl_stats_group,
	NULL
};

/*
 * The line sleeps. What is on it ends, and nothing is sent until it is awake again,
 * whoever may not have been frozen: that waits in the queue.
 */
static int bus_suspend(struct device *dev)
{
	struct dxl_bus *bus = to_dxl_bus(dev);

	dxl_cycle_suspend(bus);
	dxl_queue_sleep(bus);

	return 0;
}

static int bus_resume(struct device *dev)
{
	struct dxl_bus *bus = to_dxl_bus(dev);

	dxl_queue_wake(bus);
	dxl_cycle_resume(bus);

	return 0;
}

static const struct dev_pm_ops bus_pm_ops = {
	SYSTEM_SLEEP_PM_OPS(bus_suspend, bus_resume)
};

static void free_bus(struct device *dev)
{
	struct dxl_bus *bus = to_dxl_bus(dev);

	/* First the thread: what it may still have to do needs the rest. */
	dxl_thread_exit(bus);
	dxl_scan_free(bus);
	dxl_cycle_free(bus);
	dxl_inject_free(bus);
	dxl_ladder_free(bus);
	dxl_queue_free(bus);
	ida_free(&dxl_bus_ida, bus->nr);
	of_node_put(dev->of_node);
	kfree(bus);
}

static const struct device_type dxl_bus_device_type = {
	.name = "dxl_bus",
	.groups = dxl_bus_groups,
	.pm = pm_sleep_ptr(&bus_pm_ops),
	.release = free_bus,
};

/* What each room has of it. After a failure free_bus() gives back what there is. */
static int alloc_parts(struct dxl_bus *bus)
{
	return dxl_thread_init(bus) ?:
	       dxl_queue_alloc(bus) ?:
	       dxl_ladder_alloc(bus) ?:
	       dxl_inject_alloc(bus) ?:
	       dxl_cycle_alloc(bus);
}

/**
 * dxl_bus_alloc() - allocate a bus
 * @parent: device that drives the line; its device-tree node describes the bus.
 *	NULL for a line without a device, such as a pseudo terminal
 * @ops: the line
 * @priv: for the use of @ops
 * @baud: bits a second on the line, %DXL_BAUD_MIN at the least
 *
 * Return: the bus, to be given back by dxl_bus_put(), or an ERR_PTR
 */
struct dxl_bus *dxl_bus_alloc(struct device *parent,
			      const struct dxl_transport_ops *ops, void *priv,
			      u32 baud)
{
	struct dxl_bus *bus;
	int nr, ret;

	if (baud < DXL_BAUD_MIN)
		return ERR_PTR(-ERANGE);

	bus = kzalloc(sizeof(*bus), GFP_KERNEL);
	if (!bus)
		return ERR_PTR(-ENOMEM);

	nr = ida_alloc(&dxl_bus_ida, GFP_KERNEL);
	if (nr < 0) {
		kfree(bus);
		return ERR_PTR(nr);
	}

	bus->nr = nr;
	bus->timing.baud = baud;
	bus->timing.margin_us = min(timeout_margin_us, MARGIN_MAX_US);
	bus->ops = ops;
	bus->priv = priv;
	bus->device_groups = dxl_device_groups;
	mutex_init(&bus->maintenance);
	mutex_init(&bus->devices_lock);
	mutex_init(&bus->line_lock);

	device_initialize(&bus->dev);
	bus->dev.parent = parent;
	bus->dev.bus = &dxl_bus_type;
	bus->dev.type = &dxl_bus_device_type;
	if (parent)
		device_set_of_node_from_dev(&bus->dev, parent);

	ret = dev_set_name(&bus->dev, "dxl%d", nr) ?: alloc_parts(bus);
	if (ret) {
		put_device(&bus->dev);
		return ERR_PTR(ret);
	}

	return bus;
}
EXPORT_SYMBOL_NS_GPL(dxl_bus_alloc, "DXL");

/**
 * dxl_bus_add() - make a bus and the devices described for it known
 * @bus: the bus; its line is ready to send
 *
 * Return: 0 or a negative errno
 */
int dxl_bus_add(struct dxl_bus *bus)
{
	int ret;

	ret = device_add(&bus->dev);
	if (ret)
		return ret;

	ret = dxl_cycle_register(bus);
	if (ret) {
		device_del(&bus->dev);
		return ret;
	}

	dxl_inject_init(bus);
	dxl_queue_start(bus);
	dxl_devices_add_described(bus);

	return 0;
}
EXPORT_SYMBOL_NS_GPL(dxl_bus_add, "DXL");

/**
 * dxl_bus_disconnect() - the line of a bus has gone
 * @bus: the bus
 *
 * All transfers end at once, now and from now on, with -ENODEV; their submitters may
 * be told a little later. On return the line is not used any more and never will be.
 * dxl_bus_remove() is still to be called; this may be called before it, meanwhile, or
 * not at all.
 */
void dxl_bus_disconnect(struct dxl_bus *bus)
{
	dxl_queue_disconnect(bus);

	/* Wait for a change of the line's rate, which now begins no more. */
	mutex_lock(&bus->line_lock);
	mutex_unlock(&bus->line_lock);
}
EXPORT_SYMBOL_NS_GPL(dxl_bus_disconnect, "DXL");

/**
 * dxl_bus_remove() - take back dxl_bus_add()
 * @bus: the bus; its line still sends, or has been disconnected
 *
 * Afterwards the bus sends nothing more. Bytes may still be fed to it until the
 * last dxl_bus_put(), and are dropped.
 */
void dxl_bus_remove(struct dxl_bus *bus)
{
	dxl_devices_remove(bus);
	dxl_cycle_stop(bus);
	dxl_queue_stop(bus);
	dxl_ladder_stop(bus);
	dxl_inject_exit(bus);
	dxl_cycle_unregister(bus);
	device_del(&bus->dev);
}
EXPORT_SYMBOL_NS_GPL(dxl_bus_remove, "DXL");

/**
 * dxl_bus_put() - give a reference to a bus back
 * @bus: the bus
 */
void dxl_bus_put(struct dxl_bus *bus)
{
	put_device(&bus->dev);
}
EXPORT_SYMBOL_NS_GPL(dxl_bus_put, "DXL");

/**
 * dxl_bus_priv() - what the transport gave to dxl_bus_alloc()
 * @bus: the bus
 *
 * Return: its @priv
 */
void *dxl_bus_priv(const struct dxl_bus *bus)
{
	return bus->priv;
}
EXPORT_SYMBOL_NS_GPL(dxl_bus_priv, "DXL");

/**
 * dxl_bus_dev() - the device of a bus
 * @bus: the bus
 *
 * Return: its node in the driver model, without a new reference
 */
struct device *dxl_bus_dev(struct dxl_bus *bus)
{
	return &bus->dev;
}
EXPORT_SYMBOL_NS_GPL(dxl_bus_dev, "DXL");

/**
 * dxl_bus_nr() - the number of a bus
 * @bus: the bus
 *
 * Return: N of its name, dxlN
 */
int dxl_bus_nr(const struct dxl_bus *bus)
{
	return bus->nr;
}
EXPORT_SYMBOL_NS_GPL(dxl_bus_nr, "DXL");

static int __init dxl_init(void)
{
	int ret;

	ret = dxl_ladder_module_init();
	if (ret)
		return ret;

	ret = bus_register(&dxl_bus_type);
	if (ret)
		goto err_ladder;

	ret = dxl_overlay_init();
	if (ret)
		goto err_bus;

	dxl_inject_module_init();

	return 0;

err_bus:
	bus_unregister(&dxl_bus_type);
err_ladder:
	dxl_ladder_module_exit();

	return ret;
}
module_init(dxl_init);

static void __exit dxl_exit(void)
{
	dxl_inject_module_exit();
	dxl_overlay_exit();
	dxl_ladder_module_exit();
	bus_unregister(&dxl_bus_type);
}
module_exit(dxl_exit);

MODULE_DESCRIPTION("Dynamixel bus core");
MODULE_LICENSE("GPL");
