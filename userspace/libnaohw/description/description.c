// SPDX-License-Identifier: LGPL-2.1-or-later
#include "description.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"
#include "alias.h"
#include "base.h"
#include "body.h"
#include "content.h"
#include "layers.h"
#include "load.h"
#include "parse.h"

static int compare(const void *a, const void *b)
{
	const struct preference *left = a, *right = b;
	int order = strcmp(left->key, right->key);

	if (order)
		return order;
	return left->order < right->order ? -1 : 1;
}

int description_reserve(struct description *d)
{
	size_t capacity = d->capacity ? d->capacity * 2 : 256;
	struct preference *list;

	if (d->count < d->capacity)
		return 0;
	list = realloc(d->list, capacity * sizeof(*list));
	if (!list)
		return -ENOMEM;
	d->list = list;
	d->capacity = capacity;
	return 0;
}

int preference_say(struct preference *preference, const char *key, const char *text)
{
	size_t length = strlen(key) + 1, size = strlen(text) + 1;

	preference->key = malloc(length + size);
	if (!preference->key)
		return -ENOMEM;
	memcpy(preference->key, key, length);
	preference->text = memcpy(preference->key + length, text, size);
	return 0;
}

void preference_clear(struct preference *preference)
{
	free(preference->key);
}

void description_sort(struct description *d)
{
	size_t kept = 0;

	if (d->count == 0)
		return;
	qsort(d->list, d->count, sizeof(*d->list), compare);
	for (size_t i = 0; i < d->count; i++) {
		if (i + 1 < d->count && strcmp(d->list[i].key, d->list[i + 1].key) == 0)
			preference_clear(&d->list[i]);
		else
			d->list[kept++] = d->list[i];
	}
	d->count = kept;
}

/*
 * A later Preference overwrites an earlier one, which is meant where another layer does so, or where
 * an entity is corrected. Of two chains of one file nobody knows which is.
 */
static int check_chains(const struct description *d, struct naohw_error *err)
{
	for (size_t i = 0; i < d->count; i++) {
		const struct preference *chain = &d->list[i];

		if (!text_begins_with(chain->key, CHAIN_PREFIX))
			continue;
		for (size_t j = 0; j < i; j++)
			if (d->list[j].path == chain->path &&
			    strcmp(d->list[j].key, chain->key) == 0)
				return fail(err, -EINVAL, "%s:%ld: %s: is in line %ld already, "
					    "expected each chain once",
					    chain->path, chain->line, chain->key, d->list[j].line);
	}
	return 0;
}

static int load_layer(struct description *d, enum layer layer, struct naohw_error *err)
{
	const char *path = d->path[layer];
	struct content content;
	int ret = content_read(path, &content);

	if (ret == 0 && !content.data && layer == LAYER_DEVICE)
		ret = -ENOENT;
	if (ret < 0)
		return content_fail(ret, path, err);
	if (content.data)
		ret = layer_parse(d, path, &content, err);
	content_free(&content);
	return ret;
}

/* Of a board that does not tell, or not now, the file is what it told last. */
static int load_body(struct description *d, const struct places *places, struct naohw_error *err)
{
	struct content content;
	int ret = body_read(d, places, &content);

	d->body_error = ret;
	if (ret < 0)
		return load_layer(d, LAYER_BODY, err);
	ret = layer_parse(d, d->board, &content, err);
	content_free(&content);
	return ret;
}

static int take_layer(struct description *d, enum layer layer, const struct places *places,
		      const struct stand_in *stand_in, struct naohw_error *err)
{
	if (!d->path[layer] || (stand_in && stand_in->is_last && layer > stand_in->layer))
		return 0;
	if (!stand_in || layer != stand_in->layer)
		return layer == LAYER_BODY ? load_body(d, places, err) : load_layer(d, layer, err);
	if (!stand_in->content->data)
		return 0;
	return layer_parse(d, d->path[layer], stand_in->content, err);
}

/* Sorted once and at the end, since the limits hold for all layers together. */
static int load(struct description *d, const char *name, const struct places *places,
		const struct stand_in *stand_in, struct naohw_error *err)
{
	int ret = layers_find(name, places, d->path, err);

	d->body_error = -ENODEV;
	if (ret == 0)
		ret = take_layer(d, LAYER_DEVICE, places, stand_in, err);
	if (ret == 0)
		ret = base_load(d, places, err);
	for (unsigned int i = LAYER_HEAD; i < LAYERS && ret == 0; i++)
		ret = take_layer(d, (enum layer)i, places, stand_in, err);
	if (ret == 0)
		ret = check_chains(d, err);
	if (ret < 0)
		return ret;
	description_sort(d);
	ret = aliases_make(d, err);
	if (d->count == 0)
		return ret;
	d->list = give_back(d->list, d->count * sizeof(*d->list));
	d->capacity = d->count;
	return ret;
}

int description_load_with(const char *name, const struct places *places,
			  const struct stand_in *stand_in, struct description **out,
			  struct naohw_error *err)
{
	struct description *d = calloc(1, sizeof(*d));
	int ret;

	if (!d)
		return fail(err, -ENOMEM, "out of memory");
	ret = load(d, name, places, stand_in, err);
	if (ret < 0) {
		description_free(d);
		return ret;
	}
	*out = d;
	return 0;
}

int description_load(const char *name, const struct places *places, struct description **out,
		     struct naohw_error *err)
{
	return description_load_with(name, places, NULL, out, err);
}

void description_free(struct description *d)
{
	if (!d)
		return;
	for (size_t i = 0; i < d->count; i++)
		preference_clear(&d->list[i]);
	for (unsigned int i = 0; i < LAYERS; i++)
		free(d->path[i]);
	for (size_t i = 0; i < d->base_count; i++)
		free(d->base[i]);
	free(d->board);
	free(d->list);
	free(d);
}

static int compare_key(const void *key, const void *preference)
{
	return strcmp(key, ((const struct preference *)preference)->key);
}

const struct preference *description_find_key(const struct description *d, const char *key)
{
	if (d->count == 0)
		return NULL;
	return bsearch(key, d->list, d->count, sizeof(*d->list), compare_key);
}

const struct preference *description_find(const struct description *d, const char *prefix,
					  const char *name)
{
	char key[KEY_MAX * 2];

	snprintf(key, sizeof(key), "%s/%s", prefix, name);
	return description_find_key(d, key);
}

const struct preference *description_inherit(const struct description *d, const char *prefix,
					     const char *name)
{
	char level[KEY_MAX];
	char *slash;

	snprintf(level, sizeof(level), "%s", prefix);
	do {
		const struct preference *found = description_find(d, level, name);

		if (found)
			return found;
		slash = strrchr(level, '/');
		if (slash)
			*slash = '\0';
	} while (slash);
	return NULL;
}
