// SPDX-License-Identifier: LGPL-2.1-or-later
#include "layers.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../base/base.h"

#define DEFAULT_ROBOT "bioloid"
#define SUFFIX	      ".xml"

const struct places installed_places = { .robots = NAOHW_ROBOTS, .layers = NAOHW_LAYERS };

static const char *const file_names[LAYERS] = {
	[LAYER_DEVICE] = "Device.xml",
	[LAYER_HEAD] = "Device_Head.xml",
	[LAYER_BODY] = "Device_Body.xml",
	[LAYER_LOCAL] = "Device_Local.xml",
};

static bool ends_in_xml(const char *name)
{
	return text_ends_with(name, SUFFIX);
}

/* Of a robot that is installed, or has layers where they are looked for */
static bool is_bare(const char *name)
{
	return !strchr(name, '/') && !ends_in_xml(name);
}

/* A link to nowhere is there, too: who opens it will say what is wrong. */
static bool is_there(const char *path)
{
	struct stat found;

	return lstat(path, &found) == 0;
}

static bool is_directory(const char *path)
{
	struct stat found;

	return stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

static char *join(const char *directory, const char *name)
{
	char *path;

	return asprintf(&path, "%s/%s", directory, name) < 0 ? NULL : path;
}

/* Of ROBOT/Device.xml that is ROBOT; of robot.xml, robot, so that several are side by side. */
static char *directory_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;

	if (strcmp(base, file_names[LAYER_DEVICE]) != 0)
		return strndup(path, strlen(path) - strlen(".xml"));
	if (!slash)
		return strdup(".");
	return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

/* Its own Device.xml in the place of its layers comes before the installed one. */
static void find_bare(const char *name, const struct places *places, char **directory, char **base)
{
	*directory = join(places->layers, name);
	*base = *directory ? join(*directory, file_names[LAYER_DEVICE]) : NULL;
	if (!*base || is_there(*base))
		return;
	free(*base);
	if (asprintf(base, "%s/%s.xml", places->robots, name) < 0)
		*base = NULL;
}

/* The first file, and the directory of the others; one that cannot be is NULL. */
static void find(const char *name, const struct places *places, char **directory, char **base)
{
	if (is_bare(name)) {
		find_bare(name, places, directory, base);
	} else if (is_directory(name)) {
		*directory = strdup(name);
		*base = join(name, file_names[LAYER_DEVICE]);
	} else {
		*directory = ends_in_xml(name) ? directory_of(name) : NULL;
		*base = strdup(name);
	}
}

static char *beside(const char *path, const char *name, const char *end)
{
	const char *slash = strrchr(path, '/');
	char *base;

	if (asprintf(&base, "%.*s%s%s", slash ? (int)(slash - path) + 1 : 0, path, name, end) < 0)
		return NULL;
	return base;
}

char *layers_find_base(const char *path, const char *name, const struct places *places)
{
	char *directory, *base;

	if (*name == '/')
		return strdup(name);
	base = beside(path, name, is_bare(name) ? SUFFIX : "");
	if (!is_bare(name) || !base || is_there(base))
		return base;
	free(base);
	find_bare(name, places, &directory, &base);
	free(directory);
	return base;
}

static const char *default_name(void)
{
	const char *name = getenv("NAOHW_ROBOT");

	return name && *name ? name : DEFAULT_ROBOT;
}

/* Behind a link to nowhere there may be layers, on a disk that is not mounted for instance. */
static int check_directory(const char *path, struct naohw_error *err)
{
	struct stat found;
	int ret;

	if (!is_there(path) || stat(path, &found) == 0)
		return 0;
	ret = -errno;
	return fail(err, ret, "%s: %s", path, file_error_text(ret));
}

static int is_shown(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* Without its end, where it is a description; false: it is neither that nor a directory with one. */
static bool take_name(const char *directory, char *name)
{
	char path[PATH_MAX];

	if (ends_in_xml(name)) {
		name[strlen(name) - strlen(SUFFIX)] = '\0';
		return true;
	}
	snprintf(path, sizeof(path), "%s/%s/%s", directory, name, file_names[LAYER_DEVICE]);
	return is_there(path);
}

static void try_names_in(const char *directory, struct nearest *nearest, char found[NAME_MAX + 1])
{
	struct dirent **entry;
	int count = scandir(directory, &entry, is_shown, alphasort);

	for (int i = 0; i < count; i++) {
		char *name = entry[i]->d_name;

		if (take_name(directory, name) && nearest_try(nearest, name))
			nearest->found = strcpy(found, name);
		free(entry[i]);
	}
	if (count >= 0)
		free(entry);
}

static int no_robot(const char *name, const struct places *places, struct naohw_error *err)
{
	struct nearest nearest = nearest_to(name);
	char found[NAME_MAX + 1];

	try_names_in(places->robots, &nearest, found);
	try_names_in(places->layers, &nearest, found);
	return fail(err, -ENOENT, "no robot \"%s\"%s%s; \"ls %s\" shows all that are installed", name,
		    nearest_words(&nearest), nearest_name(&nearest), places->robots);
}

int layers_find(const char *name, const struct places *places, char *path[LAYERS],
		struct naohw_error *err)
{
	char *directory = NULL;
	int ret = 0;

	if (!name)
		name = default_name();
	find(name, places, &directory, &path[LAYER_DEVICE]);
	if (!path[LAYER_DEVICE])
		ret = fail(err, -ENOMEM, "out of memory");
	else if (directory)
		ret = check_directory(directory, err);
	if (ret == 0 && is_bare(name) && !is_there(path[LAYER_DEVICE]))
		ret = no_robot(name, places, err);
	for (unsigned int i = LAYER_HEAD; i < LAYERS && directory && ret == 0; i++) {
		path[i] = join(directory, file_names[i]);
		if (!path[i])
			ret = fail(err, -ENOMEM, "out of memory");
	}
	free(directory);
	return ret;
}
