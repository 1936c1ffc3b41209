// SPDX-License-Identifier: LGPL-2.1-or-later
#include "described.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"
#include "../robot/robot.h"
#include "preferences.h"

struct making {
	struct aliases *aliases;
	const struct actuators *actuators;
	const struct description *description;
	struct naohw_error *err;
};

static int make(const struct making *making, const struct preference *preference,
		unsigned int depth);

static const char *name_of(const struct preference *preference)
{
	return preference->key + strlen(DCM_ALIAS_PREFIX);
}

/* Of what is said for programs, where it stands: for people. */
static int blame(const struct making *making, const struct preference *preference, int code,
		 const char *what)
{
	return fail(making->err, code, "%s:%ld: %s: %s", preference->path, preference->line,
		    preference->key, what);
}

static int unknown(const struct making *making, const struct preference *preference,
		   const char *name)
{
	const char *nearest = actuator_nearest(making->actuators, name);

	return fail(making->err, -ENOENT, "%s:%ld: %s: no actuator or alias \"%s\"%s%s",
		    preference->path, preference->line, preference->key, name,
		    nearest ? ", the nearest is " : "", nearest ? nearest : "");
}

/* What it is of comes before it; depth ends what goes round in a circle. */
static int make_first(const struct making *making, const struct preference *preference,
		      const char *name, unsigned int depth)
{
	const struct preference *other;

	if (actuator_find(making->actuators, name))
		return 0;
	other = description_find(making->description, DCM_ALIAS, name);
	if (!other)
		return unknown(making, preference, name);
	return make(making, other, depth + 1);
}

static int make_of(const struct making *making, const struct preference *preference,
		   const char *const *names, size_t count, unsigned int depth)
{
	struct naohw_error why;
	int ret = 0;

	if (!count)
		return blame(making, preference, -EINVAL, "no names, expected those of actuators");
	for (size_t i = 0; i < count && ret == 0; i++)
		ret = make_first(making, preference, names[i], depth);
	if (ret < 0)
		return ret;
	ret = alias_create(making->aliases, making->actuators, name_of(preference), names, count,
			   NULL, &why);
	return ret < 0 ? blame(making, preference, ret, why.message) : 0;
}

static int make_of_text(const struct making *making, const struct preference *preference,
			unsigned int depth)
{
	const char **names = calloc(strlen(preference->text) / 2 + 1, sizeof(*names));
	char *text = strdup(preference->text);
	char *rest = text, *name;
	size_t count = 0;
	int ret;

	while (names && text && (name = strtok_r(rest, BLANKS, &rest)))
		names[count++] = name;
	ret = names && text ? make_of(making, preference, names, count, depth) :
			      fail(making->err, -ENOMEM, "out of memory");
	free(text);
	free(names);
	return ret;
}

static int make(const struct making *making, const struct preference *preference,
		unsigned int depth)
{
	if (preference->type != NAOHW_KEY_STRING)
		return fail(making->err, -EINVAL,
			    "%s:%ld: %s: value \"%s\", expected a string with actuators",
			    preference->path, preference->line, preference->key, preference->text);
	if (alias_find(making->aliases, name_of(preference)))
		return 0;
	if (depth == NAOHW_ALIASES_MAX)
		return blame(making, preference, -EINVAL, "is made of itself");
	return make_of_text(making, preference, depth);
}

int described_aliases(struct aliases *aliases, const struct actuators *actuators,
		      const struct description *description, struct naohw_error *err)
{
	const struct making making = {
		.aliases = aliases,
		.actuators = actuators,
		.description = description,
		.err = err,
	};
	int ret = 0;

	for (size_t i = 0; i < description->count && ret == 0; i++)
		if (text_begins_with(description->list[i].key, DCM_ALIAS_PREFIX))
			ret = make(&making, &description->list[i], 0);
	return ret;
}

int naohw_dcm_check(const struct naohw_robot *robot, struct naohw_error *err)
{
	struct dcm_preferences preferences;
	struct actuators actuators = { 0 };
	struct aliases aliases = { 0 };
	const struct beat none = { 0 };
	int ret = dcm_preferences_read(&preferences, robot->description, err);

	if (ret < 0)
		return ret;
	if (aliases_begin(&aliases, &none) < 0)
		return fail(err, -ENOMEM, "out of memory");
	ret = actuators_name(&actuators, robot, err);
	if (ret == 0)
		ret = described_aliases(&aliases, &actuators, robot->description, err);
	aliases_end(&aliases);
	actuators_free(&actuators);
	return ret;
}
