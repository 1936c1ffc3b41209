// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdarg.h>
#include <stdio.h>

#include "base.h"

#define MINUTE 60000 /* ms */

void log_seldom(struct seldom *seldom, int64_t now, const char *format, ...)
{
	char what[256], before[64] = "";
	va_list args;

	if (seldom->said && now - seldom->said < MINUTE) {
		seldom->unsaid++;
		return;
	}
	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	if (seldom->unsaid)
		snprintf(before, sizeof(before), ", refused since this was said last %u",
			 seldom->unsaid);
	log_line("%s%s", what, before);
	*seldom = (struct seldom){ .said = now };
}
