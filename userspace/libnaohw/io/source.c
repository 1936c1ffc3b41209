// SPDX-License-Identifier: LGPL-2.1-or-later
#include "source.h"

#include <errno.h>
#include <string.h>

#include "../base/base.h"

/* The first one that an array has is what it is: an Attribute may be a channel's, too. */
static const struct source_kind *const kinds[] = {
	&source_channel,
	&source_attribute,
	&source_formula,
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

const struct source_kind *source_find(const char *name)
{
	for (size_t i = 0; i < KINDS; i++)
		if (strcmp(kinds[i]->name, name) == 0)
			return kinds[i];
	return NULL;
}

int source_wrong(const struct preference *preference, const char *expected,
		 struct naohw_error *err)
{
	return fail(err, -EINVAL, "%s:%ld: %s: value \"%s\", expected %s", preference->path,
		    preference->line, preference->key, preference->text, expected);
}
