// SPDX-License-Identifier: GPL-2.0
/*
 * Devices start anew, as they were or as they were delivered
 */
#include <linux/delay.h>
#include <linux/device.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/kstrtox.h>
#include <linux/math.h>
#include <linux/sysfs.h>

#include "../access/access.h"
#include "../base/base.h"
#include "../devices/devices.h"
#include "upkeep.h"
#include "without_driver.h"

/*
 * How often, and how long apart, a device that starts is asked for: for 2 s in all, as
 * long as the maker's examples wait after a factory reset. The maker does not say how
 * long one takes.
 */
#define START_TRIES	40
#define START_PAUSE_MS	50

/* ID of every servo as the maker delivers it. */
#define FACTORY_ID	1

/**
 * dxl_wait_for_start() - wait until a device that starts is there
 * @ddev: the device
 * @ms: how long it needs, in milliseconds
 * @priority: that of the transfers
 *
 * Return: 0 as soon as it answers, or why it does not
 */
int dxl_wait_for_start(struct dxl_device *ddev, unsigned int ms,
		       enum dxl_priority priority)
{
	unsigned int i;
	int ret;

	msleep(ms);
	for (i = 0; i < START_TRIES; i++) {
		ret = dxl_ping(ddev, priority);
		if (!dxl_answer_missing(ret))
			return ret;
		msleep(START_PAUSE_MS);
	}

	return ret;
}

/* --- reboot --- */

static int reboot(struct dxl_device *ddev, const struct dxl_table *table)
{
	static const struct dxl_command cmd = {
		.instruction = DXL_REBOOT,
		.priority = DXL_PRIO_REQUEST,
		.restarts = true,
	};
	int ret;

	guard(mutex)(&ddev->bus->maintenance);

	ret = dxl_command(ddev, &cmd);
	if (ret)
		return ret;

	return dxl_wait_for_start(ddev, table->reboot_ms, DXL_PRIO_REQUEST);
}

/**
 * dxl_reboot() - let a device start anew
 * @ddev: the device; the caller has a reference
 *
 * Its driver is unbound before and bound again afterwards.
 *
 * Context: Process context. Sleeps; not for the device's own driver, nor within
 * dxl_bus_reserve().
 * Return: 0; -EBUSY while poses are streamed; -EOPNOTSUPP if the device does not
 * speak Protocol 2.0 or no driver is bound that knows its table; -ENODEV if the
 * device is gone; -ETIMEDOUT if it does not come back; or another negative errno
 */
int dxl_reboot(struct dxl_device *ddev)
{
	struct dxl_table table;
	int ret;

	guard(mutex)(&ddev->bus->devices_lock);

	ret = dxl_check_present(ddev) ?: dxl_copy_table(ddev, &table);
	if (ret)
		return ret;
	if (ddev->protocol != DXL_PROTOCOL_2)
		return -EOPNOTSUPP;

	ret = dxl_take_from_driver(ddev);
	if (ret)
		return ret;
	ret = reboot(ddev, &table);
	dxl_device_bind(ddev);

	return ret;
}
EXPORT_SYMBOL_NS_GPL(dxl_reboot, "DXL");

/* --- factory reset --- */

static u8 factory_id(const struct dxl_table *table)
{
	return table->factory_id ?: FACTORY_ID;
}

/* With its factory ID the device must not come upon one that has it already. */
static int check_reset(struct dxl_device *ddev, const struct dxl_table *table,
		       enum dxl_reset what)
{
	struct dxl_device *other;

	if (ddev->protocol == DXL_PROTOCOL_1 && what != DXL_RESET_ALL)
		return -EOPNOTSUPP;
	if (what != DXL_RESET_ALL || ddev->id == factory_id(table))
		return 0;

	other = dxl_device_find(ddev->bus, factory_id(table));
	if (!other)
		return 0;

	put_device(&other->dev);

	return -EBUSY;
}

/**
 * dxl_reset_ms() - how long a device needs to write its EEPROM and start
 * @table: its control table
 *
 * Return: milliseconds
 */
unsigned int dxl_reset_ms(const struct dxl_table *table)
{
	return table->reboot_ms +
	       DIV_ROUND_UP(table->eeprom_write_us * table->eeprom_size, 1000);
}

