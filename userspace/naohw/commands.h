/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The commands, in the order in which help has them. */
#ifndef NAOHW_COMMANDS_H
#define NAOHW_COMMANDS_H

#include "cli.h"

struct command {
	const char *name; /* NULL: there are no more */
	int (*run)(const struct cli *cli);
	bool outlives_reader; /* it goes on when nobody reads any more what it prints */
	option_set options;   /* beside those of all commands */
};

extern const struct command commands[];

/* Options of all commands. */
#define COMMON_OPTIONS \
	(TAKES(OPTION_HELP) | TAKES(OPTION_ROBOT) | TAKES(OPTION_URI) | TAKES(OPTION_VERSION))

#endif
