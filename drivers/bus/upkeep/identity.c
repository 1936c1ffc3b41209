// SPDX-License-Identifier: GPL-2.0
/*
 * A device gets another ID, and its place on the bus with it
 */
#include <linux/delay.h>
#include <linux/device.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/kstrtox.h>
#include <linux/property.h>
#include <linux/sysfs.h>

#include "../access/access.h"
#include "../base/base.h"
#include "../devices/devices.h"
#include "upkeep.h"
#include "without_driver.h"

/* The answer to the write may come from either ID: what counts is the result. */
static int change_id(struct dxl_device *ddev, const struct dxl_table *table,
		     u8 id)
{
	struct dxl_bus *bus = ddev->bus;
	u8 now;
	int ret;

	ret = dxl_check_nobody_has(bus, id);
	if (ret)
		return ret;

	ret = dxl_check_torque_off(ddev, table, DXL_PRIO_MAINTENANCE);
	if (ret)
		return ret;

	ret = dxl_write_prio(ddev, DXL_PRIO_MAINTENANCE, table->id, &id, 1);
	if (ret && !dxl_answer_missing(ret))
		return ret;

	fsleep(table->eeprom_write_us);

	ret = dxl_read_id(bus, ddev->protocol, id, table->id, &now, 1);
	if (!ret && now == id)
		return 0;

	dev_err(&ddev->dev, "ID is not set to %u: the device %s\n", id,
		dxl_ping(ddev, DXL_PRIO_MAINTENANCE) ? "does not answer" :
						   "kept its own");

	return -EIO;
}

static int change_id_reserved(struct dxl_device *ddev,
			      const struct dxl_table *table, u8 id)
{
	int ret;

	ret = dxl_bus_reserve(ddev->bus);
	if (ret)
		return ret;

	ret = change_id(ddev, table, id);
	dxl_bus_release(ddev->bus);

	return ret;
}

/* Put a device whose ID has changed into the place of what it was. */
static int replace_device(struct dxl_device *ddev, u8 id)
{
	struct fwnode_handle *fwnode = dev_fwnode(&ddev->dev);
	struct dxl_device_desc desc = {
		.id = id,
		.dynamic = ddev->dynamic,
		.bind_now = true,
		.protocol = ddev->protocol,
		.model_number = ddev->model_number,
		.firmware_version = ddev->firmware_version,
	};
	struct dxl_bus *bus = ddev->bus;
	int ret;

	/* The node that user space has asked for names the ID. */
	if (ddev->dynamic && fwnode)
		desc.fwnode = dxl_device_new_node(ddev, id);
	else
		desc.fwnode = fwnode_handle_get(fwnode);
	if (IS_ERR(desc.fwnode))
		return PTR_ERR(desc.fwnode);

	if (fwnode && !ddev->dynamic)
		dev_notice(&ddev->dev, "ID is %u now, not as %pfw says\n", id,
			   fwnode);

	dxl_device_remove(ddev);
	ret = dxl_device_add(bus, &desc);
	fwnode_handle_put(desc.fwnode);

	return ret;
}

static int check_new_id(struct dxl_device *ddev, u8 id)
{
	struct dxl_device *other;

	if (!ddev->protocol)
		return -EOPNOTSUPP;
	if (id > dxl_id_max(ddev->protocol))
		return -ERANGE;

	/* Also one that does not answer at present. */
	other = dxl_device_find(ddev->bus, id);
	if (!other)
		return 0;

	put_device(&other->dev);

	return -EBUSY;
}

/**
 * dxl_set_id() - give a device another ID
 * @ddev: the device; the caller has a reference
 * @id: the ID
 *
 * On success @ddev is removed from its bus, and the device that takes its place
 * has the new ID and the same firmware node.
 *
 * Context: Process context. Sleeps; not for the device's own driver, nor within
 * dxl_bus_reserve().
 * Return: 0; -EBUSY if the ID is taken, the torque is on or poses are streamed;
 * -ERANGE if there is no such ID; -EIO if the device does not answer to it;
 * -EOPNOTSUPP if no driver is bound that knows the device's table; -ENODEV if the
 * device is gone; or another negative errno
 */
int dxl_set_id(struct dxl_device *ddev, u8 id)
{
	struct dxl_table table;
	int ret;

	guard(mutex)(&ddev->bus->devices_lock);

	ret = dxl_check_present(ddev);
	if (ret)
		return ret;
	if (id == ddev->id)
		return 0;

	ret = check_new_id(ddev, id) ?: dxl_copy_table(ddev, &table);
	if (ret)
		return ret;

	/* Its driver, which may switch it off, must not be gone for nothing. */
	ret = dxl_check_torque_off(ddev, &table, DXL_PRIO_REQUEST);
	if (ret)
		return ret;

	ret = dxl_take_from_driver(ddev);
	if (ret)
		return ret;
	ret = change_id_reserved(ddev, &table, id);
	if (!ret)
		return replace_device(ddev, id);

	dxl_device_bind(ddev);

	return ret;
}
EXPORT_SYMBOL_NS_GPL(dxl_set_id, "DXL");

/* --- the attribute --- */

static ssize_t id_show(struct device *dev, struct device_attribute *attr,
		       char *buf)
{
	return sysfs_emit(buf, "%u\n", to_dxl_device(dev)->id);
}

static ssize_t id_store(struct device *dev, struct device_attribute *attr,
			const char *buf, size_t len)
{
	u8 id;
	int ret;

	ret = kstrtou8(buf, 0, &id);
	if (ret)
		return ret;

	return dxl_run_unprotected(dev, attr, dxl_set_id, id, len);
}
static DEVICE_ATTR_RW(id);

static struct attribute *identity_attrs[] = {
	&dev_attr_id.attr,
	NULL
};

const struct attribute_group dxl_identity_group = {
	.attrs = identity_attrs,
};
