// SPDX-License-Identifier: GPL-2.0
/*
 * Devices on a Dynamixel bus
 *
 * A device is described by the machine's device tree, by user space, which
 * gives it a software node (see new_device.c), or by what it told a scan about
 * itself. Its driver is found by `compatible` in the first two cases, by its
 * model number in the last.
 *
 * Devices come and go under the bus's devices_lock. Drivers are bound and
 * unbound below it, so they must not take it. The ID of a device never changes
 * during its life: a new ID makes a new device.
 */
#include <linux/cleanup.h>
#include <linux/device.h>
#include <linux/lockdep.h>
#include <linux/of.h>
#include <linux/of_device.h>
#include <linux/property.h>
#include <linux/slab.h>
#include <linux/sysfs.h>
#include <linux/workqueue.h>

#include "../access/access.h"
#include "../base/base.h"
#include "../queue/queue.h"
#include "device.h"
#include "devices.h"

/* Longest modalias of a software node: its compatible and what is around it. */
#define MODALIAS_MAX	(DXL_COMPATIBLE_MAX + 32)

/* --- names --- */

/*
 * What of_device_modalias() gives for a node, for the devices that have none in
 * a device tree; so the same module is found.
 */
static int format_modalias(const struct dxl_device *ddev, char *buf,
			   size_t size)
{
	const char *compatible;

	if (!device_property_read_string(&ddev->dev, "compatible", &compatible))
		return snprintf(buf, size, "of:NdeviceT(null)C%s", compatible);
	if (!dev_fwnode(&ddev->dev) && ddev->identified)
		return snprintf(buf, size, "dxl:p%um%04X", ddev->protocol,
				ddev->model_number);

	return -ENODEV;
}

static ssize_t modalias_show(struct device *dev, struct device_attribute *attr,
			     char *buf)
{
	char modalias[MODALIAS_MAX];
	int ret;

	if (dev->of_node)
		return of_device_modalias(dev, buf, PAGE_SIZE);

	ret = format_modalias(to_dxl_device(dev), modalias, sizeof(modalias));
	if (ret < 0)
		return ret;

	return sysfs_emit(buf, "%s\n", modalias);
}
static DEVICE_ATTR_RO(modalias);

static int dxl_device_uevent(const struct device *dev,
			     struct kobj_uevent_env *env)
{
	char modalias[MODALIAS_MAX];

	if (dev->of_node)
		return of_device_uevent_modalias(dev, env);
	/* One without a name to go by waits for a driver to be named to it. */
	if (format_modalias(to_dxl_device(dev), modalias, sizeof(modalias)) < 0)
		return 0;

	return add_uevent_var(env, "MODALIAS=%s", modalias);
}

/* --- attributes --- */

/*
 * A device that did not answer when its driver bound may do so now. Any user may ask, so the
 * device is not locked while it is asked: suspend and shutdown need that lock to let a joint
 * go. What the driver knows of the control table goes with the driver. Nothing is kept, as the
 * driver may have learnt something newer meanwhile.
 */
static int ask_identity(struct dxl_device *ddev, struct dxl_identity *identity)
{
	u16 firmware = 0;

	scoped_guard(device, &ddev->dev) {
		if (!ddev->protocol)
			return -ENODATA;
		firmware = dxl_firmware_addr(ddev);
	}

	return dxl_ask_identity(ddev, DXL_PRIO_ATTRIBUTE, firmware, identity);
}

static int get_identity(struct device *dev, struct dxl_identity *identity)
{
	struct dxl_device *ddev = to_dxl_device(dev);

	/* Pairs with the release in dxl_identify(). */
	if (!smp_load_acquire(&ddev->identified))
		return ask_identity(ddev, identity);

	*identity = (struct dxl_identity){ ddev->model_number, ddev->firmware_version };

	return 0;
}

static ssize_t model_number_show(struct device *dev,
				 struct device_attribute *attr, char *buf)
{
	struct dxl_identity identity;

	return get_identity(dev, &identity) ?:
	       sysfs_emit(buf, "%u\n", identity.model_number);
}
static DEVICE_ATTR_RO(model_number);

static ssize_t firmware_version_show(struct device *dev,
				     struct device_attribute *attr, char *buf)
{
	struct dxl_identity identity;

	return get_identity(dev, &identity) ?:
	       sysfs_emit(buf, "%u\n", identity.firmware_version);
}
static DEVICE_ATTR_RO(firmware_version);

/* Its driver's, or what it has been found by. */
static ssize_t protocol_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	unsigned int protocol = READ_ONCE(to_dxl_device(dev)->protocol);

	return protocol ? sysfs_emit(buf, "%u\n", protocol) : -ENODATA;
}
static DEVICE_ATTR_RO(protocol);

static ssize_t label_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	const char *label;

	return device_property_read_string(dev, "label", &label) ? -ENODATA :
								  sysfs_emit(buf, "%s\n", label);
}
static DEVICE_ATTR_RO(label);

