// SPDX-License-Identifier: GPL-2.0
/*
 * Turns of the shaft that a device has counted are forgotten
 */
#include <linux/device.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/sysfs.h>

#include "../access/access.h"
#include "../base/base.h"
#include "upkeep.h"

/**
 * dxl_clear_turns() - let a device count the turns of its shaft from 0
 * @ddev: the device
 *
 * Its position is within one turn afterwards. Its driver stays bound. From a
 * device that does not answer writes a refusal is not heard.
 *
 * Context: Process context. Sleeps; not within dxl_bus_reserve().
 * Return: 0; -EOPNOTSUPP if the device does not speak Protocol 2.0; -EREMOTEIO
 * if it moves or does not know the instruction; or the status of the transfer,
 * see dxl_transfer_submit()
 */
int dxl_clear_turns(struct dxl_device *ddev)
{
	/* The instruction has a word in it, so that it does not come by chance. */
	static const u8 params[] = { 1, 'D', 'X', 'L', '"' };
	static const struct dxl_command cmd = {
		.instruction = DXL_CLEAR,
		.params = params,
		.len = sizeof(params),
		.priority = DXL_PRIO_REQUEST,
	};

	if (ddev->protocol != DXL_PROTOCOL_2)
		return -EOPNOTSUPP;

	guard(mutex)(&ddev->bus->maintenance);

	return dxl_command(ddev, &cmd);
}
EXPORT_SYMBOL_NS_GPL(dxl_clear_turns, "DXL");

static ssize_t clear_store(struct device *dev, struct device_attribute *attr,
			   const char *buf, size_t len)
{
	if (!sysfs_streq(buf, "turns"))
		return -EINVAL;

	return dxl_clear_turns(to_dxl_device(dev)) ?: len;
}
static DEVICE_ATTR_WO(clear);

static struct attribute *clear_attrs[] = {
	&dev_attr_clear.attr,
	NULL
};

const struct attribute_group dxl_clear_group = {
	.attrs = clear_attrs,
};
