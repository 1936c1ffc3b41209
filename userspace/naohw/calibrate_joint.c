// SPDX-License-Identifier: GPL-2.0-or-later
/* A NAO's motor is told what its joint's encoder reads where the joint is at 0. */
#include <errno.h>
#include <iio.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate.h"

/* Of the encoder, in a turn */
#define COUNTS 4096
#define PI     3.14159265358979323846

#define CHANNEL	  "angl0"
#define ATTRIBUTE "calibbias"

/* The label that holds for the joint's sensor, its own or that of an array around it. */
static void label_of(const struct naohw_robot *robot, const char *name, char *label, size_t size)
{
	static const char *const places[] = { "Position/Sensor/Label", "Position/Label", "Label" };
	char key[CALIBRATE_KEY];
	struct naohw_key *found;

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		calibrate_name(key, name, places[i]);
		if (naohw_robot_find_key(robot, key, &found) == 0 &&
		    naohw_key_read_string(found, label, size, NULL) == 0)
			return;
	}
	snprintf(label, size, "%s", name);
}

static struct iio_channel *find_channel(const struct iio_context *context, const char *label)
{
	for (unsigned int i = 0; i < iio_context_get_devices_count(context); i++) {
		const struct iio_device *device = iio_context_get_device(context, i);
		const char *found = iio_device_get_label(device);

		if (found && strcmp(found, label) == 0)
			return iio_device_find_channel(device, CHANNEL, false);
	}
	return NULL;
}

/* The encoder reads more by this much than it should, where the joint is now. */
static bool read_excess(const struct cli *cli, const struct naohw_robot *robot, const char *name,
			long *counts)
{
	double is, gain, should = line_number(&cli->line, OPTION_AT, 0);
	char key[CALIBRATE_KEY];

	calibrate_name(key, name, "Position/Sensor/Value");
	if (!calibrate_read(robot, key, &is))
		return false;
	calibrate_name(key, name, "Position/Sensor/Gain");
	if (!calibrate_read(robot, key, &gain))
		return false;
	*counts = lround((is - should) / gain / (2 * PI) * COUNTS);
	return true;
}

static double limit_of(const struct naohw_robot *robot, const char *name, const char *limit,
		       double missing)
{
	char key[CALIBRATE_KEY];
	struct naohw_key *found;
	double value;

	calibrate_name(key, name, limit);
	if (naohw_robot_find_key(robot, key, &found) < 0 || naohw_key_read(found, &value, NULL) < 0)
		return missing;
	return value;
}

/*
 * No joint is where it cannot get; limits may be rounded by less than the encoder can tell. 0 is
 * where naohw set wants one that is not calibrated, whatever its limits.
 */
static bool check_angle(const struct cli *cli, const struct naohw_robot *robot, const char *name)
{
	double at = line_number(&cli->line, OPTION_AT, 0), count = 2 * PI / COUNTS;
	double min = limit_of(robot, name, "Position/Sensor/Min", -INFINITY);
	double max = limit_of(robot, name, "Position/Sensor/Max", INFINITY);

	if (at == 0 || (at >= min - count && at <= max + count))
		return true;
	complain("%s is at %g to %g rad, by its Min and Max, and not at %g", name, min, max, at);
	return false;
}

/* 0 would mean that nobody has said it, and the next one is as good. */
static long zero_after(long before, long excess)
{
	long zero = ((before + excess) % COUNTS + COUNTS) % COUNTS;

	return zero ? zero : 1;
}

static int complain_of(int error, const char *name)
{
	switch (error) {
	case -EBUSY:
		return complain("%s has torque; let it go: naohw set %s/Hardness/Actuator 0", name,
				name);
	case -EACCES:
	case -EPERM:
		return complain("%s: only root and the group robot may calibrate it", name);
	default:
		return complain("%s: %s", name, strerror(-error));
	}
}

static int calibrate_channel(struct iio_channel *channel, const char *name, long excess)
{
	char text[16];
	long before, zero;
	ssize_t ret = iio_channel_attr_read(channel, ATTRIBUTE, text, sizeof(text));

	if (ret < 0)
		return complain_of((int)ret, name);
	before = strtol(text, NULL, 10);
	zero = zero_after(before, excess);
	snprintf(text, sizeof(text), "%ld", zero);
	ret = iio_channel_attr_write(channel, ATTRIBUTE, text);
	if (ret < 0)
		return complain_of((int)ret, name);
	printf("%s/Position/Sensor/jointZeroPosition is %ld, was %ld\n", name, zero, before);
	return STATUS_OK;
}

static int calibrate_in(const struct iio_context *context, const char *label, const char *name,
			long excess)
{
	struct iio_channel *channel = find_channel(context, label);

	if (!channel || !iio_channel_find_attr(channel, ATTRIBUTE))
		return complain("%s: its servo keeps no zero; give it an Offset: naohw pref", name);
	return calibrate_channel(channel, name, excess);
}

int calibrate_joint(const struct cli *cli, const struct naohw_robot *robot, const char *name)
{
	struct iio_context *context;
	char label[64];
	long excess;
	int status;

	if (!check_angle(cli, robot, name) || !read_excess(cli, robot, name, &excess))
		return STATUS_FAILED;
	label_of(robot, name, label, sizeof(label));
	context = cli->uri ? iio_create_context_from_uri(cli->uri) : iio_create_local_context();
	if (!context)
		return complain("%s", strerror(errno));
	status = calibrate_in(context, label, name, excess);
	iio_context_destroy(context);
	return status;
}
