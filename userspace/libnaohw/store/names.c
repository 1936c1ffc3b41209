// SPDX-License-Identifier: LGPL-2.1-or-later
#include "names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define HASH_FACTOR 0x9e3779b97f4a7c15u /* odd, and of bits without a pattern */

/* Where a name may be found: at its hash, or behind it up to the first that is empty. */
struct place {
	uint32_t hash;
	uint32_t number; /* + 1; 0: empty */
};

/* The factor moves bits upward only, so what is up comes down again. */
static uint64_t mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * HASH_FACTOR;
	return hash ^ hash >> 32;
}

/* By words: byte after byte takes most of the time of a search for a name of 50. */
static uint32_t hash_of(const char *name)
{
	size_t length = strlen(name);
	uint64_t hash = length, word;

	for (; length >= sizeof(word); length -= sizeof(word), name += sizeof(word)) {
		memcpy(&word, name, sizeof(word));
		hash = mix(hash, word);
	}
	word = 0;
	memcpy(&word, name, length);
	return (uint32_t)mix(hash, word);
}

/* Half of the places or more stay empty: a search ends soon. */
static size_t places_for(size_t count)
{
	size_t places = 2;

	while (places < 2 * count)
		places *= 2;
	return places;
}

int names_init(struct names *names, const char *text, size_t size, size_t count)
{
	size_t places = places_for(count);

	names->count = 0;
	names->mask = places - 1;
	names->text = malloc(size + 1);
	names->name = calloc(count + 1, sizeof(*names->name));
	names->place = calloc(places, sizeof(*names->place));
	if (!names->text || !names->name || !names->place)
		return -ENOMEM;
	memcpy(names->text, text, size);
	/* The last one ends, whatever another process has put there. */
	names->text[size] = '\0';
	return 0;
}

/* Where a name is, or else is to be */
static struct place *place_of(const struct names *names, const char *name, uint32_t hash)
{
	size_t i = hash & names->mask;

	for (;; i = (i + 1) & names->mask) {
		struct place *place = &names->place[i];

		if (!place->number)
			return place;
		if (place->hash == hash && strcmp(names->name[place->number - 1], name) == 0)
			return place;
	}
}

int names_add(struct names *names, size_t at)
{
	const char *name = names->text + at;
	uint32_t hash = hash_of(name);
	struct place *place = place_of(names, name, hash);

	if (place->number)
		return -EEXIST;
	names->name[names->count] = name;
	names->count++;
	place->hash = hash;
	place->number = (uint32_t)names->count;
	return 0;
}

int names_find(const struct names *names, const char *name)
{
	uint32_t number = place_of(names, name, hash_of(name))->number;

	return number ? (int)number - 1 : -ENOENT;
}

void names_free(struct names *names)
{
	free(names->place);
	free(names->name);
	free(names->text);
}
