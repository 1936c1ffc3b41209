/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers as people write them. No locale is ever set here, and so 0.5 is one everywhere. */
#ifndef NAOHW_NUMBERS_H
#define NAOHW_NUMBERS_H

#include <stdbool.h>

/* The whole of @text as a number in @min..@max. */
bool parse_double(const char *text, double min, double max, double *value);
bool parse_long(const char *text, long min, long max, long *value);

#endif
