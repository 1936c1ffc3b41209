/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One file of a description. */
#ifndef NAOHW_PARSE_H
#define NAOHW_PARSE_H

#include "content.h"
#include "description.h"

#define KEY_MAX 256u

struct _xmlDoc;
struct _xmlNode;

/* Append the Preferences of a file. @path is not copied. */
int layer_parse(struct description *description, const char *path, const struct content *content,
		struct naohw_error *err);

/* The XML alone; the message says what is wrong with it. */
int content_parse(const struct content *content, const char *path, struct _xmlDoc **doc,
		  struct naohw_error *err);

/*
 * A Preference's key: its memoryName, or its name below the array that holds it. Returns its
 * length, as snprintf() does for the KEY_MAX bytes of @key, -ENOENT: it has none, or
 * -ENOMEM.
 */
int preference_key(struct _xmlNode *node, const char *prefix, char *key);

#endif
