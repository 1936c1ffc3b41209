// SPDX-License-Identifier: GPL-2.0-or-later
/* Attributes of the bus in sysfs, see Documentation/ABI/testing/sysfs-bus-dxl */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "devices.h"

#define SYSFS	"/sys/bus/dxl/devices"

/* 0 or a negative errno. */
static int write_attribute(unsigned int bus, const char *name, const char *text)
{
	ssize_t len = strlen(text);
	char path[128];
	int fd, ret = 0;

	snprintf(path, sizeof(path), SYSFS "/dxl%u/%s", bus, name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (write(fd, text, len) != len)
		ret = -errno;
	close(fd);

	return ret;
}

/* The line without its end; false if there is none. */
static bool read_attribute(const char *device, const char *name, char *text,
			   int size)
{
	char path[256];
	bool good;
	FILE *in;

	snprintf(path, sizeof(path), "%s/%s", device, name);
	in = fopen(path, "re");
	if (!in)
		return false;
	good = fgets(text, size, in);
	fclose(in);
	if (good)
		text[strcspn(text, "\n")] = '\0';

	return good;
}

/* --- adding --- */

/* What the overlay says of the bus itself, beside its rate. */
static void set_period(unsigned int bus, unsigned int period_us)
{
	char text[16];
	int ret;

	snprintf(text, sizeof(text), "%u", period_us);
	ret = write_attribute(bus, "cycle/period_us", text);
	if (ret)
		fprintf(stderr,
			"dxlattach: dxl%u: no period of %u us, as the overlay says: %s\n",
			bus, period_us, strerror(-ret));
}

static const char *explain(int error)
{
	switch (error) {
	case EBUSY:
		return "the bus has a device with this ID";
	case ENODEV:
	case ENOENT:
		return "the bus has gone";
	default:
		return strerror(error);
	}
}

static int add(unsigned int bus, const struct bus_node *node)
{
	char line[512];
	int ret;

	/* What is plugged in comes behind a label. */
	if (*node->sensors)
		snprintf(line, sizeof(line), "%s %u %s ports=%s", node->compatible,
			 node->id, node->label, node->sensors);
	else
		snprintf(line, sizeof(line), "%s %u %s", node->compatible, node->id,
			 node->labelled ? node->label : "");
	ret = write_attribute(bus, "new_device", line);
	if (ret)
		fprintf(stderr, "dxlattach: %s with ID %u is not added: %s\n",
			node->compatible, node->id, explain(-ret));
	else
		printf("  %u-%03u: %s %s\n", bus, node->id, node->compatible,
		       node->labelled ? node->label : "");

	return ret;
}

/* The number of devices added; one that is wrong does not keep the rest out. */
int devices_add(unsigned int bus, const struct bus_tree *tree)
{
	int added = 0;
	size_t i;

	if (tree->period_us)
		set_period(bus, tree->period_us);

	for (i = 0; i < tree->count; i++) {
		int ret = add(bus, &tree->nodes[i]);

		if (ret == -ENODEV || ret == -ENOENT)
			break;
		added += !ret;
	}

	return added;
}

/* --- scanning --- */

static void print_device(const char *path)
{
	char model[32], firmware[32];

	if (read_attribute(path, "model_number", model, sizeof(model)) &&
	    read_attribute(path, "firmware_version", firmware,
			   sizeof(firmware)))
		printf("  %s: model %s, firmware %s\n",
		       strrchr(path, '/') + 1, model, firmware);
}

static void print_devices(unsigned int bus)
{
	char pattern[64];
	glob_t found;
	size_t i;

	snprintf(pattern, sizeof(pattern), SYSFS "/%u-*", bus);
	if (glob(pattern, 0, NULL, &found))
		return;
	for (i = 0; i < found.gl_pathc; i++)
		print_device(found.gl_pathv[i]);
	globfree(&found);
}

/* 0, or -1 after saying what is wrong. */
int devices_scan(unsigned int bus)
{
	int ret = write_attribute(bus, "scan", "all");

	/* Whoever interrupts it wants us to end, which is not an error. */
	if (ret && ret != -EINTR) {
		fprintf(stderr, "dxlattach: dxl%u: the scan has failed: %s\n",
			bus, explain(-ret));
		return -1;
	}
	print_devices(bus);

	return 0;
}
