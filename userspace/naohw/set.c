// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "cli.h"

static int set(const struct naohw_robot *robot, const char *name, double value)
{
	struct naohw_key *key = find_key(robot, name);
	struct naohw_error err;

	if (!key)
		return STATUS_FAILED;
	if (naohw_key_write(key, value, &err) < 0)
		return complain("%s", err.message);
	return STATUS_OK;
}

int cmd_set(const struct cli *cli)
{
	char **operand = cli->line.operand;
	struct naohw_robot *robot;
	double value;
	int status;

	if (cli->line.operand_count != 2)
		return complain_usage("expected KEY and VALUE");
	if (!parse_double(operand[1], -HUGE_VAL, HUGE_VAL, &value))
		return complain_usage("\"%s\" is not a number", operand[1]);
	robot = open_robot(cli);
	if (!robot)
		return STATUS_FAILED;
	/* What a person at a shell has switched on stays on. */
	naohw_robot_set_unwatched(robot);
	status = set(robot, operand[0], value);
	naohw_robot_close(robot);
	return status;
}
