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

#include "overlay.h"

#define BUS_COMPATIBLE	"robotis,dynamixel-bus"
#define FILE_MAX	(4u << 20)
#define NODE_PATH_MAX	512

#define BAUD_MIN	1000u
#define BAUD_MAX	10000000u

struct source {
	const char *file;
	const void *fdt;
	FILE *err;
};

/* Say what is wrong with a node, or with the file where @node is negative. */
static int __attribute__((format(printf, 3, 4)))
complain(const struct source *src, int node, const char *format, ...)
{
	char path[NODE_PATH_MAX];
	va_list args;

	fprintf(src->err, "%s: ", src->file);
	if (node >= 0) {
		if (fdt_get_path(src->fdt, node, path, sizeof(path)))
			snprintf(path, sizeof(path), "node at offset %d", node);
		fprintf(src->err, "%s: ", path);
	}

	va_start(args, format);
	vfprintf(src->err, format, args);
	va_end(args);
	fputc('\n', src->err);

	return -EINVAL;
}

static bool disabled(const struct source *src, int node)
{
	int len;
	const char *status = fdt_getprop(src->fdt, node, "status", &len);

	if (!status || !len)
		return false;

	return strncmp(status, "okay", len) && strncmp(status, "ok", len);
}

/* A property that is to be one 32-bit number. */
static int read_cell(const struct source *src, int node, const char *name,
		     uint32_t *value)
{
	int len;
	const void *prop = fdt_getprop(src->fdt, node, name, &len);
	fdt32_t cell;

	if (!prop)
		return complain(src, node, "has no %s", name);
	if (len != sizeof(cell))
		return complain(src, node,
				"%s has %d bytes, expected one cell of 4",
				name, len);

	memcpy(&cell, prop, sizeof(cell));
	*value = fdt32_to_cpu(cell);

	return 0;
}

/* --- devices --- */

static const struct model *matching_model(const char *list, int len)
{
	const struct model *model;
	size_t i;

	for (i = 0; (model = model_by_index(i)); i++)
		if (fdt_stringlist_contains(list, len, model->compatible))
			return model;

	return NULL;
}

/* The compatibles of all models, in words. */
static const char *known_models(char *text, size_t size)
{
	const struct model *model;
	size_t i, len = 0;

	text[0] = '\0';
	for (i = 0; (model = model_by_index(i)) && len < size; i++)
		len += snprintf(text + len, size - len, "%s\"%s\"",
				i ? " or " : "", model->compatible);

	return text;
}

static int read_model(const struct source *src, int node,
		      struct overlay_device *dev)
{
	char known[256];
	int len;
	const char *list = fdt_getprop(src->fdt, node, "compatible", &len);

	if (!list)
		return complain(src, node, "has no compatible");
	if (len < 1 || list[len - 1])
		return complain(src, node, "compatible is not a string");

	dev->model = matching_model(list, len);
	if (dev->model)
		return 0;

	return complain(src, node, "compatible is \"%s\", expected %s", list,
			known_models(known, sizeof(known)));
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
static int read_label(const struct source *src, int node,
		      struct overlay_device *dev)
{
	int len;
	const char *label = fdt_getprop(src->fdt, node, "label", &len);

	if (!label) {
		snprintf(dev->label, sizeof(dev->label), "%u", dev->id);
		return 0;
	}
	if (!good_label(label, len))
		return complain(src, node,
				"label is not a string of printing characters without spaces");
	if (len > LABEL_MAX)
		return complain(src, node,
				"label has %d characters, at most %d are possible",
				len - 1, LABEL_MAX - 1);
	memcpy(dev->label, label, len);

	return 0;
}

static int read_id(const struct source *src, int node,
		   struct overlay_device *dev)
{
	uint32_t reg;
	int ret = read_cell(src, node, "reg", &reg);

	if (ret)
		return ret;
	if (reg > DXL_ID_MAX)
		return complain(src, node, "reg is %u, expected an ID of 0 to %d",
				reg, DXL_ID_MAX);
	dev->id = reg;

