/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a device-tree blob says about the bus and the devices on it, whatever
 * models those are.
 */
#ifndef COMMON_BUS_TREE_H
#define COMMON_BUS_TREE_H

#include <stdbool.h>
#include <stdio.h>

#include <linux/dxl/packet.h>

#define BUS_LABEL_MAX	32
#define BUS_SENSORS_MAX	96

/**
 * struct bus_node - the node of a device
 * @offset: where it is in the blob
 * @compatible: its list of compatible strings
 * @compatible_len: length of that list
 * @id: its ID
 * @labelled: it has a label of its own
 * @label: its label, or its ID in decimal
 * @sensors: what is plugged into its ports, with commas between them; empty if nothing
 *	says so
 */
struct bus_node {
	int offset;
	const char *compatible;
	int compatible_len;
	u8 id;
	bool labelled;
	char label[BUS_LABEL_MAX];
	char sensors[BUS_SENSORS_MAX];
};

/**
 * struct bus_tree - the bus
 * @file: what the blob is called in messages
 * @fdt: the blob
 * @err: where messages go
 * @baud: current-speed
 * @period_us: cycle-period-us; 0 if it is not there
 * @count: number of devices
 * @nodes: the devices
 */
struct bus_tree {
	const char *file;
	const void *fdt;
	FILE *err;
	unsigned int baud;
	unsigned int period_us;
	size_t count;
	struct bus_node nodes[DXL_ID_MAX + 1];
};

int bus_tree_parse(struct bus_tree *tree, const void *blob, size_t size,
		   const char *file, FILE *err);
int bus_tree_complain(const struct bus_tree *tree, int offset,
		      const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void *bus_tree_slurp(const char *file, size_t *size, FILE *err);

#endif
