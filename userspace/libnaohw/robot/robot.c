// SPDX-License-Identifier: LGPL-2.1-or-later
#include "inside.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"
#include "body_store.h"
#include "chain.h"
#include "severity.h"
#include "source.h"
#include "station.h"

const char *naohw_version(void)
{
	return NAOHW_VERSION;
}

/* Who waits for it in real time lends his priority to who has it. */
static void init_lock(pthread_mutex_t *lock)
{
	pthread_mutexattr_t attributes;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(lock, &attributes);
	pthread_mutexattr_destroy(&attributes);
}

static struct naohw_robot *robot_new(void)
{
	struct naohw_robot *robot = calloc(1, sizeof(*robot));

	if (robot) {
		init_lock(&robot->opening);
		init_lock(&robot->looking);
	}
	return robot;
}

static int open_context(struct naohw_robot *robot, const char *uri, struct naohw_error *err)
{
	int ret;

	errno = 0;
	robot->context = uri ? iio_create_context_from_uri(uri) : iio_create_local_context();
	if (robot->context)
		return 0;
	ret = errno ? -errno : -ENODEV;
	if (!uri)
		return fail(err, ret,
			    "this machine has no IIO devices (%s); are the dxl modules loaded and "
			    "the robot's overlay in the device tree?",
			    file_error_text(ret));
	if (ret == -ENOSYS)
		return fail(err, ret,
			    "IIO context %s: no such way to devices, expected \"local:\", "
			    "\"ip:HOST\" or \"xml:FILE\"",
			    uri);
	return fail(err, ret, "IIO context %s: %s", uri, file_error_text(ret));
}

static int understand(struct naohw_robot *robot, struct naohw_error *err)
{
	int ret = subdevices_build(robot, err);

	if (ret == 0)
		ret = chains_build(robot, err);
	if (ret == 0)
		ret = severities_check(robot, err);
	if (ret == 0)
		ret = keys_build(robot, err);
	return ret < 0 ? ret : buses_check(robot, err);
}

static int find_devices(struct naohw_robot *robot, struct naohw_error *err)
{
	int ret = buses_build(robot, err);

	if (ret == 0)
		ret = units_build(robot, err);
	if (ret < 0)
		return ret;
	subdevices_open(robot);
	return joints_build(robot, err);
}

/* Which robot it is stays so when its program is in another directory by then. */
static int take_path(struct naohw_robot *robot, struct naohw_error *err)
{
	const char *path = robot->description->path[LAYER_DEVICE];

	robot->path = path_absolute(path);
	return robot->path ? 0 : fail(err, -errno, "%s: %s", path, file_error_text(-errno));
}

static int describe(struct naohw_robot *robot, const char *description,
		    const struct places *places, struct naohw_error *err)
{
	int ret = description_load(description, places, &robot->description, err);

	if (ret == 0)
		ret = take_path(robot, err);
	return ret == 0 ? understand(robot, err) : ret;
}

/* A faulty description is told even where there is no robot. */
static int build(struct naohw_robot *robot, const char *description, const char *uri,
		 struct naohw_error *err)
{
	const struct places places = body_places(uri);
	int ret = describe(robot, description, &places, err);

	if (ret == 0)
		ret = open_context(robot, uri, err);
	if (ret == 0)
		ret = find_devices(robot, err);
	return ret;
}

/* A robot without devices, which only shows whether there could be one. */
int robot_check(struct description *description, struct naohw_error *err)
{
	struct naohw_robot *robot = robot_new();
	int ret;

	if (!robot)
		return fail(err, -ENOMEM, "out of memory");
	robot->description = description;
	ret = understand(robot, err);
	robot->description = NULL;
	naohw_robot_close(robot);
	return ret;
}

int naohw_robot_open(const char *description, const char *uri, struct naohw_robot **out,
		     struct naohw_error *err)
{
	struct naohw_robot *robot = robot_new();
	int ret;

	if (!robot)
		return fail(err, -ENOMEM, "out of memory");
	ret = build(robot, description, uri, err);
	if (ret < 0) {
		naohw_robot_close(robot);
		return ret;
	}
	*out = robot;
	return 0;
}

int naohw_robot_describe(const char *description, struct naohw_robot **out,
			 struct naohw_error *err)
{
	struct naohw_robot *robot = robot_new();
	int ret;

	if (!robot)
		return fail(err, -ENOMEM, "out of memory");
	ret = describe(robot, description, &installed_places, err);
	if (ret < 0) {
		naohw_robot_close(robot);
		return ret;
	}
	*out = robot;
	return 0;
}

void naohw_robot_close(struct naohw_robot *robot)
{
	if (!robot)
		return;
	keys_close(robot);
	leases_end(robot);
	subdevices_close(robot);
	stations_free(robot);
	chains_free(robot);
	source_events_end(&robot->buttons);
	source_tones_end(&robot->tones);
	pthread_mutex_destroy(&robot->opening);
	pthread_mutex_destroy(&robot->looking);
	units_free(robot);
	bus_devices_release(&robot->goals);
	bus_devices_release(&robot->states);
	free(robot->foreign);
	free(robot->joint);
	free(robot->lease);
	if (robot->context)
		iio_context_destroy(robot->context);
	description_free(robot->description);
	free(robot->path);
	free(robot);
}

int naohw_robot_body(const struct naohw_robot *robot, struct naohw_error *err)
{
	return description_body(robot->description, err);
}

const char *naohw_robot_path(const struct naohw_robot *robot)
{
	return robot->path;
}
