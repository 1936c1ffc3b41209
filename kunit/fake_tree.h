/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Nodes of fake_buses.dtso in the running kernel's device tree.
 */
#ifndef _DXL_FAKE_TREE_H
#define _DXL_FAKE_TREE_H

#include <linux/types.h>

struct fwnode_handle;
struct kunit;

/* The overlays, by the kernel's rule for .dtbo.o files. */
extern const u8 __dtbo_fake_added_begin[];
extern const u8 __dtbo_fake_added_end[];
extern const u8 __dtbo_fake_buses_begin[];
extern const u8 __dtbo_fake_buses_end[];
extern const u8 __dtbo_fake_uart_begin[];
extern const u8 __dtbo_fake_uart_end[];

struct fwnode_handle *fake_tree_bus(struct kunit *test, const char *name);

#endif /* _DXL_FAKE_TREE_H */
