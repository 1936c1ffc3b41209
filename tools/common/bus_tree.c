// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads the bus and its devices from a flattened device tree, be it an overlay
 * or a whole machine's tree with the overlay merged in. The blob may be
 * damaged or hostile: libfdt checks its structure before anything else, and
 * all that is said about its contents names the file and the node.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <libfdt.h>

#include "bus_tree.h"

#define BUS_COMPATIBLE	"robotis,dynamixel-bus"
#define FILE_MAX	(4u << 20)
#define NODE_PATH_MAX	512

#define BAUD_MIN	1000u
#define BAUD_MAX	10000000u

/* Say what is wrong with a node, or with the file where @offset is negative. */
int bus_tree_complain(const struct bus_tree *tree, int offset,
		      const char *format, ...)
{
	char path[NODE_PATH_MAX];
	va_list args;

	fprintf(tree->err, "%s: ", tree->file);
	if (offset >= 0) {
		if (fdt_get_path(tree->fdt, offset, path, sizeof(path)))
			snprintf(path, sizeof(path), "node at offset %d",
				 offset);
		fprintf(tree->err, "%s: ", path);
	}

	va_start(args, format);
	vfprintf(tree->err, format, args);
	va_end(args);
	fputc('\n', tree->err);

	return -EINVAL;
}

static bool disabled(const struct bus_tree *tree, int offset)
{
	int len;
	const char *status = fdt_getprop(tree->fdt, offset, "status", &len);

	if (!status || !len)
		return false;

	return strncmp(status, "okay", len) && strncmp(status, "ok", len);
}

/* A property that is to be one 32-bit number. */
static int read_cell(const struct bus_tree *tree, int offset, const char *name,
		     uint32_t *value)
{
	int len;
	const void *prop = fdt_getprop(tree->fdt, offset, name, &len);
	fdt32_t cell;

	if (!prop)
		return bus_tree_complain(tree, offset, "has no %s", name);
	if (len != sizeof(cell))
		return bus_tree_complain(tree, offset,
					 "%s has %d bytes, expected one cell of 4",
					 name, len);

	memcpy(&cell, prop, sizeof(cell));
	*value = fdt32_to_cpu(cell);

	return 0;
}

/* --- devices --- */

static int read_compatible(const struct bus_tree *tree, struct bus_node *node)
{
	node->compatible = fdt_getprop(tree->fdt, node->offset, "compatible",
				       &node->compatible_len);
	if (!node->compatible)
		return bus_tree_complain(tree, node->offset,
					 "has no compatible");
	if (node->compatible_len < 1 ||
	    node->compatible[node->compatible_len - 1])
		return bus_tree_complain(tree, node->offset,
					 "compatible is not a string");

	return 0;
}

static int read_id(const struct bus_tree *tree, struct bus_node *node)
{
	uint32_t reg;
	int ret = read_cell(tree, node->offset, "reg", &reg);

	if (ret)
		return ret;
	if (reg > DXL_ID_MAX)
		return bus_tree_complain(tree, node->offset,
					 "reg is %u, expected an ID of 0 to %d",
					 reg, DXL_ID_MAX);
	node->id = reg;

	return 0;
}

static bool good_label(const char *label, int len)
{
	int i;

	if (len < 2 || label[len - 1])
		return false;
	for (i = 0; i < len - 1; i++)
		if (label[i] <= ' ' || label[i] > '~')
			return false;

	return true;
}

/* A device without a label goes by its ID. */
static int read_label(const struct bus_tree *tree, struct bus_node *node)
{
	int len;
	const char *label = fdt_getprop(tree->fdt, node->offset, "label", &len);

	if (!label) {
		snprintf(node->label, sizeof(node->label), "%u", node->id);
		return 0;
	}
	if (!good_label(label, len))
		return bus_tree_complain(tree, node->offset,
					 "label is not a string of printing characters without spaces");
	if (len > BUS_LABEL_MAX)
		return bus_tree_complain(tree, node->offset,
					 "label has %d characters, at most %d are possible",
					 len - 1, BUS_LABEL_MAX - 1);
	node->labelled = true;
	memcpy(node->label, label, len);

	return 0;
}

static bool good_sensors(const char *sensors, int len)
{
	int i;

	if (!len || sensors[len - 1])
		return false;
	for (i = 0; i < len - 1; i++)
		if (sensors[i] ? sensors[i] <= ' ' || sensors[i] > '~' || sensors[i] == ',' :
				 !sensors[i + 1])
			return false;

	return sensors[0];
}

/* What they mean is up to the device. */
static int read_sensors(const struct bus_tree *tree, struct bus_node *node)
{
	int len, i;
	const char *sensors = fdt_getprop(tree->fdt, node->offset,
					  "robotis,port-sensors", &len);

	if (!sensors)
		return 0;
	if (!good_sensors(sensors, len))
		return bus_tree_complain(tree, node->offset,
					 "robotis,port-sensors is not strings of printing characters without spaces and commas");
	if (len > BUS_SENSORS_MAX)
		return bus_tree_complain(tree, node->offset,
					 "robotis,port-sensors has %d bytes, at most %d are possible",
					 len, BUS_SENSORS_MAX);
	for (i = 0; i < len - 1; i++)
		node->sensors[i] = sensors[i] ? sensors[i] : ',';

	return 0;
}

