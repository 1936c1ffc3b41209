// SPDX-License-Identifier: LGPL-2.1-or-later
#include "supply.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "attribute.h"
#include "find.h"

#define DIGITS "0123456789"

/* "0-206", bus and ID, and nothing behind it */
static bool is_device(const char *name)
{
	size_t bus = strspn(name, DIGITS);
	size_t id;

	if (bus == 0 || name[bus] != '-')
		return false;
	name += bus + 1;
	id = strspn(name, DIGITS);
	return id > 0 && name[id] == '\0';
}

/* "Battery-2-0-206" is none of "Battery". */
static bool is_labelled(struct udev_device *device, const void *what)
{
	const char *label = what;
	const char *name = udev_device_get_sysname(device);
	size_t length = strlen(label);

	if (strncmp(name, label, length) != 0)
		return false;
	if (name[length] == '\0')
		return is_device(name);
	return name[length] == '-' && is_device(name + length + 1);
}

int supply_open(struct supply *supply, const char *label)
{
	char pattern[FIND_PATH_SIZE] = "";
	const struct find find = {
		.subsystem = "power_supply",
		.name = pattern,
		.fits = is_labelled,
		.what = label,
	};
	int ret = find_quote(pattern, sizeof(pattern), label, "*");
	int dir = ret < 0 ? -ENODEV : find_directory(&find);

	supply->dir = dir < 0 ? -1 : dir;
	return dir < 0 ? dir : 0;
}

void supply_close(struct supply *supply)
{
	if (supply->dir >= 0)
		close(supply->dir);
	supply->dir = -1;
}

int supply_read(const struct supply *supply, const char *property, double *value)
{
	return attribute_read_number(supply->dir, property, value);
}

int supply_read_text(const struct supply *supply, const char *property, char *text, size_t size)
{
	return attribute_read(supply->dir, property, text, size);
}
