// SPDX-License-Identifier: GPL-2.0
/*
 * Devices on a Dynamixel bus, and the bus_type that they share
 */
#include <linux/device.h>
#include <linux/export.h>
#include <linux/of_device.h>
#include <linux/property.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

#include "core.h"

/* Longest return delay that can be set: register value 254, in steps of 2 us. */
#define RETURN_DELAY_MAX_US	508

static ssize_t modalias_show(struct device *dev, struct device_attribute *attr,
			     char *buf)
{
	return of_device_modalias(dev, buf, PAGE_SIZE);
}
static DEVICE_ATTR_RO(modalias);

static ssize_t id_show(struct device *dev, struct device_attribute *attr,
		       char *buf)
{
	return sysfs_emit(buf, "%u\n", to_dxl_device(dev)->id);
}
static DEVICE_ATTR_RO(id);

/* A device that did not answer when its driver bound may do so now. */
static int ensure_identified(struct dxl_device *ddev)
{
	/* Pairs with the release in dxl_identify(). */
	if (smp_load_acquire(&ddev->identified))
		return 0;
	if (!READ_ONCE(ddev->protocol))
		return -ENODATA;

	return dxl_identify(ddev);
}

static ssize_t model_number_show(struct device *dev,
				 struct device_attribute *attr, char *buf)
{
	struct dxl_device *ddev = to_dxl_device(dev);

	return ensure_identified(ddev) ?:
	       sysfs_emit(buf, "%u\n", ddev->model_number);
}
static DEVICE_ATTR_RO(model_number);

static ssize_t firmware_version_show(struct device *dev,
				     struct device_attribute *attr, char *buf)
{
	struct dxl_device *ddev = to_dxl_device(dev);

	return ensure_identified(ddev) ?:
	       sysfs_emit(buf, "%u\n", ddev->firmware_version);
}
static DEVICE_ATTR_RO(firmware_version);

static struct attribute *dxl_device_attrs[] = {
	&dev_attr_modalias.attr,
	&dev_attr_id.attr,
	&dev_attr_model_number.attr,
	&dev_attr_firmware_version.attr,
	NULL
};

static const struct attribute_group dxl_device_group = {
	.attrs = dxl_device_attrs,
};

static const struct attribute_group *dxl_device_groups[] = {
	&dxl_device_group,
	&dxl_stats_group,
	NULL
};

static void dxl_device_release(struct device *dev)
{
	struct dxl_device *ddev = to_dxl_device(dev);

	fwnode_handle_put(dev_fwnode(dev));
	put_device(&ddev->bus->dev);
	kfree(ddev);
}

static int dxl_device_uevent(const struct device *dev,
			     struct kobj_uevent_env *env)
{
	return of_device_uevent_modalias(dev, env);
}

const struct device_type dxl_device_type = {
	.name = "dxl_device",
	.groups = dxl_device_groups,
	.release = dxl_device_release,
	.uevent = dxl_device_uevent,
};

static int dxl_match(struct device *dev, const struct device_driver *drv)
{
	if (dev->type != &dxl_device_type)
		return 0;

	return of_driver_match_device(dev, drv);
}

static int dxl_probe(struct device *dev)
{
	return to_dxl_driver(dev->driver)->probe(to_dxl_device(dev));
}

static void dxl_remove(struct device *dev)
{
	const struct dxl_driver *drv = to_dxl_driver(dev->driver);

	if (drv->remove)
		drv->remove(to_dxl_device(dev));
}

static void dxl_shutdown(struct device *dev)
{
	const struct dxl_driver *drv;

	if (!dev->driver)
		return;

	drv = to_dxl_driver(dev->driver);
	if (drv->shutdown)
		drv->shutdown(to_dxl_device(dev));
}

const struct bus_type dxl_bus_type = {
	.name = "dxl",
	.match = dxl_match,
	.probe = dxl_probe,
	.remove = dxl_remove,
	.shutdown = dxl_shutdown,
};

static int match_id(struct device *dev, void *id)
{
	return dev->type == &dxl_device_type &&
	       to_dxl_device(dev)->id == *(u8 *)id;
}

/*
 * Put the device that @fwnode describes, if any, on @bus as number @id.
 * Devices are added by one caller at a time.
 */
int dxl_device_add(struct dxl_bus *bus, struct fwnode_handle *fwnode, u8 id)
{
	struct dxl_device *ddev;
	struct device *other;
	int ret;

	other = device_find_child(&bus->dev, &id, match_id);
	if (other) {
		put_device(other);
		return -EBUSY;
	}

	ddev = kzalloc(sizeof(*ddev), GFP_KERNEL);
	if (!ddev)
		return -ENOMEM;

	ddev->bus = bus;
	ddev->id = id;
	ddev->return_delay_us = RETURN_DELAY_MAX_US;
	ddev->status_level = DXL_ANSWERS_ALL;

	device_initialize(&ddev->dev);
	get_device(&bus->dev);
	ddev->dev.parent = &bus->dev;
	ddev->dev.bus = &dxl_bus_type;
	ddev->dev.type = &dxl_device_type;
	device_set_node(&ddev->dev, fwnode_handle_get(fwnode));

	ret = dev_set_name(&ddev->dev, "%d-%03u", bus->nr, id);
	if (!ret)
		ret = device_add(&ddev->dev);
	if (ret)
		put_device(&ddev->dev);

	return ret;
}

/**
 * __dxl_driver_register() - register a driver for devices on the bus
 * @drv: the driver
 * @owner: module it lives in; dxl_driver_register() fills this in
 *
 * Return: 0 or a negative errno
 */
int __dxl_driver_register(struct dxl_driver *drv, struct module *owner)
{
	drv->driver.bus = &dxl_bus_type;
	drv->driver.owner = owner;

	return driver_register(&drv->driver);
}
EXPORT_SYMBOL_NS_GPL(__dxl_driver_register, DXL);

/**
 * dxl_driver_unregister() - take back dxl_driver_register()
 * @drv: the driver
 */
void dxl_driver_unregister(struct dxl_driver *drv)
{
	driver_unregister(&drv->driver);
}
EXPORT_SYMBOL_NS_GPL(dxl_driver_unregister, DXL);
