/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Of many names the one that a user may have meant, for library and command. */
#ifndef NAOHW_NEAREST_H
#define NAOHW_NEAREST_H

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_DISTANCE_MAX 255

static inline size_t least_of(size_t a, size_t b)
{
	return a < b ? a : b;
}

static inline bool is_same_letter(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/*
 * How many characters must be put in, taken out, changed or swapped with the next one to make one text
 * of the other; capitals do not count. Of texts longer than TEXT_DISTANCE_MAX: SIZE_MAX.
 */
static inline size_t text_distance(const char *a, const char *b)
{
	uint16_t rows[3][TEXT_DISTANCE_MAX + 1];
	size_t rest = strlen(a), length = strlen(b);

	if (length > TEXT_DISTANCE_MAX || rest > TEXT_DISTANCE_MAX)
		return SIZE_MAX;
	for (size_t j = 0; j <= length; j++)
		rows[0][j] = (uint16_t)j;
	for (size_t i = 1; i <= rest; i++) {
		const uint16_t *two_before = rows[(i + 1) % 3], *before = rows[(i - 1) % 3];
		uint16_t *row = rows[i % 3];

		row[0] = (uint16_t)i;
		for (size_t j = 1; j <= length; j++) {
			size_t best = before[j - 1] + !is_same_letter(a[i - 1], b[j - 1]);

			best = least_of(best, least_of(before[j], row[j - 1]) + 1u);
			if (i > 1 && j > 1 && is_same_letter(a[i - 1], b[j - 2]) &&
			    is_same_letter(a[i - 2], b[j - 1]))
				best = least_of(best, two_before[j - 2] + 1u);
			row[j] = (uint16_t)best;
		}
	}
	return rows[rest % 3][length];
}

/*
 * Of names that are tried one after the other, the one that is the nearest to @name, if no more
 * than a third of @name's letters are wrong; of those that are as near the first. nearest_try() is
 * true of each that is nearer than those before.
 */
struct nearest {
	const char *name;
	size_t length;	   /* of it */
	size_t apart;	   /* from it, as text_distance() has it; of none what is too far */
	const char *found; /* NULL: none */
};

static inline struct nearest nearest_to(const char *name)
{
	size_t length = strlen(name);

	return (struct nearest){
		.name = name,
		.length = length,
		.apart = length > TEXT_DISTANCE_MAX ? 0 : length / 3 + (length > 1),
	};
}

static inline bool nearest_try(struct nearest *nearest, const char *other)
{
	size_t apart = (size_t)labs((long)strlen(other) - (long)nearest->length);

	/* A distance is never less than that of the lengths, which is had for nothing. */
	if (apart < nearest->apart)
		apart = text_distance(nearest->name, other);
	if (apart >= nearest->apart)
		return false;
	nearest->apart = apart;
	nearest->found = other;
	return true;
}

/* For messages, "%s%s" of both: ", the nearest is NAME", or nothing. */
static inline const char *nearest_words(const struct nearest *nearest)
{
	return nearest->found ? ", the nearest is " : "";
}

static inline const char *nearest_name(const struct nearest *nearest)
{
	return nearest->found ? nearest->found : "";
}

#endif
