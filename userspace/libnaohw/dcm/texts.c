// SPDX-License-Identifier: LGPL-2.1-or-later
#include "texts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"

#define PREFIX "DCM/"
/* Of what is between: nobody has seen it yet. */
#define IS_NEW 4u
#define PLACE  3u

/* ---- which there are ---- */

static bool has_name(const struct text_names *names, const char *name)
{
	for (size_t i = 0; i < names->count; i++)
		if (strcmp(names->name[i], name) == 0)
			return true;
	return false;
}

int text_names_add(struct text_names *names, const char *name)
{
	size_t length = strlen(name);

	if (!text_begins_with(name, PREFIX) || length == strlen(PREFIX) ||
	    length >= TEXT_NAME_SIZE || !text_is_plain(name))
		return -EINVAL;
	if (has_name(names, name))
		return -EEXIST;
	if (names->count == TEXTS_MAX)
		return -ENOSPC;
	if (!names->name)
		names->name = calloc(TEXTS_MAX, sizeof(*names->name));
	if (!names->name)
		return -ENOMEM;
	strcpy(names->name[names->count++], name);
	return 0;
}

void text_names_free(struct text_names *names)
{
	free(names->name);
}

/* ---- begin and end ---- */

/* The names stand behind all of them. */
int texts_begin(struct texts *texts, const struct text_names *names)
{
	size_t count = names->count;
	char(*name)[TEXT_NAME_SIZE];

	if (pthread_mutex_init(&texts->lock, NULL) != 0)
		return -ENOMEM;
	texts->list = calloc(count + 1, sizeof(*texts->list) + TEXT_NAME_SIZE);
	if (!texts->list)
		return -ENOMEM;
	name = (void *)&texts->list[count];
	for (size_t i = 0; i < count; i++) {
		memcpy(name[i], names->name[i], TEXT_NAME_SIZE);
		texts->list[i].name = name[i];
		texts->list[i].shown = 1;
		atomic_init(&texts->list[i].between, 2);
	}
	texts->count = count;
	return 0;
}

void texts_end(struct texts *texts)
{
	pthread_mutex_destroy(&texts->lock);
	free(texts->list);
}

size_t texts_keys(const struct texts *texts, struct store_key *keys)
{
	for (size_t i = 0; i < texts->count; i++)
		keys[i] = (struct store_key){ texts->list[i].name, NAOHW_KEY_STRING, false };
	return texts->count;
}

void texts_find(struct texts *texts, const struct naohw_store *store)
{
	/* They are all there, as the store was made with them. */
	for (size_t i = 0; i < texts->count; i++)
		(void)naohw_store_find(store, texts->list[i].name, &texts->list[i].slot);
}

/* ---- giving and showing ---- */

static void give(struct text *text, const char *what)
{
	text_cut(text->place[text->given], NAOHW_TEXT_SIZE, what);
	text->given = atomic_exchange(&text->between, text->given | IS_NEW) & PLACE;
}

int texts_give(struct texts *texts, const char *name, const char *what)
{
	int ret = -ENOENT;

	pthread_mutex_lock(&texts->lock);
	for (size_t i = 0; i < texts->count && ret < 0; i++) {
		if (strcmp(texts->list[i].name, name) != 0)
			continue;
		give(&texts->list[i], what);
		ret = 0;
	}
	pthread_mutex_unlock(&texts->lock);
	return ret;
}

void texts_show(struct texts *texts, struct naohw_store *store, int64_t time)
{
	for (size_t i = 0; i < texts->count; i++) {
		struct text *text = &texts->list[i];
		struct naohw_value value = { .state = NAOHW_STATE_FRESH, .time = time };

		if (atomic_load(&text->between) & IS_NEW)
			text->shown = atomic_exchange(&text->between, text->shown) & PLACE;
		memcpy(value.text, text->place[text->shown], NAOHW_TEXT_SIZE);
		store_put(store, text->slot, &value);
	}
}
