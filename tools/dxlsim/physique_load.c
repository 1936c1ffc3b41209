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

static void complain(const struct description *description,
		     const struct physique_fault *fault, FILE *err)
{
	const struct preference *found = description_find_key(description, fault->key);

	if (!*fault->expected)
		fprintf(err, "dxlsim: %s: no %s, expected one for a body\n",
			description->path[LAYER_DEVICE], fault->key);
	else if (!found)
		fprintf(err, "dxlsim: %s: %s, which is not there, expected %s\n",
			description->path[LAYER_DEVICE], fault->key, fault->expected);
	else
		fprintf(err, "dxlsim: %s:%ld: %s is %s, expected %s\n", found->path,
			found->line, fault->key, found->text, fault->expected);
}

struct physique *physique_load(const char *name, FILE *err)
{
	struct description *description;
	struct physique_fault fault;
	struct physique *physique;
	struct naohw_error error;

	if (description_load(name, &installed_places, &description, &error) < 0) {
		fprintf(err, "dxlsim: %s\n", error.message);
		return NULL;
	}
	physique = physique_new(number, description, &fault);
	if (!physique)
		complain(description, &fault, err);
	description_free(description);

	return physique;
}
