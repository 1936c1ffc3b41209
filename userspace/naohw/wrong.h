/* SPDX-License-Identifier: GPL-2.0-or-later */
/* To say what is wrong where nothing is printed yet. */
#ifndef NAOHW_WRONG_H
#define NAOHW_WRONG_H

#include <naohw.h>

/* Fill @err and return @code, so that "return wrong(...)" reads well. */
int wrong(struct naohw_error *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
