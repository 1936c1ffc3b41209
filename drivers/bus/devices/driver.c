// SPDX-License-Identifier: GPL-2.0
/*
 * How devices find their drivers: the bus_type that they and their buses share
 *
 * A device with a description is bound by its `compatible`, another by its model
 * number. Drivers are bound and unbound below the bus's devices_lock, so they must not
 * take it.
 */
#include <linux/device.h>
#include <linux/export.h>
#include <linux/mod_devicetable.h>
#include <linux/of_device.h>
#include <linux/property.h>

#include "../access/access.h"
#include "../base/base.h"
#include "device.h"
#include "devices.h"

static const struct of_device_id *
match_compatible(const struct device *dev, const struct device_driver *drv)
{
	const struct of_device_id *match = drv->of_match_table;

	if (dev->of_node || !match)
		return of_match_device(match, dev);

	for (; match->compatible[0]; match++)
		if (device_is_compatible(dev, match->compatible))
			return match;

	return NULL;
}

static const struct dxl_device_id *
match_model(const struct dxl_device *ddev, const struct device_driver *drv)
{
	const struct dxl_device_id *match = to_dxl_driver(drv)->id_table;

	/* A description says what the machine is meant to have. */
	if (dev_fwnode(&ddev->dev) || !match)
		return NULL;

	for (; match->model_number; match++)
		if (match->protocol == ddev->protocol &&
		    match->model_number == ddev->model_number)
			return match;

	return NULL;
}

static int dxl_match(struct device *dev, const struct device_driver *drv)
{
	if (!dxl_is_device(dev))
		return 0;

	return match_compatible(dev, drv) ||
	       match_model(to_dxl_device(dev), drv);
}

/**
 * dxl_device_get_match_data() - what a driver says of the model it matched by
 * @ddev: a device bound to a driver, or being bound
 *
 * Return: the data of the matching entry in the driver's of_match_table or
 * id_table; NULL if there is none
 */
const void *dxl_device_get_match_data(const struct dxl_device *ddev)
{
	const struct device_driver *drv = ddev->dev.driver;
	const struct of_device_id *compatible;
	const struct dxl_device_id *model;

	compatible = match_compatible(&ddev->dev, drv);
	if (compatible)
		return compatible->data;

	model = match_model(ddev, drv);

	return model ? model->data : NULL;
}
EXPORT_SYMBOL_NS_GPL(dxl_device_get_match_data, "DXL");

static void dxl_remove(struct device *dev)
{
	const struct dxl_driver *drv = to_dxl_driver(dev->driver);
	struct dxl_device *ddev = to_dxl_device(dev);

	if (drv->remove)
		drv->remove(ddev);
	/* It lies in the driver's module. */
	WRITE_ONCE(ddev->table, NULL);
}

/* What the core can do only once the driver has said what the device is. */
static int driver_bound(struct dxl_device *ddev)
{
	if (ddev->id > dxl_id_max(ddev->protocol)) {
		dev_err(&ddev->dev, "Protocol %u.0 has no ID %u\n",
			ddev->protocol, ddev->id);
		return -EINVAL;
	}

	return dxl_regmap_add(ddev);
}

static int dxl_probe(struct device *dev)
{
	struct dxl_device *ddev = to_dxl_device(dev);
	int ret;

	ret = to_dxl_driver(dev->driver)->probe(ddev);
	if (ret) {
		WRITE_ONCE(ddev->table, NULL);
		return ret;
	}

	ret = driver_bound(ddev);
	if (ret)
		dxl_remove(dev);

	return ret;
}

/* The device is locked. */
static void dxl_shutdown(struct device *dev)
{
	const struct dxl_driver *drv;

	if (!dev->driver)
		return;

	drv = to_dxl_driver(dev->driver);
	if (drv->shutdown)
		drv->shutdown(to_dxl_device(dev));
}

/**
 * dxl_device_shutdown() - leave a device as when the machine stops
 * @ddev: the device
 */
void dxl_device_shutdown(struct dxl_device *ddev)
{
	guard(device)(&ddev->dev);

	dxl_shutdown(&ddev->dev);
}

/*
 * dxl_bus_type - what buses and the devices on them belong to in sysfs
 */
const_bus_type dxl_bus_type = {
	.name = "dxl",
	.match = dxl_match,
	.probe = dxl_probe,
	.remove = dxl_remove,
	.shutdown = dxl_shutdown,
};
EXPORT_SYMBOL_NS_GPL(dxl_bus_type, "DXL");

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
EXPORT_SYMBOL_NS_GPL(__dxl_driver_register, "DXL");

static int shut_down(struct device *dev, void *data)
{
	dxl_device_shutdown(to_dxl_device(dev));

	return 0;
}

/**
 * dxl_driver_unregister() - take back dxl_driver_register()
 * @drv: the driver
 *
 * All its devices are shut down before the first is removed, which may wait for those
 * who use its attributes.
 */
void dxl_driver_unregister(struct dxl_driver *drv)
{
	WARN_ON(driver_for_each_device(&drv->driver, NULL, NULL, shut_down));
	driver_unregister(&drv->driver);
}
EXPORT_SYMBOL_NS_GPL(dxl_driver_unregister, "DXL");

/* Bind a device to its driver, if that is there, and wait for it. */
void dxl_device_bind(struct dxl_device *ddev)
{
	int ret = device_attach(&ddev->dev);

	if (ret < 0)
		dev_err(&ddev->dev, "driver not bound: %d\n", ret);
}
