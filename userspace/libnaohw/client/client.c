// SPDX-License-Identifier: LGPL-2.1-or-later
/* Which naohwd is the robot's, and whether it is there. */
#include <errno.h>
#include <monotonic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"
#include "inside.h"

#define RUN	    "/run/naohw"
#define SUFFIX	    ".xml"
#define DESCRIPTION "/Device.xml"
#define NS_PER_MS   1000000

/* Who asks only whose a robot is has something else to say as well. */
#define HOLDER_MS 200

/* ---- its name ---- */

/* "bioloid", of .../bioloid.xml or of .../bioloid/Device.xml */
static int name_length(const char *description, const char **name)
{
	size_t length = strlen(description);
	const char *slash;

	if (text_ends_with(description, DESCRIPTION))
		length -= strlen(DESCRIPTION);
	else if (text_ends_with(description, SUFFIX))
		length -= strlen(SUFFIX);
	slash = memrchr(description, '/', length);
	*name = slash ? slash + 1 : description;
	return (int)(length - (size_t)(*name - description));
}

static int make_path(struct client *client, const char *description)
{
	const char *run = secure_getenv("NAOHW_RUN"), *name;
	int length = name_length(description, &name);
	int size = snprintf(client->path, sizeof(client->path), "%s/%.*s.sock",
			    run && *run ? run : RUN, length, name);

	return size < (int)sizeof(client->path) ? 0 : -ENAMETOOLONG;
}

int client_new(const char *description, struct client **out, struct naohw_error *err)
{
	struct client *client = calloc(1, sizeof(*client));
	int ret;

	if (!client)
		return fail(err, -ENOMEM, "out of memory");
	lines_init(&client->lines);
	client->description = realpath(description, NULL);
	ret = client->description ? make_path(client, description) : -errno;
	if (ret < 0) {
		client_free(client);
		return fail(err, ret, "%s: %s", description, file_error_text(ret));
	}
	*out = client;
	return 0;
}

void client_free(struct client *client)
{
	if (!client)
		return;
	lines_close(&client->lines);
	free(client->description);
	free(client);
}

const char *client_path(const struct client *client)
{
	return client->path;
}

bool client_is_connected(struct client *client)
{
	return !lines_have_ended(&client->lines);
}

void client_disconnect(struct client *client)
{
	lines_close(&client->lines);
}

/* ---- is it his ---- */

/* Two robots may be called alike, and what is for one must not move the other. */
static bool is_ours(const struct client *client, const struct json_object *result)
{
	struct json_object *path = client_member(result, "path", json_type_string);
	char *real = path ? realpath(json_object_get_string(path), NULL) : NULL;
	bool is_same = real && strcmp(real, client->description) == 0;

	free(real);
	return is_same;
}

static int describe(struct client *client, unsigned int timeout_ms, struct json_object **result,
		    struct naohw_error *err)
{
	int ret = lines_connect(&client->lines, client->path,
				monotonic_ns() + (int64_t)timeout_ms * NS_PER_MS);

	if (ret < 0)
		return fail(err, ret, "%s: %s", client->path, file_error_text(ret));
	ret = client_call(client, "describe", NULL, timeout_ms, result, NULL, err);
	if (ret < 0 || is_ours(client, *result))
		return ret;
	json_object_put(*result);
	return fail(err, -ENXIO, "%s: is the naohwd of another robot of that name", client->path);
}

int client_connect(struct client *client, unsigned int timeout_ms, struct naohw_error *err)
{
	struct json_object *result;
	int ret = describe(client, timeout_ms, &result, err);

	if (ret < 0) {
		client_disconnect(client);
		return ret;
	}
	json_object_put(result);
	return 0;
}

/* ---- whose it is ---- */

static void add_holder(const struct json_object *result, struct naohw_error *err)
{
	struct json_object *pid = client_member(result, "pid", json_type_int);
	size_t used = strlen(err->message);

	if (pid)
		snprintf(err->message + used, sizeof(err->message) - used, " (naohwd, process %d)",
			 json_object_get_int(pid));
}

void client_tell_holder(const char *description, struct naohw_error *err)
{
	struct json_object *result;
	struct client *client;

	if (!err || client_new(description, &client, NULL) < 0)
		return;
	if (describe(client, HOLDER_MS, &result, NULL) == 0) {
		add_holder(result, err);
		json_object_put(result);
	}
	client_free(client);
}
