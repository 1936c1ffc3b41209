// SPDX-License-Identifier: LGPL-2.1-or-later
/* NAOs that differ from the H25 V3.3: what each of them has of its keys, and what it has not. */
#include "support.h"

#include "fake_iio.h"
#include "robot_keys.h"

#define SUBDEVICES "Device/SubDeviceList/"
#define DEVICES	   "Device/DeviceList/"
#define BODY	   "RobotConfig/Body/"
#define KEYS	   8

/* The number of its values, measured or wanted, and of its devices. */
struct variant {
	const char *name;
	unsigned int values;
	unsigned int devices;
	const char *there[KEYS];
	const char *not_there[KEYS];
	const struct {
		const char *key;
		const char *text;
	} told[KEYS];
};

/*
 * A joint has 5 values, and RHipYawPitch 4; a hand feels with 3, and a foot has 3 of bumpers, 7 of
 * forces and 3 of lights.
 */
static const struct variant variants[] = {
	{
		.name = "nao-h25-v33",
		.values = 286,
		.devices = 24,
		.there = { SUBDEVICES "LHand/Touch/Back/Sensor/Value" },
		.told = { { BODY "Device/Hand/Left/Version", "3" } },
	},
	{
		.name = "nao-h21-v33",
		.values = 286 - 4 * 5 - 2 * 3,
		.devices = 24 - 4,
		.there = { SUBDEVICES "LElbowRoll/Position/Sensor/Value", DEVICES "LeftArmBoard/Bid" },
		.not_there = { SUBDEVICES "LHand/Position/Sensor/Value",
			       SUBDEVICES "LHand/Touch/Back/Sensor/Value",
			       SUBDEVICES "RWristYaw/Position/Actuator/Kp",
			       DEVICES "RightHandBoard/Type" },
		.told = { { BODY "Device/Hand/Left/Version", "0" },
			  { BODY "Device/Hand/Right/Version", "0" },
			  { BODY "Device/LeftArm/Version", "2" },
			  { BODY "BaseVersion", "V3.3" } },
	},
	{
		.name = "nao-t14-v33",
		.values = 286 - 11 * 5 - 4 - 2 * 13,
		.devices = 24 - 8,
		.there = { SUBDEVICES "LHand/Position/Sensor/Value",
			   SUBDEVICES "US/Left/Sensor/Value9" },
		.not_there = { SUBDEVICES "RHipYawPitch/Position/Sensor/Value",
			       SUBDEVICES "LFoot/FSR/TotalWeight/Sensor/Value",
			       DEVICES "LeftFootBoard/Type" },
		.told = { { BODY "Device/Legs/Version", "-1" },
			  { BODY "Device/Foot/Left/Version", "0" },
			  { BODY "Device/Foot/Right/Version", "0" },
			  { BODY "Device/Hand/Left/Version", "3" } },
	},
	{
		.name = "nao-t2-v33",
		.values = 286 - 23 * 5 - 4 - 2 * 13 - 2 * 3,
		.devices = 24 - 16,
		.there = { SUBDEVICES "HeadPitch/Position/Sensor/Value",
			   SUBDEVICES "Head/Touch/Rear/Sensor/Value" },
		.not_there = { SUBDEVICES "LShoulderPitch/Position/Sensor/Value",
			       SUBDEVICES "RHand/Touch/Left/Sensor/Value",
			       SUBDEVICES "RAnkleRoll/Position/Sensor/Value",
			       DEVICES "RightShoulderBoard/Bid" },
		.told = { { BODY "Device/LeftArm/Version", "-1" },
			  { BODY "Device/RightArm/Version", "-1" },
			  { BODY "Device/Legs/Version", "-1" },
			  { BODY "Device/Hand/Right/Version", "0" } },
	},
	{
		.name = "nao-h25-v32",
		.values = 286 - 2 * 3,
		.devices = 24 - 2,
		.there = { SUBDEVICES "LHand/Position/Sensor/Value", DEVICES "LeftHandBoard/Bid" },
		.not_there = { SUBDEVICES "LHand/Touch/Back/Sensor/Value",
			       DEVICES "LeftHandTouchBoard/Type" },
		.told = { { "RobotConfig/Head/BaseVersion", "V3.2" },
			  { BODY "Device/Hand/Left/Version", "2" },
			  { BODY "Device/RightArm/Version", "1" },
			  { BODY "Version", "3.2.0" },
			  { SUBDEVICES "LShoulderRoll/Position/Actuator/Max", "1.6494" },
			  { SUBDEVICES "RElbowRoll/Position/Sensor/Min", "0.0087" },
			  { SUBDEVICES "HeadYaw/Position/Sensor/Max", "2.08567" } },
	},
	{
		.name = "nao-h25-v40",
		.values = 286,
		.devices = 24,
		.there = { SUBDEVICES "InertialSensor/AccelerometerX/Sensor/Value" },
		.told = { { "RobotConfig/Head/BaseVersion", "V4.0" },
			  { BODY "BaseVersion", "V4.0" },
			  { BODY "Version", "4.0.0" } },
	},
};

static void open_robot(const char *name)
{
	struct naohw_error err;
	char path[256];

	snprintf(path, sizeof(path), ROBOTS_DIR "/%s.xml", name);
	if (naohw_robot_open(path, NULL, &robot, &err) < 0)
		fail_msg("%s", err.message);
}

/* Is it one that is measured or wanted, as ".../Sensor/Value3"? */
static bool is_value(const char *name)
{
	const char *slash = strrchr(name, '/');

	return strncmp(name, SUBDEVICES, strlen(SUBDEVICES)) == 0 &&
	       strncmp(slash, "/Value", strlen("/Value")) == 0;
}

static bool is_device(const char *name)
{
	return strncmp(name, DEVICES, strlen(DEVICES)) == 0 &&
	       strcmp(strrchr(name, '/'), "/Type") == 0;
}

static unsigned int count(bool (*is)(const char *name))
{
	unsigned int counted = 0;

	for (size_t i = 0; i < naohw_robot_key_count(robot); i++)
		counted += is(naohw_key_name(naohw_robot_key_at(robot, i)));
	return counted;
}

static void check(const struct variant *variant)
{
	struct naohw_key *found;

	for (size_t i = 0; i < KEYS && variant->there[i]; i++)
		if (naohw_robot_find_key(robot, variant->there[i], &found) < 0)
			fail_msg("%s: no %s", variant->name, variant->there[i]);
	for (size_t i = 0; i < KEYS && variant->not_there[i]; i++)
		if (naohw_robot_find_key(robot, variant->not_there[i], &found) == 0)
			fail_msg("%s: %s is there", variant->name, variant->not_there[i]);
	for (size_t i = 0; i < KEYS && variant->told[i].key; i++)
		check_text(variant->told[i].key, variant->told[i].text);
	if (count(is_value) != variant->values || count(is_device) != variant->devices)
		fail_msg("%s: %u values of %u devices, expected %u of %u", variant->name,
			 count(is_value), count(is_device), variant->values, variant->devices);
}

/* [cfg-5] [cfg-8] [cfg-10] [cfg-11] [cfg-12] [cfg-13] [tou-3] */
static void each_has_what_it_has(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(variants) / sizeof(variants[0]); i++) {
		fake_reset();
		open_robot(variants[i].name);
		check(&variants[i]);
		naohw_robot_close(robot);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_has_what_it_has),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
