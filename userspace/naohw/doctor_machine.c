// SPDX-License-Identifier: GPL-2.0-or-later
/* The kernel and its modules. */
#include <stdio.h>

#include "doctor.h"

/* @name as it stands in modules.dep, "/dxl.ko"; it may be compressed. */
static bool has_module(const struct patient *patient, const char *name)
{
	char path[BELOW_PATH];

	snprintf(path, sizeof(path), "lib/modules/%s/modules.dep", patient->release);
	if (line_below(patient->root, path, name))
		return true;
	snprintf(path, sizeof(path), "lib/modules/%s/modules.builtin", patient->release);
	return line_below(patient->root, path, name);
}

static bool is_loaded(const struct patient *patient, const char *name)
{
	return is_below(patient->root, "sys/module/%s", name);
}

static bool has_modules(const struct patient *patient)
{
	return has_module(patient, "/dxl.ko") && has_module(patient, "/dxl_servo.ko");
}

void check_kernel(const struct patient *patient, struct finding *finding)
{
	if (is_below(patient->root, "sys/bus/iio") || has_module(patient, "/industrialio.ko")) {
		is_well(finding, "Linux %s has IIO.", patient->release);
		return;
	}
	if (!is_below(patient->root, "lib/modules/%s", patient->release)) {
		is_wrong(finding, "There are no modules for Linux %s.", patient->release);
		because(finding,
			"The kernel was upgraded and the machine not restarted, or it is not Debian's.");
		so_do(finding, "sudo reboot");
		return;
	}
	is_wrong(finding, "Linux %s has no IIO, as which joints appear.", patient->release);
	because(finding, "It has no module industrialio; kernels for clouds leave that out.");
	so_do(finding, "sudo apt install linux-image-$(dpkg --print-architecture); sudo reboot");
}

void check_modules(const struct patient *patient, struct finding *finding)
{
	if ((is_loaded(patient, "dxl") && is_loaded(patient, "dxl_servo")) ||
	    has_modules(patient)) {
		is_well(finding, "The drivers are built for this kernel.");
		return;
	}
	is_wrong(finding, "The drivers are not there for this kernel.");
	if (is_below(patient->root, "var/lib/dkms/naohw")) {
		because(finding,
			"DKMS has not built them, most often for want of the kernel's headers.");
		so_do(finding, "sudo apt install linux-headers-%s && sudo dkms autoinstall",
		      patient->release);
		return;
	}
	because(finding, "The package naohw-dkms is not installed.");
	so_do(finding, "sudo apt install ./naohw-dkms_*.deb linux-headers-%s", patient->release);
}

#define ENROL "sudo mokutil --import /var/lib/dkms/mok.pub; sudo reboot"

/* With Secure Boot the kernel takes no module whose key it does not know. */
static bool is_locked_down(const struct patient *patient)
{
	const char *path = "sys/kernel/security/lockdown";

	return line_below(patient->root, path, "[integrity]") ||
	       line_below(patient->root, path, "[confidentiality]");
}

/* Whether the key of ours is enrolled is seen when somebody loads them. */
static void nothing_asks(const struct patient *patient, struct finding *finding)
{
	if (has_modules(patient) && is_locked_down(patient))
		not_looked_at(finding, "Nothing asks for the drivers yet. If \"sudo modprobe dxl\" "
				       "says that a key was rejected, Secure Boot wants " ENROL ".");
	else
		not_looked_at(finding, "Nothing asks for the drivers yet.");
}

void check_loaded(const struct patient *patient, struct finding *finding)
{
	if (is_loaded(patient, "dxl")) {
		is_well(finding, "The drivers are loaded.");
		return;
	}
	if (!has_modules(patient) || !*patient->node) {
		nothing_asks(patient, finding);
		return;
	}
	is_wrong(finding, "The drivers are there, but not loaded.");
	if (is_locked_down(patient)) {
		because(finding, "Secure Boot takes no modules whose key is not enrolled.");
		so_do(finding, ENROL);
		return;
	}
	because(finding, "The UART's own driver is missing, or somebody keeps them from loading.");
	so_do(finding, "sudo modprobe dxl_serdev; sudo dmesg | grep dxl");
}
