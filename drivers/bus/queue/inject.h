/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where faults are made.
 */
#ifndef _DXL_INJECT_H
#define _DXL_INJECT_H

#include <linux/fault-inject.h>
#include <linux/types.h>

struct dentry;
struct dxl_bus;

/**
 * struct dxl_inject - faults to be made on a bus, see inject.c
 * @dir: their debugfs directory
 * @write: the line refuses a packet
 * @tx: a packet gets lost
 * @rx: a piece of what is received gets lost
 * @corrupt: a bit of it is changed
 */
struct dxl_inject {
#ifdef CONFIG_FAULT_INJECTION
	struct dentry *dir;
	struct fault_attr write;
	struct fault_attr tx;
	struct fault_attr rx;
	struct fault_attr corrupt;
#endif
};

bool dxl_inject_write(struct dxl_bus *bus);
bool dxl_inject_tx(struct dxl_bus *bus);
bool dxl_inject_rx(struct dxl_bus *bus);
bool dxl_inject_corrupt(struct dxl_bus *bus);

#endif /* _DXL_INJECT_H */
