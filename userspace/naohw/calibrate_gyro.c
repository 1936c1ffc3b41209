// SPDX-License-Identifier: GPL-2.0-or-later
/* What a gyrometer says while nothing turns is taken off what it says. */
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "calibrate.h"

#define AXES	  3
#define SAMPLES	  100
#define SAMPLE_NS (10 * 1000000)

/* In rad/s: a gyrometer that is still is noisy by less. */
#define STILL 0.25

struct axis {
	char value_key[CALIBRATE_KEY], offset_key[CALIBRATE_KEY];
	double sum, least, most;
};

static size_t find_axes(const struct naohw_robot *robot, struct axis *axes)
{
	static const char *const names[AXES] = { "GyroscopeX", "GyroscopeY", "GyroscopeZ" };
	struct naohw_key *found;
	char part[64];
	size_t count = 0;

	for (size_t i = 0; i < AXES; i++) {
		struct axis *axis = &axes[count];

		*axis = (struct axis){ .least = INFINITY, .most = -INFINITY };
		snprintf(part, sizeof(part), "%s/Sensor/Value", names[i]);
		calibrate_name(axis->value_key, "InertialSensor", part);
		snprintf(part, sizeof(part), "%s/Sensor/Offset", names[i]);
		calibrate_name(axis->offset_key, "InertialSensor", part);
		count += naohw_robot_find_key(robot, axis->value_key, &found) == 0;
	}
	return count;
}

static bool sample(const struct naohw_robot *robot, struct axis *axis)
{
	double value;

	if (!calibrate_read(robot, axis->value_key, &value))
		return false;
	axis->sum += value;
	axis->least = fmin(axis->least, value);
	axis->most = fmax(axis->most, value);
	return true;
}

static bool sample_all(const struct naohw_robot *robot, struct axis *axes, size_t count,
		       long samples)
{
	const struct timespec pause = { .tv_nsec = SAMPLE_NS };

	for (long n = 0; n < samples; n++) {
		for (size_t i = 0; i < count; i++)
			if (!sample(robot, &axes[i]))
				return false;
		nanosleep(&pause, NULL);
	}
	return true;
}

/* false: complained. */
static bool find_change(struct changes *changes, const struct naohw_robot *robot,
			const struct axis *axis, long samples)
{
	double offset;

	if (axis->most - axis->least > STILL) {
		complain("%s was from %.3g to %.3g rad/s: the robot must stand still",
			 axis->value_key, axis->least, axis->most);
		return false;
	}
	return calibrate_read(robot, axis->offset_key, &offset) &&
	       calibrate_change(changes, robot, axis->offset_key,
				offset - axis->sum / (double)samples);
}

int calibrate_gyro(const struct cli *cli, const struct naohw_robot *robot)
{
	long samples = line_whole(&cli->line, OPTION_COUNT, SAMPLES);
	struct changes changes = { 0 };
	struct axis axes[AXES];
	size_t count = find_axes(robot, axes);

	if (!count)
		return complain("this robot has no gyrometer in rad/s");
	if (!sample_all(robot, axes, count, samples))
		return STATUS_FAILED;
	for (size_t i = 0; i < count; i++)
		if (!find_change(&changes, robot, &axes[i], samples))
			return STATUS_FAILED;
	return calibrate_save(cli, &changes);
}
