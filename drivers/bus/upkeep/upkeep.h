/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What changes the devices themselves: their IDs, their rate, their settings
 *
 * What drivers use of this is in include/linux/dxl/bus.h; here is what user space has.
 */
#ifndef _DXL_UPKEEP_H
#define _DXL_UPKEEP_H

struct attribute_group;

/* Of a bus: baud.c */
extern const struct attribute_group dxl_baud_group;

/* Of a device: identity.c, reset.c, clear.c, backup.c */
extern const struct attribute_group dxl_identity_group;
extern const struct attribute_group dxl_reset_group;
extern const struct attribute_group dxl_clear_group;
extern const struct attribute_group dxl_backup_group;

#endif /* _DXL_UPKEEP_H */
