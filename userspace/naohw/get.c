// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>

#include "cli.h"

#define VALUE_SIZE 512

static int get(const struct naohw_robot *robot, const char *name, bool with_name)
{
	struct naohw_key *key = find_key(robot, name);
	struct naohw_error err;
	char value[VALUE_SIZE];

	if (!key)
		return STATUS_FAILED;
	if (naohw_key_read_string(key, value, sizeof(value), &err) < 0)
		return complain("%s", err.message);
	if (with_name)
		printf("%s ", naohw_key_name(key));
	printf("%s\n", value);
	return STATUS_OK;
}

int cmd_get(const struct cli *cli)
{
	const struct line *line = &cli->line;
	struct naohw_robot *robot;
	int status = STATUS_OK;

	if (line->operand_count == 0)
		return complain_usage("which KEY?");
	robot = open_robot(cli);
	if (!robot)
		return STATUS_FAILED;
	/* One that fails does not keep the others from being read. */
	for (size_t i = 0; i < line->operand_count; i++)
		if (get(robot, line->operand[i], line->operand_count > 1) != STATUS_OK)
			status = STATUS_FAILED;
	naohw_robot_close(robot);
	return status;
}
