// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "cli.h"
#include "keys.h"
#include "numbers.h"

/* Who has written degrees, or too much, would wonder where the joint goes. */
static void tell_bounded(const struct naohw_key *key, const char *text)
{
	double value, bounded;

	if (!parse_double(text, -HUGE_VAL, HUGE_VAL, &value))
		return;
	bounded = naohw_key_bounded(key, value);
	if (bounded != value)
		complain("warning: %s: %s is %s, so it is set to %.9g", naohw_key_name(key), text,
			 value > bounded ? "more than Max" : "less than Min", bounded);
}

static int set_key(struct naohw_key *key, const char *value)
{
	struct naohw_error err;

	if (naohw_key_write_string(key, value, &err) < 0)
		return complain("%s", err.message);
	tell_bounded(key, value);
	return STATUS_OK;
}

/* Arguments are keys and values in turn. */
static bool find_all(struct keys *keys, const struct naohw_robot *robot, const struct line *line)
{
	const struct match match = { .to_be_set = true };

	for (size_t i = 0; i < line->operand_count; i += 2)
		if (!keys_add(keys, robot, line->operand, i, &match))
			return false;
	return true;
}

/* One that is refused does not keep the others from being set. */
static int set_all(const struct keys *keys, char *const *arguments)
{
	int status = STATUS_OK;

	for (size_t i = 0; i < keys->count; i++)
		if (set_key(keys->at[i].key, arguments[keys->at[i].argument + 1]) != STATUS_OK)
			status = STATUS_FAILED;
	return status;
}

int cmd_set(const struct cli *cli)
{
	struct keys keys = { 0 };
	struct naohw_robot *robot;
	int status = STATUS_FAILED;

	if (cli->line.operand_count == 0 || cli->line.operand_count % 2)
		return complain_usage("expected KEY and VALUE, or several of both");
	robot = open_robot(cli);
	if (!robot)
		return STATUS_FAILED;
	/* What a person at a shell has switched on stays on. */
	naohw_robot_set_unwatched(robot);
	if (find_all(&keys, robot, &cli->line))
		status = set_all(&keys, cli->line.operand);
	keys_free(&keys);
	naohw_robot_close(robot);
	return status;
}
