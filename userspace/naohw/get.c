// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "cli.h"
#include "keys.h"
#include "reading.h"

/* One that fails does not keep the others from being read. */
static int get(const struct keys *keys, char *const *operand, const struct reading_format *format)
{
	struct reading reading;
	int status = STATUS_OK;
	size_t told = 0;

	for (size_t i = 0; i < keys->count; i++) {
		reading_take(&reading, keys->at[i].key);
		if (reading.error == -ENOENT && is_pattern(operand[keys->at[i].argument]))
			continue;
		told++;
		if (!reading_print(&reading, format))
			status = STATUS_FAILED;
	}
	return told ? status : complain("no device for any of these keys: %s", reading.text);
}

int cmd_get(const struct cli *cli)
{
	const struct line *line = &cli->line;
	const struct match match = { .all = line->option[OPTION_ALL] };
	struct keys keys = { 0 };
	struct reading_format format;
	struct naohw_robot *robot;
	int status = STATUS_FAILED;

	if (line->operand_count == 0)
		return complain_usage("which KEY?");
	format = reading_format(line, line->operand_count > 1 || is_pattern(line->operand[0]));
	robot = open_robot(cli);
	if (!robot)
		return STATUS_FAILED;
	if (keys_add_all(&keys, robot, line->operand, line->operand_count, &match))
		status = get(&keys, line->operand, &format);
	keys_free(&keys);
	naohw_robot_close(robot);
	return status;
}
