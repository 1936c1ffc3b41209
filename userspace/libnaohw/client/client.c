// SPDX-License-Identifier: LGPL-2.1-or-later
/* Which naohwd is the robot's, and whether it is there. */
#include <errno.h>
#include <monotonic.h>
#include <robot_name.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"
#include "inside.h"

#define RUN	  "/run/naohw"
#define NS_PER_MS 1000000

/* ---- its names ---- */

static int make_names(struct daemon *daemon, const char *description)
{
	const char *run = secure_getenv("NAOHW_RUN"), *name;
	int length, size;

	name = robot_name(description, &length);
	size = snprintf(daemon->path, sizeof(daemon->path), "%s/%.*s.sock", run && *run ? run : RUN,
			length, name);
	if (size >= (int)sizeof(daemon->path))
		return -ENAMETOOLONG;
	return unit_name(description, daemon->unit, sizeof(daemon->unit));
}

/* Without links; of a file that has gone since it was read, as it was called. */
static char *real_path(const char *path)
{
	char *real = realpath(path, NULL);

	return real ? real : strdup(path);
}

int daemon_new(const char *description, struct daemon **out, struct naohw_error *err)
{
	struct daemon *daemon = calloc(1, sizeof(*daemon));
	int ret;

	if (!daemon)
		return fail(err, -ENOMEM, "out of memory");
	lines_init(&daemon->lines);
	daemon->description = real_path(description);
	ret = daemon->description ? make_names(daemon, description) : -ENOMEM;
	if (ret < 0) {
		daemon_free(daemon);
		return fail(err, ret, "%s: %s", description, file_error_text(ret));
	}
	*out = daemon;
	return 0;
}

void daemon_free(struct daemon *daemon)
{
	if (!daemon)
		return;
	lines_close(&daemon->lines);
	free(daemon->description);
	free(daemon);
}

const char *daemon_path(const struct daemon *daemon)
{
	return daemon->path;
}

bool daemon_is_connected(struct daemon *daemon)
{
	return !lines_have_ended(&daemon->lines);
}

void daemon_disconnect(struct daemon *daemon)
{
	lines_close(&daemon->lines);
}

/* ---- is it his ---- */

/* Two robots may be called alike, and what is for one must not move the other. */
static bool is_ours(const struct daemon *daemon, const struct json_object *result)
{
	struct json_object *path = daemon_member(result, "path", json_type_string);
	char *real = path ? real_path(json_object_get_string(path)) : NULL;
	bool is_same = real && strcmp(real, daemon->description) == 0;

	free(real);
	return is_same;
}

static int describe(struct daemon *daemon, unsigned int timeout_ms, struct naohw_error *err)
{
	int64_t deadline = monotonic_ns() + (int64_t)timeout_ms * NS_PER_MS;
	int ret = lines_connect(&daemon->lines, daemon->path, deadline);
	struct json_object *result;

	if (ret < 0)
		return fail(err, ret, "%s: %s", daemon->path, file_error_text(ret));
	ret = daemon_call(daemon, "describe", NULL, monotonic_ms_until(deadline), &result, NULL,
			  err);
	if (ret < 0)
		return ret;
	if (!is_ours(daemon, result))
		ret = fail(err, -ENXIO, "%s: is the naohwd of another robot of that name",
			   daemon->path);
	json_object_put(result);
	return ret;
}

int daemon_connect(struct daemon *daemon, unsigned int timeout_ms, struct naohw_error *err)
{
	int ret = describe(daemon, timeout_ms, err);

	if (ret < 0)
		daemon_disconnect(daemon);
	return ret;
}
