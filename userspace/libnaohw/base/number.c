// SPDX-License-Identifier: LGPL-2.1-or-later
#include "base.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* strtod() passes over blanks, and takes what is hexadecimal, too. */
bool number_parse(const char *text, double *number)
{
	locale_t c;
	char *end;

	if (text[strspn(text, "+-.0123456789Ee")] != '\0')
		return false;
	c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	if (!c)
		return false;
	*number = strtod_l(text, &end, c);
	freelocale(c);
	return end != text && *end == '\0' && isfinite(*number);
}

static int print(char *text, size_t size, bool fixed, double number)
{
	locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	locale_t before;
	int ret;

	if (!c)
		return -ENOMEM;
	before = uselocale(c);
	ret = snprintf(text, size, fixed ? "%f" : "%.9g", number);
	uselocale(before);
	freelocale(c);
	return ret;
}

/* Nine digits tell every float that NAO's keys can hold, without the noise of a double. */
int number_print(char *text, size_t size, double number)
{
	return print(text, size, false, number);
}

int number_print_fixed(char *text, size_t size, double number)
{
	return print(text, size, true, number);
}
