// SPDX-License-Identifier: GPL-2.0-or-later
/* What a gyrometer says while nothing turns is taken off what it says. */
#include <stdio.h>

#include "calibrate.h"

#define AXES 3

/* A gyrometer that is still is noisy by less. */
static const struct still still = { .range = 0.25, .unit = "rad/s" };

struct gyro {
	struct sample value[AXES];
	char offset_key[AXES][CALIBRATE_KEY];
	size_t count;
};

static void find_axes(struct gyro *gyro, const struct naohw_robot *robot)
{
	static const char *const names[AXES] = { "GyroscopeX", "GyroscopeY", "GyroscopeZ" };
	struct naohw_key *found;
	char part[64];

	for (size_t i = 0; i < AXES; i++) {
		size_t at = gyro->count;

		snprintf(part, sizeof(part), "%s/Sensor/Value", names[i]);
		calibrate_name(gyro->value[at].key, "InertialSensor", part);
		snprintf(part, sizeof(part), "%s/Sensor/Offset", names[i]);
		calibrate_name(gyro->offset_key[at], "InertialSensor", part);
		gyro->count += naohw_robot_find_key(robot, gyro->value[at].key, &found) == 0;
	}
}

/* false: complained. */
static bool find_change(struct changes *changes, const struct naohw_robot *robot,
			const struct gyro *gyro, size_t axis)
{
	const char *key = gyro->offset_key[axis];
	double offset;

	return calibrate_read(robot, key, &offset) &&
	       calibrate_change(changes, robot, key, offset - gyro->value[axis].mean);
}

int calibrate_gyro(const struct cli *cli, const struct naohw_robot *robot)
{
	struct changes changes = { 0 };
	struct gyro gyro = { 0 };

	find_axes(&gyro, robot);
	if (!gyro.count)
		return complain("this robot has no gyrometer in rad/s");
	if (!calibrate_sample(cli, robot, gyro.value, gyro.count, &still))
		return STATUS_FAILED;
	for (size_t i = 0; i < gyro.count; i++)
		if (!find_change(&changes, robot, &gyro, i))
			return STATUS_FAILED;
	return calibrate_save(cli, &changes);
}
