// SPDX-License-Identifier: GPL-2.0-or-later
#include <getopt.h>
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

int cmd_set(struct cli *cli, int argc, char **argv)
{
	static const struct option options[] = {
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	/* "+": the value may be negative, which is no option. */
	int option = getopt_long(argc, argv, "+h", options, NULL);
	struct naohw_robot *robot;
	double value;
	int status;

	if (option >= 0)
		return common_option(cli, option);
	if (argc - optind != 2)
		return complain_usage(cli, "expected KEY and VALUE");
	if (!parse_double(argv[optind + 1], -HUGE_VAL, HUGE_VAL, &value))
		return complain_usage(cli, "\"%s\" is not a number", argv[optind + 1]);
	robot = open_robot(cli);
	if (!robot)
		return STATUS_FAILED;
	/* What a person at a shell has switched on stays on. */
	naohw_robot_set_unwatched(robot);
	status = set(robot, argv[optind], value);
	naohw_robot_close(robot);
	return status;
}
