// SPDX-License-Identifier: GPL-2.0-or-later
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "complete.h"
#include "help.h"
#include "nearest.h"
#include "output.h"
#include "remote.h"

const struct command commands[] = {
	{ "list", cmd_list, ENDS_WITH_READER,
	  COMMON_OPTIONS | TAKES(OPTION_ALL) | TAKES(OPTION_KEYS) | TAKES(OPTION_LONG) |
		  TAKES(OPTION_JSON) },
	{ "get", cmd_get, ENDS_WITH_READER,
	  COMMON_OPTIONS | TAKES(OPTION_ALL) | TAKES(OPTION_TIME) | TAKES(OPTION_JSON) },
	{ "set", cmd_set, OUTLIVES_READER, COMMON_OPTIONS | TAKES(OPTION_IN) },
	{ "watch", cmd_watch, OUTLIVES_READER,
	  COMMON_OPTIONS | TAKES(OPTION_ALL) | TAKES(OPTION_CHANGES) | TAKES(OPTION_COUNT) |
		  TAKES(OPTION_INTERVAL) | TAKES(OPTION_TIME) | TAKES(OPTION_JSON) },
	{ "pref", cmd_pref, ENDS_WITH_READER,
	  COMMON_OPTIONS | TAKES(OPTION_LAYER) | TAKES(OPTION_RESTORE) | TAKES(OPTION_SHOW_ORIGIN) |
		  TAKES(OPTION_UNSET) },
	{ "pages", cmd_pages, ENDS_WITH_READER, COMMON_OPTIONS | TAKES(OPTION_ALL) },
	{ "play", cmd_play, MOVES,
	  COMMON_OPTIONS | TAKES(OPTION_RECORD) | TAKES(OPTION_DRY_RUN) | TAKES(OPTION_HEAD) |
		  TAKES(OPTION_STIFF) | TAKES(OPTION_SPEED) | TAKES(OPTION_REPEAT) |
		  TAKES(OPTION_MAX_TIME) | TAKES(OPTION_TOLERANCE) | TAKES(OPTION_SETTLE) |
		  TAKES(OPTION_IGNORE_CHECKSUM) | TAKES(OPTION_QUIET) },
	{ "send", cmd_send, MOVES, COMMON_OPTIONS | TAKES(OPTION_DRY_RUN) | TAKES(OPTION_QUIET) },
	{ "alias", cmd_alias, ENDS_WITH_READER,
	  COMMON_OPTIONS | TAKES(OPTION_JSON) | TAKES(OPTION_UNSET) },
	{ "doctor", cmd_doctor, ENDS_WITH_READER, LOCAL_OPTIONS | TAKES(OPTION_JSON) },
	{ "calibrate", cmd_calibrate, ENDS_WITH_READER,
	  COMMON_OPTIONS | TAKES(OPTION_AT) | TAKES(OPTION_COUNT) | TAKES(OPTION_WEIGHT) },
	{ "diagnose", cmd_diagnose, OUTLIVES_READER, COMMON_OPTIONS | TAKES(OPTION_ACTIVE) },
	{ "rest", cmd_rest, OUTLIVES_READER, COMMON_OPTIONS },
	{ "wake", cmd_wake, OUTLIVES_READER, COMMON_OPTIONS },
	{ "limp", cmd_limp, OUTLIVES_READER, COMMON_OPTIONS | TAKES(OPTION_YES) },
	{ "recover", cmd_recover, OUTLIVES_READER, COMMON_OPTIONS },
	{ "record", cmd_record, OUTLIVES_READER,
	  COMMON_OPTIONS | TAKES(OPTION_COUNT) | TAKES(OPTION_DURATION) | TAKES(OPTION_QUIET) },
	{ "replay", cmd_replay, MOVES,
	  COMMON_OPTIONS | TAKES(OPTION_DRY_RUN) | TAKES(OPTION_SPEED) | TAKES(OPTION_QUIET) },
	{ "plot", cmd_plot, ENDS_WITH_READER,
	  COMMON_OPTIONS | TAKES(OPTION_OUTPUT) | TAKES(OPTION_VALUE) },
	{ NULL, NULL, ENDS_WITH_READER, 0 },
};

static int print_version(void)
{
	printf("naohw %s\n", naohw_version());
	return STATUS_OK;
}

static int complain_of_command(const char *name)
{
	struct nearest nearest = nearest_to(name);

	for (const struct command *command = commands; command->name; command++)
		(void)nearest_try(&nearest, command->name);
	return complain_usage("no command \"%s\"%s%s", name, nearest_words(&nearest),
			      nearest_name(&nearest));
}

/* NULL: complained. */
static const struct command *find_command(const char *name)
{
	for (const struct command *command = commands; command->name; command++)
		if (strcmp(name, command->name) == 0)
			return command;
	(void)complain_of_command(name);
	return NULL;
}

/* Of a command; "": of naohw. */
static int help(const char *name)
{
	for (const struct help_page *page = help_pages; page->command; page++) {
		if (strcmp(name, page->command) != 0)
			continue;
		printf("%s", page->text);
		return STATUS_OK;
	}
	return complain_of_command(name);
}

static void go_on(int number)
{
	(void)number;
}

/* Whoever else has gone, as a robot in the network, an error tells. */
static void end_without_reader(int number)
{
	if (output_has_reader())
		return;
	signal(number, SIG_DFL);
	raise(number);
}

/*
 * Whoever reads what we print may go; a robot that moves must not fall from it. It is caught and
 * not ignored, since that would go on in the programs that we start.
 */
static void on_broken_pipe(void (*handler)(int number))
{
	const struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART };
	struct sigaction before;

	if (sigaction(SIGPIPE, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
		sigaction(SIGPIPE, &action, NULL);
}

static int run(const struct line *line)
{
	struct cli cli = {
		.robot = line->option[OPTION_ROBOT],
		.uri = line->option[OPTION_URI],
		.line = *line,
	};
	const struct command *command = find_command(line->operand[0]);
	bool remote = is_remote(cli.uri);

	if (!command)
		return STATUS_USAGE;
	complain_as(command->name);
	if (!line_check(line, command->options | (remote ? TAKES(OPTION_URI) : 0)))
		return STATUS_USAGE;
	cli.line.operand++;
	cli.line.operand_count--;
	if (remote)
		return run_remotely(&cli, command->name, command->nature == MOVES);
	if (command->nature != ENDS_WITH_READER)
		on_broken_pipe(go_on);
	return command->run(&cli);
}

static int take_and_run(int argc, char **argv)
{
	const char *name;
	struct line line;

	/* What follows is a line to be, and not one of ours. */
	if (argc > 1 && strcmp(argv[1], "complete") == 0) {
		complete(argc - 2, argv + 2);
		return STATUS_OK;
	}
	if (!line_take(&line, argc, argv))
		return STATUS_USAGE;
	name = line.operand_count ? line.operand[0] : "";
	if (line.option[OPTION_VERSION])
		return print_version();
	if (strcmp(name, "help") == 0)
		return help(line.operand_count > 1 ? line.operand[1] : "");
	if (line.option[OPTION_HELP])
		return help(name);
	return *name ? run(&line) : complain_usage("no command");
}

int main(int argc, char **argv)
{
	on_broken_pipe(end_without_reader);
	return output_finish(take_and_run(argc, argv));
}
