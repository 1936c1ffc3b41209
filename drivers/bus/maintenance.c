// SPDX-License-Identifier: GPL-2.0
/*
 * What changes the devices themselves: the bus for oneself, and what all of that
 * needs
 *
 * The rest is in eeprom.c, identity.c, baud.c, reset.c and backup.c, and what
 * user space sees of it in maintenance_attrs.c.
 *
 * Locks. The bus's `maintenance` mutex is held by whoever does such a thing, so
 * that two do not meet in one device. It nests in devices_lock, which is held
 * where a device is taken from its driver meanwhile. The queue, too, is reserved
 * where others could suffer: while an ID or a baud rate changes. A write to a
 * device's EEPROM makes just that device deaf for some milliseconds, and a
 * reboot for some more; the bus goes on for the others.
 *
 * Drivers. Writing EEPROM is the business of drivers too, and so is forgetting
 * turns. The rest changes what a driver has learnt about its device when it was
 * bound, so the device is taken from it first, while it still answers, and given
 * back afterwards.
 */
#include <linux/device.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/lockdep.h>

#include "core.h"

/* --- the bus for oneself --- */

/**
 * dxl_bus_reserve() - have a bus for oneself
 * @bus: the bus
 *
 * From here to dxl_bus_release() only transfers of %DXL_PRIO_MAINTENANCE and
 * %DXL_PRIO_RELEASE are sent. All others wait, so this is no place to wait for one. It
 * is refused while somebody streams poses, who cannot wait.
 *
 * Context: Process context. Sleeps; not for a driver's probe or remove, nor
 * twice by one caller.
 * Return: 0, -EBUSY while poses are streamed, or -EINTR if a signal came first
 */
int dxl_bus_reserve(struct dxl_bus *bus)
{
	int ret;

	ret = mutex_lock_interruptible(&bus->maintenance);
	if (ret)
		return ret;

	ret = dxl_queue_reserve(bus);
	if (ret)
		mutex_unlock(&bus->maintenance);

	return ret;
}
EXPORT_SYMBOL_NS_GPL(dxl_bus_reserve, "DXL");

/**
 * dxl_bus_release() - take back dxl_bus_reserve()
 * @bus: the bus
 */
void dxl_bus_release(struct dxl_bus *bus)
{
	dxl_queue_unreserve(bus);
	mutex_unlock(&bus->maintenance);
}
EXPORT_SYMBOL_NS_GPL(dxl_bus_release, "DXL");

/* --- asking a device --- */

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

/**
 * dxl_command() - send an instruction that is answered without parameters
 * @ddev: the device
 * @cmd: the instruction
 *
 * Return: 0 or the status of the transfer, see dxl_transfer_submit(); also 0 if
 * the device is to start anew and only its answer is missing: whether it has
 * understood shows when it has started
 */
int dxl_command(struct dxl_device *ddev, const struct dxl_command *cmd)
{
	struct dxl_reply reply = {
		.ddev = cmd->restarts ? NULL : ddev,
		.id = ddev->id,
		.return_delay_us = READ_ONCE(ddev->return_delay_us),
	};
	struct dxl_transfer xfer = {
		.request = {
			.protocol = ddev->protocol,
			.id = ddev->id,
			.instruction = cmd->instruction,
			.len = cmd->len,
			.params = cmd->params,
		},
		.replies = &reply,
		.num_replies =
			READ_ONCE(ddev->status_level) >= DXL_ANSWERS_ALL,
		.priority = cmd->priority,
		.repeatable = !cmd->restarts,
		.rest_us = cmd->rest_us,
	};
	int ret = dxl_transfer_sync(ddev->bus, &xfer);

	/* Without an answer the queue does not know when that begins. */
	if (!xfer.num_replies && cmd->rest_us)
		dxl_queue_rest(ddev, cmd->rest_us);

	return cmd->restarts && dxl_answer_missing(ret) ? 0 : ret;
}

/**
 * dxl_ping() - ask a device whether it is there
 * @ddev: the device
 * @priority: that of the transfer
 *
 * Return: the status of the transfer, see dxl_transfer_submit()
 */
int dxl_ping(struct dxl_device *ddev, enum dxl_priority priority)
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

/**
 * dxl_check_nobody_has() - whether an ID is free, known or not
 * @bus: the bus, reserved
 * @id: the ID
 *
 * Return: 0 if it is, -EBUSY if a device has it, or why that is not known
 */
int dxl_check_nobody_has(struct dxl_bus *bus, u8 id)
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

/* --- a device without its driver --- */

/**
 * dxl_copy_table() - keep what a device's driver has told of it
 * @ddev: the device
 * @table: where it goes, without the list of baud rates
 *
 * The table lies in the driver's module, which may go with the driver.
 *
 * Return: 0, or -EOPNOTSUPP if no driver is bound that knows the table
 */
int dxl_copy_table(struct dxl_device *ddev, struct dxl_table *table)
{
	guard(device)(&ddev->dev);

	if (!ddev->table)
		return -EOPNOTSUPP;

	*table = *ddev->table;
	table->bauds = NULL;

	return 0;
}

/**
 * dxl_check_present() - whether a device is still on its bus
 * @ddev: the device
 *
 * Return: 0, or -ENODEV for one that was removed while its caller waited for
 * the lock
 */
int dxl_check_present(struct dxl_device *ddev)
{
	lockdep_assert_held(&ddev->bus->devices_lock);

	return device_is_registered(&ddev->dev) ? 0 : -ENODEV;
}

/**
 * dxl_take_from_driver() - unbind a device's driver
 * @ddev: the device
 *
 * Return: 0, or -EBUSY while poses are streamed, as that would end the stream
 */
int dxl_take_from_driver(struct dxl_device *ddev)
{
	if (dxl_queue_has_stream(ddev->bus))
		return -EBUSY;

	device_release_driver(&ddev->dev);

	return 0;
}
