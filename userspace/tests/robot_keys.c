// SPDX-License-Identifier: LGPL-2.1-or-later
#include "robot_keys.h"

#include "support.h"

struct naohw_robot *robot;

struct naohw_key *key(const char *name)
{
	struct naohw_key *found;

	if (naohw_robot_find_key(robot, name, &found) < 0)
		fail_msg("no key %s", name);
	return found;
}

double value_of(const char *name)
{
	struct naohw_error err;
	double value;

	if (naohw_key_read(key(name), &value, &err) < 0)
		fail_msg("%s", err.message);
	return value;
}

const char *text_of(const char *name)
{
	static char text[64];
	struct naohw_error err;

	if (naohw_key_read_string(key(name), text, sizeof(text), &err) < 0)
		fail_msg("%s: %s", name, err.message);
	return text;
}

void check_text(const char *name, const char *expected)
{
	if (strcmp(text_of(name), expected) != 0)
		fail_msg("%s is \"%s\", expected \"%s\"", name, text_of(name), expected);
}
