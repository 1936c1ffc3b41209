// SPDX-License-Identifier: GPL-2.0-or-later
#include "wrong.h"

#include <stdarg.h>
#include <stdio.h>

int wrong(struct naohw_error *err, int code, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(err->message, sizeof(err->message), format, args);
	va_end(args);
	return code;
}
