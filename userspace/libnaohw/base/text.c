// SPDX-License-Identifier: LGPL-2.1-or-later
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base.h"

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

char *path_absolute(const char *path)
{
	char *here, *absolute;

	if (*path == '/')
		return strdup(path);
	here = getcwd(NULL, 0);
	if (here && asprintf(&absolute, "%s/%s", here, path) < 0)
		absolute = NULL;
	free(here);
	return here ? absolute : NULL;
}

size_t text_distance(const char *a, const char *b)
{
	size_t row[TEXT_DISTANCE_MAX + 1], length = strlen(b);

	if (length > TEXT_DISTANCE_MAX || strlen(a) > TEXT_DISTANCE_MAX)
		return SIZE_MAX;
	for (size_t j = 0; j <= length; j++)
		row[j] = j;
	for (; *a; a++) {
		size_t corner = row[0]++;

		for (size_t j = 1; j <= length; j++) {
			size_t changed = corner + (tolower((unsigned char)*a) !=
						   tolower((unsigned char)b[j - 1]));

			corner = row[j];
			row[j] = least(changed, least(row[j], row[j - 1]) + 1);
		}
	}
	return row[length];
}
