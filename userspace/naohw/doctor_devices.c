// SPDX-License-Identifier: GPL-2.0-or-later
/* What is on the buses, who may use it, and what it says of itself. */
#include <dirent.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "doctor.h"

void check_devices(const struct patient *patient, struct finding *finding)
{
	const char *bus;

	if (!patient->buses.count) {
		not_looked_at(finding, "There is no bus.");
		return;
	}
	if (patient->device_count) {
		is_well(finding, "%zu device%s on the bus.", patient->device_count,
			patient->device_count == 1 ? " is" : "s are");
		return;
	}
	bus = patient->buses.at[0]->d_name;
	is_wrong(finding, "The bus has no devices.");
	because(finding, *patient->node ?
				 "The overlay has a bus only: robot= is missing, or unknown." :
				 "dxlattach was told no overlay, and has not scanned.");
	so_do(finding, "echo all | sudo tee /%s/%s/scan finds what answers", DXL_DEVICES, bus);
}

/* With the model that it has said it is, if it has. */
static void enumerate_driverless(const struct patient *patient, const struct patient_device *device,
				 struct enumeration *names)
{
	char number[16], text[LABEL_SIZE + 32];

	read_below(patient->root, number, sizeof(number), DXL_DEVICES "/%s/model_number",
		   device->name);
	snprintf(text, sizeof(text), *number ? "%s (model %s)" : "%s", device->label, number);
	enumerate(names, text);
}

/* A driver has asked it which model it is, and has left it alone. */
static bool is_refused(const struct patient *patient, const struct patient_device *device)
{
	char number[16];

	return read_below(patient->root, number, sizeof(number), DXL_DEVICES "/%s/model_number",
			  device->name) > 0;
}

/* Those that are not loaded: no driver of theirs has looked at any device. */
static void enumerate_missing(const struct patient *patient, struct enumeration *modules)
{
	static const char *const names[] = { "dxl_servo", "dxl_board" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!is_below(patient->root, "sys/module/%s", names[i]))
			enumerate(modules, names[i]);
}

static void say_refused(struct enumeration *refused, struct finding *finding)
{
	const struct naohw_reason *reason = naohw_reason_of("other-model");

	is_wrong(finding, "No driver has taken %s.", enumerated(refused));
	because(finding, "%s: %s.", reason->word, reason->what);
	so_do(finding, "%s; sudo dmesg | grep 'found model' says which it is", reason->remedy);
}

static void say_driverless(const struct patient *patient, struct enumeration *names,
			   struct finding *finding)
{
	struct enumeration modules = { 0 };

	enumerate_missing(patient, &modules);
	is_wrong(finding, "No driver has taken %s.", enumerated(names));
	if (modules.count) {
		because(finding, "Not loaded: %s.", enumerated(&modules));
		so_do(finding, "sudo modprobe -a dxl_servo dxl_board");
	} else {
		because(finding, "No driver here is for what the overlay calls it.");
		so_do(finding, "correct the overlay; sudo dmesg | grep dxl may say more");
	}
}

void check_drivers(const struct patient *patient, struct finding *finding)
{
	struct enumeration refused = { 0 }, others = { 0 };

	if (!patient->device_count) {
		not_looked_at(finding, "There are no devices.");
		return;
	}
	for (size_t i = 0; i < patient->device_count; i++) {
		const struct patient_device *device = &patient->device[i];

		if (!device->has_driver)
			enumerate_driverless(patient, device,
					     is_refused(patient, device) ? &refused : &others);
	}
	if (others.count)
		say_driverless(patient, &others, finding);
	else if (refused.count)
		say_refused(&refused, finding);
	else
		is_well(finding, "All devices have their drivers.");
}

/* ---- Permissions ---- */

static bool may(const struct patient *patient, const char *path, int mode)
{
	return !is_below(patient->root, "%s", path) ||
	       faccessat(patient->root, path, mode, AT_EACCESS) == 0;
}

/* Of the first joint; the rules of udev are for all or for none. false: not to be written. */
static bool may_move(const struct patient *patient, char *path)
{
	for (size_t i = 0; i < patient->device_count; i++) {
		const char *iio = patient->device[i].iio;

		snprintf(path, BELOW_PATH, "%.400s/out_angl0_raw", iio);
		if (*iio && is_below(patient->root, "%s", path))
			return may(patient, path, W_OK);
	}
	return true;
}

static bool may_stream(const struct patient *patient, char *path)
{
	struct names_below names = names_below(patient->root, IIO_DEVICES, "iio:device*");
	bool may_all = true;
	char name[64];

	for (int i = 0; i < names.count && may_all; i++) {
		read_below(patient->root, name, sizeof(name), IIO_DEVICES "/%s/name",
			   names.at[i]->d_name);
		if (fnmatch("dxl*-state", name, 0) != 0 && fnmatch("dxl*-goal", name, 0) != 0)
			continue;
		snprintf(path, BELOW_PATH, "dev/%s", names.at[i]->d_name);
		may_all = may(patient, path, R_OK | W_OK);
	}
	names_below_free(&names);
	return may_all;
}

static bool may_lease(const struct patient *patient, char *path)
{
	for (int i = 0; i < patient->buses.count; i++) {
		snprintf(path, BELOW_PATH, "dev/%s", patient->buses.at[i]->d_name);
		if (!may(patient, path, R_OK | W_OK))
			return false;
	}
	return true;
}

void check_permissions(const struct patient *patient, struct finding *finding)
{
	char path[BELOW_PATH];
	struct stat is;

	if (!patient->device_count) {
		not_looked_at(finding, "There are no devices.");
		return;
	}
	if (may_move(patient, path) && may_stream(patient, path) && may_lease(patient, path)) {
		is_well(finding, "You may read frames, and move joints.");
		return;
	}
	is_wrong(finding, "You may not write to /%s.", path);
	if (fstatat(patient->root, path, &is, 0) == 0 && is.st_mode & S_IWGRP) {
		because(finding, "Only root and the group robot may, and you are not in it.");
		so_do(finding, "sudo adduser $USER robot, and log in anew");
		return;
	}
	because(finding, "The rules of udev that come with naohw-dkms have not been applied.");
	so_do(finding,
	      "sudo apt install --reinstall naohw-dkms; sudo udevadm trigger --action=add");
}

/* ---- Faults ---- */

void check_errors(const struct patient *patient, struct finding *finding)
{
	struct enumeration names = { 0 };
	char words[80], text[LABEL_SIZE + 96];

	if (!patient->device_count) {
		not_looked_at(finding, "There are no devices.");
		return;
	}
	for (size_t i = 0; i < patient->device_count; i++) {
		const struct patient_device *device = &patient->device[i];

		if (!*device->iio || read_below(patient->root, words, sizeof(words),
						"%s/hardware_error", device->iio) <= 0)
			continue;
		snprintf(text, sizeof(text), "%s (%s)", device->label, words);
		enumerate(&names, text);
	}
	if (!names.count) {
		is_well(finding, "No servo reports a fault.");
		return;
	}
	is_wrong(finding, "A fault is reported by %s.", enumerated(&names));
	because(finding, "The servo has found it itself, and may have switched off for it.");
	so_do(finding, "free the joint, let it cool, and switch its power off and on");
}