static int check_unique(const struct bus_tree *tree,
			const struct bus_node *node)
{
	size_t i;

	for (i = 0; i < tree->count; i++) {
		const struct bus_node *other = &tree->nodes[i];

		if (other->id == node->id)
			return bus_tree_complain(tree, node->offset,
						 "reg is %u, which %s has already",
						 node->id, other->label);
		if (!strcmp(other->label, node->label))
			return bus_tree_complain(tree, node->offset,
						 "label is \"%s\", which ID %u has already",
						 node->label, other->id);
	}

	return 0;
}

static int read_node(struct bus_tree *tree, int offset)
{
	struct bus_node node = { .offset = offset };
	int ret = read_compatible(tree, &node);

	if (!ret)
		ret = read_id(tree, &node);
	if (!ret)
		ret = read_label(tree, &node);
	if (!ret)
		ret = read_sensors(tree, &node);
	if (!ret)
		ret = check_unique(tree, &node);
	if (!ret)
		tree->nodes[tree->count++] = node;

	return ret;
}

/* --- the bus --- */

/* The next bus in the blob that is not disabled, or a negative libfdt error. */
static int next_bus(const struct bus_tree *tree, int offset)
{
	do {
		offset = fdt_node_offset_by_compatible(tree->fdt, offset,
						       BUS_COMPATIBLE);
	} while (offset >= 0 && disabled(tree, offset));

	return offset;
}

static int find_bus(const struct bus_tree *tree)
{
	int bus = next_bus(tree, -1);
	int second;

	if (bus == -FDT_ERR_NOTFOUND)
		return bus_tree_complain(tree, -1,
					 "has no node compatible with \"%s\"",
					 BUS_COMPATIBLE);
	if (bus < 0)
		return bus_tree_complain(tree, -1, "damaged: %s",
					 fdt_strerror(bus));

	second = next_bus(tree, bus);
	if (second >= 0)
		return bus_tree_complain(tree, second,
					 "is a second bus, expected only one");

	return bus;
}

static int read_baud(struct bus_tree *tree, int bus)
{
	uint32_t baud;
	int ret = read_cell(tree, bus, "current-speed", &baud);

	if (ret)
		return ret;
	if (baud < BAUD_MIN || baud > BAUD_MAX)
		return bus_tree_complain(tree, bus,
					 "current-speed is %u, expected %u to %u",
					 baud, BAUD_MIN, BAUD_MAX);
	tree->baud = baud;

	return 0;
}

/* The kernel knows which ones it can do. */
static int read_period(struct bus_tree *tree, int bus)
{
	uint32_t period_us;
	int ret;

	if (!fdt_getprop(tree->fdt, bus, "cycle-period-us", NULL))
		return 0;

	ret = read_cell(tree, bus, "cycle-period-us", &period_us);
	if (!ret)
		tree->period_us = period_us;

	return ret;
}

static int check_blob(const struct bus_tree *tree, size_t size)
{
	int ret;

	if (size < sizeof(struct fdt_header))
		return bus_tree_complain(tree, -1,
					 "has %zu bytes, too few for a device-tree blob",
					 size);
	if (fdt_magic(tree->fdt) != FDT_MAGIC)
		return bus_tree_complain(tree, -1,
					 "begins with %08x, expected a device-tree blob (%08x)",
					 fdt_magic(tree->fdt), FDT_MAGIC);
	if (fdt_totalsize(tree->fdt) > size)
		return bus_tree_complain(tree, -1,
					 "truncated: has %zu bytes, expected %u",
					 size, fdt_totalsize(tree->fdt));

	ret = fdt_check_full(tree->fdt, size);
	if (ret)
		return bus_tree_complain(tree, -1, "damaged: %s",
					 fdt_strerror(ret));

	return 0;
}

/*
 * Errors are written to @err in full; the return value only says that. The blob
 * must stay in place as long as the tree is used.
 */
int bus_tree_parse(struct bus_tree *tree, const void *blob, size_t size,
		   const char *file, FILE *err)
{
	int bus, offset, ret;

	memset(tree, 0, sizeof(*tree));
	tree->file = file;
	tree->fdt = blob;
	tree->err = err;
	ret = check_blob(tree, size);
	if (ret)
		return ret;

	bus = find_bus(tree);
	if (bus < 0)
		return bus;
	ret = read_baud(tree, bus) ?: read_period(tree, bus);
	if (ret)
		return ret;

	fdt_for_each_subnode(offset, tree->fdt, bus) {
		if (disabled(tree, offset))
			continue;
		ret = read_node(tree, offset);
		if (ret)
			return ret;
	}

	return tree->count ? 0 : bus_tree_complain(tree, bus, "has no devices");
}

/* A whole file, to be freed; NULL after saying why not. */
void *bus_tree_slurp(const char *file, size_t *size, FILE *err)
{
	FILE *in = fopen(file, "rb");
	char *data = NULL;

	if (!in) {
		fprintf(err, "%s: %s\n", file, strerror(errno));
		return NULL;
	}

	/* Aligned as libfdt wants it, which malloc() sees to. */
	data = malloc(FILE_MAX + 1);
	if (data)
		*size = fread(data, 1, FILE_MAX + 1, in);
	if (!data || ferror(in)) {
		fprintf(err, "%s: %s\n", file, strerror(errno));
		free(data);
		data = NULL;
	} else if (*size > FILE_MAX) {
		fprintf(err, "%s: more than %u bytes, too long for a device-tree blob\n",
			file, FILE_MAX);
		free(data);
		data = NULL;
	}
	fclose(in);

	return data;
}
