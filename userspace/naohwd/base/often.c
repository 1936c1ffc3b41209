// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include "base.h"

#define LINE_SIZE 1024

/* Lines at once, and then one in so long */
#define LINES_MAX 100
#define LINE_NS	  INT64_C(1000000000)

static int64_t now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * LINE_NS + time.tv_nsec;
}

/* A line takes the time of one that is one of many; LINES_MAX of them may be taken ahead. */
static bool may_tell(struct often *often)
{
	int64_t now = now_ns();

	if (often->taken_until < now)
		often->taken_until = now;
	if (often->taken_until - now >= LINES_MAX * LINE_NS)
		return false;
	often->taken_until += LINE_NS;
	return true;
}

void log_often(struct often *often, const char *format, ...)
{
	char line[LINE_SIZE], more[64] = "";
	va_list args;

	if (!may_tell(often)) {
		often->left_out++;
		return;
	}
	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	if (often->left_out)
		snprintf(more, sizeof(more), " (lines left out before: %u)", often->left_out);
	often->left_out = 0;
	log_line("%s%s", line, more);
}
