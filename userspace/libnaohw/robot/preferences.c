// SPDX-License-Identifier: LGPL-2.1-or-later
/* A description as programs see it, which ask for it without a robot. */
#include <errno.h>
#include <stdlib.h>

#include "../base/base.h"
#include "body_store.h"
#include "inside.h"

struct naohw_preferences {
	struct description *description;
};

static const enum layer layers[] = {
	[NAOHW_LAYER_HEAD] = LAYER_HEAD,
	[NAOHW_LAYER_BODY] = LAYER_BODY,
	[NAOHW_LAYER_LOCAL] = LAYER_LOCAL,
};

int naohw_preferences_load(const char *description, struct naohw_preferences **out,
			   struct naohw_error *err)
{
	struct naohw_preferences *preferences = calloc(1, sizeof(*preferences));
	const struct places places = body_places(NULL);
	int ret;

	if (!preferences)
		return fail(err, -ENOMEM, "out of memory");
	ret = description_load(description, &places, &preferences->description, err);
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

/* What is past the end. */
static const struct preference none = { .type = NAOHW_KEY_STRING };

static const struct preference *at(const struct naohw_preferences *preferences, size_t index)
{
	const struct description *description = preferences->description;

	return index < description->count ? &description->list[index] : &none;
}

const char *naohw_preferences_key(const struct naohw_preferences *preferences, size_t index)
{
	return at(preferences, index)->key;
}

enum naohw_key_type naohw_preferences_type(const struct naohw_preferences *preferences,
					   size_t index)
{
	return at(preferences, index)->type;
}

int naohw_preferences_is_wiring(const struct naohw_preferences *preferences, size_t index)
{
	const char *key = at(preferences, index)->key;

	return key && known_is_wiring(key);
}

const char *naohw_preferences_text(const struct naohw_preferences *preferences, size_t index)
{
	return at(preferences, index)->text;
}

double naohw_preferences_number(const struct naohw_preferences *preferences, size_t index)
{
	return at(preferences, index)->number;
}

const char *naohw_preferences_path(const struct naohw_preferences *preferences, size_t index)
{
	return at(preferences, index)->path;
}

long naohw_preferences_line(const struct naohw_preferences *preferences, size_t index)
{
	return at(preferences, index)->line;
}

int naohw_preferences_layer(const struct naohw_preferences *preferences, size_t index)
{
	const struct description *description = preferences->description;
	const char *path = at(preferences, index)->path;

	if (path && path == description->board)
		return NAOHW_LAYER_BODY;
	for (size_t i = 0; path && i < sizeof(layers) / sizeof(layers[0]); i++)
		if (path == description->path[layers[i]])
			return (int)i;
	return -ENOENT;
}

int naohw_preferences_find(const struct naohw_preferences *preferences, const char *key,
			   size_t *index, struct naohw_error *err)
{
	const struct description *description = preferences->description;
	const struct preference *found = description_find_key(description, key);

	if (!found)
		return unknown_key(description, key, err);
	*index = (size_t)(found - description->list);
	return 0;
}

int naohw_preferences_body(const struct naohw_preferences *preferences, uint32_t *generation,
			   struct naohw_error *err)
{
	const struct places places = body_places(NULL);

	return description_check_body(preferences->description, &places, generation, err);
}

static int save(const char *description, const struct change *change, struct naohw_error *err)
{
	const struct places places = body_places(NULL);

	return description_save(description, &places, change, robot_check, err);
}

int naohw_preferences_save(const char *description, const char *const *keys, size_t count,
			   const char *value, struct naohw_error *err)
{
	const struct change change = {
		.layer = LAYER_LOCAL,
		.keys = keys,
		.value = value,
		.count = count,
	};

	return save(description, &change, err);
}

int naohw_preferences_unset(const char *description, const char *const *keys, size_t count,
			    struct naohw_error *err)
{
	return naohw_preferences_save(description, keys, count, NULL, err);
}

int naohw_preferences_save_each(const char *description, enum naohw_layer layer,
				const char *const *keys, const char *const *values, size_t count,
				struct naohw_error *err)
{
	struct change change = { .keys = keys, .values = values, .count = count };

	if (layer >= sizeof(layers) / sizeof(layers[0]))
		return fail(err, -EINVAL, "layer %u: no such layer", layer);
	change.layer = layers[layer];
	return save(description, &change, err);
}

int naohw_preferences_restore(const char *description, struct naohw_error *err)
{
	const struct change change = { .layer = LAYER_BODY, .restore = true };

	return save(description, &change, err);
}
