// SPDX-License-Identifier: LGPL-2.1-or-later
#include "find.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sysfs.h"

int find_quote(char *pattern, size_t size, const char *text, const char *rest)
{
	size_t at = strlen(pattern);

	for (; *text; text++) {
		if (at + 3 > size)
			return -ENAMETOOLONG;
		if (strchr("*?[]\\|", *text))
			pattern[at++] = '\\';
		pattern[at++] = *text;
	}
	if (at + strlen(rest) + 1 > size)
		return -ENAMETOOLONG;
	strcpy(pattern + at, rest);
	return 0;
}

/* Paths of /sys, of all that may be it */
struct candidates {
	char **path;
	size_t count;
};

static void candidates_free(struct candidates *candidates)
{
	while (candidates->count)
		free(candidates->path[--candidates->count]);
	free(candidates->path);
}

static int add(struct candidates *candidates, const char *path)
{
	size_t size = (candidates->count + 1) * sizeof(*candidates->path);
	char **more = realloc(candidates->path, size);

	if (!more)
		return -ENOMEM;
	candidates->path = more;
	more[candidates->count] = strdup(path);
	return more[candidates->count++] ? 0 : -ENOMEM;
}

/* Return: 0; -ENOENT there is no such directory, or why it cannot be read; -ENOMEM. */
static int add_named(struct candidates *candidates, const char *directory, const char *pattern)
{
	DIR *entries = opendir(directory);
	const struct dirent *entry;
	int ret = 0;

	if (!entries)
		return -errno;
	while (ret == 0 && (entry = readdir(entries))) {
		char path[FIND_PATH_SIZE];

		/* None is called "." or "..". */
		if (fnmatch(pattern, entry->d_name, FNM_PERIOD) != 0)
			continue;
		snprintf(path, sizeof(path), "%s/%s", directory, entry->d_name);
		ret = add(candidates, path);
	}
	closedir(entries);
	return ret;
}

/*
 * By their names alone: libudev would look at each device of the subsystem before its name, with
 * a dozen system calls or more, and a robot that has a hundred lights asks for each of them.
 */
static int scan_names(struct candidates *candidates, const struct find *find)
{
	char directory[64];
	int ret;

	snprintf(directory, sizeof(directory), "/sys/class/%s", find->subsystem);
	ret = add_named(candidates, directory, find->name);
	if (ret != -ENOENT)
		return ret;
	snprintf(directory, sizeof(directory), "/sys/bus/%s/devices", find->subsystem);
	ret = add_named(candidates, directory, find->name);
	return ret == -ENOENT ? 0 : ret;
}

static int scan(struct udev_enumerate *list, struct udev_device *parent, const struct find *find)
{
	int ret = udev_enumerate_add_match_subsystem(list, find->subsystem);

	if (ret >= 0 && find->name)
		ret = udev_enumerate_add_match_sysname(list, find->name);
	if (ret >= 0 && parent)
		ret = udev_enumerate_add_match_parent(list, parent);
	return ret < 0 ? ret : udev_enumerate_scan_devices(list);
}

static int add_listed(struct candidates *candidates, struct udev_enumerate *list)
{
	struct udev_list_entry *entry = udev_enumerate_get_list_entry(list);
	int ret = 0;

	for (; entry && ret == 0; entry = udev_list_entry_get_next(entry))
		ret = add(candidates, udev_list_entry_get_name(entry));
	return ret;
}

/* All of the subsystem, or below one of its devices */
static int scan_all(struct candidates *candidates, struct udev *udev, struct udev_device *parent,
		    const struct find *find)
{
	struct udev_enumerate *list = udev_enumerate_new(udev);
	int ret = list ? scan(list, parent, find) : -ENOMEM;

	if (ret >= 0)
		ret = add_listed(candidates, list);
	udev_enumerate_unref(list);
	return ret;
}

/* libudev would look at the device first, with dozens of system calls. */
static bool has_label(const char *path, const char *label)
{
	char text[FIND_PATH_SIZE];
	int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int ret = dir < 0 ? dir : sysfs_read(dir, "label", text, sizeof(text));

	if (dir >= 0)
		close(dir);
	return ret >= 0 && strcmp(text, label) == 0;
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
static struct udev_device *take(struct udev *udev, const char *path, const struct find *find)
{
	struct udev_device *device, *taken = NULL;

	if (find->label && !has_label(path, find->label))
		return NULL;
	device = udev_device_new_from_syspath(udev, path);
	if (device && (!find->fits || find->fits(device, find->what)))
		taken = meant(device, find->above);
	udev_device_unref(device);
	return taken;
}

static bool is_same(struct udev_device *one, struct udev_device *other)
{
	return strcmp(udev_device_get_syspath(one), udev_device_get_syspath(other)) == 0;
}

/* The directory of the device itself, of which the path of a class or bus is a link; "": unknown. */
static void find_place(const char *path, char place[FIND_PATH_SIZE])
{
	ssize_t length = readlink(path, place, FIND_PATH_SIZE - 1);
	char *name;

	place[length < 0 ? 0 : length] = '\0';
	name = strrchr(place, '/');
	if (name)
		*name = '\0';
	else
		*place = '\0';
}

/* The one of them, which the caller gives back; 0 or as find_directory(). */
static int pick(struct udev *udev, const struct candidates *candidates, const struct find *find,
		struct udev_device **found)
{
	/* Of devices beside each other, as a board's lights are, the same one is above. */
	bool is_one_enough = find->above && !find->fits;
	char place[FIND_PATH_SIZE], first[FIND_PATH_SIZE] = "";
	struct udev_device *device;
	bool is_other;

	*found = NULL;
	for (size_t i = 0; i < candidates->count; i++) {
		find_place(candidates->path[i], place);
		if (is_one_enough && *found && *place && strcmp(place, first) == 0)
			continue;
		device = take(udev, candidates->path[i], find);
		if (!device)
			continue;
		if (!*found) {
			*found = device;
			strcpy(first, place);
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

static int find_device(struct udev *udev, const struct find *find, struct udev_device **device)
{
	struct candidates candidates = { NULL, 0 };
	int ret = find->name ? scan_names(&candidates, find) :
			       scan_all(&candidates, udev, NULL, find);

	if (ret == 0)
		ret = pick(udev, &candidates, find, device);
	candidates_free(&candidates);
	return ret;
}

/* What of the one device is asked for. */
static int find_path(const struct find *find, const char *(*get)(struct udev_device *), char *path,
		     size_t size)
{
	struct udev *udev = udev_new();
	struct udev_device *device = NULL;
	int ret = udev ? find_device(udev, find, &device) : -ENOMEM;

	if (ret == 0) {
		ret = copy(path, size, get(device));
		udev_device_unref(device);
	}
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
	struct candidates candidates = { NULL, 0 };
	struct udev_device *device = NULL;

	if (scan_all(&candidates, udev, parent, find) == 0)
		for (size_t i = 0; i < candidates.count && !device; i++)
			device = take(udev, candidates.path[i], find);
	udev_device_unref(device);
	candidates_free(&candidates);
	return device;
}
