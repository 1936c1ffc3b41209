// SPDX-License-Identifier: LGPL-2.1-or-later
#include "known.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../base/base.h"
#include "parse.h"

const struct subdevice_name subdevice_names[] = {
	{ "Gain", NAOHW_KEY_FLOAT, NAOS },
	{ "Offset", NAOHW_KEY_FLOAT, NAOS },
	{ "Min", NAOHW_KEY_FLOAT, NAOS },
	{ "Max", NAOHW_KEY_FLOAT, NAOS },
	{ "Type", NAOHW_KEY_STRING, NAOS },
	{ "SubDeviceNumber", NAOHW_KEY_INT, NAOS },
	{ "Device", NAOHW_KEY_STRING, NAOS },
	{ "Label", NAOHW_KEY_STRING, OURS },
	{ "Channel", NAOHW_KEY_STRING, OUR_SOURCE },
	{ "Attribute", NAOHW_KEY_STRING, OUR_SOURCE },
	{ "Enable", NAOHW_KEY_STRING, OURS },
	{ "Brake", NAOHW_KEY_STRING, OURS },
	{ "Bit", NAOHW_KEY_INT, OURS },
	{ "Formula", NAOHW_KEY_STRING, OUR_SOURCE },
	{ "Of", NAOHW_KEY_STRING, OURS },
	{ "Event", NAOHW_KEY_STRING, OUR_SOURCE },
	{ "Light", NAOHW_KEY_STRING, OUR_SOURCE },
	{ "Color", NAOHW_KEY_STRING, OURS },
	{ "Supply", NAOHW_KEY_STRING, OUR_SOURCE },
	{ "Tone", NAOHW_KEY_STRING, OUR_SOURCE },
	{ "Memory", NAOHW_KEY_STRING, OUR_SOURCE },
	{ "File", NAOHW_KEY_STRING, OUR_SOURCE },
	{ "KeyType", NAOHW_KEY_STRING, OURS },
	{ "Inverse", NAOHW_KEY_BOOL, OURS },
	{ "Alias", NAOHW_KEY_STRING, OURS },
	{ "Rest", NAOHW_KEY_FLOAT, OURS },
	{ "SpeedMax", NAOHW_KEY_FLOAT, OURS },
	{ "AccelerationMax", NAOHW_KEY_FLOAT, OURS },
	{ "MotionOffset", NAOHW_KEY_FLOAT, OURS },
	{ "StallCurrent", NAOHW_KEY_FLOAT, OURS },
	{ "StallTime", NAOHW_KEY_FLOAT, OURS },
	{ SEVERITY_NAME, NAOHW_KEY_STRING, OURS },
	{ DIAGNOSIS_NAME, NAOHW_KEY_STRING, OURS },
	{ DIAGNOSIS_NAME "Chain", NAOHW_KEY_STRING, OURS },
	{ DIAGNOSIS_NAME "Joint", NAOHW_KEY_STRING, OURS },
};

const size_t subdevice_name_count = sizeof(subdevice_names) / sizeof(subdevice_names[0]);

const char *const dcm_names[] = {
	DCM_PREFIX "TargetCycleTime", DCM_PREFIX "CycleTimeWarning", DCM_PREFIX "Realtime",
	DCM_PREFIX "RealtimePriority", DCM_PREFIX "SpeedMax", DCM_PREFIX "SpeedWithoutTime",
	DCM_PREFIX "AccelerationMax", DCM_PREFIX "AutoRecover", DCM_PREFIX "StallTime",
	DCM_PREFIX "StallError", DCM_PREFIX "StallLoad",
};

const size_t dcm_name_count = sizeof(dcm_names) / sizeof(dcm_names[0]);

static bool has_source(const struct description *d, const char *prefix)
{
	for (size_t i = 0; i < subdevice_name_count; i++)
		if (subdevice_names[i].whose == OUR_SOURCE &&
		    description_find(d, prefix, subdevice_names[i].name))
			return true;
	return false;
}

