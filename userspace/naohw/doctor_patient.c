// SPDX-License-Identifier: GPL-2.0-or-later
/* What there is on the machine, of which nothing asks a device. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "doctor.h"

#define TREE	  "sys/firmware/devicetree/base"
#define TREE_DEEP 8
#define BUS_NODE  "robotis,dynamixel-bus"
#define BUTTONS	  " buttons"

/* A node says in a list of strings, each with its NUL, what it is. */
static bool is_bus_node(int root, const char *node)
{
	char text[256];
	long length = read_below(root, text, sizeof(text), "%s/compatible", node);

	for (long at = 0; at < length; at += (long)strlen(text + at) + 1)
		if (strcmp(text + at, BUS_NODE) == 0)
			return true;
	return false;
}

/* @path becomes that of the first one at or below it. */
static bool find_bus_node(int root, char *path, int depth)
{
	size_t length = strlen(path);
	struct names_below names;
	bool found = is_bus_node(root, path);

	if (found || depth == 0)
		return found;
	names = names_below(root, path, "*");
	for (int i = 0; i < names.count && !found; i++) {
		if (names.at[i]->d_type != DT_DIR)
			continue;
		snprintf(path + length, BELOW_PATH - length, "/%s", names.at[i]->d_name);
		found = find_bus_node(root, path, depth - 1);
	}
	names_below_free(&names);
	if (!found)
		path[length] = '\0';
	return found;
}

static void look_at_tree(struct patient *patient)
{
	snprintf(patient->node, sizeof(patient->node), TREE);
	patient->has_device_tree = is_below(patient->root, TREE);
	if (!find_bus_node(patient->root, patient->node, TREE_DEEP))
		patient->node[0] = '\0';
}

/* The first of its entries that fit; false: there is none. */
static bool first_below(int root, const char *directory, const char *pattern, char *path)
{
	struct names_below names = names_below(root, directory, pattern);
	bool found = names.count;

	if (found)
		snprintf(path, BELOW_PATH, "%.255s/%.255s", directory, names.at[0]->d_name);
	names_below_free(&names);
	return found;
}

/* Where nobody has described the device: its lights are "LABEL:...", its buttons "LABEL buttons". */
static void label_by_parts(int root, const char *path, struct patient_device *device)
{
	char directory[BELOW_PATH], part[BELOW_PATH], name[LABEL_SIZE];
	char *end;

	snprintf(directory, sizeof(directory), "%.256s/leds", path);
	if (first_below(root, directory, "*:*", part)) {
		snprintf(device->label, sizeof(device->label), "%.63s", strrchr(part, '/') + 1);
		*strchrnul(device->label, ':') = '\0';
		return;
	}
	snprintf(directory, sizeof(directory), "%.256s/input", path);
	if (!first_below(root, directory, "input*", part) ||
	    read_below(root, name, sizeof(name), "%s/name", part) < 0)
		return;
	end = strstr(name, BUTTONS);
	if (end) {
		*end = '\0';
		snprintf(device->label, sizeof(device->label), "%s", name);
	}
}

static void look_at_device(const struct patient *patient, struct patient_device *device)
{
	char path[BELOW_PATH];
	int root = patient->root;

	snprintf(path, sizeof(path), DXL_DEVICES "/%s", device->name);
	device->has_driver = is_below(root, "%s/driver", path);
	if (!first_below(root, path, "iio:device*", device->iio))
		device->iio[0] = '\0';
	if (read_below(root, device->label, LABEL_SIZE, "%s/label", path) > 0 ||
	    read_below(root, device->label, LABEL_SIZE, "%s/of_node/label", path) > 0)
		return;
	if (device->iio[0] &&
	    read_below(root, device->label, LABEL_SIZE, "%s/label", device->iio) > 0)
		return;
	memcpy(device->label, device->name, sizeof(device->name));
	label_by_parts(root, path, device);
}

bool device_is_on(const struct patient_device *device, const char *bus)
{
	const char *number = bus + strlen("dxl");
	size_t length = strlen(number);

	return strncmp(device->name, number, length) == 0 && device->name[length] == '-';
}

static bool look_at_devices(struct patient *patient)
{
	struct names_below names = names_below(patient->root, DXL_DEVICES, "[0-9]*-[0-9]*");

	patient->device = calloc((size_t)names.count + 1, sizeof(*patient->device));
	for (int i = 0; i < names.count && patient->device; i++) {
		struct patient_device *device = &patient->device[patient->device_count++];

		snprintf(device->name, sizeof(device->name), "%.15s", names.at[i]->d_name);
		look_at_device(patient, device);
	}
	names_below_free(&names);
	return patient->device;
}

/* Of a description that is given by its path, the name of the file, or of its directory. */
static void name_robot(struct patient *patient)
{
	const char *given = patient->robot ? patient->robot : getenv("NAOHW_ROBOT");
	char path[BELOW_PATH], *xml;

	if (!given || !*given)
		given = "bioloid";
	snprintf(path, sizeof(path), "%s", given);
	for (size_t end = strlen(path); end > 1 && path[end - 1] == '/'; end--)
		path[end - 1] = '\0';
	snprintf(patient->name, sizeof(patient->name), "%.63s", basename(path));
	xml = strstr(patient->name, ".xml");
	if (xml)
		*xml = '\0';
}

/* The naohwd of the robot, as other commands join it */
static int join_naohwd(struct patient *patient)
{
	struct naohw_error *err = &patient->join_err;
	struct naohw_dcm_settings *settings;
	int ret = naohw_robot_describe(patient->robot, &patient->described, err);

	if (ret == 0)
		ret = naohw_dcm_settings_new(&settings);
	if (ret < 0)
		return ret;
	naohw_dcm_settings_set_host(settings, -1);
	ret = naohw_dcm_open(patient->described, settings, &patient->dcm, err);
	naohw_dcm_settings_free(settings);
	return ret;
}

bool patient_look(struct patient *patient, int root, const char *robot)
{
	*patient = (struct patient){ .root = root, .robot = robot };
	name_robot(patient);
	if (read_below(root, patient->release, sizeof(patient->release),
		       "proc/sys/kernel/osrelease") < 0)
		snprintf(patient->release, sizeof(patient->release), "unknown");
	look_at_tree(patient);
	patient->buses = names_below(root, DXL_DEVICES, "dxl[0-9]*");
	patient->load_error = naohw_preferences_load(robot, &patient->preferences, &patient->err);
	patient->join_error = join_naohwd(patient);
	return look_at_devices(patient);
}

void patient_free(struct patient *patient)
{
	naohw_dcm_close(patient->dcm);
	naohw_robot_close(patient->described);
	names_below_free(&patient->buses);
	free(patient->device);
	naohw_preferences_free(patient->preferences);
}
