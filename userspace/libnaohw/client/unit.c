// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Is a naohwd to come? What is enabled stands in systemd's directories, where it can be read
 * before systemd can be asked: the bus of messages comes late at boot, or not at all. Nothing of it
 * is kept, as a person may enable a unit, or disable it, at any time.
 */
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <monotonic.h>
#include <poll.h>
#include <robot_name.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../base/base.h"
#include "inside.h"

#define NS_PER_MS 1000000
#define LOOK_MS	  50

/* Where systemctl and packages enable units; systemd.unit(5) */
static const char usual[] = "/etc/systemd/system:/run/systemd/system:"
			    "/usr/local/lib/systemd/system:/usr/lib/systemd/system";

/* ---- its name ---- */

int unit_name(const char *description, char *unit, size_t size)
{
	int length, used;
	const char *name = robot_name(description, &length);

	used = snprintf(unit, size, "naohwd@%.*s.service", length, name);
	return used < (int)size ? 0 : -ENAMETOOLONG;
}

/* ---- enabled ---- */

/* Of what unit names are made; systemd.unit(5). No other name has a unit. */
static bool is_unit_name(const char *unit)
{
	return unit[strspn(unit, "abcdefghijklmnopqrstuvwxyz"
				 "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:-_.\\@")] == '\0';
}

/* Where the variable ends in a colon the usual ones follow; systemd.unit(5). */
static char *new_search_path(void)
{
	const char *own = secure_getenv("SYSTEMD_UNIT_PATH");
	char *path;

	if (!own)
		return strdup(usual);
	return asprintf(&path, "%s%s", own, text_ends_with(own, ":") ? usual : "") < 0 ? NULL :
											 path;
}

/* The next directory of a search path, without its end; NULL: none. */
static const char *next_directory(const char **rest, int *length)
{
	const char *directory = *rest + strspn(*rest, ":");

	*length = (int)strcspn(directory, ":");
	*rest = directory + *length;
	return *length ? directory : NULL;
}

static bool is_wanted_in(const char *directory, int length, const char *unit)
{
	char pattern[PATH_MAX];
	glob_t found = { 0 };
	bool is_wanted;

	if (snprintf(pattern, sizeof(pattern), "%.*s/*.{wants,requires,upholds}/%s", length,
		     directory, unit) >= (int)sizeof(pattern))
		return false;
	is_wanted = glob(pattern, GLOB_BRACE | GLOB_NOESCAPE | GLOB_NOSORT, NULL, &found) == 0;
	globfree(&found);
	return is_wanted;
}

static bool is_wanted(const char *directories, const char *unit)
{
	const char *directory;
	int length;

	while ((directory = next_directory(&directories, &length)))
		if (is_wanted_in(directory, length, unit))
			return true;
	return false;
}

/* The first one is the one, which hides all others. */
static bool find_file(const char *directories, const char *unit, struct stat *status)
{
	const char *directory;
	char path[PATH_MAX];
	int length;

	while ((directory = next_directory(&directories, &length)))
		if (snprintf(path, sizeof(path), "%.*s/%s", length, directory, unit) <
			    (int)sizeof(path) &&
		    stat(path, status) == 0)
			return true;
	return false;
}

/*
 * Links may be left of a package that is not. What is masked is nothing, or a link to a device:
 * it is never to be started.
 */
static bool can_be_started(const char *directories, const char *unit)
{
	struct stat status;

	if (!find_file(directories, unit, &status) &&
	    !find_file(directories, "naohwd@.service", &status))
		return false;
	return S_ISREG(status.st_mode) && status.st_size;
}

static bool is_enabled(const char *unit)
{
	char *directories = new_search_path();
	bool is_so = directories && is_unit_name(unit) && is_wanted(directories, unit) &&
		     can_be_started(directories, unit);

	free(directories);
	return is_so;
}

/* ---- joined ---- */

/* One that hangs is ended by systemd, and begun anew. */
static bool is_absent(int ret)
{
	return ret == -ENOENT || ret == -ECONNREFUSED || ret == -EOWNERDEAD || ret == -ETIMEDOUT;
}

int daemon_join(struct daemon *daemon, unsigned int timeout_ms, struct naohw_error *err)
{
	int ret = daemon_connect(daemon, timeout_ms, err);

	if ((!is_absent(ret) && ret != -ENXIO) || !is_enabled(daemon->unit))
		return ret;
	/* A name is one robot, or it would be the one when the daemon is there, and else the other. */
	if (ret == -ENXIO)
		return -EBUSY;
	return fail(err, -EAGAIN,
		    "%s is enabled, so the robot is that unit's alone, and it is not there: "
		    "systemctl status %s says why",
		    daemon->unit, daemon->unit);
}

int daemon_await(struct daemon *daemon, unsigned int timeout_ms, struct naohw_error *err)
{
	int64_t deadline = monotonic_ns() + (int64_t)timeout_ms * NS_PER_MS;
	int ret;

	for (;;) {
		ret = daemon_join(daemon, monotonic_ms_until(deadline), err);
		if (ret != -EAGAIN || monotonic_ns() >= deadline)
			return ret;
		(void)poll(NULL, 0, LOOK_MS);
	}
}

/* ---- left alone ---- */

int daemon_leave_robot(const char *description, struct naohw_error *err)
{
	char unit[UNIT_SIZE];

	if (unit_name(description, unit, sizeof(unit)) < 0 || !is_enabled(unit))
		return 0;
	return fail(err, -EBUSY, "%s is enabled, so the robot is that unit's alone", unit);
}
