/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The commands, in the order in which help has them. */
#ifndef NAOHW_COMMANDS_H
#define NAOHW_COMMANDS_H

#include "cli.h"

/* What becomes of it when nobody reads any more what it prints */
enum command_nature {
	ENDS_WITH_READER,
	OUTLIVES_READER,
	MOVES, /* the same, as it moves joints for as long as it runs */
};

struct command {
	const char *name; /* NULL: there are no more */
	int (*run)(const struct cli *cli);
	enum command_nature nature;
	option_set options; /* that it takes */
};

extern const struct command commands[];

/* Options of all commands, and of those that are for this machine alone */
#define LOCAL_OPTIONS  (TAKES(OPTION_HELP) | TAKES(OPTION_ROBOT) | TAKES(OPTION_VERSION))
#define COMMON_OPTIONS (LOCAL_OPTIONS | TAKES(OPTION_URI))

#endif
