// SPDX-License-Identifier: LGPL-2.1-or-later
/* A description as programs see it, which ask for it without a robot. */
#include <errno.h>
#include <stdlib.h>

#include "../base/base.h"
#include "robot.h"

struct naohw_preferences {
	struct description *description;
};

int naohw_preferences_load(const char *description, struct naohw_preferences **out,
			   struct naohw_error *err)
{
	struct naohw_preferences *preferences = calloc(1, sizeof(*preferences));
	int ret;

	if (!preferences)
		return fail(err, -ENOMEM, "out of memory");
	ret = description_load(description, &installed_places, &preferences->description, err);
	if (ret < 0) {
		free(preferences);
		return ret;
	}
	*out = preferences;
	return 0;
}

void naohw_preferences_free(struct naohw_preferences *preferences)
{
	if (!preferences)
		return;
	description_free(preferences->description);
	free(preferences);
}

size_t naohw_preferences_count(const struct naohw_preferences *preferences)
{
	return preferences->description->count;
}

static void show(const struct preference *found, struct naohw_preference *shown)
{
	*shown = (struct naohw_preference){
		.key = found->key,
		.type = found->type,
		.text = found->text,
		.number = found->number,
		.path = found->path,
		.line = found->line,
	};
}

int naohw_preferences_get(const struct naohw_preferences *preferences, size_t index,
			  struct naohw_preference *preference)
{
	if (index >= preferences->description->count)
		return -EINVAL;
	show(&preferences->description->list[index], preference);
	return 0;
}

int naohw_preferences_find(const struct naohw_preferences *preferences, const char *key,
			   struct naohw_preference *preference, struct naohw_error *err)
{
	const struct preference *found = description_find_key(preferences->description, key);

	if (!found)
		return unknown_key(preferences->description, key, err);
	show(found, preference);
	return 0;
}

int naohw_preferences_save(const char *description, const char *const *keys, size_t count,
			   const char *value, struct naohw_error *err)
{
	const struct change change = { .keys = keys, .count = count, .value = value };

	return description_save(description, &installed_places, &change, robot_check, err);
}

int naohw_preferences_unset(const char *description, const char *const *keys, size_t count,
			    struct naohw_error *err)
{
	const struct change change = { .keys = keys, .count = count };

	return description_save(description, &installed_places, &change, robot_check, err);
}
