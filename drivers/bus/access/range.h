/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What ranges of registers there are.
 */
#ifndef _DXL_RANGE_H
#define _DXL_RANGE_H

#include <linux/types.h>

#include <linux/dxl/bus.h>

/* registers.c */
int dxl_check_range(const struct dxl_device *ddev, u16 addr, size_t len);

/* eeprom.c */
bool dxl_is_kept(const struct dxl_table *table, u16 addr, u16 len);

#endif /* _DXL_RANGE_H */
