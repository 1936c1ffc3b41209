/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Where a subdevice's value is from, and goes to: a table of kinds. The name of a kind is that of
 * the Preference which makes an array a subdevice of it.
 */
#ifndef NAOHW_SOURCE_H
#define NAOHW_SOURCE_H

#include "robot.h"

struct source_kind {
	const char *name;
	/* Is what the description says right? Asks no device. NULL: always */
	int (*check)(struct naohw_robot *robot, struct subdevice *subdevice,
		     const struct preference *preference, struct naohw_error *err);
	/* Find what there is; what there is not is told when it is asked for. NULL: nothing */
	void (*open)(struct naohw_robot *robot, struct subdevice *subdevice);
	void (*close)(struct subdevice *subdevice); /* NULL: nothing to do */
	/* The value as the device has it, before Gain and Offset */
	int (*read)(const struct subdevice *subdevice, double *device, struct naohw_error *err);
	/* A value of the key within Min and Max; NULL: nothing can be written to it */
	int (*write)(struct naohw_robot *robot, const struct subdevice *subdevice, double value,
		     struct naohw_error *err);
};

extern const struct source_kind source_attribute;
extern const struct source_kind source_channel;
extern const struct source_kind source_formula;

/* The kind that a Preference of this name makes, or NULL. */
const struct source_kind *source_find(const char *name);

/* Says in which file and line the Preference is, what it has and what was expected; -EINVAL. */
int source_wrong(const struct preference *preference, const char *expected,
		 struct naohw_error *err);

#endif
