// SPDX-License-Identifier: LGPL-2.1-or-later
#include "described.h"

#include "support.h"

struct naohw_robot *robot;
struct naohw_error err;

void describe(const char *path)
{
	if (naohw_robot_describe(path, &robot, &err) < 0)
		fail_msg("%s", err.message);
}

void describe_installed(const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s.xml", ROBOTS_DIR, name);
	describe(path);
}

int described_teardown(void **state)
{
	naohw_robot_close(robot);
	robot = NULL;
	return robot_files_teardown(state);
}

size_t chain_of(const char *name)
{
	size_t found;

	if (naohw_robot_find_chain(robot, name, &found) < 0)
		fail_msg("no chain %s", name);
	return found;
}

void assert_chain(const char *name, const char *joints)
{
	size_t number = chain_of(name), used = 0;
	char text[1024] = "";

	for (size_t i = 0; i < naohw_chain_joint_count(robot, number); i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s", i ? " " : "",
					 naohw_chain_joint(robot, number, i));
	assert_string_equal(text, joints);
	assert_string_equal(naohw_chain_name(robot, number), name);
}
