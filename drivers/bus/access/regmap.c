// SPDX-License-Identifier: GPL-2.0
/*
 * The control table of a device in debugfs, as regmap shows it
 *
 * It is there while a driver is bound that knows the table. Nothing is cached:
 * registers change by themselves. One file shows all of them, so those that the
 * device does not let be read are XX.
 */
#include <linux/device.h>
#include <linux/err.h>
#include <linux/regmap.h>
#include <linux/unaligned.h>

#include "access.h"
#include "range.h"

/* Bytes of an address, as regmap hands it over: the most significant first. */
#define ADDR_SIZE	2

static int registers_read(void *context, const void *reg, size_t reg_size,
			  void *val, size_t val_size)
{
	return dxl_read(context, get_unaligned_be16(reg), val, val_size);
}

static int registers_write(void *context, const void *data, size_t count)
{
	const struct dxl_table *table;
	struct dxl_device *ddev = context;
	u16 addr = get_unaligned_be16(data);
	const u8 *val = data + ADDR_SIZE;

	table = READ_ONCE(ddev->table);
	if (!table)
		return -ENODEV;
	if (dxl_is_kept(table, addr, 1))
		return dxl_eeprom_write(ddev, addr, val, count - ADDR_SIZE);

	return dxl_write(ddev, addr, val, count - ADDR_SIZE);
}

static const struct regmap_bus registers_bus = {
	.read = registers_read,
	.write = registers_write,
	.max_raw_read = DXL1_PARAMS_MAX,
};

static int add_map(struct dxl_device *ddev, unsigned int size)
{
	const struct regmap_config config = {
		.reg_bits = BITS_PER_BYTE * ADDR_SIZE,
		.val_bits = BITS_PER_BYTE,
		.max_register = size - 1,
		.cache_type = REGCACHE_NONE,
	};

	return PTR_ERR_OR_ZERO(devm_regmap_init(&ddev->dev, &registers_bus,
						ddev, &config));
}

/**
 * dxl_regmap_add() - show a device's control table until its driver unbinds
 * @ddev: the device
 *
 * Return: 0, also if the driver has not said what the table is; or a negative
 * errno
 */
int dxl_regmap_add(struct dxl_device *ddev)
{
	return ddev->table ? add_map(ddev, ddev->table->size) : 0;
}
