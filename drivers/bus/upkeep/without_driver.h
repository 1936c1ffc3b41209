/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A device that is changed, meanwhile without its driver.
 */
#ifndef _DXL_WITHOUT_DRIVER_H
#define _DXL_WITHOUT_DRIVER_H

#include <linux/device.h>
#include <linux/types.h>

#include <linux/dxl/bus.h>

/* without_driver.c */
int dxl_copy_table(struct dxl_device *ddev, struct dxl_table *table);
int dxl_check_present(struct dxl_device *ddev);
int dxl_take_from_driver(struct dxl_device *ddev);
ssize_t dxl_run_unprotected(struct device *dev, struct device_attribute *attr,
			    int (*run)(struct dxl_device *ddev, u8 arg),
			    u8 arg, size_t len);

/* reset.c */
int dxl_wait_for_start(struct dxl_device *ddev, unsigned int ms,
		       enum dxl_priority priority);
unsigned int dxl_reset_ms(const struct dxl_table *table);

#endif /* _DXL_WITHOUT_DRIVER_H */
