/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The cycle of a bus: its beat, and what is written and read at each
 *
 * What drivers use of this is in include/linux/dxl/cycle.h.
 */
#ifndef _DXL_CYCLE_H
#define _DXL_CYCLE_H

struct attribute_group;
struct dxl_bus;

/* --- life: cycle.c --- */

int dxl_cycle_alloc(struct dxl_bus *bus);
void dxl_cycle_free(struct dxl_bus *bus);
int dxl_cycle_register(struct dxl_bus *bus);
void dxl_cycle_unregister(struct dxl_bus *bus);
void dxl_cycle_stop(struct dxl_bus *bus);
void dxl_cycle_suspend(struct dxl_bus *bus);
void dxl_cycle_resume(struct dxl_bus *bus);

/* --- cycle/ of a bus: attrs.c --- */

extern const struct attribute_group dxl_cycle_group;

#endif /* _DXL_CYCLE_H */
