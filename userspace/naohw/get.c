// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "dcm_keys.h"
#include "frames.h"
#include "keys.h"
#include "reading.h"

struct wanted {
	const char *name;
	struct naohw_key *key; /* NULL: naohwd's store has it */
	size_t slot;
	bool of_pattern;
};

struct get {
	struct naohw_robot *robot;
	const struct line *line;
	struct wanted *at; /* in the order of the arguments, each pattern's by name */
	size_t count;
	struct naohw_dcm *dcm; /* a naohwd's; NULL: none of its keys are asked for, or none is there */
};

/* ---- which keys ---- */

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

static bool add(struct get *get, const struct wanted *wanted)
{
	struct wanted *more = reallocarray(get->at, get->count + 1, sizeof(*more));

	if (!more) {
		complain("out of memory");
		return false;
	}
	more[get->count++] = *wanted;
	get->at = more;
	return true;
}

static bool add_of_naohwd(struct get *get, const char *name)
{
	struct wanted wanted = { .of_pattern = is_pattern(name) };

	if (!get->dcm || !is_dcm_key(name))
		return true;
	for (; (wanted.name = dcm_keys_next(get->dcm, name, &wanted.slot)); wanted.slot++)
		if (!add(get, &wanted))
			return false;
	return true;
}

static bool add_of_description(struct get *get, size_t argument, bool may_lack)
{
	const struct match match = {
		.all = get->line->option[OPTION_ALL],
		.may_lack = may_lack,
	};
	struct keys keys = { 0 };
	bool added = keys_add(&keys, get->robot, get->line->operand, argument, &match);

	for (size_t i = 0; i < keys.count && added; i++) {
		const struct wanted wanted = {
			.name = naohw_key_name(keys.at[i].key),
			.key = keys.at[i].key,
			.of_pattern = is_pattern(get->line->operand[argument]),
		};

		added = add(get, &wanted);
	}
	keys_free(&keys);
	return added;
}

/* Of one name what naohwd's store has comes first. */
static int compare(const void *a, const void *b)
{
	const struct wanted *one = a, *other = b;
	int order = strcmp(one->name, other->name);

	return order ? order : (one->key != NULL) - (other->key != NULL);
}

/* A key that naohwd and the description have is naohwd's, which tells what is in force. */
static void join(struct get *get, size_t begin)
{
	size_t kept = begin;

	if (get->count == begin)
		return;
	qsort(get->at + begin, get->count - begin, sizeof(*get->at), compare);
	for (size_t i = begin + 1; i < get->count; i++)
		if (strcmp(get->at[i].name, get->at[kept].name) != 0)
			get->at[++kept] = get->at[i];
	get->count = kept + 1;
}

static bool find_of(struct get *get, size_t argument)
{
	const char *name = get->line->operand[argument];
	size_t begin = get->count;
	bool has_any;

	if (lacks_naohwd(get, name)) {
		complain("%s: the description has no such key, and no naohwd has the robot", name);
		return false;
	}
	if (!add_of_naohwd(get, name))
		return false;
	has_any = get->count > begin;
	if (has_any && !is_pattern(name))
		return true;
	if (!add_of_description(get, argument, has_any))
		return false;
	if (has_any)
		join(get, begin);
	return true;
}

static bool find_keys(struct get *get)
{
	for (size_t i = 0; i < get->line->operand_count; i++)
		if (!find_of(get, i))
			return false;
	return true;
}

/* ---- what they say ---- */

/* One that fails does not keep the others from being read. */
static int print(const struct get *get, const struct reading_format *format)
{
	struct failures failures = { 0 };
	struct reading reading = { 0 };
	int status = STATUS_OK;
	size_t told = 0;

	for (size_t i = 0; i < get->count; i++) {
		const struct wanted *wanted = &get->at[i];

		if (wanted->key)
			reading_take(&reading, wanted->key);
		else
			dcm_keys_take(get->dcm, wanted->slot, &reading);
		if (wanted->key && reading.error == -ENOENT && wanted->of_pattern)
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
	free(get.at);
	naohw_dcm_close(get.dcm);
	naohw_robot_close(get.robot);
	return status;
}
