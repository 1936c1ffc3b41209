// SPDX-License-Identifier: GPL-2.0-or-later
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "output.h"

struct command {
	const char *name;
	int (*run)(const struct cli *cli);
	option_set options; /* beside those of all commands */
	const char *summary;
	const char *usage;
};

static const struct command commands[] = {
	{ "list", cmd_list, TAKES(OPTION_KEYS), "show the joints: label, ID, model, firmware",
	  "Usage: naohw list [-k]\n"
	  "\n"
	  "Shows the robot's joints with their bus ID, model and firmware.\n"
	  "\n"
	  "  -k, --keys     show all keys with their type too\n"
	  "  -h, --help     show this\n" },
	{ "get", cmd_get, 0, "read keys",
	  "Usage: naohw get KEY...\n"
	  "\n"
	  "Prints the value of one key, or \"KEY VALUE\" lines for several. A key may be\n"
	  "written without \"Device/SubDeviceList/\" and without \"/Value\":\n"
	  "  naohw get HeadYaw/Position/Sensor\n"
	  "  naohw get HeadYaw/Position/Actuator/Max HeadYaw/Temperature/Sensor\n"
	  "\n"
	  "  -h, --help     show this\n" },
	{ "set", cmd_set, 0, "set an actuator",
	  "Usage: naohw set KEY VALUE\n"
	  "\n"
	  "Gives an actuator a value, brought into its Min..Max. Angles are in rad;\n"
	  "Hardness is 0 (torque off) to 1 (full torque):\n"
	  "  naohw set HeadYaw/Position/Actuator 0.5\n"
	  "  naohw set HeadYaw/Hardness/Actuator 0\n"
	  "\n"
	  "  -h, --help     show this\n" },
	{ "pref", cmd_pref, TAKES(OPTION_SHOW_ORIGIN) | TAKES(OPTION_UNSET),
	  "show and change the description: Gain, Offset and their like",
	  "Usage: naohw pref [-O] [KEY]\n"
	  "       naohw pref KEY... VALUE\n"
	  "       naohw pref --unset KEY...\n"
	  "\n"
	  "Shows all preferences of the description and which file and line each comes\n"
	  "from, or the value of one; saves a value in Device_Local.xml, for all KEYs or\n"
	  "for none; or takes them out of it. A KEY may be written without\n"
	  "\"Device/SubDeviceList/\":\n"
	  "  naohw pref HeadYaw/Position/Sensor/Offset HeadYaw/Position/Actuator/Offset 0.02\n"
	  "\n"
	  "  -O, --show-origin  with one KEY too, show its file and line\n"
	  "  -U, --unset        take it out, so that the layers below hold again\n"
	  "  -h, --help         show this\n" },
	{ "watch", cmd_watch, TAKES(OPTION_COUNT) | TAKES(OPTION_INTERVAL),
	  "show live values of all joints, or of some keys",
	  "Usage: naohw watch [-n N] [-i S] [KEY...]\n"
	  "\n"
	  "Shows a table of all joints again and again, each as they were at one moment,\n"
	  "or of the keys given. A servo that fails shows why in its row. Ends after N\n"
	  "tables or with Ctrl-C.\n"
	  "\n"
	  "  -n, --count N      number of tables (default: no end)\n"
	  "  -i, --interval S   seconds between two tables (default: 0.5)\n"
	  "  -h, --help         show this\n" },
	{ "pages", cmd_pages, TAKES(OPTION_ALL), "show what is in a motion file",
	  "Usage: naohw pages [-a] FILE [PAGE]\n"
	  "\n"
	  "Lists the pages of a motion file (binary or RoboPlus text), or one page's\n"
	  "steps. PAGE is a number or a name.\n"
	  "\n"
	  "  -a, --all      list empty and erased pages too, and page 0\n"
	  "  -h, --help     show this\n" },
	{ "play", cmd_play,
	  TAKES(OPTION_RECORD) | TAKES(OPTION_DRY_RUN) | TAKES(OPTION_SPEED) |
		  TAKES(OPTION_REPEAT) | TAKES(OPTION_MAX_TIME) | TAKES(OPTION_TOLERANCE) |
		  TAKES(OPTION_SETTLE) | TAKES(OPTION_IGNORE_CHECKSUM) | TAKES(OPTION_QUIET),
	  "play a motion page",
	  "Usage: naohw play [OPTION]... FILE PAGE\n"
	  "\n"
	  "Plays a page and the pages that follow it, then checks that every joint\n"
	  "arrived. PAGE is a number or a name. Ctrl-C (or Ctrl-Z) ends through the exit\n"
	  "page; a second one stops the joints where they are.\n"
	  "\n"
	  "  -w, --record FILE    write goals and frames, as \"naohw record\" does\n"
	  "  -D, --dry-run        move nothing; show the timetable\n"
	  "  -s, --speed X        tempo, 0.1 to 10 (default: 1)\n"
	  "  -R, --repeat N       passes of the page, instead of its own count\n"
	  "  -m, --max-time S     stop through the exit page after S seconds\n"
	  "  -T, --tolerance N    counts a joint may be off its goal (default: 2)\n"
	  "  -S, --settle S       seconds that joints may take to arrive (default: 3)\n"
	  "  -I, --ignore-checksum\n"
	  "                       play a text file that was edited since RoboPlus wrote it\n"
	  "  -q, --quiet          say nothing but errors\n"
	  "  -h, --help           show this\n" },
	{ "recover", cmd_recover, 0, "bring the torque back that the watchdog has cut",
	  "Usage: naohw recover\n"
	  "\n"
	  "When a program that moves the robot dies or hangs, the kernel switches the\n"
	  "torque off. This brings it back: every joint stays where it is, and gets its\n"
	  "stiffness within 2 s.\n"
	  "\n"
	  "  -h, --help           show this\n" },
	{ "record", cmd_record, TAKES(OPTION_COUNT) | TAKES(OPTION_DURATION) | TAKES(OPTION_QUIET),
	  "write frames to a file",
	  "Usage: naohw record [-n N] [-d S] [-q] FILE [JOINT...]\n"
	  "\n"
	  "Writes what all joints say, or the joints given, in every period of the bus,\n"
	  "until Ctrl-C. A FILE that ends in .csv is a table, any other is binary.\n"
	  "\n"
	  "  -n, --count N        end after N frames\n"
	  "  -d, --duration S     end after S seconds\n"
	  "  -q, --quiet          say nothing but errors\n"
	  "  -h, --help           show this\n" },
	{ "replay", cmd_replay, TAKES(OPTION_DRY_RUN) | TAKES(OPTION_SPEED) | TAKES(OPTION_QUIET),
	  "play a recording",
	  "Usage: naohw replay [-D] [-s X] [-q] FILE\n"
	  "\n"
	  "Checks a recording, moves slowly to its first pose and then plays its positions,\n"
	  "or its goals where it has no positions. Ctrl-C stops the joints where they are.\n"
	  "\n"
	  "  -D, --dry-run        move nothing; check the file and show what is in it\n"
	  "  -s, --speed X        tempo, 0.1 to 10 (default: 1)\n"
	  "  -q, --quiet          say nothing but errors\n"
	  "  -h, --help           show this\n" },
	{ "plot", cmd_plot, TAKES(OPTION_OUTPUT) | TAKES(OPTION_VALUE), "draw a recording",
	  "Usage: naohw plot [-o PICTURE] [-v VALUE] FILE [JOINT...]\n"
	  "\n"
	  "Draws the positions (and goals) of the joints given, or of the six that moved\n"
	  "most, over time.\n"
	  "\n"
	  "  -o, --output PICTURE a name that ends in .svg, .png or .pdf (default: FILE\n"
	  "                       with .svg at its end)\n"
	  "  -v, --value VALUE    present (default), goal, speed, load, current, voltage,\n"
	  "                       temperature, age or alarm\n"
	  "  -h, --help           show this\n" },
};

