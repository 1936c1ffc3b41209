/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of this room know of a device.
 */
#ifndef _DXL_DEVICE_H
#define _DXL_DEVICE_H

#include <linux/types.h>

#include <linux/dxl/bus.h>

struct fwnode_handle;

/* Longest `compatible` that user space may give. */
#define DXL_COMPATIBLE_MAX	63

/* driver.c */
void dxl_device_shutdown(struct dxl_device *ddev);

/* described.c */
int dxl_device_add_described(struct dxl_bus *bus, struct fwnode_handle *fwnode);

#endif /* _DXL_DEVICE_H */
