// SPDX-License-Identifier: LGPL-2.1-or-later
#include "body.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/base.h"
#include "parse.h"

#define STORE_NAME "/BodyStore"

/* The last one, as while layers are read they are not sorted; @key begins with a device's name. */
static const struct preference *find_last(const struct description *d, const char *key,
					  size_t device, const char *name)
{
	for (size_t i = d->count; i > 0; i--) {
		const char *other = d->list[i - 1].key;

		if (strncmp(other, key, device) == 0 && strcmp(other + device, name) == 0)
			return &d->list[i - 1];
	}
	return NULL;
}

/* "Device/DeviceList/ChestBoard/BodyStore" */
static bool is_store(const char *key)
{
	const char *device = key + strlen(DEVICE_PREFIX);

	return text_begins_with(key, DEVICE_PREFIX) &&
	       strcmp(device + strcspn(device, "/"), STORE_NAME) == 0;
}

/* What the store is called, and in @label, to be freed, whose it is; NULL: there is none. */
static const char *find_store(const struct description *d, char **label)
{
	size_t i = d->count;
	const struct preference *store, *found;
	size_t device;

	while (i > 0 && !is_store(d->list[i - 1].key))
		i--;
	if (i == 0)
		return NULL;
	store = &d->list[i - 1];
	device = strlen(store->key) - strlen(STORE_NAME);
	found = find_last(d, store->key, device, "/Label");
	*label = found ? strndup(found->text, strcspn(found->text, " \t\n\r"))
		       : strndup(store->key + strlen(DEVICE_PREFIX),
				 device - strlen(DEVICE_PREFIX));
	return store->text;
}

int body_read(struct description *d, const struct places *places, struct content *content)
{
	char *label = NULL;
	const char *name = places->body ? find_store(d, &label) : NULL;
	int copy, ret = 0;

	if (!name)
		return -ENODEV;
	copy = label ? places->body->read(label, name, content) : -ENOMEM;
	if (copy < 0)
		ret = copy;
	else if (asprintf(&d->board, "%s:%s-%c", label, name, 'a' + copy) < 0)
		ret = -ENOMEM;
	if (ret < 0 && copy >= 0)
		content_free(content);
	free(label);
	return ret;
}

int body_write(const struct description *d, const struct places *places,
	       const struct content *content, struct naohw_error *err)
{
	char *label = NULL;
	const char *name = places->body ? find_store(d, &label) : NULL;
	int ret;

	if (!name)
		return fail(err, -ENODEV, "%s: names no BodyStore", d->path[LAYER_DEVICE]);
	ret = label ? places->body->write(label, name, content, err)
		    : fail(err, -ENOMEM, "out of memory");
	free(label);
	return ret;
}
