// SPDX-License-Identifier: GPL-2.0
/*
 * Devices that user space adds to a bus, on machines without a device tree
 *
 * Such a device gets a software node with the properties that it would have in
 * a device tree, so that its driver sees no difference.
 */
#include <linux/ctype.h>
#include <linux/device.h>
#include <linux/kstrtox.h>
#include <linux/minmax.h>
#include <linux/property.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include "../base/base.h"
#include "device.h"
#include "devices.h"

#define LABEL_MAX	64

#define SENSORS		"robotis,port-sensors"
#define SENSORS_MAX	8
#define PORTS		"ports="

/**
 * struct node_desc - the properties of a software node
 * @compatible: compatible
 * @id: reg
 * @label: label, or NULL
 * @sensors: robotis,port-sensors
 * @num_sensors: how many of these there are; 0 for none
 */
struct node_desc {
	const char *compatible;
	u8 id;
	const char *label;
	const char *sensors[SENSORS_MAX];
	unsigned int num_sensors;
};

/* --- software nodes --- */

static struct fwnode_handle *create_node(const struct node_desc *node)
{
	struct property_entry properties[5] = {
		PROPERTY_ENTRY_STRING("compatible", node->compatible),
		PROPERTY_ENTRY_U32("reg", node->id),
	};
	unsigned int count = 2;

	if (node->label)
		properties[count++] = PROPERTY_ENTRY_STRING("label", node->label);
	if (node->num_sensors)
		properties[count++] =
			PROPERTY_ENTRY_STRING_ARRAY_LEN(SENSORS, node->sensors,
							node->num_sensors);

	return fwnode_create_software_node(properties, NULL);
}

/**
 * dxl_device_new_node() - a software node as that of a device, with another ID
 * @ddev: a device with a software node
 * @id: the ID
 *
 * Return: the node, to be given back by fwnode_handle_put(), or an ERR_PTR
 */
struct fwnode_handle *dxl_device_new_node(struct dxl_device *ddev, u8 id)
{
	struct node_desc node = { .id = id };
	int ret;

	ret = device_property_read_string(&ddev->dev, "compatible",
					  &node.compatible);
	if (ret)
		return ERR_PTR(ret);
	device_property_read_string(&ddev->dev, "label", &node.label);
	ret = device_property_read_string_array(&ddev->dev, SENSORS,
						node.sensors, SENSORS_MAX);
	node.num_sensors = max(ret, 0);

	return create_node(&node);
}

/* --- new_device --- */

/* "VENDOR,MODEL", as no driver matches anything else. */
static bool is_compatible(const char *s)
{
	const char *comma = strchr(s, ',');

	if (strlen(s) > DXL_COMPATIBLE_MAX || !comma || comma == s || !comma[1])
		return false;

	for (; *s; s++)
		if (!isalnum(*s) && !strchr(",.-_+", *s))
			return false;

	return true;
}

static int parse_id(const char *s, u8 *id)
{
	int ret = kstrtou8(s, 0, id);

	if (ret)
		return ret;

	return *id <= DXL_ID_MAX ? 0 : -ERANGE;
}

static int add_device(struct dxl_bus *bus, const struct node_desc *node)
{
	struct dxl_device_desc desc = {
		.id = node->id,
		.dynamic = true,
		.bind_now = true,
	};
	int ret;

	desc.fwnode = create_node(node);
	if (IS_ERR(desc.fwnode))
		return PTR_ERR(desc.fwnode);

	mutex_lock(&bus->devices_lock);
	ret = dxl_device_add(bus, &desc);
	mutex_unlock(&bus->devices_lock);
	fwnode_handle_put(desc.fwnode);

	return ret;
}

/* The next word of *@s, or NULL. */
static char *next_word(char **s)
{
	char *word;

	do {
		word = strsep(s, " \t\n");
	} while (word && !*word);

	return word;
}

static int parse_label(const char *s, struct node_desc *node)
{
	if (s && strlen(s) > LABEL_MAX)
		return -EINVAL;
	node->label = s;

	return 0;
}

/* "ports=WORD,WORD". What the words mean is its driver's. */
static int parse_sensors(char *s, struct node_desc *node)
{
	const char *word;

	if (!s)
		return 0;
	if (!strstarts(s, PORTS))
		return -EINVAL;

	s += strlen(PORTS);
	while ((word = strsep(&s, ","))) {
		if (!*word || node->num_sensors == SENSORS_MAX)
			return -EINVAL;
		node->sensors[node->num_sensors++] = word;
	}

	return 0;
}

static int parse_node(char *s, struct node_desc *node)
{
	char *number;
	int ret;

	node->compatible = next_word(&s);
	number = next_word(&s);
	if (!number || !is_compatible(node->compatible))
		return -EINVAL;
	ret = parse_label(next_word(&s), node) ?:
	      parse_sensors(next_word(&s), node);
	if (ret || next_word(&s))
		return ret ?: -EINVAL;

	return parse_id(number, &node->id);
}

static ssize_t new_device_store(struct device *dev,
				struct device_attribute *attr, const char *buf,
				size_t len)
{
	struct node_desc node = {};
	int ret;

	char *copy __free(kfree) = kstrndup(buf, len, GFP_KERNEL);

	if (!copy)
		return -ENOMEM;

	ret = parse_node(copy, &node);
	if (ret)
		return ret;

	return add_device(to_dxl_bus(dev), &node) ?: len;
}
static DEVICE_ATTR_WO(new_device);

/* --- delete_device --- */

static int delete_device(struct dxl_bus *bus, u8 id)
{
	struct dxl_device *ddev;
	int ret = -EPERM;

	guard(mutex)(&bus->devices_lock);

	ddev = dxl_device_find(bus, id);
	if (!ddev)
		return -ENOENT;

	if (ddev->dynamic) {
		dxl_device_remove(ddev);
		ret = 0;
	}
	put_device(&ddev->dev);

	return ret;
}

static ssize_t delete_device_store(struct device *dev,
				   struct device_attribute *attr,
				   const char *buf, size_t len)
{
	u8 id;
	int ret;

	ret = parse_id(buf, &id);
	if (ret)
		return ret;

	return delete_device(to_dxl_bus(dev), id) ?: len;
}
static DEVICE_ATTR_WO(delete_device);

static struct attribute *new_device_attrs[] = {
	&dev_attr_new_device.attr,
	&dev_attr_delete_device.attr,
	NULL
};

const struct attribute_group dxl_new_device_group = {
	.attrs = new_device_attrs,
};
