/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A table that is drawn again in place on a terminal, and plainly one after another else. */
#ifndef NAOHW_SCREEN_H
#define NAOHW_SCREEN_H

#include <stdbool.h>

struct screen {
	bool terminal;
	bool drawn;
};

void screen_begin(struct screen *screen);
void screen_line(const struct screen *screen, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void screen_end(const struct screen *screen);

#endif
