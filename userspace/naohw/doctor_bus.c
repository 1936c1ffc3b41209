// SPDX-License-Identifier: GPL-2.0-or-later
/* How a bus comes to be: by an overlay on a UART, or by dxlattach on any port. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "doctor.h"

static const char *const firmware[] = { "boot/firmware", "boot" };

#define FIRMWARES (sizeof(firmware) / sizeof(firmware[0]))

/* The overlay of ours that Raspberry Pi's firmware is told to merge, as "naohw-rpi". */
static bool find_line(const char *text, char *overlay, size_t size)
{
	static const char wanted[] = "dtoverlay=naohw";
	const char *line = text;

	while (line && strncmp(line, wanted, strlen(wanted)) != 0) {
		line = strchr(line, '\n');
		line += line ? 1 : 0;
	}
	if (!line)
		return false;
	snprintf(overlay, size, "%s", line + strlen("dtoverlay="));
	overlay[strcspn(overlay, ",: \r\n")] = '\0';
	return true;
}

/* On a Raspberry Pi; false: it is another board. */
static bool check_config(const struct patient *patient, struct finding *finding)
{
	const char *directory = NULL;
	char text[16384], overlay[64];

	for (size_t i = 0; i < FIRMWARES && !directory; i++)
		if (read_below(patient->root, text, sizeof(text), "%s/config.txt", firmware[i]) >=
		    0)
			directory = firmware[i];
	if (!directory)
		return false;
	if (!find_line(text, overlay, sizeof(overlay))) {
		because(finding, "/%s/config.txt names no overlay of naohw's.", directory);
		so_do(finding,
		      "echo dtoverlay=naohw-rpi,robot=%s | sudo tee -a /%s/config.txt; sudo reboot",
		      patient->name, directory);
	} else if (!is_below(patient->root, "%s/overlays/%s.dtbo", directory, overlay)) {
		because(finding, "/%s/config.txt wants %s, which is not in /%s/overlays.",
			directory, overlay, directory);
		so_do(finding, "ls /%s/overlays/naohw* shows which there are; correct the line",
		      directory);
	} else {
		because(finding, "/%s/config.txt wants %s since the last start, or it did not fit.",
			directory, overlay);
		so_do(finding, "sudo reboot; if that does not help, sudo vclog --msg says why");
	}
	return true;
}

/* The first one on USB; false: there is none. */
static bool find_port(const struct patient *patient, char *name, size_t size)
{
	struct names_below ports = names_below(patient->root, "dev", "tty[UA][SC][BM][0-9]*");
	bool found = ports.count;

	if (found)
		snprintf(name, size, "%.40s", ports.at[0]->d_name);
	names_below_free(&ports);
	return found;
}

/* Whose robot has no overlay has its devices found. */
static void attach(const struct patient *patient, struct finding *finding)
{
	char overlay[BELOW_PATH], port[64] = "ttyUSB0";

	find_port(patient, port, sizeof(port));
	snprintf(overlay, sizeof(overlay), "usr/lib/naohw/robots/%s.dtbo", patient->name);
	if (is_below(patient->root, "%s", overlay))
		so_do(finding, "sudo dxlattach /dev/%s --background --overlay /%s", port, overlay);
	else
		so_do(finding, "sudo dxlattach /dev/%s --background --scan", port);
}

void check_overlay(const struct patient *patient, struct finding *finding)
{
	if (*patient->node) {
		is_well(finding, "The device tree has a bus: /%s.", patient->node);
		return;
	}
	if (patient->buses.count) {
		is_well(finding, "None is needed: dxlattach has brought the bus.");
		return;
	}
	is_wrong(finding, "Nothing says on which port a bus is.");
	if (!patient->has_device_tree) {
		because(finding, "This machine has no device tree, so dxlattach has to say it.");
		attach(patient, finding);
		return;
	}
	if (check_config(patient, finding))
		return;
	because(finding, "The device tree has no node %s.", "robotis,dynamixel-bus");
	so_do(finding, "merge an overlay as the manual's page of this board says, and restart");
}

/* Of a kernel that talks on a serial port as if it were a terminal. */
static bool has_console(const struct patient *patient)
{
	char text[4096];

	if (read_below(patient->root, text, sizeof(text), "proc/cmdline") < 0)
		return false;
	return strstr(text, "console=ttyAMA") || strstr(text, "console=ttyS") ||
	       strstr(text, "console=serial");
}

static void check_console(const struct patient *patient, struct finding *finding)
{
	if (!has_console(patient)) {
		is_well(finding, "No console is on a serial port.");
		return;
	}
	is_wrong(finding, "A console is on a serial port, maybe that of the bus.");
	because(finding, "The kernel's command line has console= with one.");
	so_do(finding, "take console=ttyAMA0 or console=serial0 out of cmdline.txt, and restart");
}

static void check_adapter(const struct patient *patient, struct finding *finding)
{
	char name[64], path[80], holder[32];

	if (!find_port(patient, name, sizeof(name))) {
		is_wrong(finding, "There is no serial port on USB.");
		because(finding, "The adapter is not plugged, or its driver is missing.");
		so_do(finding, "plug it, and see what sudo dmesg | tail says");
		return;
	}
	if (read_below(patient->root, holder, sizeof(holder), "run/lock/LCK..%s", name) > 0) {
		is_wrong(finding, "Another program has /dev/%s.", name);
		because(finding, "Process %s has locked it.", holder + strspn(holder, " "));
		so_do(finding, "end it: kill %s", holder + strspn(holder, " "));
		return;
	}
	snprintf(path, sizeof(path), "dev/%s", name);
	if (faccessat(patient->root, path, R_OK | W_OK, 0) != 0) {
		is_wrong(finding, "You may not open /dev/%s.", name);
		because(finding, "Only root and the group dialout may.");
		so_do(finding, "use sudo, or sudo adduser $USER dialout, and log in anew");
		return;
	}
	is_well(finding, "/dev/%s is free.", name);
}

void check_port(const struct patient *patient, struct finding *finding)
{
	if (patient->buses.count)
		is_well(finding, "The bus has its port.");
	else if (*patient->node)
		check_console(patient, finding);
	else if (patient->has_device_tree)
		not_looked_at(finding, "Nothing says which port it is.");
	else
		check_adapter(patient, finding);
}

static void describe_buses(const struct patient *patient, struct finding *finding)
{
	struct enumeration buses = { 0 };

	for (int i = 0; i < patient->buses.count; i++) {
		const char *name = patient->buses.at[i]->d_name;
		char rate[16], text[64];

		read_below(patient->root, rate, sizeof(rate), DXL_DEVICES "/%s/baud", name);
		snprintf(text, sizeof(text), "%.16s at %.12s baud", name, *rate ? rate : "?");
		enumerate(&buses, text);
	}
	is_well(finding, "There is %s.", enumerated(&buses));
}

void check_bus(const struct patient *patient, struct finding *finding)
{
	if (patient->buses.count) {
		describe_buses(patient, finding);
		return;
	}
	if (!*patient->node || !is_below(patient->root, "sys/module/dxl")) {
		not_looked_at(finding, "There is none without what is wrong above.");
		return;
	}
	is_wrong(finding, "The device tree has a bus, but the kernel has made none.");
	because(finding, "The UART is off, has no driver, or belongs to something else.");
	so_do(finding, "sudo dmesg | grep -e dxl -e tty");
}
