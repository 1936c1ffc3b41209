// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdarg.h>
#include <stdio.h>

#include "base.h"

#define LINE_SIZE 1024

/* In one write, as others write to stderr, too. */
void log_line(const char *format, ...)
{
	char line[LINE_SIZE];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	fprintf(stderr, "naohwd: %s\n", line);
}

int trouble(struct naohw_error *err, int code, const char *format, ...)
{
	va_list args;

	if (!err)
		return code;
	va_start(args, format);
	vsnprintf(err->message, sizeof(err->message), format, args);
	va_end(args);
	return code;
}
