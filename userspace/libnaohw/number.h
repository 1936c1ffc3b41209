/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Numbers as files have them: the user's locale, in which 0.5 may be none, plays no part. */
#ifndef NAOHW_NUMBER_H
#define NAOHW_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

/* Is the whole of @text a finite number? A line end behind it is none of it. */
bool number_parse(const char *text, double *number);

/*
 * As snprintf(), or -ENOMEM: in the fewest digits, of nine at the most, that tell it; or with
 * six behind the point and no exponent, as the kernel reads it.
 */
int number_print(char *text, size_t size, double number);
int number_print_fixed(char *text, size_t size, double number);

#endif