static struct attribute *dxl_device_attrs[] = {
	&dev_attr_modalias.attr,
	&dev_attr_model_number.attr,
	&dev_attr_firmware_version.attr,
	&dev_attr_protocol.attr,
	&dev_attr_label.attr,
	NULL
};

const struct attribute_group dxl_device_group = {
	.attrs = dxl_device_attrs,
};

static void dxl_device_release(struct device *dev)
{
	struct dxl_device *ddev = to_dxl_device(dev);

	fwnode_handle_put(dev_fwnode(dev));
	put_device(&ddev->bus->dev);
	kfree(ddev);
}

const struct device_type dxl_device_type = {
	.name = "dxl_device",
	.release = dxl_device_release,
	.uevent = dxl_device_uevent,
};

/* --- coming and going --- */

static int match_id(struct device *dev, const void *id)
{
	return dxl_is_device(dev) &&
	       to_dxl_device(dev)->id == *(const u8 *)id;
}

/* The device with number @id, with a reference to it, or NULL. */
struct dxl_device *dxl_device_find(struct dxl_bus *bus, u8 id)
{
	struct device *dev = device_find_child(&bus->dev, &id, match_id);

	return dev ? to_dxl_device(dev) : NULL;
}

static struct dxl_device *device_alloc(struct dxl_bus *bus,
				       const struct dxl_device_desc *desc)
{
	struct dxl_device *ddev = kzalloc(sizeof(*ddev), GFP_KERNEL);

	if (!ddev)
		return NULL;

	ddev->bus = bus;
	ddev->id = desc->id;
	ddev->dynamic = desc->dynamic;
	dxl_forget_answers(ddev);
	if (!desc->fwnode) {
		ddev->protocol = desc->protocol;
		ddev->model_number = desc->model_number;
		ddev->firmware_version = desc->firmware_version;
		ddev->identified = true;
	}

	dxl_ladder_device_init(ddev);
	device_initialize(&ddev->dev);
	get_device(&bus->dev);
	ddev->dev.parent = &bus->dev;
	ddev->dev.bus = &dxl_bus_type;
	ddev->dev.type = &dxl_device_type;
	ddev->dev.groups = bus->device_groups;
	device_set_node(&ddev->dev, fwnode_handle_get(desc->fwnode));

	return ddev;
}

static int device_register_as(struct dxl_bus *bus,
			      const struct dxl_device_desc *desc)
{
	struct dxl_device *ddev = device_alloc(bus, desc);
	int ret;

	if (!ddev)
		return -ENOMEM;

	ret = dev_set_name(&ddev->dev, "%d-%03u", bus->nr, desc->id);
	if (!ret)
		ret = device_add(&ddev->dev);
	if (ret) {
		put_device(&ddev->dev);
		return ret;
	}

	if (desc->bind_now)
		dxl_device_bind(ddev);

	return 0;
}

/*
 * Others may have the device still, the ladder for one. None of them needs the node,
 * which may go with its overlay.
 */
static void forget_node(struct dxl_device *ddev)
{
	struct fwnode_handle *node = dev_fwnode(&ddev->dev);

	device_set_node(&ddev->dev, NULL);
	fwnode_handle_put(node);
}

/**
 * dxl_device_remove() - take a device from its bus
 * @ddev: the device
 */
void dxl_device_remove(struct dxl_device *ddev)
{
	lockdep_assert_held(&ddev->bus->devices_lock);

	if (ddev->dev.of_node)
		of_node_clear_flag(ddev->dev.of_node, OF_POPULATED);
	get_device(&ddev->dev);
	device_unregister(&ddev->dev);
	if (disable_work_sync(&ddev->state_changed))
		put_device(&ddev->dev);
	forget_node(ddev);
	put_device(&ddev->dev);
}

/* A description prevails over what a scan has found, but over nothing else. */
static int make_way(struct dxl_device *ddev, const struct dxl_device_desc *desc)
{
	if (!desc->fwnode || dev_fwnode(&ddev->dev))
		return -EBUSY;

	dxl_device_remove(ddev);

	return 0;
}

/**
 * dxl_device_add() - put a device on a bus
 * @bus: the bus
 * @desc: the device
 *
 * Return: 0, -ENODEV if the bus takes no devices, -EBUSY if the ID is taken or
 * the node in use, or another negative errno
 */
int dxl_device_add(struct dxl_bus *bus, const struct dxl_device_desc *desc)
{
	struct device_node *np = to_of_node(desc->fwnode);
	struct dxl_device *other;
	int ret;

	lockdep_assert_held(&bus->devices_lock);

	if (!bus->live)
		return -ENODEV;

	other = dxl_device_find(bus, desc->id);
	if (other) {
		ret = make_way(other, desc);
		put_device(&other->dev);
		if (ret)
			return ret;
	}

	if (np && of_node_test_and_set_flag(np, OF_POPULATED))
		return -EBUSY;

	ret = device_register_as(bus, desc);
	if (ret && np)
		of_node_clear_flag(np, OF_POPULATED);

	return ret;
}
