// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "cli.h"
#include "dcm_keys.h"
#include "frames.h"
#include "keys.h"
#include "reading.h"

struct get {
	struct naohw_robot *robot;
	const struct line *line;
	struct keys keys;
	struct naohw_dcm *dcm; /* a naohwd's; NULL: none of its keys are asked for, or none is there */
};

/* ---- which keys ---- */

static bool is_of_naohwd(const struct get *get, const char *name)
{
	return get->dcm && is_dcm_key(name) && dcm_keys_have(get->dcm, name);
}

static bool needs_naohwd(const struct line *line)
{
	bool needed = false;

	for (size_t i = 0; i < line->operand_count; i++)
		needed |= is_dcm_key(line->operand[i]);
	return needed;
}

static bool lacks_naohwd(const struct get *get, const char *name)
{
	struct naohw_key *key;

	return !get->dcm && is_dcm_key(name) && !is_pattern(name) &&
	       naohw_robot_find_key(get->robot, name, &key) < 0;
}

static bool find_keys(struct get *get)
{
	const struct match match = { .all = get->line->option[OPTION_ALL] };
	const struct line *line = get->line;

	for (size_t i = 0; i < line->operand_count; i++) {
		const char *name = line->operand[i];

		if (lacks_naohwd(get, name)) {
			complain("%s: the description has no such key, and no naohwd has the robot",
				 name);
			return false;
		}
		if (!is_of_naohwd(get, name) &&
		    !keys_add(&get->keys, get->robot, line->operand, i, &match))
			return false;
	}
	return true;
}

/* ---- what they say ---- */

/* One that fails does not keep the others from being read. */
static int print(const struct get *get, const struct reading_format *format)
{
	char *const *operand = get->line->operand;
	struct failures failures = { 0 };
	struct reading reading = { 0 };
	int status = STATUS_OK;
	size_t told = 0;

	for (size_t i = 0; i < get->line->operand_count; i++) {
		if (!is_of_naohwd(get, operand[i]))
			continue;
		told++;
		if (!dcm_keys_print(get->dcm, operand[i], format, &failures))
			status = STATUS_FAILED;
	}
	for (size_t i = 0; i < get->keys.count; i++) {
		reading_take(&reading, get->keys.at[i].key);
		if (reading.error == -ENOENT && is_pattern(operand[get->keys.at[i].argument]))
			continue;
		told++;
		if (!reading_print(&reading, format, &failures))
			status = STATUS_FAILED;
	}
	failures_tell(&failures);
	return told ? status : complain("no device for any of these keys: %s", reading.text);
}

static int find_and_print(struct get *get)
{
	const struct line *line = get->line;
	const struct reading_format format =
		reading_format(line, line->operand_count > 1 || is_pattern(line->operand[0]));
	struct naohw_error err;

	if (needs_naohwd(line) && try_naohwd(get->robot, &get->dcm, &err) < 0)
		return complain("%s", err.message);
	return find_keys(get) ? print(get, &format) : STATUS_FAILED;
}

int cmd_get(const struct cli *cli)
{
	struct get get = { .line = &cli->line };
	int status;

	if (get.line->operand_count == 0)
		return complain_usage("which KEY?");
	get.robot = open_robot(cli);
	if (!get.robot)
		return STATUS_FAILED;
	status = find_and_print(&get);
	keys_free(&get.keys);
	close_dcm(get.dcm);
	naohw_robot_close(get.robot);
	return status;
}
