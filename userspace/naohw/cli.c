// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "nearest.h"

static const char *command;

void complain_as(const char *name)
{
	command = name;
}

/* In order with what was printed before, also when both go to one pipe. */
static void begin_complaint(void)
{
	fflush(stdout);
	fprintf(stderr, "naohw%s%s: ", command ? " " : "", command ? command : "");
}

int complain(const char *format, ...)
{
	va_list args;

	begin_complaint();
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	return STATUS_FAILED;
}

int complain_usage(const char *format, ...)
{
	va_list args;

	begin_complaint();
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, "; see \"naohw%s%s --help\"\n", command ? " " : "", command ? command : "");
	return STATUS_USAGE;
}

int try_robot(const struct cli *cli, struct naohw_robot **robot, struct naohw_error *err)
{
	struct naohw_error of_body;
	int ret = naohw_robot_open(cli->robot, cli->uri, robot, err);

	if (ret == 0 && naohw_robot_body(*robot, &of_body) == -EUCLEAN)
		complain("warning: %s", of_body.message);
	return ret;
}

struct naohw_robot *open_robot(const struct cli *cli)
{
	struct naohw_robot *robot;
	struct naohw_error err;

	if (try_robot(cli, &robot, &err) == 0)
		return robot;
	complain("%s", err.message);
	return NULL;
}

static void complain_no_motion(const char *name)
{
	struct nearest nearest = nearest_to(name);
	DIR *installed = opendir(NAOHW_MOTIONS);
	const struct dirent *entry;
	char found[sizeof(entry->d_name) + 1] = "";

	while (installed && (entry = readdir(installed)))
		if (*entry->d_name != '.' && nearest_try(&nearest, entry->d_name))
			snprintf(found, sizeof(found), "%s", entry->d_name);
	if (installed)
		closedir(installed);
	complain("%s: no such file here, nor among the installed motions%s%s; \"ls %s\" shows those", name,
		 *found ? ", of which the nearest is " : "", found, NAOHW_MOTIONS);
}

struct naohw_motion *load_motion(const char *path)
{
	struct naohw_motion *motion;
	struct naohw_error err;
	char installed[512];

	snprintf(installed, sizeof(installed), "%s/%s", NAOHW_MOTIONS, path);
	if (!strchr(path, '/') && access(path, F_OK) != 0) {
		if (access(installed, F_OK) != 0) {
			complain_no_motion(path);
			return NULL;
		}
		path = installed;
	}
	if (naohw_motion_load(path, &motion, &err) == 0)
		return motion;
	complain("%s", err.message);
	return NULL;
}
