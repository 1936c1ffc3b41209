// SPDX-License-Identifier: LGPL-2.1-or-later
/* What the text on NAO's keys calls not to be changed, and what cannot be. */
#include <string.h>

#include "../base/base.h"
#include "description.h"

static const struct fixed configured = {
	.reason = "a motor board's configuration, which NAO's maker warns of changing",
};
static const struct fixed built = {
	.reason = "what the robot is built of, and not to be changed",
};
static const struct fixed limit = {
	.reason = "a limit, and not to be changed while it holds; \"naohw pref\" does before",
	.but_in_layers = true,
};
static const struct fixed told = {
	.reason = "what is told of the device, and nothing that it is told",
};
static const struct fixed calibrated = {
	.reason = "its calibration: \"naohw calibrate\" changes it",
};

enum {
	OF_SUBDEVICE = 1,
	OF_DEVICE = 2,
	OF_BOTH = OF_SUBDEVICE | OF_DEVICE,
};

static const struct {
	const char *name; /* the last part of a key */
	int of;
	const struct fixed *fixed;
} table[] = {
	{ "InvertControlDirection", OF_SUBDEVICE, &configured },
	{ "Kp", OF_SUBDEVICE, &configured },
	{ "Ki", OF_SUBDEVICE, &configured },
	{ "Kd", OF_SUBDEVICE, &configured },
	{ "MotorNumber", OF_SUBDEVICE, &configured },
	{ "GearRatio", OF_SUBDEVICE, &configured },
	{ "SensorType", OF_SUBDEVICE, &configured },
	{ "positionChainMREJoint", OF_SUBDEVICE, &configured },
	{ "positionChainMREMotor", OF_SUBDEVICE, &configured },
	{ "jointZeroPosition", OF_SUBDEVICE, &calibrated },
	{ "Min", OF_SUBDEVICE, &limit },
	{ "Max", OF_SUBDEVICE, &limit },
	{ "Type", OF_BOTH, &built },
	{ "Device", OF_SUBDEVICE, &built },
	{ "SubDeviceNumber", OF_SUBDEVICE, &built },
	{ "Bus", OF_DEVICE, &built },
	{ "Address", OF_DEVICE, &built },
	{ "Ack", OF_BOTH, &told },
	{ "Nack", OF_BOTH, &told },
	{ "Error", OF_BOTH, &told },
	{ "Bid", OF_DEVICE, &told },
	{ "ProgVersion", OF_DEVICE, &told },
	{ "StructVersion", OF_DEVICE, &told },
	{ "BoardId", OF_DEVICE, &told },
	{ "BoardId2", OF_DEVICE, &told },
	{ "BootLoaderVersion", OF_DEVICE, &told },
};

static int whose(const char *key)
{
	if (text_begins_with(key, KEY_PREFIX))
		return OF_SUBDEVICE;
	return text_begins_with(key, DEVICE_PREFIX) ? OF_DEVICE : 0;
}

const struct fixed *fixed_find(const char *key)
{
	const char *slash = strrchr(key, '/');
	int of = whose(key);

	for (size_t i = 0; of && i < sizeof(table) / sizeof(table[0]); i++)
		if (table[i].of & of && strcmp(slash + 1, table[i].name) == 0)
			return table[i].fixed;
	return NULL;
}
