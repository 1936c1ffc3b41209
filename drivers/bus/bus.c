// SPDX-License-Identifier: GPL-2.0
/*
 * Dynamixel bus: its life from a transport's probe to its removal
 *
 * A transport allocates a bus, adds it and feeds it with dxl_bus_receive().
 * Devices exist only while the bus is added: dxl_bus_remove() first removes
 * them, with transfers still possible, and only then stops the queue. The
 * memory stays until the last reference is gone.
 */
#include <linux/device.h>
#include <linux/export.h>
#include <linux/idr.h>
#include <linux/kstrtox.h>
#include <linux/module.h>
#include <linux/property.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

#include "core.h"

/* An exchange may take a second longer than computed before it is given up. */
#define MARGIN_MAX_US	1000000

static uint timeout_margin_us = 1000;
module_param(timeout_margin_us, uint, 0444);
MODULE_PARM_DESC(timeout_margin_us,
		 "What new buses add to the computed time of an exchange before it has timed out, in microseconds (default 1000)");

static DEFINE_IDA(dxl_bus_ida);

static ssize_t timeout_margin_us_show(struct device *dev,
				      struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u\n",
			  READ_ONCE(to_dxl_bus(dev)->queue.margin_us));
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

	WRITE_ONCE(to_dxl_bus(dev)->queue.margin_us, margin);

	return len;
}
static DEVICE_ATTR_RW(timeout_margin_us);

static ssize_t baud_show(struct device *dev, struct device_attribute *attr,
			 char *buf)
{
	return sysfs_emit(buf, "%u\n", to_dxl_bus(dev)->baud);
}
static DEVICE_ATTR_RO(baud);

static struct attribute *dxl_bus_attrs[] = {
	&dev_attr_baud.attr,
	&dev_attr_timeout_margin_us.attr,
	NULL
};

static const struct attribute_group dxl_bus_group = {
	.attrs = dxl_bus_attrs,
};

static const struct attribute_group *dxl_bus_groups[] = {
	&dxl_bus_group,
	&dxl_stats_group,
	NULL
};

static void dxl_bus_release(struct device *dev)
{
	struct dxl_bus *bus = to_dxl_bus(dev);

	ida_free(&dxl_bus_ida, bus->nr);
	fwnode_handle_put(dev_fwnode(dev));
	kfree(bus);
}

const struct device_type dxl_bus_device_type = {
	.name = "dxl_bus",
	.groups = dxl_bus_groups,
	.release = dxl_bus_release,
};

/**
 * dxl_bus_alloc() - allocate a bus
 * @parent: device that drives the line; its firmware node describes the bus
 * @ops: the line
 * @priv: for the use of @ops
 * @baud: bits a second on the line
 *
 * Return: the bus, to be given back by dxl_bus_put(), or an ERR_PTR
 */
struct dxl_bus *dxl_bus_alloc(struct device *parent,
			      const struct dxl_transport_ops *ops, void *priv,
			      u32 baud)
{
	struct dxl_bus *bus;
	int nr, ret;

	if (!baud)
		return ERR_PTR(-EINVAL);

	bus = kzalloc(sizeof(*bus), GFP_KERNEL);
	if (!bus)
		return ERR_PTR(-ENOMEM);

	nr = ida_alloc(&dxl_bus_ida, GFP_KERNEL);
	if (nr < 0) {
		kfree(bus);
		return ERR_PTR(nr);
	}

	bus->nr = nr;
	bus->baud = baud;
	bus->ops = ops;
	bus->priv = priv;
	dxl_queue_init(bus, min(timeout_margin_us, MARGIN_MAX_US));

	device_initialize(&bus->dev);
	bus->dev.parent = parent;
	bus->dev.bus = &dxl_bus_type;
	bus->dev.type = &dxl_bus_device_type;
	device_set_node(&bus->dev, fwnode_handle_get(dev_fwnode(parent)));
	bus->dev.of_node_reused = true;

	ret = dev_set_name(&bus->dev, "dxl%d", nr);
	if (ret) {
		put_device(&bus->dev);
		return ERR_PTR(ret);
	}

	return bus;
}
EXPORT_SYMBOL_NS_GPL(dxl_bus_alloc, DXL);

/*
 * Only nodes that are enabled are seen here. One that is wrong must not keep the
 * others from the bus.
 */
static void add_described_devices(struct dxl_bus *bus)
{
	struct fwnode_handle *node;
	u32 id;
	int ret;

	device_for_each_child_node(&bus->dev, node) {
		ret = fwnode_property_read_u32(node, "reg", &id);
		if (ret || id > DXL_ID_MAX) {
			dev_err(&bus->dev, "%pfw: needs a reg of 0 to %u\n",
				node, DXL_ID_MAX);
			continue;
		}

		ret = dxl_device_add(bus, node, id);
		if (ret)
			dev_err(&bus->dev, "%pfw: not added: %d\n", node, ret);
	}
}

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

	dxl_queue_start(bus);
	add_described_devices(bus);

	return 0;
}
EXPORT_SYMBOL_NS_GPL(dxl_bus_add, DXL);

static int remove_device(struct device *dev, void *data)
{
	if (dev->type == &dxl_device_type)
		device_unregister(dev);

	return 0;
}

/**
 * dxl_bus_remove() - take back dxl_bus_add()
 * @bus: the bus; its line still sends
 *
 * Afterwards the bus sends nothing more. Bytes may still be fed to it until the
 * last dxl_bus_put(), and are dropped.
 */
void dxl_bus_remove(struct dxl_bus *bus)
{
	device_for_each_child_reverse(&bus->dev, NULL, remove_device);
	dxl_queue_stop(bus);
	dxl_cycle_unregister(bus);
	device_del(&bus->dev);
}
EXPORT_SYMBOL_NS_GPL(dxl_bus_remove, DXL);

/**
 * dxl_bus_put() - give a reference to a bus back
 * @bus: the bus
 */
void dxl_bus_put(struct dxl_bus *bus)
{
	put_device(&bus->dev);
}
EXPORT_SYMBOL_NS_GPL(dxl_bus_put, DXL);

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
EXPORT_SYMBOL_NS_GPL(dxl_bus_priv, DXL);

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
EXPORT_SYMBOL_NS_GPL(dxl_bus_dev, DXL);

static int __init dxl_init(void)
{
	return bus_register(&dxl_bus_type);
}
module_init(dxl_init);

static void __exit dxl_exit(void)
{
	bus_unregister(&dxl_bus_type);
}
module_exit(dxl_exit);

MODULE_DESCRIPTION("Dynamixel bus core");
MODULE_LICENSE("GPL");
