// SPDX-License-Identifier: GPL-2.0
/*
 * Faults made on purpose, to see the queue survive them
 *
 * A directory for each bus in debugfs, dxl/dxlN/, holds the kernel's usual knobs
 * (Documentation/fault-injection in the kernel's tree) for
 *
 *   fail_write		the line refuses a packet: its transfer ends with -EIO
 *   fail_tx		a packet gets lost on its way out: a time-out
 *   fail_rx		a piece of what is received gets lost, as in an overrun
 *   corrupt_rx		one bit of what is received is changed
 */
#include <linux/debugfs.h>
#include <linux/device.h>
#include <linux/fault-inject.h>
#include <linux/slab.h>

#include "../base/base.h"
#include "inject.h"
#include "queue.h"

#ifdef CONFIG_FAULT_INJECTION

static struct dentry *inject_root;

void dxl_inject_module_init(void)
{
	inject_root = debugfs_create_dir("dxl", NULL);
}

void dxl_inject_module_exit(void)
{
	debugfs_remove(inject_root);
}

static void add_knob(struct dxl_bus *bus, const char *name,
		     struct fault_attr *attr)
{
	*attr = (struct fault_attr)FAULT_ATTR_INITIALIZER;
	/* A stack for each fault would bury what it leads to. */
	attr->verbose = 0;
	fault_create_debugfs_attr(name, bus->inject->dir, attr);
}

/* Returns 0 or -ENOMEM. */
int dxl_inject_alloc(struct dxl_bus *bus)
{
	bus->inject = kzalloc(sizeof(*bus->inject), GFP_KERNEL);

	return bus->inject ? 0 : -ENOMEM;
}

void dxl_inject_free(struct dxl_bus *bus)
{
	kfree(bus->inject);
}

void dxl_inject_init(struct dxl_bus *bus)
{
	struct dxl_inject *inject = bus->inject;

	inject->dir = debugfs_create_dir(dev_name(&bus->dev), inject_root);
	add_knob(bus, "fail_write", &inject->write);
	add_knob(bus, "fail_tx", &inject->tx);
	add_knob(bus, "fail_rx", &inject->rx);
	add_knob(bus, "corrupt_rx", &inject->corrupt);
}

void dxl_inject_exit(struct dxl_bus *bus)
{
	debugfs_remove(bus->inject->dir);
}

bool dxl_inject_write(struct dxl_bus *bus)
{
	return should_fail(&bus->inject->write, 1);
}

bool dxl_inject_tx(struct dxl_bus *bus)
{
	return should_fail(&bus->inject->tx, 1);
}

bool dxl_inject_rx(struct dxl_bus *bus)
{
	return should_fail(&bus->inject->rx, 1);
}

bool dxl_inject_corrupt(struct dxl_bus *bus)
{
	return should_fail(&bus->inject->corrupt, 1);
}

#else

void dxl_inject_module_init(void) { }
void dxl_inject_module_exit(void) { }
int dxl_inject_alloc(struct dxl_bus *bus) { return 0; }
void dxl_inject_free(struct dxl_bus *bus) { }
void dxl_inject_init(struct dxl_bus *bus) { }
void dxl_inject_exit(struct dxl_bus *bus) { }
bool dxl_inject_write(struct dxl_bus *bus) { return false; }
bool dxl_inject_tx(struct dxl_bus *bus) { return false; }
bool dxl_inject_rx(struct dxl_bus *bus) { return false; }
bool dxl_inject_corrupt(struct dxl_bus *bus) { return false; }

#endif
