// SPDX-License-Identifier: GPL-2.0-or-later
#include <poll.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <syslog.h>
#include <unistd.h>

#include "base.h"

/* Two of them are less than the 4 KiB of which a pipe that is ready has room. */
#define LINE_SIZE 1024

static atomic_uint lost;

/* Is stderr what systemd says it has given us, and not what somebody has put in its place? */
static bool is_journal(void)
{
	const char *stream = getenv("JOURNAL_STREAM");
	unsigned long long device, inode;
	struct stat info;

	return stream && sscanf(stream, "%llu:%llu", &device, &inode) == 2 &&
	       fstat(STDERR_FILENO, &info) == 0 && info.st_dev == device && info.st_ino == inode;
}

/* Whoever reads it may have stopped to do so: a robot is not to wait for him. */
static bool has_room(void)
{
	struct pollfd stream = { .fd = STDERR_FILENO, .events = POLLOUT };

	return poll(&stream, 1, 0) == 1 && stream.revents & POLLOUT;
}

/* In one write, as others write to stderr, too. The journal knows who we are. */
static void put(int priority, const char *line)
{
	if (is_journal())
		fprintf(stderr, "<%d>%s\n", priority, line);
	else
		fprintf(stderr, "naohwd: %s\n", line);
}

static void tell_lost(void)
{
	unsigned int count = atomic_exchange(&lost, 0);
	char line[LINE_SIZE];

	if (!count)
		return;
	snprintf(line, sizeof(line), "%u lines are missing here, as nobody read them", count);
	put(LOG_WARNING, line);
}

static void say(int priority, const char *format, va_list args)
{
	char line[LINE_SIZE];

	if (!has_room()) {
		atomic_fetch_add(&lost, 1);
		return;
	}
	tell_lost();
	vsnprintf(line, sizeof(line), format, args);
	put(priority, line);
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

	if (!err)
		return code;
	va_start(args, format);
	vsnprintf(err->message, sizeof(err->message), format, args);
	va_end(args);
	return code;
}