#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

/* Those of all commands. */
#define COMMON \
	(TAKES(OPTION_HELP) | TAKES(OPTION_ROBOT) | TAKES(OPTION_URI) | TAKES(OPTION_VERSION))

static int print_help(void)
{
	printf("Usage: naohw [--robot ROBOT] COMMAND [...]\n"
	       "\n"
	       "Looks at and moves a robot of bus servos.\n"
	       "\n");
	for (size_t i = 0; i < COMMANDS; i++)
		printf("  %-8s %s\n", commands[i].name, commands[i].summary);
	printf("  %-8s %s\n", "help", "show how a command is used");
	printf("\n"
	       "Options of all commands, anywhere on the line:\n"
	       "  -r, --robot ROBOT  a Device.xml, or the name of an installed robot\n"
	       "                     (default: $NAOHW_ROBOT, else \"bioloid\")\n"
	       "  -u, --uri URI      libiio context, as \"ip:HOST\" (default: this machine)\n"
	       "  -h, --help         show this; \"naohw help COMMAND\" shows more\n"
	       "  -V, --version      show the version\n");
	return STATUS_OK;
}

static int print_version(void)
{
	printf("naohw %s\n", naohw_version());
	return STATUS_OK;
}

/* NULL: complained. */
static const struct command *find_command(const char *name)
{
	for (size_t i = 0; i < COMMANDS; i++)
		if (strcmp(name, commands[i].name) == 0)
			return &commands[i];
	complain_usage("no command \"%s\"", name);
	return NULL;
}

/* @name is NULL for all of naohw. */
static int help(const char *name)
{
	const struct command *command;

	if (!name)
		return print_help();
	command = find_command(name);
	if (!command)
		return STATUS_USAGE;
	printf("%s", command->usage);
	return STATUS_OK;
}

static int run(const struct line *line)
{
	struct cli cli = {
		.robot = line->option[OPTION_ROBOT],
		.uri = line->option[OPTION_URI],
		.line = *line,
	};
	const struct command *command = find_command(line->operand[0]);

	if (!command)
		return STATUS_USAGE;
	complain_as(command->name);
	if (!line_check(line, command->options | COMMON))
		return STATUS_USAGE;
	cli.line.operand++;
	cli.line.operand_count--;
	return command->run(&cli);
}

static int take_and_run(int argc, char **argv)
{
	const char *name;
	struct line line;

	if (!line_take(&line, argc, argv))
		return STATUS_USAGE;
	name = line.operand_count ? line.operand[0] : NULL;
	if (line.option[OPTION_VERSION])
		return print_version();
	if (line.option[OPTION_HELP])
		return help(name);
	if (!name)
		return complain_usage("no command");
	if (strcmp(name, "help") == 0)
		return help(line.operand_count > 1 ? line.operand[1] : NULL);
	return run(&line);
}

static void go_on(int number)
{
	(void)number;
}

/*
 * Whoever reads what we print may go; a robot that moves must not fall from it. It is caught and
 * not ignored, since that would go on in the programs that we start.
 */
static void survive_readers(void)
{
	const struct sigaction action = { .sa_handler = go_on, .sa_flags = SA_RESTART };
	struct sigaction before;

	if (sigaction(SIGPIPE, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
		sigaction(SIGPIPE, &action, NULL);
}

int main(int argc, char **argv)
{
	survive_readers();
	return output_finish(take_and_run(argc, argv));
}
