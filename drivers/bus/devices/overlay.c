// SPDX-License-Identifier: GPL-2.0
/*
 * Nodes that come to and go from the device tree of the running machine
 *
 * Devices follow the nodes below the node of their bus. A bus itself is the
 * business of whoever drives its line: on a UART, the UART's driver has to be
 * bound anew.
 */
#include <linux/device.h>
#include <linux/notifier.h>
#include <linux/of.h>
#include <linux/property.h>

#include "../base/base.h"
#include "device.h"
#include "devices.h"

static struct dxl_bus *find_bus(const struct device_node *np)
{
	struct device *dev = bus_find_device_by_of_node(&dxl_bus_type, np);

	if (!dev)
		return NULL;
	if (!dxl_is_device(dev))
		return to_dxl_bus(dev);

	put_device(dev);

	return NULL;
}

static int node_added(struct device_node *np)
{
	struct dxl_bus *bus = find_bus(np->parent);
	int ret = 0;

	if (!bus)
		return 0;

	mutex_lock(&bus->devices_lock);
	/* A bus that is not live yet will look at all its nodes by itself. */
	if (bus->live && !of_node_check_flag(np, OF_POPULATED))
		ret = dxl_device_add_described(bus, of_fwnode_handle(np));
	mutex_unlock(&bus->devices_lock);
	put_device(&bus->dev);

	return ret;
}

static void node_removed(struct device_node *np)
{
	struct dxl_bus *bus;
	struct device *dev;

	if (!of_node_check_flag(np, OF_POPULATED))
		return;

	bus = find_bus(np->parent);
	if (!bus)
		return;

	mutex_lock(&bus->devices_lock);
	dev = bus_find_device_by_of_node(&dxl_bus_type, np);
	if (dev) {
		dxl_device_remove(to_dxl_device(dev));
		put_device(dev);
	}
	mutex_unlock(&bus->devices_lock);
	put_device(&bus->dev);
}

static int overlay_notify(struct notifier_block *nb, unsigned long action,
			  void *arg)
{
	struct of_reconfig_data *change = arg;

	switch (of_reconfig_get_state_change(action, change)) {
	case OF_RECONFIG_CHANGE_ADD:
		return notifier_from_errno(node_added(change->dn));
	case OF_RECONFIG_CHANGE_REMOVE:
		node_removed(change->dn);
		break;
	}

	return NOTIFY_OK;
}

static struct notifier_block overlay_notifier = {
	.notifier_call = overlay_notify,
};

int dxl_overlay_init(void)
{
	return of_reconfig_notifier_register(&overlay_notifier);
}

void dxl_overlay_exit(void)
{
	of_reconfig_notifier_unregister(&overlay_notifier);
}
