// SPDX-License-Identifier: LGPL-2.1-or-later
#include "body.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/base.h"
#include "parse.h"


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
	       strcmp(device + strcspn(device, "/"), "/" STORE_NAME) == 0;
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
	device = strlen(store->key) - strlen("/" STORE_NAME);
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

/* Neither copy is whole; what is to be done depends on what else there is. */
static int fail_broken(const char *label, const char *name, const char *file,
		       struct naohw_error *err)
{
	if (access(file, F_OK) == 0)
		return fail(err, -EUCLEAN,
			    "%s:%s: neither of its copies is whole, and %s holds; if that is this "
			    "body's, \"naohw pref --restore\" writes it to the board",
			    label, name, file);
	return fail(err, -EUCLEAN,
		    "%s:%s: neither of its copies is whole, and there is no %s; calibrate the body "
		    "anew",
		    label, name, file);
}

static const char *reason(int ret)
{
	switch (ret) {
	case -ENODEV:
		return "no such board here";
	case -ENODATA:
		return "keeps nothing yet";
	case -EBUSY:
		return "another program streams";
	default:
		return error_text(ret);
	}
}

static int fail_with(const struct description *d, int ret, struct naohw_error *err)
{
	char *label = NULL;
	const char *name = find_store(d, &label);

	if (!name)
		return fail(err, -ENODEV, "%s: names no BodyStore", d->path[LAYER_DEVICE]);
	if (!label)
		return fail(err, -ENOMEM, "out of memory");
	if (ret == -EUCLEAN)
		ret = fail_broken(label, name, d->path[LAYER_BODY], err);
	else
		fail(err, ret, "%s:%s: %s", label, name, reason(ret));
	free(label);
	return ret;
}

int description_body(const struct description *d, struct naohw_error *err)
{
	return d->body_error < 0 ? fail_with(d, d->body_error, err) : 0;
}

int description_check_body(const struct description *d, const struct places *places,
			   uint32_t *generation, struct naohw_error *err)
{
	char *label = NULL;
	const char *name = places->body && d->path[LAYER_BODY] ? find_store(d, &label) : NULL;
	int ret = -ENODEV;

	if (name)
		ret = label ? places->body->check(label, name, generation) : -ENOMEM;
	free(label);
	return ret < 0 ? fail_with(d, ret, err) : ret;
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
