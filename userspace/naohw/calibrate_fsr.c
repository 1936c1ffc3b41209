// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The four force sensors of a foot. With nothing on it each gets its Offset; then, with a weight
 * that is known, all four get more or less Gain by the same factor.
 */
#include <stdio.h>
#include <string.h>

#include "calibrate.h"

#define CORNERS 4

/* 1: the sensors have been calibrated once, in this way. */
#define VERSION_KEY "RobotConfig/Body/Device/FSR/Calibration/Version"

/* In kg: what less than this weighs is nothing, and by less sensors drift after a calibration. */
#define NOTHING 0.05
#define DRIFT	0.5

/* Sensors on which nothing moves are noisy by less. */
static const struct still still = { .range = 0.2, .unit = "kg" };

static const char *const corner_names[CORNERS] = {
	"FrontLeft",
	"FrontRight",
	"RearLeft",
	"RearRight",
};

struct corner {
	char gain_key[CALIBRATE_KEY], offset_key[CALIBRATE_KEY];
	double gain, offset;
	bool is_inverse; /* (1 / device - Offset) * Gain, and not device * Gain + Offset */
};

struct foot {
	const char *name;
	struct sample value[CORNERS];
	struct corner corner[CORNERS];
	double weight; /* what they say, in kg */
};

static void name_part(char *key, const char *foot, const char *corner, const char *what)
{
	char part[64];

	snprintf(part, sizeof(part), "FSR/%s/Sensor/%s", corner, what);
	calibrate_name(key, foot, part);
}

/* ---- what has been ---- */

static bool is_calibrated(const struct naohw_preferences *preferences, const char *foot)
{
	char key[CALIBRATE_KEY];
	size_t index;

	for (size_t i = 0; i < CORNERS; i++) {
		name_part(key, foot, corner_names[i], "Gain");
		if (naohw_preferences_find(preferences, key, &index, NULL) < 0 ||
		    naohw_preferences_layer(preferences, index) < 0)
			return false;
	}
	return true;
}

static bool has_foot(const struct naohw_robot *robot, const char *foot)
{
	char key[CALIBRATE_KEY];
	struct naohw_key *found;

	name_part(key, foot, corner_names[0], "Value");
	return naohw_robot_find_key(robot, key, &found) == 0;
}

static bool is_other_calibrated(const struct naohw_preferences *preferences,
				const struct naohw_robot *robot, const char *foot)
{
	const char *other = strcmp(foot, "LFoot") == 0 ? "RFoot" : "LFoot";

	return !has_foot(robot, other) || is_calibrated(preferences, other);
}

/* ---- what is ---- */

static bool is_inverse(const struct naohw_robot *robot, const char *foot, const char *name)
{
	char key[CALIBRATE_KEY];
	struct naohw_key *found;
	double value = 0;

	name_part(key, foot, name, "Inverse");
	if (naohw_robot_find_key(robot, key, &found) < 0)
		return false;
	return naohw_key_read(found, &value, NULL) == 0 && value;
}

static bool read_corner(const struct naohw_robot *robot, const char *foot, const char *name,
			struct corner *corner)
{
	name_part(corner->gain_key, foot, name, "Gain");
	name_part(corner->offset_key, foot, name, "Offset");
	corner->is_inverse = is_inverse(robot, foot, name);
	return calibrate_read(robot, corner->gain_key, &corner->gain) &&
	       calibrate_read(robot, corner->offset_key, &corner->offset);
}

static bool read_foot(const struct cli *cli, const struct naohw_robot *robot, struct foot *foot)
{
	for (size_t i = 0; i < CORNERS; i++)
		name_part(foot->value[i].key, foot->name, corner_names[i], "Value");
	if (!calibrate_sample(cli, robot, foot->value, CORNERS, &still))
		return false;
	for (size_t i = 0; i < CORNERS; i++) {
		if (!read_corner(robot, foot->name, corner_names[i], &foot->corner[i]))
			return false;
		foot->weight += foot->value[i].mean;
	}
	return true;
}

/* ---- what is to be ---- */

/* What the corner has now becomes nothing. */
static bool take_away(struct changes *changes, const struct naohw_robot *robot,
		      const struct corner *corner, double value)
{
	double more = corner->is_inverse ? value / corner->gain : -value;

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

/* The first step. A foot that was never calibrated may say anything. false: complained. */
static bool find_offsets(struct changes *changes, const struct naohw_robot *robot,
			 const struct foot *foot, const struct naohw_preferences *preferences)
{
	if (foot->weight > DRIFT && is_calibrated(preferences, foot->name)) {
		complain("the foot weighs %.3g kg, by its calibration: take off what stands on it",
			 foot->weight);
		return false;
	}
	for (size_t i = 0; i < CORNERS; i++)
		if (!take_away(changes, robot, &foot->corner[i], foot->value[i].mean))
			return false;
	return true;
}

/* The second step, after which the body is calibrated if its other foot is. false: complained. */
static bool find_gains(struct changes *changes, const struct naohw_robot *robot,
		       const struct foot *foot, double weight,
		       const struct naohw_preferences *preferences)
{
	if (foot->weight < NOTHING) {
		complain("the foot weighs %.3g kg: put the weight on it", foot->weight);
		return false;
	}
	for (size_t i = 0; i < CORNERS; i++)
		if (!scale(changes, robot, &foot->corner[i], weight / foot->weight))
			return false;
	return !is_other_calibrated(preferences, robot, foot->name) || note_version(changes, robot);
}

static int calibrate(const struct cli *cli, const struct naohw_robot *robot,
		     const struct foot *foot, const struct naohw_preferences *preferences)
{
	double weight = line_number(&cli->line, OPTION_WEIGHT, 0);
	struct changes changes = { 0 };

	if (weight > 0 ? !find_gains(&changes, robot, foot, weight, preferences) :
			 !find_offsets(&changes, robot, foot, preferences))
		return STATUS_FAILED;
	return calibrate_save(cli, &changes);
}

int calibrate_fsr(const struct cli *cli, const struct naohw_robot *robot, const char *name)
{
	struct naohw_preferences *preferences;
	struct foot foot = { .name = name };
	struct naohw_error err;
	int status;

	if (!read_foot(cli, robot, &foot))
		return STATUS_FAILED;
	if (naohw_preferences_load(cli->robot, &preferences, &err) < 0)
		return complain("%s", err.message);
	status = calibrate(cli, robot, &foot, preferences);
	naohw_preferences_free(preferences);
	return status;
}
