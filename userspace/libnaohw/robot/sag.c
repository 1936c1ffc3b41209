// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * How far a joint may be off its goal under the robot's own weight. The servos' controllers have a
 * P part and, as delivered, no I part: what a servo pulls with follows from how far it is off, so with
 * a load it never comes to its goal. motion.rst has the table, and where its numbers are from.
 */
#include <math.h>
#include <string.h>

#include "inside.h"

/* Counts; of a joint without load, and the least for all */
#define NO_LOAD	   2
/* Of all its strength, what a joint of a robot that stands pulls with at the most */
#define LOAD_SHARE (1.0 / 3)

#define AX_SLOPE   32
#define MX_SLOPE   (32 * (300.0 / 1024) / (360.0 / 4096))
#define X_FULL_PWM 885
#define X_P_UNIT   128

/* Counts off the goal at which it pulls with all that it has, with the gain that it is delivered with */
struct reach {
	const char *model; /* how its name begins */
	double counts;
};

/* The first that fits: names that are others' beginnings come behind them. */
static const struct reach reaches[] = {
	{ "ax-", AX_SLOPE },
	{ "rx-", AX_SLOPE },
	{ "ex-", AX_SLOPE },
	{ "xl-320", AX_SLOPE },
	{ "mx-28-2", X_FULL_PWM * X_P_UNIT / 850.0 },
	{ "mx-64-2", X_FULL_PWM * X_P_UNIT / 850.0 },
	{ "mx-106-2", X_FULL_PWM * X_P_UNIT / 850.0 },
	{ "mx-12w", MX_SLOPE * 32 / 8 },
	{ "mx-", MX_SLOPE },
	{ "xl430-w250", X_FULL_PWM * X_P_UNIT / 640.0 },
	{ "xc430-w150", X_FULL_PWM * X_P_UNIT / 460.0 },
	{ "xc430-w240", X_FULL_PWM * X_P_UNIT / 700.0 },
	{ "xh430-w", X_FULL_PWM * X_P_UNIT / 900.0 },
	{ "x", X_FULL_PWM * X_P_UNIT / 800.0 },
	{ "nao-motor", 0.1 / (2 * M_PI / 65536) },
};

static const struct reach *find(const char *model)
{
	for (size_t i = 0; i < sizeof(reaches) / sizeof(reaches[0]); i++)
		if (strncmp(model, reaches[i].model, strlen(reaches[i].model)) == 0)
			return &reaches[i];
	return NULL;
}

int sag_of_model(const char *model)
{
	const struct reach *reach = model ? find(model) : NULL;

	return reach ? (int)ceil(reach->counts * LOAD_SHARE) : NO_LOAD;
}
