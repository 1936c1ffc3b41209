// SPDX-License-Identifier: GPL-2.0
/*
 * Access to the control table of a device
 */
#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/unaligned.h>

#include "access.h"
#include "range.h"

/* Whether a device's protocol can name these registers in one packet. */
int dxl_check_range(const struct dxl_device *ddev, u16 addr, size_t len)
{
	bool v1 = ddev->protocol == DXL_PROTOCOL_1;

	if (!len || addr + len > (v1 ? 0x100 : 0x10000))
		return -EINVAL;

	return v1 && len > DXL1_PARAMS_MAX ? -EINVAL : 0;
}

/* Send the request of @xfer to @ddev, which answers it from status level @level on. */
static int transfer(struct dxl_device *ddev, struct dxl_transfer *xfer, u8 *rx,
		    size_t rx_len, enum dxl_status_level level)
{
	struct dxl_reply reply = {
		.ddev = ddev,
		.id = ddev->id,
		.buf = rx,
		.len = rx_len,
		.return_delay_us = READ_ONCE(ddev->return_delay_us),
	};

	xfer->request.protocol = ddev->protocol;
	xfer->request.id = ddev->id;
	xfer->replies = &reply;
	xfer->num_replies = READ_ONCE(ddev->status_level) >= level;
	xfer->repeatable = true;

	return dxl_transfer_sync(ddev->bus, xfer);
}

/* dxl_read() with a choice of priority. */
int dxl_read_prio(struct dxl_device *ddev, enum dxl_priority priority, u16 addr,
		  u8 *buf, u16 len)
{
	u8 params[DXL_RANGE_MAX];
	struct dxl_transfer xfer = {
		.request = {
			.instruction = DXL_READ,
			.params = params,
		},
		.priority = priority,
	};
	int ret;

	ret = dxl_check_range(ddev, addr, len);
	if (ret)
		return ret;
	if (READ_ONCE(ddev->status_level) < DXL_ANSWERS_READ)
		return -EOPNOTSUPP;

	xfer.request.len = dxl_put_range(ddev->protocol, params, addr, len);

	return transfer(ddev, &xfer, buf, len, DXL_ANSWERS_READ);
}

/**
 * dxl_read() - read from the control table of a device
 * @ddev: the device
 * @addr: first address
 * @buf: where the bytes go
 * @len: their number
 *
 * Context: Process context. Sleeps.
 * Return: 0, -EINVAL if the range does not exist in the device's protocol,
 * -EOPNOTSUPP if the device is set not to answer reads, or the status of the
 * transfer, see dxl_transfer_submit()
 */
int dxl_read(struct dxl_device *ddev, u16 addr, u8 *buf, u16 len)
{
	return dxl_read_prio(ddev, DXL_PRIO_REQUEST, addr, buf, len);
}
EXPORT_SYMBOL_NS_GPL(dxl_read, "DXL");

/**
 * dxl_read_attribute() - read from the control table for whoever reads an attribute
 * @ddev: the device
 * @addr: first address
 * @buf: where the bytes go
 * @len: their number
 *
 * dxl_read() with %DXL_PRIO_ATTRIBUTE: not for callers that hold what others need.
 *
 * Context: Process context. Sleeps.
 * Return: as dxl_read()
 */
int dxl_read_attribute(struct dxl_device *ddev, u16 addr, u8 *buf, u16 len)
{
	return dxl_read_prio(ddev, DXL_PRIO_ATTRIBUTE, addr, buf, len);
}
EXPORT_SYMBOL_NS_GPL(dxl_read_attribute, "DXL");

/* By the instruction of @xfer, and as it says. */
static int write_registers(struct dxl_device *ddev, struct dxl_transfer *xfer,
			   u16 addr, const u8 *buf, u16 len)
{
	size_t n;
	int ret;

	ret = dxl_check_range(ddev, addr, len);
	if (ret)
		return ret;

	u8 *params __free(kfree) = kmalloc(sizeof(addr) + len, GFP_KERNEL);

	if (!params)
		return -ENOMEM;

	/* A write names no length: it is that of the packet. */
	n = ddev->protocol == DXL_PROTOCOL_1 ? 1 : 2;
	put_unaligned_le16(addr, params);
	memcpy(params + n, buf, len);
	xfer->request.len = n + len;
	xfer->request.params = params;

	return transfer(ddev, xfer, NULL, 0, DXL_ANSWERS_ALL);
}

/* dxl_write() with a choice of priority. */
int dxl_write_prio(struct dxl_device *ddev, enum dxl_priority priority,
		   u16 addr, const u8 *buf, u16 len)
{
	struct dxl_transfer xfer = {
		.request.instruction = DXL_WRITE,
		.priority = priority,
	};

	return write_registers(ddev, &xfer, addr, buf, len);
}

