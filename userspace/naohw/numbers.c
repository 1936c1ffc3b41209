// SPDX-License-Identifier: GPL-2.0-or-later
#include "numbers.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* strtod() passes over blanks, and takes what is hexadecimal, too. */
bool parse_double(const char *text, double min, double max, double *value)
{
	char *end;

	if (text[strspn(text, "+-.0123456789Ee")] != '\0')
		return false;
	*value = strtod(text, &end);
	return end != text && *end == '\0' && isfinite(*value) &&
	       *value >= min && *value <= max;
}

bool parse_long(const char *text, long min, long max, long *value)
{
	char *end;

	errno = 0;
	*value = strtol(text, &end, 10);
	return end != text && *end == '\0' && errno == 0 && *value >= min &&
	       *value <= max;
}
