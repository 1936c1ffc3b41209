// SPDX-License-Identifier: LGPL-2.1-or-later
#include "rule.h"

#include <errno.h>
#include <string.h>

#include "../base/base.h"

#define CONFIGURED "a motor board's configuration, which NAO's maker warns of changing"
#define BUILT	   "what the robot is built of, and not to be changed"
#define LIMIT	   "a limit, and not to be changed while it holds; \"naohw pref\" does before"
#define COUNTED	   "what is told of the device, and nothing that it is told"
#define CALIBRATED "its calibration: \"naohw calibrate\" changes it"

struct rule {
	const char *name; /* the last part of a key */
	const char *reason;
};

/* What the text on NAO's keys calls not to be changed, and what cannot be. */
static const struct rule rules[] = {
	{ "InvertControlDirection", CONFIGURED },
	{ "Kp", CONFIGURED },
	{ "Ki", CONFIGURED },
	{ "Kd", CONFIGURED },
	{ "MotorNumber", CONFIGURED },
	{ "GearRatio", CONFIGURED },
	{ "SensorType", CONFIGURED },
	{ "positionChainMREJoint", CONFIGURED },
	{ "positionChainMREMotor", CONFIGURED },
	{ "jointZeroPosition", CALIBRATED },
	{ "Min", LIMIT },
	{ "Max", LIMIT },
	{ "Type", BUILT },
	{ "Device", BUILT },
	{ "SubDeviceNumber", BUILT },
	{ "Bus", BUILT },
	{ "Address", BUILT },
	{ "Ack", COUNTED },
	{ "Nack", COUNTED },
	{ "Error", COUNTED },
};

static const char *reason_of(const struct naohw_key *key)
{
	const char *slash = strrchr(naohw_key_name(key), '/');
	const char *last = slash ? slash + 1 : naohw_key_name(key);

	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (strcmp(last, rules[i].name) == 0)
			return rules[i].reason;
	if (!key->value_of)
		return "the description's: \"naohw pref\" changes it";
	return "what is measured; only the Value of an actuator can be set, or a board's memory";
}

int rule_check(const struct naohw_key *key, struct naohw_error *err)
{
	if (naohw_key_is_writable(key))
		return 0;
	return fail(err, -EACCES, "%s: is %s", naohw_key_name(key), reason_of(key));
}
