// SPDX-License-Identifier: GPL-2.0
/*
 * The devices that the node of a bus describes, from its beginning to its end
 */
#include <linux/cleanup.h>
#include <linux/device.h>
#include <linux/mutex.h>
#include <linux/property.h>

#include "../base/base.h"
#include "device.h"
#include "devices.h"

/**
 * dxl_device_add_described() - put a device on a bus that a node describes
 * @bus: the bus
 * @node: the node
 *
 * Return: 0, -EINVAL if the node has no proper ID, or as dxl_device_add()
 */
int dxl_device_add_described(struct dxl_bus *bus, struct fwnode_handle *node)
{
	struct dxl_device_desc desc = { .fwnode = node };
	u32 id;
	int ret;

	ret = fwnode_property_read_u32(node, "reg", &id);
	if (ret || id > DXL_ID_MAX) {
		dev_err(&bus->dev, "%pfw: reg is not an ID of 0 to %u\n", node,
			DXL_ID_MAX);
		return -EINVAL;
	}

	desc.id = id;
	ret = dxl_device_add(bus, &desc);
	if (ret)
		dev_err(&bus->dev, "%pfw: not added: %d\n", node, ret);

	return ret;
}

/*
 * From now on the bus takes devices, first those that its node describes. Only nodes
 * that are enabled are seen here. One that is wrong must not keep the others from the
 * bus.
 */
void dxl_devices_add_described(struct dxl_bus *bus)
{
	struct fwnode_handle *node;

	guard(mutex)(&bus->devices_lock);

	bus->live = true;
	device_for_each_child_node(&bus->dev, node)
		dxl_device_add_described(bus, node);
}

static int shut_down_device(struct device *dev, void *data)
{
	if (dxl_is_device(dev))
		dxl_device_shutdown(to_dxl_device(dev));

	return 0;
}

static int remove_device(struct device *dev, void *data)
{
	if (dxl_is_device(dev))
		dxl_device_remove(to_dxl_device(dev));

	return 0;
}

/* From now on it takes none, and has none. */
void dxl_devices_remove(struct dxl_bus *bus)
{
	guard(mutex)(&bus->devices_lock);

	bus->live = false;
	/* All joints first: each removal waits for those who read attributes. */
	device_for_each_child(&bus->dev, NULL, shut_down_device);
	device_for_each_child_reverse(&bus->dev, NULL, remove_device);
}
