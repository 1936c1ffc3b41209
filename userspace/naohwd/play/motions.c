// SPDX-License-Identifier: GPL-2.0-or-later
#include "motions.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"

/* As many as anybody has */
#define MOTIONS_MAX 256
#define PATH_SIZE   512

struct motions {
	size_t count;
	struct naohw_motion *list[MOTIONS_MAX];
};

static const char *name_of(const struct naohw_motion *motion)
{
	return strrchr(naohw_motion_path(motion), '/') + 1;
}

static void read_one(struct motions *motions, const char *directory, const char *name)
{
	struct naohw_motion *motion;
	struct naohw_error err;
	char path[PATH_SIZE];

	if (*name == '.' || motions->count == MOTIONS_MAX ||
	    snprintf(path, sizeof(path), "%s/%s", directory, name) >= PATH_SIZE)
		return;
	if (naohw_motion_load(path, &motion, &err) < 0)
		log_line("%s", err.message);
	else
		motions->list[motions->count++] = motion;
}

static void read_all(struct motions *motions, const char *directory)
{
	DIR *all = opendir(directory);
	const struct dirent *one;

	if (!all) {
		if (errno != ENOENT)
			log_line("%s: %s", directory, strerror(errno));
		return;
	}
	while ((one = readdir(all)))
		read_one(motions, directory, one->d_name);
	closedir(all);
}

struct motions *motions_read(const char *directory)
{
	struct motions *motions = calloc(1, sizeof(*motions));

	if (motions)
		read_all(motions, directory);
	return motions;
}

void motions_free(struct motions *motions)
{
	if (!motions)
		return;
	for (size_t i = 0; i < motions->count; i++)
		naohw_motion_free(motions->list[i]);
	free(motions);
}

const struct naohw_motion *motions_find(const struct motions *motions, const char *name)
{
	for (size_t i = 0; i < motions->count; i++)
		if (strcmp(name_of(motions->list[i]), name) == 0)
			return motions->list[i];
	return NULL;
}
