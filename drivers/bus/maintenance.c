// SPDX-License-Identifier: GPL-2.0
/*
 * What changes the devices themselves: their EEPROM, their ID, their state as
 * delivered
 *
 * Locks. The bus's `maintenance` mutex is held by whoever does such a thing, so
 * that two do not meet in one device. It nests in devices_lock, which is held
 * where a device is taken from its driver meanwhile. The queue, too, is reserved
 * where others could suffer: while an ID or a baud rate changes. A write to a
 * device's EEPROM makes just that device deaf for some milliseconds, and a
 * reboot for some more; the bus goes on for the others.
 *
 * Drivers. Writing EEPROM is the business of drivers too. The rest changes what
 * a driver has learnt about its device when it was bound, so the device is taken
 * from it first, while it still answers, and given back afterwards.
 */
#include <linux/delay.h>
#include <linux/device.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/kstrtox.h>
#include <linux/lockdep.h>
#include <linux/module.h>
#include <linux/property.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include "core.h"

/* How often, and how long apart, a device that starts is asked for. */
#define START_TRIES	10
#define START_PAUSE_MS	20

/* ID of every device as the maker delivers it. */
#define FACTORY_ID	1

/* --- the bus for oneself --- */

/**
 * dxl_bus_reserve() - have a bus for oneself
 * @bus: the bus
 *
 * From here to dxl_bus_release() only transfers of %DXL_PRIO_MAINTENANCE are
 * sent. All others wait, so this is no place to wait for one.
 *
 * Context: Process context. Sleeps; not for a driver's probe or remove, nor
 * twice by one caller.
 * Return: 0, or -EINTR if a signal came first
 */
int dxl_bus_reserve(struct dxl_bus *bus)
{
	int ret;

	ret = mutex_lock_interruptible(&bus->maintenance);
	if (ret)
		return ret;

	dxl_queue_reserve(bus);

	return 0;
}
EXPORT_SYMBOL_NS_GPL(dxl_bus_reserve, DXL);

/**
 * dxl_bus_release() - take back dxl_bus_reserve()
 * @bus: the bus
 */
void dxl_bus_release(struct dxl_bus *bus)
{
	dxl_queue_unreserve(bus);
	mutex_unlock(&bus->maintenance);
}
EXPORT_SYMBOL_NS_GPL(dxl_bus_release, DXL);

/* --- EEPROM --- */

/**
 * dxl_answer_missing() - whether a request may have been executed all the same
 * @status: what it ended with
 *
 * Return: true if no valid answer came
 */
bool dxl_answer_missing(int status)
{
	switch (status) {
	case -ETIMEDOUT:
	case -EBADMSG:
	case -EPROTO:
	case -EMSGSIZE:
	case -ENODATA:
		return true;
	default:
		return false;
	}
}

/**
 * dxl_check_torque_off() - whether a device takes writes to its EEPROM
 * @ddev: the device
 * @table: its control table
 * @priority: that of the transfer
 *
 * Return: 0 if it does, -EBUSY if its torque is on, or as dxl_read()
 */
int dxl_check_torque_off(struct dxl_device *ddev, const struct dxl_table *table,
			 enum dxl_priority priority)
{
	u8 on;
	int ret;

	if (!table->torque_enable)
		return 0;

	ret = dxl_read_prio(ddev, priority, table->torque_enable, &on, 1);
	if (ret)
		return ret;

	return on ? -EBUSY : 0;
}

/* The reading back decides: the answer to the write may have been lost. */
static int eeprom_write(struct dxl_device *ddev, const struct dxl_table *table,
			u16 addr, const u8 *buf, u8 *check, u16 len)
{
	int ret;

	lockdep_assert_held(&ddev->bus->maintenance);

	ret = dxl_check_torque_off(ddev, table, DXL_PRIO_REQUEST);
	if (ret)
		return ret;

	ret = dxl_write(ddev, addr, buf, len);
	if (ret && !dxl_answer_missing(ret))
		return ret;

	/* The queue keeps the next request to it back for so long. */
	dxl_queue_rest(ddev, table->eeprom_write_us * len);

	ret = dxl_read(ddev, addr, check, len);
	if (ret)
		return ret;

	return memcmp(buf, check, len) ? -EIO : 0;
}

