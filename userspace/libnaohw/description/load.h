/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The steps of loading a description, for who does some of them otherwise. */
#ifndef NAOHW_LOAD_H
#define NAOHW_LOAD_H

#include "content.h"
#include "description.h"

/* What a layer is, whatever its file says. */
struct stand_in {
	enum layer layer;
	const struct content *content;
	bool is_last; /* of the layers over it nothing is read */
};

/* @stand_in: NULL: all is as the files say. */
int description_load_with(const char *name, const struct places *places,
			  const struct stand_in *stand_in, struct description **description,
			  struct naohw_error *err);

#define PREFERENCES_MAX 20000u

/* Room for one more; -ENOMEM. */
int description_reserve(struct description *description);

/*
 * Its key and its text are its own, in one piece: there are thousands of them. Return: 0 or -ENOMEM.
 */
int preference_say(struct preference *preference, const char *key, const char *text);
void preference_clear(struct preference *preference);

/* After all layers: sort, and of several with one key keep the last, as later ones overwrite. */
void description_sort(struct description *description);

#endif
