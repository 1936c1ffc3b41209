// SPDX-License-Identifier: GPL-2.0-or-later
#include "options.h"

#include <ctype.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "cli.h"
#include "numbers.h"

const struct option_info option_table[OPTIONS] = {
	[OPTION_ACTIVE] = { "active", 0, OPTION_FLAG },
	[OPTION_ALL] = { "all", 'a', OPTION_FLAG },
	[OPTION_AT] = { "at", 0, OPTION_NUMBER, -6.2832, 6.2832, "rad" },
	[OPTION_CHANGES] = { "changes", 'c', OPTION_FLAG },
	[OPTION_COUNT] = { "count", 'n', OPTION_WHOLE, 1, INT_MAX },
	[OPTION_DRY_RUN] = { "dry-run", 'D', OPTION_FLAG },
	[OPTION_DURATION] = { "duration", 'd', OPTION_NUMBER, 0.001, 1e7, "s" },
	[OPTION_HEAD] = { "head", 0, OPTION_FLAG },
	[OPTION_HELP] = { "help", 'h', OPTION_FLAG },
	[OPTION_IGNORE_CHECKSUM] = { "ignore-checksum", 'I', OPTION_FLAG },
	[OPTION_IN] = { "in", 0, OPTION_TEXT },
	[OPTION_INTERVAL] = { "interval", 'i', OPTION_NUMBER, 0, 3600, "s" },
	[OPTION_JSON] = { "json", 'j', OPTION_FLAG },
	[OPTION_KEYS] = { "keys", 'k', OPTION_FLAG },
	[OPTION_LAYER] = { "layer", 'L', OPTION_TEXT },
	[OPTION_LONG] = { "long", 'l', OPTION_FLAG },
	[OPTION_MAX_TIME] = { "max-time", 'm', OPTION_NUMBER, 0.001, 86400, "s" },
	[OPTION_OUTPUT] = { "output", 'o', OPTION_TEXT },
	[OPTION_QUIET] = { "quiet", 'q', OPTION_FLAG },
	[OPTION_RECORD] = { "record", 'w', OPTION_TEXT },
	[OPTION_REPEAT] = { "repeat", 'R', OPTION_WHOLE, 1, 65535 },
	[OPTION_RESTORE] = { "restore", 0, OPTION_FLAG },
	[OPTION_ROBOT] = { "robot", 'r', OPTION_TEXT },
	[OPTION_SETTLE] = { "settle", 'S', OPTION_NUMBER, 0, 3600, "s" },
	[OPTION_SHOW_ORIGIN] = { "show-origin", 'O', OPTION_FLAG },
	[OPTION_SPEED] = { "speed", 's', OPTION_NUMBER, 0.1, 10 },
	[OPTION_STIFF] = { "stiff", 0, OPTION_FLAG },
	[OPTION_TIME] = { "time", 't', OPTION_FLAG },
	[OPTION_TOLERANCE] = { "tolerance", 'T', OPTION_WHOLE, 0, 4095, "counts" },
	[OPTION_UNSET] = { "unset", 'U', OPTION_FLAG },
	[OPTION_URI] = { "uri", 'u', OPTION_TEXT },
	[OPTION_VALUE] = { "value", 'v', OPTION_TEXT },
	[OPTION_VERSION] = { "version", 'V', OPTION_FLAG },
	[OPTION_WEIGHT] = { "weight", 0, OPTION_NUMBER, 0, 100, "kg" },
	[OPTION_YES] = { "yes", 'y', OPTION_FLAG },
};

/* What getopt_long() returns of the first option; the others follow, above all letters. */
#define FIRST 256
/* It returns that of an operand, as the letters begin with "-". */
#define OPERAND 1

/* Each letter may be followed by ":"; before them is "-:". */
#define LETTERS_SIZE (2 * OPTIONS + 3)

static void make_letters(char *letters)
{
	*letters++ = '-';
	*letters++ = ':';
	for (size_t i = 0; i < OPTIONS; i++) {
		if (!option_table[i].letter)
			continue;
		*letters++ = option_table[i].letter;
		if (option_table[i].kind != OPTION_FLAG)
			*letters++ = ':';
	}
	*letters = '\0';
}

