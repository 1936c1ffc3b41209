// SPDX-License-Identifier: LGPL-2.1-or-later
#include "find.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

int find_quote(char *pattern, size_t size, const char *text)
{
	size_t at = strlen(pattern);

	for (; *text; text++) {
		if (at + 3 > size)
			return -ENAMETOOLONG;
		if (strchr("*?[]\\|", *text))
			pattern[at++] = '\\';
		pattern[at++] = *text;
	}
	pattern[at] = '\0';
	return 0;
}

/* All that may be it; NULL when there is no memory left. */
static struct udev_enumerate *candidates(struct udev *udev, struct udev_device *parent,
					 const struct find *find)
{
	struct udev_enumerate *list = udev_enumerate_new(udev);

	if (!list)
		return NULL;
	if (udev_enumerate_add_match_subsystem(list, find->subsystem) >= 0 &&
	    (!find->name || udev_enumerate_add_match_sysname(list, find->name) >= 0) &&
	    (!parent || udev_enumerate_add_match_parent(list, parent) >= 0) &&
	    udev_enumerate_scan_devices(list) >= 0)
		return list;
	udev_enumerate_unref(list);
	return NULL;
}

/* What is meant by one that fits; libudev has the one above as long as the one below. */
static struct udev_device *meant(struct udev_device *device, const char *above)
{
	struct udev_device *parent;

	if (!above)
		return udev_device_ref(device);
	parent = udev_device_get_parent_with_subsystem_devtype(device, above, NULL);
	return parent ? udev_device_ref(parent) : NULL;
}

/* NULL: it is another one, or is gone again. */
static struct udev_device *take(struct udev *udev, struct udev_list_entry *entry,
				const struct find *find)
{
	const char *path = udev_list_entry_get_name(entry);
	struct udev_device *device = udev_device_new_from_syspath(udev, path);
	struct udev_device *taken = NULL;

	if (device && (!find->fits || find->fits(device, find->what)))
		taken = meant(device, find->above);
	udev_device_unref(device);
	return taken;
}

static bool is_same(struct udev_device *one, struct udev_device *other)
{
	return strcmp(udev_device_get_syspath(one), udev_device_get_syspath(other)) == 0;
}

/* The one of the list, which the caller gives back; 0 or as find_directory(). */
static int pick(struct udev *udev, struct udev_enumerate *list, const struct find *find,
		struct udev_device **found)
{
	struct udev_list_entry *entry;
	struct udev_device *device;
	bool is_other;

	*found = NULL;
	udev_list_entry_foreach(entry, udev_enumerate_get_list_entry(list)) {
		device = take(udev, entry, find);
		if (!device)
			continue;
		if (!*found) {
			*found = device;
			continue;
		}
		is_other = !is_same(*found, device);
		udev_device_unref(device);
		if (is_other) {
			udev_device_unref(*found);
			return -ENOTUNIQ;
		}
	}
	return *found ? 0 : -ENODEV;
}

static int copy(char *path, size_t size, const char *from)
{
	if (!from)
		return -ENOENT;
	if (strlen(from) >= size)
		return -ENAMETOOLONG;
	strcpy(path, from);
	return 0;
}

/* What of the one device is asked for. */
static int find_path(const struct find *find, const char *(*get)(struct udev_device *), char *path,
		     size_t size)
{
	struct udev *udev = udev_new();
	struct udev_enumerate *list = udev ? candidates(udev, NULL, find) : NULL;
	struct udev_device *device;
	int ret = list ? pick(udev, list, find, &device) : -ENOMEM;

	if (ret == 0) {
		ret = copy(path, size, get(device));
		udev_device_unref(device);
	}
	udev_enumerate_unref(list);
	udev_unref(udev);
	return ret;
}

int find_directory(const struct find *find)
{
	char path[FIND_PATH_SIZE];
	int ret = find_path(find, udev_device_get_syspath, path, sizeof(path));
	int dir;

	if (ret < 0)
		return ret;
	dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir >= 0)
		return dir;
	return errno == ENOENT ? -ENODEV : -errno;
}

int find_node(const struct find *find, char *path, size_t size)
{
	return find_path(find, udev_device_get_devnode, path, size);
}

bool find_below(struct udev_device *parent, const struct find *find)
{
	struct udev *udev = udev_device_get_udev(parent);
	struct udev_enumerate *list = candidates(udev, parent, find);
	struct udev_list_entry *entry;
	struct udev_device *device = NULL;

	if (!list)
		return false;
	udev_list_entry_foreach(entry, udev_enumerate_get_list_entry(list)) {
		device = take(udev, entry, find);
		if (device)
			break;
	}
	udev_device_unref(device);
	udev_enumerate_unref(list);
	return device;
}