static bool covers(u16 addr, u16 len, u16 reg)
{
	return reg >= addr && reg < addr + len;
}

/**
 * dxl_eeprom_write() - write what a device keeps without power
 * @ddev: the device, with its table
 * @addr: first address
 * @buf: the bytes
 * @len: their number
 *
 * Not for the ID and the baud rate, for which there are dxl_set_id() and the
 * bus's attribute `baud`. The device is deaf for some milliseconds a byte, the
 * bus is not. What has been written is read back.
 *
 * Context: Process context. Sleeps; not within dxl_bus_reserve().
 * Return: 0; -EBUSY if the torque is on; -EIO if something else is read back;
 * -EOPNOTSUPP if the device has no table or answers no reads; -EINVAL if
 * the range is not all EEPROM; -EPERM if it is not for this function; -ENOMEM;
 * or the status of a transfer, see dxl_transfer_submit()
 */
int dxl_eeprom_write(struct dxl_device *ddev, u16 addr, const u8 *buf, u16 len)
{
	const struct dxl_table *table = READ_ONCE(ddev->table);

	if (!table)
		return -EOPNOTSUPP;
	if (!len || addr + len > table->eeprom_size)
		return -EINVAL;
	if (covers(addr, len, table->id) || covers(addr, len, table->baud))
		return -EPERM;

	u8 *check __free(kfree) = kmalloc(len, GFP_KERNEL);

	if (!check)
		return -ENOMEM;

	guard(mutex)(&ddev->bus->maintenance);

	return eeprom_write(ddev, table, addr, buf, check, len);
}
EXPORT_SYMBOL_NS_GPL(dxl_eeprom_write, DXL);

/* --- a device without its driver --- */

/*
 * The table lies in the driver's module, which may go with the driver. Its list
 * of baud rates is not copied.
 */
static int copy_table(struct dxl_device *ddev, struct dxl_table *table)
{
	guard(device)(&ddev->dev);

	if (!ddev->table)
		return -EOPNOTSUPP;

	*table = *ddev->table;
	table->bauds = NULL;

	return 0;
}

/* -ENODEV for one that was removed while its caller waited for the lock. */
static int check_present(struct dxl_device *ddev)
{
	lockdep_assert_held(&ddev->bus->devices_lock);

	return device_is_registered(&ddev->dev) ? 0 : -ENODEV;
}

/* Send an instruction that is answered without parameters. */
static int command(struct dxl_device *ddev, u8 instruction, const u8 *params,
		   u16 len, enum dxl_priority priority)
{
	struct dxl_reply reply = {
		.id = ddev->id,
		.return_delay_us = READ_ONCE(ddev->return_delay_us),
	};
	struct dxl_transfer xfer = {
		.request = {
			.protocol = ddev->protocol,
			.id = ddev->id,
			.instruction = instruction,
			.len = len,
			.params = params,
		},
		.replies = &reply,
		.num_replies =
			READ_ONCE(ddev->status_level) >= DXL_ANSWERS_ALL,
		.priority = priority,
	};
	int ret = dxl_transfer_sync(ddev->bus, &xfer);

	/* Whether it was understood shows when the device has started. */
	return dxl_answer_missing(ret) ? 0 : ret;
}

static int ping(struct dxl_device *ddev, enum dxl_priority priority)
{
	u8 buf[3];
	struct dxl_reply reply = {
		.id = ddev->id,
		.buf = buf,
		.len = ddev->protocol == DXL_PROTOCOL_2 ? sizeof(buf) : 0,
		.return_delay_us = DXL_RETURN_DELAY_MAX_US,
	};
	struct dxl_transfer xfer = {
		.request = {
			.protocol = ddev->protocol,
			.id = ddev->id,
			.instruction = DXL_PING,
		},
		.replies = &reply,
		.num_replies = 1,
		.priority = priority,
	};

	return dxl_transfer_sync(ddev->bus, &xfer);
}