	return 0;
}

static int check_unique(const struct source *src, int node,
			const struct overlay *overlay,
			const struct overlay_device *dev)
{
	size_t i;

	for (i = 0; i < overlay->count; i++) {
		const struct overlay_device *other = &overlay->devices[i];

		if (other->id == dev->id)
			return complain(src, node,
					"reg is %u, which %s has already",
					dev->id, other->label);
		if (!strcmp(other->label, dev->label))
			return complain(src, node,
					"label is \"%s\", which ID %u has already",
					dev->label, other->id);
	}

	return 0;
}

static int read_device(const struct source *src, int node,
		       struct overlay *overlay)
{
	struct overlay_device dev = { 0 };
	int ret = read_model(src, node, &dev);

	if (!ret)
		ret = read_id(src, node, &dev);
	if (!ret)
		ret = read_label(src, node, &dev);
	if (!ret)
		ret = check_unique(src, node, overlay, &dev);
	if (ret)
		return ret;

	if (model_baud_value(dev.model, overlay->baud) < 0)
		return complain(src, node,
				"current-speed of the bus is %u, which no %s can be set to",
				overlay->baud, dev.model->name);
	overlay->devices[overlay->count++] = dev;

	return 0;
}

/* --- the bus --- */

static int find_bus(const struct source *src)
{
	int bus = fdt_node_offset_by_compatible(src->fdt, -1, BUS_COMPATIBLE);
	int next;

	while (bus >= 0 && disabled(src, bus))
		bus = fdt_node_offset_by_compatible(src->fdt, bus,
						    BUS_COMPATIBLE);
	if (bus == -FDT_ERR_NOTFOUND)
		return complain(src, -1, "has no node compatible with \"%s\"",
				BUS_COMPATIBLE);
	if (bus < 0)
		return complain(src, -1, "damaged: %s", fdt_strerror(bus));

	next = fdt_node_offset_by_compatible(src->fdt, bus, BUS_COMPATIBLE);
	while (next >= 0 && disabled(src, next))
		next = fdt_node_offset_by_compatible(src->fdt, next,
						     BUS_COMPATIBLE);
	if (next >= 0)
		return complain(src, next, "is a second bus, expected only one");

	return bus;
}

static int read_baud(const struct source *src, int bus, struct overlay *overlay)
{
	uint32_t baud;
	int ret = read_cell(src, bus, "current-speed", &baud);

	if (ret)
		return ret;
	if (baud < BAUD_MIN || baud > BAUD_MAX)
		return complain(src, bus,
				"current-speed is %u, expected %u to %u",
				baud, BAUD_MIN, BAUD_MAX);
	overlay->baud = baud;

	return 0;
}

static int check_blob(const struct source *src, size_t size)
{
	int ret;

	if (size < sizeof(struct fdt_header))
		return complain(src, -1,
				"has %zu bytes, too few for a device-tree blob",
				size);
	if (fdt_magic(src->fdt) != FDT_MAGIC)
		return complain(src, -1,
				"begins with %08x, expected a device-tree blob (%08x)",
				fdt_magic(src->fdt), FDT_MAGIC);
	if (fdt_totalsize(src->fdt) > size)
		return complain(src, -1,
				"truncated: has %zu bytes, expected %u",
				size, fdt_totalsize(src->fdt));

	ret = fdt_check_full(src->fdt, size);
	if (ret)
		return complain(src, -1, "damaged: %s", fdt_strerror(ret));

	return 0;
}

/* Errors are written to @err in full; the return value only says that. */
int overlay_parse(struct overlay *overlay, const void *blob, size_t size,
		  const char *file, FILE *err)
{
	const struct source src = { .file = file, .fdt = blob, .err = err };
	int bus, node, ret;

	memset(overlay, 0, sizeof(*overlay));
	ret = check_blob(&src, size);
	if (ret)
		return ret;

	bus = find_bus(&src);
	if (bus < 0)
		return bus;
	ret = read_baud(&src, bus, overlay);
	if (ret)
		return ret;

	fdt_for_each_subnode(node, src.fdt, bus) {
		if (disabled(&src, node))
			continue;
		ret = read_device(&src, node, overlay);
		if (ret)
			return ret;
	}

	return overlay->count ? 0 : complain(&src, bus, "has no devices");
}

static void *slurp(const char *file, size_t *size, FILE *err)
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

int overlay_load(struct overlay *overlay, const char *file, FILE *err)
{
	size_t size;
	void *blob = slurp(file, &size, err);
	int ret;

	if (!blob)
		return -EINVAL;

	ret = overlay_parse(overlay, blob, size, file, err);
	free(blob);

	return ret;
}
