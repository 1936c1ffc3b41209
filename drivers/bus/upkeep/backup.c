// SPDX-License-Identifier: GPL-2.0
/*
 * The copy of its settings that a device keeps in itself
 */
#include <linux/device.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/sysfs.h>

#include "../access/access.h"
#include "../base/base.h"
#include "../devices/devices.h"
#include "upkeep.h"
#include "without_driver.h"

/* How long a device is deaf that stores a backup is not known: as if it wrote all. */
static int send_backup(struct dxl_device *ddev, const struct dxl_table *table,
		       enum dxl_backup_op op)
{
	/* The instruction has a word in it, so that it does not come by chance. */
	const u8 params[] = { op, 'C', 'T', 'R', 'L' };
	bool restore = op == DXL_BACKUP_RESTORE;
	const struct dxl_command cmd = {
		.instruction = DXL_BACKUP,
		.params = params,
		.len = sizeof(params),
		.priority = restore ? DXL_PRIO_MAINTENANCE : DXL_PRIO_REQUEST,
		.rest_us = table->eeprom_write_us * table->eeprom_size,
		.restarts = restore,
	};

	return dxl_command(ddev, &cmd);
}

static int store_backup(struct dxl_device *ddev, const struct dxl_table *table)
{
	guard(mutex)(&ddev->bus->maintenance);

	return send_backup(ddev, table, DXL_BACKUP_STORE);
}

static int restore_reserved(struct dxl_device *ddev,
			    const struct dxl_table *table)
{
	int ret;

	ret = send_backup(ddev, table, DXL_BACKUP_RESTORE);
	if (ret)
		return ret;

	ret = dxl_wait_for_start(ddev, dxl_reset_ms(table),
				 DXL_PRIO_MAINTENANCE);
	if (dxl_answer_missing(ret))
		dev_err(&ddev->dev,
			"does not answer; if the backup has another ID or baud rate, a scan finds it\n");

	return ret;
}

/* The device may get another ID, which may be that of one that is spoken to. */
static int restore_backup(struct dxl_device *ddev,
			  const struct dxl_table *table)
{
	int ret;

	ret = dxl_bus_reserve(ddev->bus);
	if (ret)
		return ret;

	ret = restore_reserved(ddev, table);
	dxl_bus_release(ddev->bus);

	return ret;
}

/**
 * dxl_backup() - have a device keep its settings, or take them back
 * @ddev: the device; the caller has a reference
 * @op: which of the two
 *
 * A device takes back all of its EEPROM, also its ID and its baud rate, and then
 * starts anew; its driver is unbound before and bound again afterwards. The
 * device is deaf for some time after storing; the bus is not.
 *
 * Context: Process context. Sleeps; not for the device's own driver, nor within
 * dxl_bus_reserve().
 * Return: 0; -EBUSY if the torque is on, or while poses are streamed for a
 * restoration; -EOPNOTSUPP if the device does not speak Protocol 2.0 or no driver
 * is bound that knows its table; -EREMOTEIO if it has no backup or does not know
 * the instruction; -ENODEV if the device is gone; -ETIMEDOUT if it does not answer
 * afterwards; or another negative errno
 */
int dxl_backup(struct dxl_device *ddev, enum dxl_backup_op op)
{
	struct dxl_table table;
	int ret;

	guard(mutex)(&ddev->bus->devices_lock);

	ret = dxl_check_present(ddev) ?: dxl_copy_table(ddev, &table);
	if (ret)
		return ret;
	if (ddev->protocol != DXL_PROTOCOL_2)
		return -EOPNOTSUPP;

	ret = dxl_check_torque_off(ddev, &table, DXL_PRIO_REQUEST);
	if (ret)
		return ret;
	if (op == DXL_BACKUP_STORE)
		return store_backup(ddev, &table);

	ret = dxl_take_from_driver(ddev);
	if (ret)
		return ret;
	ret = restore_backup(ddev, &table);
	dxl_device_bind(ddev);

	return ret;
}
EXPORT_SYMBOL_NS_GPL(dxl_backup, "DXL");

/* --- the attribute --- */

static int run_backup(struct dxl_device *ddev, u8 op)
{
	return dxl_backup(ddev, op);
}

static ssize_t backup_store(struct device *dev, struct device_attribute *attr,
			    const char *buf, size_t len)
{
	static const char * const names[] = { "store", "restore" };
	static const u8 ops[] = { DXL_BACKUP_STORE, DXL_BACKUP_RESTORE };
	int i;

	i = sysfs_match_string(names, buf);
	if (i < 0)
		return i;

	return dxl_run_unprotected(dev, attr, run_backup, ops[i], len);
}
static DEVICE_ATTR_WO(backup);

static struct attribute *backup_attrs[] = {
	&dev_attr_backup.attr,
	NULL
};

const struct attribute_group dxl_backup_group = {
	.attrs = backup_attrs,
};
