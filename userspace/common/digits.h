/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How library and command write a value, so that the same number is the same text. */
#ifndef NAOHW_DIGITS_H
#define NAOHW_DIGITS_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

/* Is it whole, and no other whole number the same double? */
static inline bool number_is_exact(double number)
{
	return fabs(number) <= 0x1p53 && number == trunc(number);
}

/*
 * As snprintf(), in the present locale: of a whole number all digits, else as few as tell it, of
 * nine at the most. These tell every float that NAO's keys can hold, without the noise of a double.
 */
static inline int number_write(char *text, size_t size, double number)
{
	return snprintf(text, size, number_is_exact(number) ? "%.0f" : "%.9g", number);
}

#endif
