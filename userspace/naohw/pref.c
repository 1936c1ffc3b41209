// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "key_forms.h"


/* The keys as arguments name them, by their full names; to be freed with each of them. */
struct names {
	char **name;
	size_t count;
};

/* What a full name may begin with */
static bool is_full(const char *name)
{
	static const char *const roots[] = { "Device/", "RobotConfig/", "DCM/" };

	for (size_t i = 0; i < sizeof(roots) / sizeof(roots[0]); i++)
		if (strncmp(name, roots[i], strlen(roots[i])) == 0)
			return true;
	return false;
}

static void names_free(struct names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->name[i]);
	free(names->name);
}

static bool names_make(struct names *names, char **argument, size_t count)
{
	names->count = 0;
	names->name = calloc(count, sizeof(*names->name));
	while (names->name && names->count < count) {
		const char *given = argument[names->count];
		char **made = &names->name[names->count];

		if (asprintf(made, "%s%s", is_full(given) ? "" : KEY_PREFIX, given) < 0)
			break;
		names->count++;
	}
	if (names->count == count)
		return true;
	names_free(names);
	complain("%s", strerror(ENOMEM));
	return false;
}

static const char *without_prefix(const char *key)
{
	return strncmp(key, KEY_PREFIX, strlen(KEY_PREFIX)) == 0 ? key + strlen(KEY_PREFIX) : key;
}

static void print_origin(const struct naohw_preferences *preferences, size_t index)
{
	printf("%s:%ld\t", naohw_preferences_path(preferences, index),
	       naohw_preferences_line(preferences, index));
}

static void print_all(const struct naohw_preferences *preferences)
{
	size_t count = naohw_preferences_count(preferences);

	for (size_t i = 0; i < count; i++) {
		print_origin(preferences, i);
		printf("%s %s\n", without_prefix(naohw_preferences_key(preferences, i)),
		       naohw_preferences_text(preferences, i));
	}
}

static int print_one(const struct naohw_preferences *preferences, const char *key, bool origin)
{
	struct naohw_error err;
	size_t index;

	if (naohw_preferences_find(preferences, key, &index, &err) < 0)
		return complain("%s", err.message);
	if (origin)
		print_origin(preferences, index);
	printf("%s\n", naohw_preferences_text(preferences, index));
	return STATUS_OK;
}

/* Some of them may be what was calibrated long ago, or for another body. */
static void warn_of_body(const struct naohw_preferences *preferences)
{
	struct naohw_error err;
	uint32_t generation;

	if (naohw_preferences_body(preferences, &generation, &err) == -EUCLEAN)
		complain("warning: %s", err.message);
}

static int print(const struct cli *cli, const char *key, bool origin)
{
	struct naohw_preferences *preferences;
	struct naohw_error err;
	int status = STATUS_OK;

	if (naohw_preferences_load(cli->robot, &preferences, &err) < 0)
		return complain("%s", err.message);
	warn_of_body(preferences);
	if (key)
		status = print_one(preferences, key, origin);
	else
		print_all(preferences);
	naohw_preferences_free(preferences);
	return status;
}

/* Which layer is meant; false: complained. */
static bool choose_layer(const char *name, enum naohw_layer *layer)
{
	static const char *const names[] = {
		[NAOHW_LAYER_HEAD] = "head",
		[NAOHW_LAYER_BODY] = "body",
		[NAOHW_LAYER_LOCAL] = "local",
	};

	*layer = NAOHW_LAYER_LOCAL;
	if (!name)
		return true;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(name, names[i]) != 0)
			continue;
		*layer = (enum naohw_layer)i;
		return true;
	}
	complain_usage("--layer %s: expected head, body or local", name);
	return false;
}

/* @value is NULL to take the keys out. */
static int save(const struct cli *cli, const struct names *names, const char *value)
{
	enum naohw_layer layer;
	struct naohw_error err;
	const char **values;
	int ret;

	if (!choose_layer(cli->line.option[OPTION_LAYER], &layer))
		return STATUS_USAGE;
	values = calloc(names->count, sizeof(*values));
	if (!values)
		return complain("%s", strerror(ENOMEM));
	for (size_t i = 0; i < names->count; i++)
		values[i] = value;
	ret = naohw_preferences_save_each(cli->robot, layer, (const char *const *)names->name,
					  values, names->count, &err);
	free(values);
	return ret < 0 ? complain("%s", err.message) : STATUS_OK;
}

/* Of several arguments the last one is the value of all others. */
static int run(const struct cli *cli, char **argument, size_t count, bool origin, bool unset)
{
	bool has_value = !unset && count > 1;
	struct names names;
	int status;

	if (count == 0)
		return print(cli, NULL, true);
	if (!names_make(&names, argument, has_value ? count - 1 : count))
		return STATUS_FAILED;
	if (unset || has_value)
		status = save(cli, &names, has_value ? argument[count - 1] : NULL);
	else
		status = print(cli, names.name[0], origin);
	names_free(&names);
	return status;
}

static int restore(const struct cli *cli)
{
	struct naohw_error err;

	if (naohw_preferences_restore(cli->robot, &err) < 0)
		return complain("%s", err.message);
	return STATUS_OK;
}

int cmd_pref(const struct cli *cli)
{
	const struct line *line = &cli->line;
	bool origin = line->option[OPTION_SHOW_ORIGIN], unset = line->option[OPTION_UNSET];

	if (line->option[OPTION_RESTORE]) {
		if (origin || unset || line->option[OPTION_LAYER] || line->operand_count)
			return complain_usage("--restore stands alone");
		return restore(cli);
	}
	if (unset && line->operand_count == 0)
		return complain_usage("--unset: which KEY?");
	if (origin && (unset || line->operand_count > 1))
		return complain_usage("--show-origin is for reading");
	if (line->option[OPTION_LAYER] && !unset && line->operand_count < 2)
		return complain_usage("--layer is for saving");
	return run(cli, line->operand, line->operand_count, origin, unset);
}
