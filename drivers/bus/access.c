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

#include "core.h"

static int check_range(const struct dxl_device *ddev, u16 addr, size_t len)
{
	bool v1 = ddev->protocol == DXL_PROTOCOL_1;

	if (!len || addr + len > (v1 ? 0x100 : 0x10000))
		return -EINVAL;

	return v1 && len > DXL1_PARAMS_MAX ? -EINVAL : 0;
}

static int transfer(struct dxl_device *ddev, u8 instruction, const u8 *params,
		    size_t len, u8 *rx, size_t rx_len,
		    enum dxl_status_level level)
{
	struct dxl_transfer xfer = {
		.request = {
			.protocol = ddev->protocol,
			.id = ddev->id,
			.instruction = instruction,
			.len = len,
			.params = params,
		},
		.ddev = ddev,
		.answered = READ_ONCE(ddev->status_level) >= level,
		.rx = rx,
		.rx_len = rx_len,
		.return_delay_us = READ_ONCE(ddev->return_delay_us),
	};

	return dxl_transfer_sync(ddev->bus, &xfer);
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
	u8 params[DXL_RANGE_MAX];
	size_t n;
	int ret;

	ret = check_range(ddev, addr, len);
	if (ret)
		return ret;
	if (READ_ONCE(ddev->status_level) < DXL_ANSWERS_READ)
		return -EOPNOTSUPP;

	n = dxl_put_range(ddev->protocol, params, addr, len);

	return transfer(ddev, DXL_READ, params, n, buf, len, DXL_ANSWERS_READ);
}
EXPORT_SYMBOL_NS_GPL(dxl_read, DXL);

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
	size_t n;
	int ret;

	ret = check_range(ddev, addr, len);
	if (ret)
		return ret;

	u8 *params __free(kfree) = kmalloc(sizeof(addr) + len, GFP_KERNEL);

	if (!params)
		return -ENOMEM;

	/* A write names no length: it is that of the packet. */
	n = ddev->protocol == DXL_PROTOCOL_1 ? 1 : 2;
	put_unaligned_le16(addr, params);
	memcpy(params + n, buf, len);

	return transfer(ddev, DXL_WRITE, params, n + len, NULL, 0,
			DXL_ANSWERS_ALL);
}
EXPORT_SYMBOL_NS_GPL(dxl_write, DXL);

/**
 * dxl_identify() - read model number and firmware version of a device
 * @ddev: the device, its protocol set
 *
 * Context: Process context. Sleeps.
 * Return: 0, with the numbers in @ddev, or as dxl_read()
 */
int dxl_identify(struct dxl_device *ddev)
{
	/* The only registers whose place all models of a protocol share. */
	bool v1 = ddev->protocol == DXL_PROTOCOL_1;
	size_t firmware = v1 ? 2 : 6;
	u8 buf[7];
	int ret;

	ret = dxl_read(ddev, 0, buf, firmware + 1);
	if (ret)
		return ret;

	ddev->model_number = get_unaligned_le16(buf);
	ddev->firmware_version = buf[firmware];
	/* Pairs with the acquire where sysfs shows the two numbers. */
	smp_store_release(&ddev->identified, true);

	return 0;
}
EXPORT_SYMBOL_NS_GPL(dxl_identify, DXL);
