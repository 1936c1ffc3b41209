// SPDX-License-Identifier: LGPL-2.1-or-later
#include "severity.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../base/base.h"
#include "source.h"
#include "station.h"

#define KEY_SIZE 512

static const char *const words[] = {
	[NAOHW_SEVERITY_NEGLIGIBLE] = "NEGLIGIBLE",
	[NAOHW_SEVERITY_SERIOUS] = "SERIOUS",
	[NAOHW_SEVERITY_CRITICAL] = "CRITICAL",
};

static int parse(const char *text, enum naohw_severity *severity)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(text, words[i]) != 0)
			continue;
		*severity = (enum naohw_severity)i;
		return 0;
	}
	return -EINVAL;
}

static bool is_severity(const char *key)
{
	return text_ends_with(key, "/" SEVERITY_NAME) && (text_begins_with(key, KEY_PREFIX) ||
						 text_begins_with(key, DEVICE_PREFIX));
}

int severities_check(const struct naohw_robot *robot, struct naohw_error *err)
{
	const struct description *d = robot->description;

	for (size_t i = 0; i < d->count; i++) {
		const struct preference *preference = &d->list[i];
		enum naohw_severity severity;

		if (is_severity(preference->key) &&
		    (preference->type != NAOHW_KEY_STRING ||
		     parse(preference->text, &severity) < 0))
			return source_wrong(preference,
					    "the string NEGLIGIBLE, SERIOUS or CRITICAL", err);
	}
	return 0;
}

/* The first that is called so, or is below that */
static const struct subdevice *first_below(const struct naohw_robot *robot, const char *name)
{
	size_t length = strlen(name);

	for (size_t i = 0; i < robot->subdevice_count; i++) {
		const char *other = robot->subdevice[i].name;

		if (strncmp(other, name, length) == 0 &&
		    (other[length] == '/' || other[length] == '\0'))
			return &robot->subdevice[i];
	}
	return NULL;
}

static const struct preference *of_device(const struct naohw_robot *robot, const char *name)
{
	char key[KEY_SIZE];

	snprintf(key, sizeof(key), DEVICE_PREFIX "%s", name);
	return description_find(robot->description, key, SEVERITY_NAME);
}

/* What is said of it at any level, or else of the device that it is of */
static const struct preference *of_subdevice(const struct naohw_robot *robot,
					     const struct subdevice *s, const char *key)
{
	const struct preference *own = description_inherit(robot->description, key, SEVERITY_NAME);

	return own || !s->station ? own : of_device(robot, s->station->name);
}

int naohw_robot_get_severity(const struct naohw_robot *robot, const char *name,
			     enum naohw_severity *severity)
{
	const struct preference *found = of_device(robot, name);
	const struct subdevice *s;
	char key[KEY_SIZE];

	if (found)
		return parse(found->text, severity);
	snprintf(key, sizeof(key), KEY_PREFIX "%s", name);
	s = first_below(robot, key);
	if (s)
		found = of_subdevice(robot, s, key);
	if (found)
		return parse(found->text, severity);
	snprintf(key, sizeof(key), DEVICE_PREFIX "%s", name);
	return s || first_below(robot, key) ? -ENODATA : -ENOENT;
}
