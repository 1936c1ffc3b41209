// SPDX-License-Identifier: GPL-2.0-or-later
/* naohw calibrate: where a joint is at 0, what a foot weighs, and when nothing turns. */
#include "calibrate.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "digits.h"
#include "ends.h"
#include "key_forms.h"
#include "nearest.h"

#define NUMBER_SIZE 32

void calibrate_name(char *key, const char *device, const char *name)
{
	snprintf(key, CALIBRATE_KEY, KEY_PREFIX "%.64s/%.128s", device, name);
}

/* The device of a key that ends as @rest; false: it ends in another way. */
static bool device_of(const struct naohw_key *key, const char *rest, char device[CALIBRATE_KEY])
{
	const char *name = naohw_key_name(key);
	size_t length = strlen(name);

	if (!text_begins_with(name, KEY_PREFIX) || !text_ends_with(name, rest) ||
	    length <= strlen(KEY_PREFIX) + strlen(rest))
		return false;
	snprintf(device, CALIBRATE_KEY, "%.*s", (int)(length - strlen(KEY_PREFIX) - strlen(rest)),
		 name + strlen(KEY_PREFIX));
	return true;
}

/* The user has named the device alone. */
static void complain_of_device(const struct naohw_robot *robot, const char *key)
{
	const char *rest = strchr(key + strlen(KEY_PREFIX), '/');
	char given[CALIBRATE_KEY], device[CALIBRATE_KEY], found[CALIBRATE_KEY];
	struct nearest nearest;
	struct naohw_key *other;

	snprintf(given, sizeof(given), "%.*s", (int)(rest - key - (ptrdiff_t)strlen(KEY_PREFIX)),
		 key + strlen(KEY_PREFIX));
	nearest = nearest_to(given);
	for (size_t i = 0; (other = naohw_robot_key_at(robot, i)); i++)
		if (device_of(other, rest, device) && nearest_try(&nearest, device))
			nearest.found = strcpy(found, device);
	complain("%s has no %s%s%s; \"naohw list --keys\" shows all", given, rest + 1,
		 nearest_words(&nearest), nearest_name(&nearest));
}

bool calibrate_read(const struct naohw_robot *robot, const char *key, double *value)
{
	struct naohw_error err;
	struct naohw_key *found;

	if (naohw_robot_find_key(robot, key, &found) < 0)
		complain_of_device(robot, key);
	else if (naohw_key_read(found, value, &err) < 0)
		complain("%s", err.message);
	else
		return true;
	return false;
}

bool calibrate_change(struct changes *changes, const struct naohw_robot *robot, const char *key,
		      double value)
{
	size_t at = changes->count;

	if (!calibrate_read(robot, key, &changes->before[at]))
		return false;
	snprintf(changes->key[at], CALIBRATE_KEY, "%s", key);
	changes->value[at] = value;
	changes->count++;
	return true;
}

static void print_changes(const struct changes *changes)
{
	for (size_t i = 0; i < changes->count; i++) {
		const char *key = changes->key[i];

		if (strncmp(key, KEY_PREFIX, strlen(KEY_PREFIX)) == 0)
			key += strlen(KEY_PREFIX);
		printf("%s is %.6g, was %.6g\n", key, number_unsigned_zero(changes->value[i]),
		       number_unsigned_zero(changes->before[i]));
	}
}

int calibrate_save(const struct cli *cli, const struct changes *changes)
{
	const char *keys[CHANGES], *values[CHANGES];
	char text[CHANGES][NUMBER_SIZE];
	struct naohw_error err;

	for (size_t i = 0; i < changes->count; i++) {
		(void)number_write(text[i], sizeof(text[i]), changes->value[i]);
		keys[i] = changes->key[i];
		values[i] = text[i];
	}
	if (naohw_preferences_save_each(cli->robot, NAOHW_LAYER_BODY, keys, values, changes->count,
					&err) < 0)
		return complain("%s", err.message);
	print_changes(changes);
	return STATUS_OK;
}

static bool has_operands(const struct line *line, size_t count)
{
	if (line->operand_count == count)
		return true;
	if (line->operand_count > count)
		complain_usage("\"%s\" is one argument too many", line->operand[count]);
	else
		complain_usage("expected a name after \"%s\"", line->operand[0]);
	return false;
}

static bool check_usage(const struct line *line)
{
	const char *kind = line->operand_count ? line->operand[0] : "";
	bool is_joint = strcmp(kind, "joint") == 0, is_fsr = strcmp(kind, "fsr") == 0;
	bool is_gyro = strcmp(kind, "gyro") == 0;

	if (!is_joint && !is_fsr && !is_gyro)
		complain_usage("expected joint, fsr or gyro");
	else if (line->option[OPTION_AT] && !is_joint)
		complain_usage("--at is for a joint");
	else if (line->option[OPTION_WEIGHT] && !is_fsr)
		complain_usage("--weight is for fsr");
	else if (line->option[OPTION_COUNT] && is_joint)
		complain_usage("--count is for fsr and gyro");
	else if (is_fsr && !line->option[OPTION_WEIGHT])
		complain_usage("fsr: say what is on the foot, as --weight 0 or --weight 5");
	else
		return has_operands(line, is_gyro ? 1 : 2);
	return false;
}

static int calibrate(const struct cli *cli, const struct naohw_robot *robot)
{
	char **operand = cli->line.operand;

	switch (operand[0][0]) {
	case 'j':
		return calibrate_joint(cli, robot, operand[1]);
	case 'f':
		return calibrate_fsr(cli, robot, operand[1]);
	default:
		return calibrate_gyro(cli, robot);
	}
}

int cmd_calibrate(const struct cli *cli)
{
	struct naohw_robot *robot;
	int status;

	if (!check_usage(&cli->line))
		return STATUS_USAGE;
	robot = open_robot(cli);
	if (!robot)
		return STATUS_FAILED;
	status = calibrate(cli, robot);
	naohw_robot_close(robot);
	return status;
}
