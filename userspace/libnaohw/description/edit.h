/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Changes to the text of a layer, which leave all else in it as it is. */
#ifndef NAOHW_EDIT_H
#define NAOHW_EDIT_H

#include "content.h"
#include "description.h"

/* One Preference as it shall be, or only its key, of one that shall not be. */
struct edit {
	const char *key;
	enum naohw_key_type type;
	const char *value; /* NULL: take it out */
};

/*
 * @old is what layer_parse() accepts, or no file; @new is to be freed. What comes out of an entity
 * stays, and is overwritten, but cannot be taken out.
 */
int layer_edit(const struct content *old, const char *path, const struct edit *edits, size_t count,
	       struct content *new, struct naohw_error *err);

#endif
