// SPDX-License-Identifier: GPL-2.0
/*
 * How a device answers, as its own registers say
 */
#include <linux/compiler.h>
#include <linux/device.h>
#include <linux/errno.h>
#include <linux/export.h>

#include "access.h"

#define RETURN_DELAY_STEP_US	2

/**
 * dxl_forget_answers() - assume nothing of how a device answers
 * @ddev: the device
 *
 * For one that has not been asked yet, or may have become another one.
 */
void dxl_forget_answers(struct dxl_device *ddev)
{
	WRITE_ONCE(ddev->status_level, DXL_ANSWERS_ALL);
	WRITE_ONCE(ddev->return_delay_us, DXL_RETURN_DELAY_MAX_US);
}
EXPORT_SYMBOL_NS_GPL(dxl_forget_answers, "DXL");

/**
 * dxl_learn_answers() - ask a device how it answers
 * @ddev: the device, its table set
 *
 * Context: Process context. Sleeps.
 * Return: 0, -ENODEV if its driver is leaving it, or as dxl_read()
 */
int dxl_learn_answers(struct dxl_device *ddev)
{
	const struct dxl_table *table = READ_ONCE(ddev->table);
	u8 level, delay;
	int ret;

	if (!table)
		return -ENODEV;

	ret = dxl_read(ddev, table->status_level, &level, 1);
	if (ret)
		return ret;
	ret = dxl_read(ddev, table->return_delay, &delay, 1);
	if (ret)
		return ret;

	WRITE_ONCE(ddev->status_level, level);
	WRITE_ONCE(ddev->return_delay_us, delay * RETURN_DELAY_STEP_US);

	return 0;
}
EXPORT_SYMBOL_NS_GPL(dxl_learn_answers, "DXL");
