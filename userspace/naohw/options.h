/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All options of all commands, in one table: a letter or a name means the same everywhere, and
 * an option may stand anywhere on the line.
 */
#ifndef NAOHW_OPTIONS_H
#define NAOHW_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum option_id {
	OPTION_ACTIVE,
	OPTION_ALL,
	OPTION_AT,
	OPTION_CHANGES,
	OPTION_COUNT,
	OPTION_DRY_RUN,
	OPTION_DURATION,
	OPTION_HEAD,
	OPTION_HELP,
	OPTION_IGNORE_CHECKSUM,
	OPTION_IN,
	OPTION_INTERVAL,
	OPTION_JSON,
	OPTION_KEYS,
	OPTION_LAYER,
	OPTION_LONG,
	OPTION_MAX_TIME,
	OPTION_OUTPUT,
	OPTION_QUIET,
	OPTION_RECORD,
	OPTION_REPEAT,
	OPTION_RESTORE,
	OPTION_ROBOT,
	OPTION_SETTLE,
	OPTION_SHOW_ORIGIN,
	OPTION_SPEED,
	OPTION_STIFF,
	OPTION_TIME,
	OPTION_TOLERANCE,
	OPTION_UNSET,
	OPTION_URI,
	OPTION_VALUE,
	OPTION_VERSION,
	OPTION_WEIGHT,
	OPTION_YES,
	OPTIONS,
};

enum option_kind {
	OPTION_FLAG, /* takes nothing */
	OPTION_TEXT,
	OPTION_NUMBER,
	OPTION_WHOLE, /* a whole number */
};

struct option_info {
	const char *name;
	char letter; /* 0: none */
	enum option_kind kind;
	/* of numbers */
	double min;
	double max;
	const char *unit; /* NULL: none */
};

extern const struct option_info option_table[OPTIONS];

/* A set of options, as TAKES(OPTION_ALL) | TAKES(OPTION_QUIET). */
typedef uint64_t option_set;
#define TAKES(option) ((option_set)1 << (option))

/* A line of arguments, taken apart. */
struct line {
	const char *option[OPTIONS]; /* what was given to it, "" to a flag; NULL: not there */
	char **operand;
	size_t operand_count;
};

/* Is it an option, or "--"? A number below 0 is none. */
bool is_option(const char *argument);

/*
 * Take the arguments apart; their strings, and @argv, which is changed, must outlive @line.
 * false: there is one that no command has, or that lacks its value; complained.
 */
bool line_take(struct line *line, int argc, char **argv);

/* Has it only options of @allowed, with values that these may have? false: complained. */
bool line_check(const struct line *line, option_set allowed);

/* What was given to an option, which line_check() has seen; @missing if it was not there. */
double line_number(const struct line *line, enum option_id option, double missing);
long line_whole(const struct line *line, enum option_id option, long missing);

#endif
