/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How library and command write a value, so that the same number is the same text. */
#ifndef NAOHW_DIGITS_H
#define NAOHW_DIGITS_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Is it whole, and no other whole number the same double? */
static inline bool number_is_exact(double number)
{
	return fabs(number) <= 0x1p53 && number == trunc(number);
}

/* The same number, but that 0 has no sign: people wonder about -0. */
static inline double number_unsigned_zero(double number)
{
	return number + 0.0;
}

/*
 * As snprintf(), in the present locale: of a whole number all digits, else as few as tell it, of
 * nine at the most. These tell every float that NAO's keys can hold, without the noise of a double.
 */
static inline int number_write(char *text, size_t size, double number)
{
	return snprintf(text, size, number_is_exact(number) ? "%.0f" : "%.9g",
			number_unsigned_zero(number));
}

/* The same with so many digits behind the point; what these make 0 of has no sign either. */
static inline void number_write_fixed(char *text, size_t size, int digits, double number)
{
	snprintf(text, size, "%.*f", digits, number);
	if (*text == '-' && text[1 + strspn(text + 1, "0.")] == '\0')
		memmove(text, text + 1, strlen(text));
}

#endif
