// SPDX-License-Identifier: LGPL-2.1-or-later
/* Of many names the one that somebody may have meant. */
#include <stdlib.h>
#include <string.h>

#include "base.h"

struct nearest nearest_to(const char *name)
{
	size_t length = strlen(name);

	return (struct nearest){
		.name = name,
		.length = length,
		.apart = length > TEXT_DISTANCE_MAX ? 0 : length / 3,
	};
}

bool nearest_try(struct nearest *nearest, const char *other)
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
