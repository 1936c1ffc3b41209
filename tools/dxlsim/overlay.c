// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the models of the devices that a device-tree blob describes. */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <libfdt.h>

#include "../common/bus_tree.h"
#include "models/models.h"
#include "overlay.h"

static_assert(LABEL_MAX == BUS_LABEL_MAX, "a label fits into a device");

static const struct model *matching_model(const struct bus_node *node)
{
	const struct model *model;
	size_t i;

	for (i = 0; (model = model_by_index(i)); i++)
		if (fdt_stringlist_contains(node->compatible,
					    node->compatible_len,
					    model->compatible))
			return model;

	return NULL;
}

static int read_ports(struct overlay_device *dev, const struct bus_tree *tree,
		      const struct bus_node *node)
{
	const struct board_spec *board = dev->model->board;
	char problem[PORTS_PROBLEM];

	if (!*node->sensors)
		return 0;
	if (!board || !board->port_count)
		return bus_tree_complain(tree, node->offset,
					 "robotis,port-sensors is there, but the %s has no ports",
					 dev->model->name);
	if (!ports_read(&dev->ports, board, node->sensors, problem))
		return bus_tree_complain(tree, node->offset, "robotis,port-sensors %s",
					 problem);
	dev->plugged = true;

	return 0;
}

static int add_device(struct overlay *overlay, const struct bus_tree *tree,
		      const struct bus_node *node)
{
	struct overlay_device *dev = &overlay->devices[overlay->count];

	dev->model = matching_model(node);
	if (!dev->model)
		return bus_tree_complain(tree, node->offset,
					 "compatible is \"%s\", which is no model here; dxlsim --models lists them",
					 node->compatible);
	if (dev->model->protocol == DXL_PROTOCOL_2 && node->id >= DXL_ID_MAX)
		return bus_tree_complain(tree, node->offset,
					 "reg is %u, expected an ID of 0 to %d for %s",
					 node->id, DXL_ID_MAX - 1,
					 dev->model->name);
	if (model_baud_value(dev->model, tree->baud) < 0)
		return bus_tree_complain(tree, node->offset,
					 "current-speed of the bus is %u, which no %s can be set to",
					 tree->baud, dev->model->name);
	dev->id = node->id;
	strcpy(dev->label, node->label);
	overlay->count++;

	return read_ports(dev, tree, node);
}

/* Errors are written to @err in full; the return value only says that. */
int overlay_parse(struct overlay *overlay, const void *blob, size_t size,
		  const char *file, FILE *err)
{
	struct bus_tree tree;
	size_t i;
	int ret;

	memset(overlay, 0, sizeof(*overlay));
	ret = bus_tree_parse(&tree, blob, size, file, err);
	overlay->baud = tree.baud;
	for (i = 0; !ret && i < tree.count; i++)
		ret = add_device(overlay, &tree, &tree.nodes[i]);

	return ret;
}

int overlay_load(struct overlay *overlay, const char *file, FILE *err)
{
	size_t size;
	void *blob = bus_tree_slurp(file, &size, err);
	int ret;

	if (!blob)
		return -EINVAL;

	ret = overlay_parse(overlay, blob, size, file, err);
	free(blob);

	return ret;
}
