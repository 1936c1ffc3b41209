// SPDX-License-Identifier: GPL-2.0-or-later
/* What a description says of actuators, and of aliases for them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "actors.h"
#include "ends.h"
#include "key_forms.h"
#include "order.h"
#include "wrong.h"

#define BLANKS " \t\r\n"
/* What each actuator has to have, and nothing else has. */
#define MARK   "/Actuator/Min"

/* An alias of the description, which may be of others that come later. */
struct described {
	const char *name;
	const char *text; /* NULL: it is new, and of these */
	const char *const *names;
	size_t count;
	const char *path;
	long line;
};

struct load {
	const struct naohw_preferences *preferences;
	struct actors *actors;
	struct described *described;
	size_t count;
	struct naohw_error *err;
};

static int no_memory(const struct load *load)
{
	return wrong(load->err, -ENOMEM, "out of memory");
}

/* ---- actuators ---- */

/* Of "Device/SubDeviceList/HeadYaw/Position/Actuator/Min" what is before the last slash. */
static bool add_actuator(struct actors *actors, const char *key)
{
	size_t length = strlen(key);
	char *actuator;

	if (!text_begins_with(key, KEY_PREFIX) || length <= strlen(KEY_PREFIX MARK) ||
	    strcmp(key + length - strlen(MARK), MARK) != 0)
		return true;
	actuator = strndup(key + strlen(KEY_PREFIX),
			   length - strlen(KEY_PREFIX) - strlen("/Min"));
	if (actuator)
		actors->actuator[actors->actuators++] = actuator;
	return actuator;
}

static int list_actuators(const struct load *load)
{
	size_t count = naohw_preferences_count(load->preferences);
	struct actors *actors = load->actors;

	actors->actuator = calloc(count + 1, sizeof(*actors->actuator));
	if (!actors->actuator)
		return no_memory(load);
	for (size_t i = 0; i < count; i++)
		if (!add_actuator(actors, naohw_preferences_key(load->preferences, i)))
			return no_memory(load);
	actors->actuator[actors->actuators] = strdup(PERIOD_NAME);
	if (!actors->actuator[actors->actuators])
		return no_memory(load);
	actors->actuators++;
	actors_sort(actors);
	return 0;
}

/* ---- aliases ---- */

/* Tell whose error it is that has been told. */
static int blame(const struct load *load, const struct described *described, int code)
{
	const struct naohw_error what = *load->err;

	if (!described->text)
		return wrong(load->err, code, "%s: %s", described->name, what.message);
	return wrong(load->err, code, "%s:%ld: " ALIAS_PREFIX "%s: %s", described->path,
		     described->line, described->name, what.message);
}

static int make(const struct load *load, const struct described *described, size_t depth);

/* What an alias is of comes before it. */
static int make_first(const struct load *load, const struct described *described, const char *name,
		      size_t depth)
{
	if (actors_actuator(load->actors, name))
		return 0;
	for (size_t i = 0; i < load->count; i++)
		if (strcmp(load->described[i].name, name) == 0)
			return make(load, &load->described[i], depth + 1);
	if (!described->text && actors_is_short(load->actors, name))
		return 0;
	return blame(load, described, actors_unknown(load->actors, name, load->err));
}

static int make_of(const struct load *load, const struct described *described,
		   const char *const *names, size_t count, size_t depth)
{
	int ret = 0;

	if (!count)
		return blame(load, described,
			     wrong(load->err, -EINVAL, "found nothing, expected actuators"));
	for (size_t i = 0; i < count && ret == 0; i++)
		ret = make_first(load, described, names[i], depth);
	if (ret < 0)
		return ret;
	ret = actors_name(load->actors, described->name, names, count, load->err);
	return ret < 0 ? blame(load, described, ret) : 0;
}

static int make_of_text(const struct load *load, const struct described *described, size_t depth)
{
	const char **names = calloc(strlen(described->text) / 2 + 1, sizeof(*names));
	char *text = strdup(described->text);
	char *rest = text, *name;
	size_t count = 0;
	int ret;

	while (names && text && (name = strtok_r(rest, BLANKS, &rest)))
		names[count++] = name;
	ret = names && text ? make_of(load, described, names, count, depth) : no_memory(load);
	free(text);
	free(names);
	return ret;
}

static int make(const struct load *load, const struct described *described, size_t depth)
{
	if (actors_has_alias(load->actors, described->name))
		return 0;
	if (depth == load->count)
		return blame(load, described, wrong(load->err, -EINVAL, "is made of itself"));
	if (order_check_alias(described->name, load->err) < 0)
		return blame(load, described, -EINVAL);
	if (described->text)
		return make_of_text(load, described, depth);
	return make_of(load, described, described->names, described->count, depth);
}

static int take(struct load *load, size_t index)
{
	struct described *described = &load->described[load->count++];
	const struct naohw_preferences *preferences = load->preferences;

	*described = (struct described){
		.name = naohw_preferences_key(preferences, index) + strlen(ALIAS_PREFIX),
		.text = naohw_preferences_text(preferences, index),
		.path = naohw_preferences_path(preferences, index),
		.line = naohw_preferences_line(preferences, index),
	};
	if (naohw_preferences_type(preferences, index) == NAOHW_KEY_STRING)
		return 0;
	return blame(load, described,
		     wrong(load->err, -EINVAL, "found \"%s\", expected a string with actuators",
			   described->text));
}

static void put(struct load *load, const struct actors_new *alias)
{
	size_t i = 0;

	while (i < load->count && strcmp(load->described[i].name, alias->name) != 0)
		i++;
	load->count += i == load->count;
	load->described[i] = (struct described){
		.name = alias->name,
		.names = alias->names,
		.count = alias->count,
	};
}

static int list_aliases(struct load *load, const struct actors_new *alias)
{
	size_t count = naohw_preferences_count(load->preferences);
	int ret = 0;

	load->described = calloc(count + 1, sizeof(*load->described));
	if (!load->described)
		return no_memory(load);
	for (size_t i = 0; i < count && ret == 0; i++)
		if (text_begins_with(naohw_preferences_key(load->preferences, i), ALIAS_PREFIX))
			ret = take(load, i);
	if (ret == 0 && alias)
		put(load, alias);
	for (size_t i = 0; i < load->count && ret == 0; i++)
		ret = make(load, &load->described[i], 0);
	return ret;
}

/* ---- both ---- */

int actors_load(struct actors *actors, const char *description,
		const struct actors_new *alias, struct naohw_error *err)
{
	struct load load = { .actors = actors, .err = err };
	struct naohw_preferences *preferences;
	int ret = naohw_preferences_load(description, &preferences, err);

	if (ret < 0)
		return ret;
	*actors = (struct actors){ 0 };
	load.preferences = preferences;
	ret = list_actuators(&load);
	if (ret == 0)
		ret = list_aliases(&load, alias);
	free(load.described);
	naohw_preferences_free(preferences);
	if (ret < 0)
		actors_free(actors);
	return ret;
}
