// SPDX-License-Identifier: GPL-2.0
/*
 * What devices keep without power
 */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/lockdep.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/unaligned.h>

#include "../base/base.h"
#include "access.h"
#include "range.h"

static bool has_pages(const struct dxl_table *table, u16 addr, u16 len)
{
	return table->pages && addr + len > table->pages;
}

/* How long a device is deaf after a write. */
static u32 rest_us(const struct dxl_table *table, u16 addr, u16 len)
{
	return table->eeprom_write_us * (has_pages(table, addr, len) ? 1 : len);
}

/* As dxl_write(), but that the device is left alone while it is deaf. */
static int send_write(struct dxl_device *ddev, const struct dxl_table *table,
		      u16 addr, const u8 *buf, u16 len)
{
	size_t addr_len = ddev->protocol == DXL_PROTOCOL_1 ? 1 : sizeof(addr);
	struct dxl_command cmd = {
		.instruction = DXL_WRITE,
		.len = addr_len + len,
		.priority = DXL_PRIO_REQUEST,
		.rest_us = rest_us(table, addr, len),
	};

	u8 *params __free(kfree) = kmalloc(sizeof(addr) + len, GFP_KERNEL);

	if (!params)
		return -ENOMEM;

	put_unaligned_le16(addr, params);
	memcpy(params + addr_len, buf, len);
	cmd.params = params;

	return dxl_command(ddev, &cmd);
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

	ret = send_write(ddev, table, addr, buf, len);
	if (ret && !dxl_answer_missing(ret))
		return ret;

	/* The queue keeps this back until the device hears again. */
	ret = dxl_read(ddev, addr, check, len);
	if (ret)
		return ret;

	return memcmp(buf, check, len) ? -EIO : 0;
}

/* What is in pages is written in one of them. */
static bool is_writable(const struct dxl_table *table, u16 addr, u16 len)
{
	if (!len || !dxl_is_kept(table, addr, len))
		return false;

	return !has_pages(table, addr, len) ||
	       addr / DXL_PAGE_SIZE == (addr + len - 1) / DXL_PAGE_SIZE;
}

/**
 * dxl_is_kept() - whether a device keeps registers without power
 * @table: its control table
 * @addr: the first
 * @len: their number
 *
 * Return: true if it keeps all of them
 */
bool dxl_is_kept(const struct dxl_table *table, u16 addr, u16 len)
{
	return addr + len <= table->eeprom_size ||
	       (addr >= table->storage &&
		addr + len <= table->storage + table->storage_size);
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
 * bus's attribute `baud`. The device is deaf for some milliseconds a byte or page,
 * the bus is not. What has been written is read back.
 *
 * Context: Process context. Sleeps; not within dxl_bus_reserve().
 * Return: 0; -EBUSY if the torque is on; -EIO if something else is read back;
 * -EOPNOTSUPP if the device has no table or answers no reads; -EINVAL if
 * the range is not all kept, or in more than one page; -EPERM if it is not for this
 * function; -ENOMEM; or the status of a transfer, see dxl_transfer_submit()
 */
int dxl_eeprom_write(struct dxl_device *ddev, u16 addr, const u8 *buf, u16 len)
{
	const struct dxl_table *table = READ_ONCE(ddev->table);

	if (!table)
		return -EOPNOTSUPP;
	if (!is_writable(table, addr, len))
		return -EINVAL;
	if (covers(addr, len, table->id) || covers(addr, len, table->baud))
		return -EPERM;

	u8 *check __free(kfree) = kmalloc(len, GFP_KERNEL);

	if (!check)
		return -ENOMEM;

	guard(mutex)(&ddev->bus->maintenance);

	return eeprom_write(ddev, table, addr, buf, check, len);
}
EXPORT_SYMBOL_NS_GPL(dxl_eeprom_write, "DXL");
