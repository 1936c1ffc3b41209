// SPDX-License-Identifier: GPL-2.0-or-later
#include "../../userspace/libnaohw/description/description.h"
#include "physique_load.h"

static bool number(const void *description, const char *key, double *value)
{
	const struct preference *found = description_find_key(description, key);

	if (!found || found->type == NAOHW_KEY_STRING)
		return false;
	*value = found->number;

	return true;
}

struct physique *physique_load(const char *name, FILE *err)
{
	struct description *description;
	char missing[PHYSIQUE_KEY];
	struct physique *physique;
	struct naohw_error error;

	if (description_load(name, &installed_places, &description, &error) < 0) {
		fprintf(err, "dxlsim: %s\n", error.message);
		return NULL;
	}
	physique = physique_new(number, description, missing);
	if (!physique)
		fprintf(err, "dxlsim: %s: no %s, expected one for a body\n",
			description->path[LAYER_DEVICE], missing);
	description_free(description);

	return physique;
}
