// SPDX-License-Identifier: LGPL-2.1-or-later
#include "base.h"

#include <errno.h>
#include <limits.h>
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

static int write_fixed(char *text, size_t size, double number)
{
	return snprintf(text, size, "%f", number);
}

static int print(char *text, size_t size, double number,
		 int (*write)(char *text, size_t size, double number))
{
	locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	locale_t before;
	int ret;

	if (!c)
		return -ENOMEM;
	before = uselocale(c);
	ret = write(text, size, number);
	uselocale(before);
	freelocale(c);
	return ret;
}

int number_print(char *text, size_t size, double number)
{
	return print(text, size, number, number_write);
}

int number_print_fixed(char *text, size_t size, double number)
{
	return print(text, size, number, write_fixed);
}

int number_to_int(double number)
{
	if (isnan(number))
		return 0;
	return (int)fmin(fmax(round(number), INT_MIN), INT_MAX);
}