static void make_names(struct option *names)
{
	for (int i = 0; i < OPTIONS; i++)
		names[i] = (struct option){
			.name = option_table[i].name,
			.has_arg = option_table[i].kind != OPTION_FLAG,
			.val = FIRST + i,
		};
	names[OPTIONS] = (struct option){ 0 };
}

static size_t option_of(int got)
{
	size_t i = 0;

	if (got >= FIRST)
		return (size_t)(got - FIRST);
	while (i < OPTIONS && option_table[i].letter != got)
		i++;
	return i;
}

bool is_option(const char *argument)
{
	/* These are no letters with a value. Who wants a number says what is wrong with them. */
	if (strncasecmp(argument, "-inf", 4) == 0 || strncasecmp(argument, "-nan", 4) == 0)
		return false;
	return argument[0] == '-' && !isdigit((unsigned char)argument[1]) &&
	       !(argument[1] == '.' && isdigit((unsigned char)argument[2]));
}

/* The next of getopt_long(), for which a negative number is no option. */
static int next(int argc, char **argv, const char *letters, const struct option *names)
{
	if (optind < argc && argv[optind][0] == '-' && !is_option(argv[optind])) {
		optarg = argv[optind++];
		return OPERAND;
	}
	return getopt_long(argc, argv, letters, names, NULL);
}

/* Of @got, as getopt_long() has it: it tells an option that is a letter. */
static bool complain_of(int got, const struct line *line, char **argv)
{
	const char *what = got == ':' ? "lacks its value" : "is no option";

	/* An option that it knows, with a value all the same */
	if (got == '?' && optopt >= FIRST)
		what = "has a value, and takes none";
	if (line->operand_count)
		complain_as(line->operand[0]);
	if (optopt > 0 && optopt < FIRST)
		complain_usage("-%c %s", optopt, what);
	else
		complain_usage("%s %s", argv[optind - 1], what);
	return false;
}

bool line_take(struct line *line, int argc, char **argv)
{
	struct option names[OPTIONS + 1];
	char letters[LETTERS_SIZE];
	int got;

	*line = (struct line){ .operand = argv };
	optind = 1;
	opterr = 0;
	make_letters(letters);
	make_names(names);
	while ((got = next(argc, argv, letters, names)) >= 0) {
		/* Operands gather at the beginning of @argv, all of which has been read. */
		if (got == OPERAND) {
			line->operand[line->operand_count++] = optarg;
			continue;
		}
		if (got == '?' || got == ':')
			return complain_of(got, line, argv);
		line->option[option_of(got)] = optarg ? optarg : "";
	}
	while (optind < argc)
		line->operand[line->operand_count++] = argv[optind++];
	return true;
}

static bool is_in_range(const struct option_info *info, const char *text)
{
	double number;
	long whole;

	switch (info->kind) {
	case OPTION_NUMBER:
		return parse_double(text, info->min, info->max, &number);
	case OPTION_WHOLE:
		return parse_long(text, (long)info->min, (long)info->max, &whole);
	default:
		return true;
	}
}

bool line_check(const struct line *line, option_set allowed)
{
	for (size_t i = 0; i < OPTIONS; i++) {
		const struct option_info *info = &option_table[i];
		const char *text = line->option[i];

		if (!text)
			continue;
		if (!(allowed & TAKES(i))) {
			complain_usage("has no option --%s", info->name);
			return false;
		}
		if (!is_in_range(info, text)) {
			complain_usage("--%s %s: expected %.10g to %.10g%s%s", info->name, text,
				       info->min, info->max, info->unit ? " " : "",
				       info->unit ? info->unit : "");
			return false;
		}
	}
	return true;
}

double line_number(const struct line *line, enum option_id option, double missing)
{
	return line->option[option] ? strtod(line->option[option], NULL) : missing;
}

long line_whole(const struct line *line, enum option_id option, long missing)
{
	return line->option[option] ? strtol(line->option[option], NULL, 10) : missing;
}
