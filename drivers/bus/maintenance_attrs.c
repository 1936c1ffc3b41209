// SPDX-License-Identifier: GPL-2.0
/*
 * The attributes of a device by which it is changed
 */
#include <linux/device.h>
#include <linux/errno.h>
#include <linux/kstrtox.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include "core.h"

/*
 * What is written here may remove the device, and its attributes with it, which
 * would wait for the writer; or it waits for a lock that is held by somebody
 * who removes the device. Without that protection nothing else keeps this
 * module.
 */
static ssize_t run_unprotected(struct device *dev,
			       struct device_attribute *attr,
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

	return run_unprotected(dev, attr, dxl_set_id, id, len);
}
static DEVICE_ATTR_RW(id);

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

	return run_unprotected(dev, attr, run_reboot, 0, len);
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

	return run_unprotected(dev, attr, run_factory_reset, whats[i], len);
}
static DEVICE_ATTR_WO(factory_reset);

/* This one leaves the device where it is. */
static ssize_t clear_store(struct device *dev, struct device_attribute *attr,
			   const char *buf, size_t len)
{
	if (!sysfs_streq(buf, "turns"))
		return -EINVAL;

	return dxl_clear_turns(to_dxl_device(dev)) ?: len;
}
static DEVICE_ATTR_WO(clear);

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

	return run_unprotected(dev, attr, run_backup, ops[i], len);
}
static DEVICE_ATTR_WO(backup);

static struct attribute *maintenance_attrs[] = {
	&dev_attr_id.attr,
	&dev_attr_reboot.attr,
	&dev_attr_factory_reset.attr,
	&dev_attr_clear.attr,
	&dev_attr_backup.attr,
	NULL
};

const struct attribute_group dxl_maintenance_group = {
	.attrs = maintenance_attrs,
};
