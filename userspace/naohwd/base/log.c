// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <syslog.h>
#include <unistd.h>

#include "base.h"

#define LINE_SIZE 1024

/* Is stderr what systemd says it has given us, and not what somebody has put in its place? */
static bool is_journal(void)
{
	const char *stream = getenv("JOURNAL_STREAM");
	unsigned long long device, inode;
	struct stat info;

	return stream && sscanf(stream, "%llu:%llu", &device, &inode) == 2 &&
	       fstat(STDERR_FILENO, &info) == 0 && info.st_dev == device && info.st_ino == inode;
}

/* In one write, as others write to stderr, too. The journal knows who we are. */
static void say(int priority, const char *format, va_list args)
{
	char line[LINE_SIZE];

	vsnprintf(line, sizeof(line), format, args);
	if (is_journal())
		fprintf(stderr, "<%d>%s\n", priority, line);
	else
		fprintf(stderr, "naohwd: %s\n", line);
}

void log_line(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(LOG_INFO, format, args);
	va_end(args);
}

void log_warning(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(LOG_WARNING, format, args);
	va_end(args);
}

void log_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(LOG_ERR, format, args);
	va_end(args);
}

int trouble(struct naohw_error *err, int code, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(err->message, sizeof(err->message), format, args);
	va_end(args);
	return code;
}