/* Of "HeadYaw/Position/Sensor/Offset" the subdevice is what is before the last slash. */
static bool is_of_subdevice(const struct description *d, const char *key, const char *slash)
{
	char prefix[KEY_MAX];

	snprintf(prefix, sizeof(prefix), "%.*s", (int)(slash - key), key);
	return text_begins_with(prefix, KEY_PREFIX) && has_source(d, prefix);
}

static bool is_alias(const char *key)
{
	return text_begins_with(key, DCM_ALIAS_PREFIX) && key[strlen(DCM_ALIAS_PREFIX)];
}

static bool is_chain(const char *key)
{
	return text_begins_with(key, CHAIN_PREFIX) && key[strlen(CHAIN_PREFIX)];
}

static bool is_dcm_number(const char *key)
{
	for (size_t i = 0; i < dcm_name_count; i++)
		if (strcmp(key, dcm_names[i]) == 0)
			return true;
	return false;
}

/* A string that descriptions need not have, as each robot has its own. */
static bool is_own(const char *key)
{
	return strcmp(key, BUSES_KEY) == 0 || strcmp(key, OPTIONAL_KEY) == 0 ||
	       strcmp(key, RULES_KEY) == 0 ||
	       strcmp(key, HEAD_ID_KEY) == 0 || is_alias(key) || is_chain(key);
}

bool known_type(const struct description *d, const char *key, enum naohw_key_type *type)
{
	const struct preference *found = description_find_key(d, key);
	const char *slash = strrchr(key, '/');

	if (found) {
		*type = found->type;
		return true;
	}
	if (is_own(key)) {
		*type = NAOHW_KEY_STRING;
		return true;
	}
	if (is_dcm_number(key)) {
		*type = NAOHW_KEY_FLOAT;
		return true;
	}
	if (!slash || strlen(key) >= KEY_MAX || !is_of_subdevice(d, key, slash))
		return false;
	for (size_t i = 0; i < subdevice_name_count; i++) {
		if (strcmp(slash + 1, subdevice_names[i].name) != 0)
			continue;
		*type = subdevice_names[i].type;
		return true;
	}
	return false;
}

static bool is_our_name(const char *name)
{
	for (size_t i = 0; i < subdevice_name_count; i++)
		if (strcmp(subdevice_names[i].name, name) == 0)
			return subdevice_names[i].whose != NAOS;
	return strcmp(name, STORE_NAME) == 0;
}

bool known_is_wiring(const char *key)
{
	static const char *const whole[] = { BUSES_KEY, BASE_KEY, WITHOUT_KEY,
					     OPTIONAL_KEY };

	for (size_t i = 0; i < sizeof(whole) / sizeof(whole[0]); i++)
		if (strcmp(key, whole[i]) == 0)
			return true;
	if (is_chain(key))
		return true;
	if (!text_begins_with(key, KEY_PREFIX) && !text_begins_with(key, DEVICE_PREFIX))
		return false;
	return is_our_name(strrchr(key, '/') + 1);
}

static const char *find_nearest(const struct description *d, const char *key)
{
	struct nearest nearest = nearest_to(key);

	for (size_t i = 0; i < d->count; i++)
		(void)nearest_try(&nearest, d->list[i].key);
	return nearest.found;
}

int unknown_key(const struct description *d, const char *key, struct naohw_error *err)
{
	enum naohw_key_type type;
	const char *nearest;

	/* Of thousands of keys it takes its time to find the nearest, and nobody is to hear it. */
	if (!err)
		return -ENOENT;
	if (known_type(d, key, &type))
		return fail(err, -ENOENT, "%s: no file says it: its default holds", key);
	nearest = find_nearest(d, key);
	if (!nearest)
		return fail(err, -ENOENT, "%s: no such key", key);
	return fail(err, -ENOENT, "%s: no such key, the nearest is %s", key, nearest);
}
