/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DXLATTACH_OPTIONS_H
#define DXLATTACH_OPTIONS_H

#include <stdbool.h>

struct options {
	const char *tty;
	const char *overlay;
	unsigned int baud;	/* 0: not given */
	bool scan;
	bool background;
};

int options_parse(struct options *options, int argc, char **argv);

#endif