/* Return: 0 as soon as the device answers, or why it does not */
static int wait_for_start(struct dxl_device *ddev, unsigned int ms,
			  enum dxl_priority priority)
{
	unsigned int i;
	int ret;

	msleep(ms);
	for (i = 0; i < START_TRIES; i++) {
		ret = ping(ddev, priority);
		if (!dxl_answer_missing(ret))
			return ret;
		msleep(START_PAUSE_MS);
	}

	return ret;
}

/* --- ID --- */

static int check_nobody_has(struct dxl_bus *bus, u8 id)
{
	struct dxl_found found;
	enum dxl_protocol protocol;
	int ret;

	for (protocol = DXL_PROTOCOL_1; protocol <= DXL_PROTOCOL_2; protocol++) {
		if (id > dxl_id_max(protocol))
			continue;
		ret = dxl_scan_id(bus, protocol, id, &found);
		if (!ret || ret == -EILSEQ)
			return -EBUSY;
		if (ret != -ENODEV)
			return ret;
	}

	return 0;
}

/* The answer to the write may come from either ID: what counts is the result. */
static int change_id(struct dxl_device *ddev, const struct dxl_table *table,
		     u8 id)
{
	struct dxl_bus *bus = ddev->bus;
	u8 now;
	int ret;

	ret = check_nobody_has(bus, id);
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

	dev_err(&ddev->dev, "ID is not %u now; the device %s\n", id,
		ping(ddev, DXL_PRIO_MAINTENANCE) ? "does not answer any more" :
						   "has kept its own");

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
 * Return: 0; -EBUSY if the ID is taken or the torque is on; -ERANGE if there is
 * no such ID; -EIO if the device does not answer to it; -EOPNOTSUPP if no driver
 * is bound that knows the device's table; -ENODEV if the device is gone; or
 * another negative errno
 */
int dxl_set_id(struct dxl_device *ddev, u8 id)
{
	struct dxl_table table;
	int ret;

	guard(mutex)(&ddev->bus->devices_lock);

	ret = check_present(ddev);
	if (ret)
		return ret;
	if (id == ddev->id)
		return 0;

	ret = check_new_id(ddev, id) ?: copy_table(ddev, &table);
	if (ret)
		return ret;

	/* Its driver, which may switch it off, must not be gone for nothing. */
	ret = dxl_check_torque_off(ddev, &table, DXL_PRIO_REQUEST);
	if (ret)
		return ret;

	device_release_driver(&ddev->dev);
	ret = change_id_reserved(ddev, &table, id);
	if (!ret)
		return replace_device(ddev, id);

	dxl_device_bind(ddev);

	return ret;
}
EXPORT_SYMBOL_NS_GPL(dxl_set_id, DXL);

/* --- start --- */

static int reboot(struct dxl_device *ddev, const struct dxl_table *table)
{
	int ret;

	guard(mutex)(&ddev->bus->maintenance);

	ret = command(ddev, DXL_REBOOT, NULL, 0, DXL_PRIO_REQUEST);
	if (ret)
		return ret;

	return wait_for_start(ddev, table->reboot_ms, DXL_PRIO_REQUEST);
}

/**
 * dxl_reboot() - let a device start anew
 * @ddev: the device; the caller has a reference
 *
 * Its driver is unbound before and bound again afterwards.
 *
 * Context: Process context. Sleeps; not for the device's own driver, nor within
 * dxl_bus_reserve().
 * Return: 0; -EOPNOTSUPP if the device does not speak Protocol 2.0 or no driver
 * is bound that knows its table; -ENODEV if the device is gone; -ETIMEDOUT if
 * it does not come back; or another negative errno
 */
int dxl_reboot(struct dxl_device *ddev)
{
	struct dxl_table table;
	int ret;

	guard(mutex)(&ddev->bus->devices_lock);

	ret = check_present(ddev) ?: copy_table(ddev, &table);
	if (ret)
		return ret;
	if (ddev->protocol != DXL_PROTOCOL_2)
		return -EOPNOTSUPP;

	device_release_driver(&ddev->dev);
	ret = reboot(ddev, &table);
	dxl_device_bind(ddev);

	return ret;
}
EXPORT_SYMBOL_NS_GPL(dxl_reboot, DXL);

/* --- factory reset --- */

/* With its factory ID the device must not come upon one that has it already. */
static int check_reset(struct dxl_device *ddev, enum dxl_reset what)
{
	struct dxl_device *other;

	if (ddev->protocol == DXL_PROTOCOL_1 && what != DXL_RESET_ALL)
		return -EOPNOTSUPP;
	if (what != DXL_RESET_ALL || ddev->id == FACTORY_ID)
		return 0;

	other = dxl_device_find(ddev->bus, FACTORY_ID);
	if (!other)
		return 0;

	put_device(&other->dev);

	return -EBUSY;
}

/* The device writes all of its EEPROM, and then starts. */
static unsigned int reset_ms(const struct dxl_table *table)
{
	return table->reboot_ms +
	       DIV_ROUND_UP(table->eeprom_write_us * table->eeprom_size, 1000);
}

static int factory_reset(struct dxl_device *ddev, const struct dxl_table *table,
			 enum dxl_reset what)
{
	bool v1 = ddev->protocol == DXL_PROTOCOL_1;
	const u8 param = what;
	int ret;

	if (what == DXL_RESET_ALL && ddev->id != FACTORY_ID) {
		ret = check_nobody_has(ddev->bus, FACTORY_ID);
		if (ret)
			return ret;
	}

	ret = command(ddev, DXL_FACTORY_RESET, &param, v1 ? 0 : sizeof(param),
		      DXL_PRIO_MAINTENANCE);
	if (ret)
		return ret;

	ret = wait_for_start(ddev, reset_ms(table), DXL_PRIO_MAINTENANCE);
	/* With another ID or baud rate it is not here any more. */
	if (dxl_answer_missing(ret) && what != DXL_RESET_KEEP_ID_BAUD) {
		dev_notice(&ddev->dev,
			   "reset; to be looked for by a scan at other baud rates\n");
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
 * Return: 0; -EBUSY if the torque is on, or another device has the ID that the
 * device would get; -EOPNOTSUPP if its protocol has no such reset or no driver
 * is bound that knows its table; -ENODEV if the device is gone; -ETIMEDOUT if
 * it should answer afterwards and does not; or another negative errno
 */
int dxl_factory_reset(struct dxl_device *ddev, enum dxl_reset what)
{
	struct dxl_table table;
	int ret;

	guard(mutex)(&ddev->bus->devices_lock);

	ret = check_present(ddev) ?: copy_table(ddev, &table) ?:
	      check_reset(ddev, what) ?:
	      dxl_check_torque_off(ddev, &table, DXL_PRIO_REQUEST);
	if (ret)
		return ret;

	device_release_driver(&ddev->dev);
	ret = factory_reset_reserved(ddev, &table, what);
	dxl_device_bind(ddev);

	return ret;
}
EXPORT_SYMBOL_NS_GPL(dxl_factory_reset, DXL);

/* --- attributes --- */

/*
 * What is written here may remove the device, and its attributes with it, which
 * would wait for the writer. Without that protection nothing else keeps this
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

static struct attribute *maintenance_attrs[] = {
	&dev_attr_id.attr,
	&dev_attr_reboot.attr,
	&dev_attr_factory_reset.attr,
	NULL
};

const struct attribute_group dxl_maintenance_group = {
	.attrs = maintenance_attrs,
};
