/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kinds of "naohw calibrate" share. Each returns a status, and has complained. */
#ifndef NAOHW_CALIBRATE_H
#define NAOHW_CALIBRATE_H

#include <stdbool.h>
#include <stddef.h>

#include <naohw.h>

#include "cli.h"

#define CALIBRATE_KEY 256

/* Two of each of the four corners of a foot, and that they have been calibrated */
#define CHANGES 9

/* Preferences that are to have another value, all or none. Begins as { 0 }. */
struct changes {
	char key[CHANGES][CALIBRATE_KEY];
	double value[CHANGES];
	double before[CHANGES];
	size_t count;
};

/* "Device/SubDeviceList/@device/@name" */
void calibrate_name(char *key, const char *device, const char *name);

/* false: there is none, or it cannot be read; complained. */
bool calibrate_read(const struct naohw_robot *robot, const char *key, double *value);

/* What a key says again and again: the mean of it, and how far it went. */
struct sample {
	char key[CALIBRATE_KEY];
	double mean, least, most;
};

/* What is still goes no farther than that. */
struct still {
	double range;
	const char *unit;
};

/* Read the keys as often as --count says, or for a second. false: one is not still; complained. */
bool calibrate_sample(const struct cli *cli, const struct naohw_robot *robot,
		      struct sample *samples, size_t count, const struct still *still);

/* Have the description's number at @key be another one. false: there is none; complained. */
bool calibrate_change(struct changes *changes, const struct naohw_robot *robot, const char *key,
		      double value);

/* Save them in the body's layer, and print them. */
int calibrate_save(const struct cli *cli, const struct changes *changes);

int calibrate_joint(const struct cli *cli, const struct naohw_robot *robot, const char *name);
int calibrate_fsr(const struct cli *cli, const struct naohw_robot *robot, const char *foot);
int calibrate_gyro(const struct cli *cli, const struct naohw_robot *robot);

#endif
