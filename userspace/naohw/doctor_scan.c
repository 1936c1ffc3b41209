// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A look onto the bus for devices that do not answer: one of the other protocol answers a scan, and so
 * does one whose status return level is 0. The kernel adds nothing for an ID that it has a device for.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "doctor.h"
#include "guard_words.h"

/* "dxl0" of "0-002"; NULL: there is no such bus. */
static const char *bus_of(const struct patient *patient, const struct patient_device *device)
{
	for (int i = 0; i < patient->buses.count; i++)
		if (device_is_on(device, patient->buses.at[i]->d_name))
			return patient->buses.at[i]->d_name;
	return NULL;
}

/* Poses, or joints that are moved one by one, would wait for it. */
static bool is_moving(const struct patient *patient)
{
	struct names_below names = names_below(patient->root, IIO_DEVICES, "iio:device*");
	bool is_moving = false;
	char text[32];

	for (int i = 0; i < names.count; i++) {
		const char *name = names.at[i]->d_name;

		is_moving |= read_below(patient->root, text, sizeof(text),
					IIO_DEVICES "/%s/stream_state", name) > 0 &&
			     strcmp(text, "idle") != 0;
		is_moving |= read_below(patient->root, text, sizeof(text),
					IIO_DEVICES "/%s/buffer/enable", name) > 0 &&
			     strcmp(text, "1") == 0;
	}
	names_below_free(&names);
	return is_moving;
}

/* Return: 0, it has been looked for; or why the kernel did not. */
static int scan(const struct patient *patient, const struct patient_device *device)
{
	const char *bus = bus_of(patient, device), *id = strchr(device->name, '-');
	char path[BELOW_PATH], wanted[16];

	if (!bus || !id)
		return -ENODEV;
	/* A number that begins with 0 would be an octal one. */
	snprintf(wanted, sizeof(wanted), "%ld\n", strtol(id + 1, NULL, 10));
	snprintf(path, sizeof(path), DXL_DEVICES "/%s/scan", bus);
	return write_below(patient->root, path, wanted);
}

static void say_why(int ret, char *failure, size_t size)
{
	if (ret == -EACCES || ret == -EPERM)
		snprintf(failure, size, "only root may scan it");
	else if (ret == -EBUSY)
		snprintf(failure, size, "a program streams, or has the bus for itself");
	else
		snprintf(failure, size, "its scan failed: %s", strerror(-ret));
}

void look_for(const struct patient *patient, const struct patient_device *device,
	      const struct naohw_reason **reason, char *failure, size_t size)
{
	int ret, dir;

	*failure = '\0';
	*reason = naohw_reason_of("");
	if (!*device->iio)
		return;
	ret = is_moving(patient) ? -EBUSY : scan(patient, device);
	if (ret < 0) {
		say_why(ret, failure, size);
		return;
	}
	dir = openat(patient->root, device->iio, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return;
	*reason = naohw_servo_reason(dir, 0);
	close(dir);
}
