// SPDX-License-Identifier: GPL-2.0-or-later
#include "keys.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

#define PREFIX	  "Device/SubDeviceList/"
#define SUFFIX	  "/Value"
#define NAME_SIZE 512

/* As it is, with the prefix, with the suffix, with both. */
#define FORMS 4

static const char *write_form(unsigned int form, const char *name, char *text)
{
	snprintf(text, NAME_SIZE, "%s%s%s", form & 1 ? PREFIX : "", name, form & 2 ? SUFFIX : "");
	return text;
}

bool is_pattern(const char *name)
{
	return strpbrk(name, "*?[");
}

static bool is_match(const char *pattern, const struct naohw_key *key)
{
	char text[NAME_SIZE];

	for (unsigned int form = 0; form < FORMS; form++)
		if (fnmatch(write_form(form, pattern, text), naohw_key_name(key), 0) == 0)
			return true;
	return false;
}

static bool add(struct keys *keys, struct naohw_key *key, size_t argument)
{
	struct named_key *more = reallocarray(keys->at, keys->count + 1, sizeof(*more));

	if (!more) {
		complain("out of memory");
		return false;
	}
	more[keys->count++] = (struct named_key){ .key = key, .argument = argument };
	keys->at = more;
	return true;
}

static bool add_matches(struct keys *keys, const struct naohw_robot *robot, const char *pattern,
			size_t argument, bool to_be_set)
{
	size_t before = keys->count;
	struct naohw_key *key;
	bool matches = false;

	for (size_t i = 0; (key = naohw_robot_key_at(robot, i)); i++) {
		if (!is_match(pattern, key))
			continue;
		matches = true;
		if ((!to_be_set || naohw_key_is_writable(key)) && !add(keys, key, argument))
			return false;
	}
	if (keys->count > before)
		return true;
	if (matches)
		complain("%s: none of the keys that it matches can be set", pattern);
	else
		complain("%s: no key matches; \"naohw list --keys\" shows all", pattern);
	return false;
}

bool keys_add(struct keys *keys, const struct naohw_robot *robot, char *const *arguments,
	      size_t index, bool to_be_set)
{
	const char *name = arguments[index];
	struct naohw_key *key;
	char text[NAME_SIZE];

	/* A part of it may be what somebody did not mean. */
	if (strlen(PREFIX) + strlen(name) + strlen(SUFFIX) >= NAME_SIZE) {
		complain("%.40s...: is longer than any key", name);
		return false;
	}
	if (is_pattern(name))
		return add_matches(keys, robot, name, index, to_be_set);
	for (unsigned int form = 0; form < FORMS; form++)
		if (naohw_robot_find_key(robot, write_form(form, name, text), &key) == 0)
			return add(keys, key, index);
	complain("%s: no such key; \"naohw list --keys\" shows all", name);
	return false;
}

bool keys_add_all(struct keys *keys, const struct naohw_robot *robot, char *const *arguments,
		  size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!keys_add(keys, robot, arguments, i, false))
			return false;
	return true;
}

void keys_free(struct keys *keys)
{
	free(keys->at);
}

void short_name(const char *name, char *text, size_t size)
{
	size_t length;

	if (strncmp(name, PREFIX, strlen(PREFIX)) == 0)
		name += strlen(PREFIX);
	snprintf(text, size, "%s", name);
	length = strlen(text);
	if (length > strlen(SUFFIX) && strcmp(text + length - strlen(SUFFIX), SUFFIX) == 0)
		text[length - strlen(SUFFIX)] = '\0';
}
