// SPDX-License-Identifier: GPL-2.0-or-later
#include "options.h"

#include <getopt.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MODE 0660
/* With --read-only-others, as nobody connects to a socket that he may not write to */
#define MODE_OF_OTHERS 0666

#define USAGE                                                                           \
	"usage: naohwd [--robot ROBOT] [--socket PATH [--read-only-others]]\n"          \
	"              [--lola PATH]... [--lola-end hold|soften[=S]|free]\n"            \
	"              [--mode MODE] [--group GROUP]\n"                                 \
	"       naohwd --help | --version\n"

/* In short; naohwd(8) has the whole of it. */
#define HELP                                                                            \
	USAGE "\nHosts a robot for other programs, until it is ended.\n\n"              \
	"  -r, --robot ROBOT       the robot's name, or its description\n"              \
	"  -s, --socket PATH       serve JSON-RPC at a socket\n"                        \
	"  -o, --read-only-others  let others connect to that, who may only read\n"     \
	"  -l, --lola PATH         serve LoLA, as a NAO v6 does; up to four times\n"    \
	"  -e, --lola-end END      when LoLA's client has stopped, joints hold, are free,\n" \
	"                          or soften in S seconds (soften, in 3)\n"             \
	"  -m, --mode MODE         the sockets' permissions (660, or 666 with -o)\n"    \
	"  -g, --group GROUP       the sockets' group\n"                                \
	"  -h, --help              print this\n"                                        \
	"  -V, --version           print the version\n"

static const struct option names[] = {
	{ "group", required_argument, NULL, 'g' },
	{ "help", no_argument, NULL, 'h' },
	{ "lola", required_argument, NULL, 'l' },
	{ "lola-end", required_argument, NULL, 'e' },
	{ "mode", required_argument, NULL, 'm' },
	{ "read-only-others", no_argument, NULL, 'o' },
	{ "robot", required_argument, NULL, 'r' },
	{ "socket", required_argument, NULL, 's' },
	{ "version", no_argument, NULL, 'V' },
	{ 0 },
};

static bool read_mode(const char *text, mode_t *mode)
{
	char *end;
	unsigned long number = strtoul(text, &end, 8);

	if (*text < '0' || *text > '7' || *end || number > 0777) {
		log_line("--mode %s: expected a number to the base 8, from 0 to 777", text);
		return false;
	}
	*mode = (mode_t)number;
	return true;
}

static bool read_group(const char *name, gid_t *group)
{
	const struct group *found = getgrnam(name);

	if (!found) {
		log_line("--group %s: there is no such group", name);
		return false;
	}
	*group = found->gr_gid;
	return true;
}

static bool add_lola(struct options *options, const char *path)
{
	if (options->lolas == LOLA_DOORS_MAX) {
		log_line("--lola %s: there are %d already", path, LOLA_DOORS_MAX);
		return false;
	}
	options->lola[options->lolas++].path = path;
	return true;
}

/* "" or, behind a "=", seconds */
static bool read_seconds(const char *text, double *seconds)
{
	char *end;

	*seconds = LEASE_SECONDS;
	if (!*text)
		return true;
	if (*text != '=' || (text[1] != '.' && (text[1] < '0' || text[1] > '9')))
		return false;
	*seconds = strtod(text + 1, &end);
	return !*end && *seconds <= LEASE_SECONDS_MAX;
}

static bool read_end(const char *text, struct lola_end *end)
{
	static const char soften[] = "soften";
	size_t length = sizeof(soften) - 1;

	if (strcmp(text, "hold") == 0)
		end->how = LEASE_HOLD;
	else if (strcmp(text, "free") == 0)
		end->how = LEASE_FREE;
	else if (strncmp(text, soften, length) == 0 && read_seconds(text + length, &end->seconds))
		end->how = LEASE_SOFTEN;
	else {
		log_line("--lola-end %s: expected hold, soften, soften=S of 0 to %g s, or free",
			 text, LEASE_SECONDS_MAX);
		return false;
	}
	return true;
}

/* Who may only read does not come to LoLA, by which he could do more. */
static mode_t lola_mode(const struct options *options)
{
	return options->rpc.others_only_read ? options->mode & ~(mode_t)S_IWOTH : options->mode;
}

/* What was said of sockets is for all. */
static void share_permissions(struct options *options)
{
	struct listen_settings *rpc = &options->rpc.listen;
	bool is_for_others = options->rpc.others_only_read && !options->is_mode_given;

	rpc->mode = is_for_others ? MODE_OF_OTHERS : options->mode;
	rpc->group = options->group;
	for (size_t i = 0; i < options->lolas; i++) {
		options->lola[i].mode = lola_mode(options);
		options->lola[i].group = options->group;
	}
}

static bool take(struct options *options, int letter)
{
	switch (letter) {
	case 'e':
		return read_end(optarg, &options->lola_end);
	case 'g':
		return read_group(optarg, &options->group);
	case 'l':
		return add_lola(options, optarg);
	case 'm':
		options->is_mode_given = true;
		return read_mode(optarg, &options->mode);
	case 'o':
		options->rpc.others_only_read = true;
		return true;
	case 'r':
		options->robot = optarg;
		return true;
	case 's':
		options->rpc.listen.path = optarg;
		return true;
	default:
		fputs(USAGE, stderr);
		return false;
	}
}

enum options_result options_read(struct options *options, int argc, char **argv)
{
	int letter;

	*options = (struct options){
		.mode = MODE,
		.group = (gid_t)-1,
		.lola_end = { .how = LEASE_SOFTEN, .seconds = LEASE_SECONDS },
	};
	while ((letter = getopt_long(argc, argv, "e:g:hl:m:or:s:V", names, NULL)) >= 0) {
		if (letter == 'h') {
			fputs(HELP, stdout);
			return OPTIONS_DONE;
		}
		if (letter == 'V') {
			printf("naohwd %s\n", naohw_version());
			return OPTIONS_DONE;
		}
		if (!take(options, letter))
			return OPTIONS_WRONG;
	}
	share_permissions(options);
	if (optind == argc)
		return OPTIONS_RUN;
	log_line("%s: expected options alone", argv[optind]);
	return OPTIONS_WRONG;
}
