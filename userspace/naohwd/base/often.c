// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdarg.h>
#include <stdio.h>

#include "base.h"
#include "monotonic.h"

#define LINE_SIZE 1024
#define MS_PER_S  1000
#define NS_PER_MS 1000000

/* So many lines at once, and then one in so many ms; what the number of those between is */
struct rate {
	unsigned int lines;
	int64_t ms;
	const char *left_out;
};

static const struct rate often_rate = { 100, MS_PER_S, "lines left out before" };
static const struct rate seldom_rate = { 1, 60 * MS_PER_S, "refused since this was said last" };

/* Each line takes its time; those at once take it ahead. */
static bool may_tell(struct often *often, const struct rate *rate, int64_t now)
{
	if (often->taken_until < now)
		often->taken_until = now;
	if (often->taken_until - now > (rate->lines - 1) * rate->ms)
		return false;
	often->taken_until += rate->ms;
	return true;
}

__attribute__((format(printf, 4, 0))) static void tell(struct often *often, const struct rate *rate,
							int64_t now, const char *format,
							va_list args)
{
	char line[LINE_SIZE], more[64] = "";

	if (!may_tell(often, rate, now)) {
		often->left_out++;
		return;
	}
	vsnprintf(line, sizeof(line), format, args);
	if (often->left_out)
		snprintf(more, sizeof(more), ", %s %u", rate->left_out, often->left_out);
	often->left_out = 0;
	log_line("%s%s", line, more);
}

void log_often(struct often *often, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	tell(often, &often_rate, monotonic_ns() / NS_PER_MS, format, args);
	va_end(args);
}

void log_seldom(struct often *often, int64_t now, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	tell(often, &seldom_rate, now, format, args);
	va_end(args);
}