/**
 * dxl_write() - write to the control table of a device
 * @ddev: the device
 * @addr: first address
 * @buf: the bytes
 * @len: their number
 *
 * Context: Process context. Sleeps.
 * Return: 0, -EINVAL if the range does not exist in the device's protocol,
 * -ENOMEM, or the status of the transfer, see dxl_transfer_submit()
 */
int dxl_write(struct dxl_device *ddev, u16 addr, const u8 *buf, u16 len)
{
	return dxl_write_prio(ddev, DXL_PRIO_REQUEST, addr, buf, len);
}
EXPORT_SYMBOL_NS_GPL(dxl_write, "DXL");

/**
 * dxl_write_as() - write to the control table of a device in a way of its own
 * @ddev: the device
 * @how: whose priority and @wanted are those of the write
 * @addr: first address
 * @buf: the bytes
 * @len: their number
 *
 * Context: Process context. Sleeps.
 * Return: as dxl_write(); -ECANCELED if it was wanted no more, and not sent
 */
int dxl_write_as(struct dxl_device *ddev, const struct dxl_transfer *how,
		 u16 addr, const u8 *buf, u16 len)
{
	struct dxl_transfer xfer = {
		.request.instruction = DXL_WRITE,
		.priority = how->priority,
		.wanted = how->wanted,
		.wanted_context = how->wanted_context,
	};

	return write_registers(ddev, &xfer, addr, buf, len);
}
EXPORT_SYMBOL_NS_GPL(dxl_write_as, "DXL");

/**
 * dxl_reg_write() - have a device keep a write until dxl_action()
 * @ddev: the device
 * @addr: first address
 * @buf: the bytes
 * @len: their number
 *
 * Context: Process context. Sleeps.
 * Return: as dxl_write()
 */
int dxl_reg_write(struct dxl_device *ddev, u16 addr, const u8 *buf, u16 len)
{
	struct dxl_transfer xfer = {
		.request.instruction = DXL_REG_WRITE,
		.priority = DXL_PRIO_REQUEST,
	};

	return write_registers(ddev, &xfer, addr, buf, len);
}
EXPORT_SYMBOL_NS_GPL(dxl_reg_write, "DXL");

/**
 * dxl_action() - have all devices carry out the writes that they keep
 * @bus: the bus
 * @protocol: protocol of the devices that are meant
 *
 * To be called when the dxl_reg_write() calls have returned.
 *
 * Context: Process context. Sleeps.
 * Return: 0 or the status of the transfer, see dxl_transfer_submit()
 */
int dxl_action(struct dxl_bus *bus, enum dxl_protocol protocol)
{
	struct dxl_transfer xfer = {
		.request = {
			.protocol = protocol,
			.id = DXL_ID_BROADCAST,
			.instruction = DXL_ACTION,
		},
		.priority = DXL_PRIO_REQUEST,
	};

	return dxl_transfer_sync(bus, &xfer);
}
EXPORT_SYMBOL_NS_GPL(dxl_action, "DXL");

/* From the model number to the firmware version, at the most. */
#define IDENTITY_MAX	(DXL2_ADDR_FIRMWARE + 1)

/*
 * Where a device has its firmware version, behind its model number at address 0. These are the
 * only registers whose place the models of a protocol share, but for the XL-320, which speaks
 * 2.0 with the table of 1.0.
 */
u16 dxl_firmware_addr(const struct dxl_device *ddev)
{
	const struct dxl_table *table = READ_ONCE(ddev->table);
	bool short_table = ddev->protocol == DXL_PROTOCOL_1 ||
			   (table && table->id == DXL1_ADDR_ID);

	return short_table ? DXL1_ADDR_FIRMWARE : DXL2_ADDR_FIRMWARE;
}

/* Ask a device for both, of which the second is at @firmware. */
int dxl_ask_identity(struct dxl_device *ddev, enum dxl_priority priority, u16 firmware,
		     struct dxl_identity *identity)
{
	u8 buf[IDENTITY_MAX];
	int ret;

	ret = dxl_read_prio(ddev, priority, 0, buf, firmware + 1);
	if (ret)
		return ret;

	identity->model_number = get_unaligned_le16(buf);
	identity->firmware_version = buf[firmware];

	return 0;
}

/**
 * dxl_identify() - read model number and firmware version of a device
 * @ddev: the device, its protocol set
 *
 * Context: Process context. Sleeps.
 * Return: 0, with the numbers in @ddev, or as dxl_read()
 */
int dxl_identify(struct dxl_device *ddev)
{
	struct dxl_identity identity;
	int ret;

	ret = dxl_ask_identity(ddev, DXL_PRIO_REQUEST, dxl_firmware_addr(ddev), &identity);
	if (ret)
		return ret;

	ddev->model_number = identity.model_number;
	ddev->firmware_version = identity.firmware_version;
	/* Pairs with the acquire where sysfs shows the two numbers. */
	smp_store_release(&ddev->identified, true);

	return 0;
}
EXPORT_SYMBOL_NS_GPL(dxl_identify, "DXL");