static int factory_reset(struct dxl_device *ddev, const struct dxl_table *table,
			 enum dxl_reset what)
{
	bool v1 = ddev->protocol == DXL_PROTOCOL_1;
	const u8 param = what;
	const struct dxl_command cmd = {
		.instruction = DXL_FACTORY_RESET,
		.params = &param,
		.len = v1 ? 0 : sizeof(param),
		.priority = DXL_PRIO_MAINTENANCE,
		.restarts = true,
	};
	int ret;

	if (what == DXL_RESET_ALL && ddev->id != factory_id(table)) {
		ret = dxl_check_nobody_has(ddev->bus, factory_id(table));
		if (ret)
			return ret;
	}

	ret = dxl_command(ddev, &cmd);
	if (ret)
		return ret;

	ret = dxl_wait_for_start(ddev, dxl_reset_ms(table), DXL_PRIO_MAINTENANCE);
	/* With another ID or baud rate it is not here any more. */
	if (dxl_answer_missing(ret) && what != DXL_RESET_KEEP_ID_BAUD) {
		dev_notice(&ddev->dev,
			   "reset; a scan at other baud rates finds it\n");
		return 0;
	}

	return ret;
}

static int factory_reset_reserved(struct dxl_device *ddev,
				  const struct dxl_table *table,
				  enum dxl_reset what)
{
	int ret;

	ret = dxl_bus_reserve(ddev->bus);
	if (ret)
		return ret;

	ret = factory_reset(ddev, table, what);
	dxl_bus_release(ddev->bus);

	return ret;
}

/**
 * dxl_factory_reset() - give a device the settings that it was delivered with
 * @ddev: the device; the caller has a reference
 * @what: which of them
 *
 * Its driver is unbound before and bound again afterwards. A device that has
 * lost its ID or baud rate does not answer then; it is found by a scan.
 *
 * Context: Process context. Sleeps; not for the device's own driver, nor within
 * dxl_bus_reserve().
 * Return: 0; -EBUSY if the torque is on, while poses are streamed, or if another
 * device has the ID that the device would get; -EOPNOTSUPP if its protocol has no
 * such reset or no driver is bound that knows its table; -ENODEV if the device is
 * gone; -ETIMEDOUT if it should answer afterwards and does not; or another negative
 * errno
 */
int dxl_factory_reset(struct dxl_device *ddev, enum dxl_reset what)
{
	struct dxl_table table;
	int ret;

	guard(mutex)(&ddev->bus->devices_lock);

	ret = dxl_check_present(ddev) ?: dxl_copy_table(ddev, &table) ?:
	      check_reset(ddev, &table, what) ?:
	      dxl_check_torque_off(ddev, &table, DXL_PRIO_REQUEST);
	if (ret)
		return ret;

	ret = dxl_take_from_driver(ddev);
	if (ret)
		return ret;
	ret = factory_reset_reserved(ddev, &table, what);
	dxl_device_bind(ddev);

	return ret;
}
EXPORT_SYMBOL_NS_GPL(dxl_factory_reset, "DXL");

/* --- the attributes --- */

static int run_reboot(struct dxl_device *ddev, u8 unused)
{
	return dxl_reboot(ddev);
}

static ssize_t reboot_store(struct device *dev, struct device_attribute *attr,
			    const char *buf, size_t len)
{
	bool yes;
	int ret;

	ret = kstrtobool(buf, &yes);
	if (ret)
		return ret;
	if (!yes)
		return -EINVAL;

	return dxl_run_unprotected(dev, attr, run_reboot, 0, len);
}
static DEVICE_ATTR_WO(reboot);

static int run_factory_reset(struct dxl_device *ddev, u8 what)
{
	return dxl_factory_reset(ddev, what);
}

static ssize_t factory_reset_store(struct device *dev,
				   struct device_attribute *attr,
				   const char *buf, size_t len)
{
	static const char * const names[] = { "all", "keep-id", "keep-id-baud" };
	static const u8 whats[] = {
		DXL_RESET_ALL, DXL_RESET_KEEP_ID, DXL_RESET_KEEP_ID_BAUD,
	};
	int i;

	i = sysfs_match_string(names, buf);
	if (i < 0)
		return i;

	return dxl_run_unprotected(dev, attr, run_factory_reset, whats[i], len);
}
static DEVICE_ATTR_WO(factory_reset);

static struct attribute *reset_attrs[] = {
	&dev_attr_reboot.attr,
	&dev_attr_factory_reset.attr,
	NULL
};

const struct attribute_group dxl_reset_group = {
	.attrs = reset_attrs,
};
