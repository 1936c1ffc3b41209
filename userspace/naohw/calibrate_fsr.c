// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The four force sensors of a foot. With nothing on it each gets its Offset; then, with a weight
 * that is known, all four get more or less Gain by the same factor.
 */
#include <math.h>
#include <stdio.h>

#include "calibrate.h"

#define CORNERS 4

/* 1: the sensors have been calibrated once, in this way. */
#define VERSION_KEY "RobotConfig/Body/Device/FSR/Calibration/Version"

/* In kg: what less than this weighs is nothing. */
#define NOTHING 0.05

struct corner {
	char gain_key[CALIBRATE_KEY], offset_key[CALIBRATE_KEY];
	double value, gain, offset;
	bool is_inverse; /* (1 / device - Offset) * Gain, and not device * Gain + Offset */
};

static bool is_inverse(const struct naohw_robot *robot, const char *foot, const char *name)
{
	char part[64], key[CALIBRATE_KEY];
	struct naohw_key *found;
	double value = 0;

	snprintf(part, sizeof(part), "FSR/%s/Sensor/Inverse", name);
	calibrate_name(key, foot, part);
	if (naohw_robot_find_key(robot, key, &found) < 0)
		return false;
	return naohw_key_read(found, &value, NULL) == 0 && value;
}

static bool read_corner(const struct naohw_robot *robot, const char *foot, const char *name,
			struct corner *corner)
{
	char part[64], key[CALIBRATE_KEY];

	snprintf(part, sizeof(part), "FSR/%s/Sensor/Value", name);
	calibrate_name(key, foot, part);
	snprintf(part, sizeof(part), "FSR/%s/Sensor/Gain", name);
	calibrate_name(corner->gain_key, foot, part);
	snprintf(part, sizeof(part), "FSR/%s/Sensor/Offset", name);
	calibrate_name(corner->offset_key, foot, part);
	corner->is_inverse = is_inverse(robot, foot, name);
	return calibrate_read(robot, key, &corner->value) &&
	       calibrate_read(robot, corner->gain_key, &corner->gain) &&
	       calibrate_read(robot, corner->offset_key, &corner->offset);
}

static bool read_corners(const struct naohw_robot *robot, const char *foot, struct corner *corners)
{
	static const char *const names[CORNERS] = {
		"FrontLeft",
		"FrontRight",
		"RearLeft",
		"RearRight",
	};

	for (size_t i = 0; i < CORNERS; i++)
		if (!read_corner(robot, foot, names[i], &corners[i]))
			return false;
	return true;
}

/* What the corner has now becomes nothing. */
static bool take_away(struct changes *changes, const struct naohw_robot *robot,
		      const struct corner *corner)
{
	double more = corner->is_inverse ? corner->value / corner->gain : -corner->value;

	return calibrate_change(changes, robot, corner->offset_key, corner->offset + more);
}

static bool scale(struct changes *changes, const struct naohw_robot *robot,
		  const struct corner *corner, double factor)
{
	if (!calibrate_change(changes, robot, corner->gain_key, corner->gain * factor))
		return false;
	return corner->is_inverse ||
	       calibrate_change(changes, robot, corner->offset_key, corner->offset * factor);
}

/* A robot that does not know such a key does without. */
static bool note_version(struct changes *changes, const struct naohw_robot *robot)
{
	struct naohw_key *found;

	if (naohw_robot_find_key(robot, VERSION_KEY, &found) < 0)
		return true;
	return calibrate_change(changes, robot, VERSION_KEY, 1);
}

/* false: complained. */
static bool find_changes(struct changes *changes, const struct naohw_robot *robot,
			 const struct corner *corners, double weight)
{
	double sum = 0;

	for (size_t i = 0; i < CORNERS; i++)
		sum += corners[i].value;
	if (weight > 0 && sum < NOTHING) {
		complain("the foot weighs %.3g kg: put the weight on it", sum);
		return false;
	}
	for (size_t i = 0; i < CORNERS; i++)
		if (weight > 0 ? !scale(changes, robot, &corners[i], weight / sum) :
				 !take_away(changes, robot, &corners[i]))
			return false;
	return weight > 0 ? note_version(changes, robot) : true;
}

int calibrate_fsr(const struct cli *cli, const struct naohw_robot *robot, const char *foot)
{
	double weight = line_number(&cli->line, OPTION_WEIGHT, 0);
	struct corner corners[CORNERS];
	struct changes changes = { 0 };

	if (!read_corners(robot, foot, corners) || !find_changes(&changes, robot, corners, weight))
		return STATUS_FAILED;
	return calibrate_save(cli, &changes);
}
