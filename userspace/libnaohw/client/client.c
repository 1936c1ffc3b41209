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

/* Who asks only whose a robot is has something else to say as well. */
#define HOLDER_MS 200

/* ---- its names ---- */

static int make_names(struct daemon *daemon, const char *description)
{
	const char *run = secure_getenv("NAOHW_RUN"), *name;
	int length, path, unit;

	name = robot_name(description, &length);
	path = snprintf(daemon->path, sizeof(daemon->path), "%s/%.*s.sock", run && *run ? run : RUN,
			length, name);
	unit = snprintf(daemon->unit, sizeof(daemon->unit), "naohwd@%.*s.service", length, name);
	if (path >= (int)sizeof(daemon->path) || unit >= (int)sizeof(daemon->unit))
		return -ENAMETOOLONG;
	return 0;
}

int daemon_new(const char *description, struct daemon **out, struct naohw_error *err)
{
	struct daemon *daemon = calloc(1, sizeof(*daemon));
	int ret;

	if (!daemon)
		return fail(err, -ENOMEM, "out of memory");
	lines_init(&daemon->lines);
	daemon->description = realpath(description, NULL);
	ret = daemon->description ? make_names(daemon, description) : -errno;
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
	char *real = path ? realpath(json_object_get_string(path), NULL) : NULL;
	bool is_same = real && strcmp(real, daemon->description) == 0;

	free(real);
	return is_same;
}

static int describe(struct daemon *daemon, unsigned int timeout_ms, struct json_object **result,
		    struct naohw_error *err)
{
	int64_t deadline = monotonic_ns() + (int64_t)timeout_ms * NS_PER_MS;
	int ret = lines_connect(&daemon->lines, daemon->path, deadline);

	if (ret < 0)
		return fail(err, ret, "%s: %s", daemon->path, file_error_text(ret));
	ret = daemon_call(daemon, "describe", NULL, monotonic_ms_until(deadline), result, NULL,
			  err);
	if (ret < 0 || is_ours(daemon, *result))
		return ret;
	json_object_put(*result);
	return fail(err, -ENXIO, "%s: is the naohwd of another robot of that name", daemon->path);
}

int daemon_connect(struct daemon *daemon, unsigned int timeout_ms, struct naohw_error *err)
{
	struct json_object *result;
	int ret = describe(daemon, timeout_ms, &result, err);

	if (ret < 0) {
		daemon_disconnect(daemon);
		return ret;
	}
	json_object_put(result);
	return 0;
}

/* ---- whose it is ---- */

static void add_holder(const struct json_object *result, struct naohw_error *err)
{
	struct json_object *pid = daemon_member(result, "pid", json_type_int);
	size_t used = strlen(err->message);

	if (pid)
		snprintf(err->message + used, sizeof(err->message) - used, " (naohwd, process %d)",
			 json_object_get_int(pid));
}

void daemon_tell_holder(const char *description, struct naohw_error *err)
{
	struct json_object *result;
	struct daemon *daemon;

	if (!err || daemon_new(description, &daemon, NULL) < 0)
		return;
	if (describe(daemon, HOLDER_MS, &result, NULL) == 0) {
		add_holder(result, err);
		json_object_put(result);
	}
	daemon_free(daemon);
}
