// SPDX-License-Identifier: GPL-2.0-or-later
#include "screen.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#define CLEAR	  "\033[2J"
#define HOME	  "\033[H"
#define CLEAR_EOL "\033[K"
#define CLEAR_EOS "\033[J"

void screen_begin(struct screen *screen)
{
	screen->terminal = isatty(STDOUT_FILENO);
	if (screen->terminal)
		printf("%s" HOME, screen->drawn ? "" : CLEAR);
	else if (screen->drawn)
		printf("\n");
	screen->drawn = true;
}

void screen_line(const struct screen *screen, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("%s\n", screen->terminal ? CLEAR_EOL : "");
}

void screen_end(const struct screen *screen)
{
	if (screen->terminal)
		printf(CLEAR_EOS);
	fflush(stdout);
}
