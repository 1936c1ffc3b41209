// SPDX-License-Identifier: GPL-2.0-or-later
/* Aliases of a description: names for several actuators of a DCM. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "actors.h"
#include "cli.h"
#include "ends.h"
#include "json.h"
#include "nearest.h"
#include "order.h"

#define BLANKS	  " \t\r\n"
#define KEY_SIZE  128

/* ---- showing them ---- */

static void print_json(const char *name, const char *text)
{
	struct json_object *object = json_object_new_object();
	struct json_object *list = json_object_new_array();

	for (; *(text += strspn(text, BLANKS)); text += strcspn(text, BLANKS))
		json_object_array_add(list, json_object_new_string_len(
						    text, (int)strcspn(text, BLANKS)));
	json_add_text(object, "alias", name);
	json_object_object_add(object, "actuators", list);
	json_print(object);
}

static void print_one(const struct naohw_preferences *preferences, size_t index, bool as_json)
{
	const char *name = naohw_preferences_key(preferences, index) + strlen(ALIAS_PREFIX);
	const char *text = naohw_preferences_text(preferences, index);

	if (as_json)
		print_json(name, text);
	else
		printf("%s %s\n", name, text);
}

static int complain_of_alias(const struct naohw_preferences *preferences, const char *name)
{
	struct nearest nearest = nearest_to(name);

	for (size_t i = 0; i < naohw_preferences_count(preferences); i++)
		if (text_begins_with(naohw_preferences_key(preferences, i), ALIAS_PREFIX))
			(void)nearest_try(&nearest, naohw_preferences_key(preferences, i) +
							    strlen(ALIAS_PREFIX));
	return complain("%s: no such alias%s%s; \"naohw alias\" shows all", name,
			nearest_words(&nearest), nearest_name(&nearest));
}

/* All, or one. */
static int print(const struct naohw_preferences *preferences, const char *name, bool as_json)
{
	bool found = false;

	for (size_t i = 0; i < naohw_preferences_count(preferences); i++) {
		const char *key = naohw_preferences_key(preferences, i);

		if (strncmp(key, ALIAS_PREFIX, strlen(ALIAS_PREFIX)) != 0 ||
		    (name && strcmp(key + strlen(ALIAS_PREFIX), name) != 0))
			continue;
		print_one(preferences, i, as_json);
		found = true;
	}
	return found || !name ? STATUS_OK : complain_of_alias(preferences, name);
}

static int show(const struct cli *cli, const char *name)
{
	struct naohw_preferences *preferences;
	struct naohw_error err;
	int status;

	if (naohw_preferences_load(cli->robot, &preferences, &err) < 0)
		return complain("%s", err.message);
	status = print(preferences, name, cli->line.option[OPTION_JSON]);
	naohw_preferences_free(preferences);
	return status;
}

/* ---- saving one ---- */

static bool make_key(char key[KEY_SIZE], const char *name)
{
	struct naohw_error err;

	if (order_check_alias(name, &err) < 0) {
		complain("%s", err.message);
		return false;
	}
	snprintf(key, KEY_SIZE, ALIAS_PREFIX "%s", name);
	return true;
}

/* Actuators by the names that all write, a pattern as all that it matches now. */
static void print_names(FILE *file, const struct actors *actors, const char *name)
{
	struct naohw_error err;
	struct cast cast;

	if (actors_has_alias(actors, name) || actors_find(actors, name, &cast, &err) < 0) {
		fprintf(file, " %s", name);
		return;
	}
	for (size_t i = 0; i < cast.count; i++)
		fprintf(file, " %s", cast.actuator[i]);
	free(cast.actuator);
}

static char *write_text(const struct actors *actors, const struct actors_new *alias)
{
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	if (!file)
		return NULL;
	for (size_t i = 0; i < alias->count; i++)
		print_names(file, actors, alias->names[i]);
	return fclose(file) == 0 ? text : NULL;
}

static int save_checked(const struct cli *cli, const char *key, const struct actors *actors,
			const struct actors_new *alias)
{
	char *text = write_text(actors, alias);
	struct naohw_error err;
	int ret;

	if (!text)
		return complain("%s", strerror(ENOMEM));
	ret = naohw_preferences_save(cli->robot, &key, 1, text + 1, &err);
	free(text);
	return ret < 0 ? complain("%s", err.message) : STATUS_OK;
}

/* With it, all aliases must be in order: others may be of it. */
static int save(const struct cli *cli, const struct actors_new *alias)
{
	struct naohw_error err;
	struct actors actors;
	char key[KEY_SIZE];
	int status;

	if (!make_key(key, alias->name))
		return STATUS_FAILED;
	if (actors_load(&actors, cli->robot, alias, &err) < 0)
		return complain("%s", err.message);
	status = save_checked(cli, key, &actors, alias);
	actors_free(&actors);
	return status;
}

/* ---- taking one out ---- */

static bool is_in_order(const struct cli *cli, struct naohw_error *err)
{
	struct actors actors;

	if (actors_load(&actors, cli->robot, NULL, err) < 0)
		return false;
	actors_free(&actors);
	return true;
}

static char *find_text(const struct cli *cli, const char *key)
{
	struct naohw_preferences *preferences;
	struct naohw_error err;
	char *text = NULL;
	size_t index;

	if (naohw_preferences_load(cli->robot, &preferences, &err) < 0)
		return NULL;
	if (naohw_preferences_find(preferences, key, &index, &err) == 0)
		text = strdup(naohw_preferences_text(preferences, index));
	naohw_preferences_free(preferences);
	return text;
}

/* What others are of is put back. What is wrong already may be mended in several steps. */
static int take_out(const struct cli *cli, const char *key, const char *text)
{
	struct naohw_error err, why;
	bool was_in_order = is_in_order(cli, &why);

	if (naohw_preferences_unset(cli->robot, &key, 1, &err) < 0)
		return complain("%s", err.message);
	if (!was_in_order || is_in_order(cli, &why))
		return STATUS_OK;
	if (naohw_preferences_save(cli->robot, &key, 1, text, &err) < 0)
		complain("%s", err.message);
	return complain("%s: is needed: %s", key, why.message);
}

static int unset(const struct cli *cli, const char *name)
{
	char key[KEY_SIZE];
	char *text;
	int status;

	if (!make_key(key, name))
		return STATUS_FAILED;
	text = find_text(cli, key);
	/* To show what is not there is to complain of it. */
	status = text ? take_out(cli, key, text) : show(cli, name);
	free(text);
	return status;
}

int cmd_alias(const struct cli *cli)
{
	const struct line *line = &cli->line;
	struct actors_new alias = { 0 };

	if (line->option[OPTION_UNSET] && line->operand_count != 1)
		return complain_usage("--unset: expected one NAME");
	if (line->option[OPTION_JSON] && (line->option[OPTION_UNSET] || line->operand_count > 1))
		return complain_usage("--json is for reading");
	if (line->option[OPTION_UNSET])
		return unset(cli, line->operand[0]);
	if (line->operand_count < 2)
		return show(cli, line->operand_count ? line->operand[0] : NULL);
	alias.name = line->operand[0];
	alias.names = (const char *const *)line->operand + 1;
	alias.count = line->operand_count - 1;
	return save(cli, &alias);
}
