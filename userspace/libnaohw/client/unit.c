// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Is a naohwd to come? What is enabled stands in systemd's directories, where it can be read
 * before systemd can be asked: the bus of messages comes late at boot, or not at all.
 */
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <monotonic.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/base.h"
#include "inside.h"

#define NS_PER_MS 1000000
#define LOOK_MS	  50

/* Where systemctl and packages enable units; systemd.unit(5) */
static const char usual[] = "/etc/systemd/system:/run/systemd/system:"
			    "/usr/local/lib/systemd/system:/usr/lib/systemd/system";

/* ---- enabled ---- */

/* Of what unit names are made; systemd.unit(5). No other name has a unit. */
static bool is_unit_name(const char *unit)
{
	return unit[strspn(unit, "abcdefghijklmnopqrstuvwxyz"
				 "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:-_.\\@")] == '\0';
}

/* Is it wanted by another one there? A link may be left of a package that is not. */
static bool is_wanted(const char *directory, int length, const char *unit)
{
	char pattern[PATH_MAX];
	bool is_there = false;
	glob_t found = { 0 };

	if (snprintf(pattern, sizeof(pattern), "%.*s/*.{wants,requires}/%s", length, directory,
		     unit) >= (int)sizeof(pattern))
		return false;
	(void)glob(pattern, GLOB_BRACE | GLOB_NOESCAPE | GLOB_NOSORT, NULL, &found);
	for (size_t i = 0; i < found.gl_pathc; i++)
		is_there |= access(found.gl_pathv[i], F_OK) == 0;
	globfree(&found);
	return is_there;
}

/* systemctl mask: it is never to be started. */
static bool is_masked(const char *directory, int length, const char *unit)
{
	static const char nothing[] = "/dev/null";
	char path[PATH_MAX], link[sizeof(nothing)];

	return snprintf(path, sizeof(path), "%.*s/%s", length, directory, unit) <
		       (int)sizeof(path) &&
	       readlink(path, link, sizeof(link)) == (ssize_t)strlen(nothing) &&
	       memcmp(link, nothing, strlen(nothing)) == 0;
}

static bool is_in_one(const char *directories, const char *unit,
		      bool (*is_so)(const char *directory, int length, const char *unit))
{
	while (*directories) {
		int length = (int)strcspn(directories, ":");

		if (length && is_so(directories, length, unit))
			return true;
		directories += length + (directories[length] == ':');
	}
	return false;
}

/* Where the variable ends in a colon the usual ones follow; systemd.unit(5). */
static bool is_in_any(const char *unit,
		      bool (*is_so)(const char *directory, int length, const char *unit))
{
	const char *own = secure_getenv("SYSTEMD_UNIT_PATH");

	if (own && is_in_one(own, unit, is_so))
		return true;
	return (!own || text_ends_with(own, ":")) && is_in_one(usual, unit, is_so);
}

static bool is_enabled(const char *unit)
{
	return is_unit_name(unit) && is_in_any(unit, is_wanted) && !is_in_any(unit, is_masked);
}

/* ---- waited for ---- */

static bool is_absent(int ret)
{
	return ret == -ENOENT || ret == -ECONNREFUSED || ret == -EOWNERDEAD;
}

int daemon_await(struct daemon *daemon, unsigned int timeout_ms, struct naohw_error *err)
{
	int64_t deadline = monotonic_ns() + (int64_t)timeout_ms * NS_PER_MS;
	int ret;

	for (;;) {
		ret = daemon_connect(daemon, timeout_ms, err);
		if (!is_absent(ret) || !is_enabled(daemon->unit))
			return ret;
		if (monotonic_ns() >= deadline)
			return fail(err, -EAGAIN,
				    "%s is to have the robot, as it is enabled, and is not there",
				    daemon->unit);
		(void)poll(NULL, 0, LOOK_MS);
	}
}
