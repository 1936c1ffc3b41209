/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef NAOHW_ERROR_H
#define NAOHW_ERROR_H

#include <naohw.h>

/* Fill @err, which may be NULL, and return @code, so that "return fail(...)" reads well. */
int fail(struct naohw_error *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* errno as people know it, for messages; the kernel's words for a bus are too general. */
const char *error_text(int code);

#endif
