// SPDX-License-Identifier: GPL-2.0-or-later
#include "keys.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "ends.h"
#include "key_forms.h"
#include "nearest.h"

bool is_pattern(const char *name)
{
	return strpbrk(name, "*?[");
}

static bool is_match(const char *pattern, const struct naohw_key *key)
{
	char text[KEY_FORM_SIZE];

	for (unsigned int form = 0; form < KEY_FORMS; form++)
		if (key_form(form, pattern, text) && fnmatch(text, naohw_key_name(key), 0) == 0)
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

/* What a sub-device has beside what people set and read; the first ones count. */
static const char *const details[] = {
	"/Ack",	 "/Nack", "/Error",  "/Device",		 "/Gain",
	"/Max",	 "/Min",  "/Offset", "/SubDeviceNumber", "/Type",
};

#define COUNTERS 3
#define DETAILS	 (sizeof(details) / sizeof(details[0]))

static bool ends_in_one(const struct naohw_key *key, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (text_ends_with(naohw_key_name(key), details[i]))
			return true;
	return false;
}

static bool is_counter(const struct naohw_key *key)
{
	return ends_in_one(key, COUNTERS);
}

static bool is_detail(const struct naohw_key *key)
{
	return text_begins_with(naohw_key_name(key), KEY_PREFIX) && ends_in_one(key, DETAILS);
}

/* Does a pattern match the first @length bytes of a key's name? */
static bool matches_start(const char *pattern, const struct naohw_key *key, size_t length)
{
	char start[KEY_FORM_SIZE], text[KEY_FORM_SIZE];

	snprintf(start, sizeof(start), "%.*s", (int)length, naohw_key_name(key));
	for (unsigned int form = 0; form < KEY_FORMS / 2; form++)
		if (key_form(form, pattern, text) && fnmatch(text, start, 0) == 0)
			return true;
	return false;
}

/*
 * The "*" that ends a pattern as in "Head*" stands for whole sub-devices, of which each has ten
 * details; that of "HeadYaw/Position/Sensor/M*" for a part of the last name alone.
 */
static bool means_subdevices(const char *pattern, const struct naohw_key *key)
{
	const char *name = naohw_key_name(key);
	char begin[KEY_FORM_SIZE];

	if (!text_ends_with(pattern, "*"))
		return false;
	snprintf(begin, sizeof(begin), "%.*s", (int)strlen(pattern) - 1, pattern);
	for (size_t length = (size_t)(strrchr(name, '/') + 1 - name); length <= strlen(name);
	     length++)
		if (matches_start(begin, key, length))
			return false;
	return true;
}

/* Somebody who ends a pattern in ".../Channel" asks for just that. */
static bool is_left_out(const char *pattern, const struct naohw_key *key, const struct match *match)
{
	if (match->to_be_set)
		return !naohw_key_is_writable(key);
	if (match->all || !(naohw_key_is_wiring(key) || (match->uncounted && is_counter(key))))
		return false;
	return !text_ends_with(pattern, strrchr(naohw_key_name(key), '/'));
}

static void complain_of_none(const char *pattern, const struct match *match, bool any)
{
	if (!any)
		complain("%s: no key matches; \"naohw list --keys\" shows all", pattern);
	else if (match->to_be_set)
		complain("%s: matches no key that can be set", pattern);
	else
		complain("%s: matches only keys of the wiring; --all shows them", pattern);
}

/* Of what is matched and may be meant, this is not shown. */
static bool is_too_much(const char *pattern, const struct naohw_key *key, const struct match *match)
{
	return !match->to_be_set && !match->all && !match->details && is_detail(key) &&
	       means_subdevices(pattern, key);
}

static bool add_matches(struct keys *keys, const struct naohw_robot *robot, const char *pattern,
			size_t argument, const struct match *match)
{
	size_t before = keys->count;
	struct naohw_key *key;
	bool any = false;

	for (size_t i = 0; (key = naohw_robot_key_at(robot, i)); i++) {
		if (!is_match(pattern, key))
			continue;
		any = true;
		if (is_left_out(pattern, key, match))
			continue;
		if (is_too_much(pattern, key, match))
			keys->details_left_out++;
		else if (!add(keys, key, argument))
			return false;
	}
	if (keys->count > before || match->may_lack)
		return true;
	complain_of_none(pattern, match, any);
	return false;
}

/* Are there keys of which it is the beginning, as HeadYaw is? */
static bool has_keys_below(const struct naohw_robot *robot, const char *name)
{
	size_t length = strlen(name);
	struct naohw_key *key;
	char text[KEY_FORM_SIZE];

	for (size_t i = 0; (key = naohw_robot_key_at(robot, i)); i++) {
		short_name(naohw_key_name(key), text, sizeof(text));
		if (strncmp(text, name, length) == 0 && text[length] == '/')
			return true;
	}
	return false;
}

static void complain_unknown(const struct naohw_robot *robot, const char *name)
{
	int best = (int)nearest_to(name).apart;
	struct naohw_key *nearest = NULL;
	char text[KEY_FORM_SIZE];

	if (has_keys_below(robot, name)) {
		complain("%s: is no key, but several begin with it; \"naohw list --keys '%s/*'\" shows them",
			 name, name);
		return;
	}
	for (unsigned int form = 0; form < KEY_FORMS; form++) {
		struct naohw_key *found;
		int apart = key_form(form, name, text) ?
				    naohw_robot_nearest_key(robot, text, &found) :
				    -ENOENT;

		if (apart < 0 || apart >= best)
			continue;
		best = apart;
		nearest = found;
	}
	if (!nearest) {
		complain("%s: no such key; \"naohw list --keys\" shows all", name);
		return;
	}
	short_name(naohw_key_name(nearest), text, sizeof(text));
	complain("%s: no such key, the nearest is %s; \"naohw list --keys\" shows all", name, text);
}

bool keys_add(struct keys *keys, const struct naohw_robot *robot, char *const *arguments,
	      size_t index, const struct match *match)
{
	const char *name = arguments[index];
	struct naohw_key *key;
	char text[KEY_FORM_SIZE];

	if (!key_form(KEY_FORMS - 1, name, text)) {
		complain("%.40s...: is longer than any key", name);
		return false;
	}
	if (is_pattern(name))
		return add_matches(keys, robot, name, index, match);
	for (unsigned int form = 0; form < KEY_FORMS; form++)
		if (key_form(form, name, text) && naohw_robot_find_key(robot, text, &key) == 0)
			return add(keys, key, index);
	complain_unknown(robot, name);
	return false;
}

bool keys_add_all(struct keys *keys, const struct naohw_robot *robot, char *const *arguments,
		  size_t count, const struct match *match)
{
	for (size_t i = 0; i < count; i++)
		if (!keys_add(keys, robot, arguments, i, match))
			return false;
	return true;
}

void keys_free(struct keys *keys)
{
	free(keys->at);
}

void short_name(const char *name, char *text, size_t size)
{
	if (text_begins_with(name, KEY_PREFIX))
		name += strlen(KEY_PREFIX);
	snprintf(text, size, "%s", name);
	if (text_ends_with(text, KEY_SUFFIX))
		text[strlen(text) - strlen(KEY_SUFFIX)] = '\0';
}
