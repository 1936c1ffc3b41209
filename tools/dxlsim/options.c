// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/models.h"
#include "options.h"

#ifndef DXLSIM_VERSION
#define DXLSIM_VERSION "unknown"
#endif

#define TURNAROUND_MAX	1000000	/* us */

static const char usage[] =
"Usage: dxlsim --overlay FILE.dtbo (--pty LINK | --unix PATH | --stdio)\n"
"              [--wire-time] [--turnaround US] [--control PATH]\n"
"              [--scenario FILE] [--body ROBOT] [--seed N] [--trace] [--quiet]\n"
"              [--spin]\n"
"       dxlsim --models\n"
"Simulates the Dynamixel servos and boards that a device-tree overlay describes.\n"
"\n"
"  --overlay FILE   the bus and its devices, as the kernel gets them\n"
"  --pty LINK       be a serial port: make a pty and a symbolic link to it\n"
"  --unix PATH      listen on a Unix socket, for a QEMU serial line\n"
"  --stdio          speak on standard input and output\n"
"  --wire-time      take as long as bytes and return delays take on the line\n"
"  --turnaround US  time that a device takes on top of its return delay (0)\n"
"  --control PATH   take commands on a Unix socket; \"help\" there lists them\n"
"  --scenario FILE  carry out its commands, each at its time\n"
"  --body ROBOT     the devices are in this robot, which can fall: the name of a\n"
"                   description that naohw has, or the path of one\n"
"  --seed N         seed of the faults' random choices (0)\n"
"  --trace          log packets to standard error\n"
"  --quiet          do not say what is simulated\n"
"  --spin           be exact, at the cost of a whole processor\n"
"  --models         list the models: compatible, number, protocol, name\n"
"  --help           this text\n"
"  --version        the version\n";

enum {
	OPT_OVERLAY = 1, OPT_PTY, OPT_UNIX, OPT_STDIO, OPT_WIRE_TIME,
	OPT_TURNAROUND, OPT_CONTROL, OPT_SCENARIO, OPT_BODY, OPT_SEED, OPT_TRACE,
	OPT_QUIET, OPT_SPIN, OPT_MODELS, OPT_HELP, OPT_VERSION,
};

static const struct option long_options[] = {
	{ "overlay", required_argument, NULL, OPT_OVERLAY },
	{ "pty", required_argument, NULL, OPT_PTY },
	{ "unix", required_argument, NULL, OPT_UNIX },
	{ "stdio", no_argument, NULL, OPT_STDIO },
	{ "wire-time", no_argument, NULL, OPT_WIRE_TIME },
	{ "turnaround", required_argument, NULL, OPT_TURNAROUND },
	{ "control", required_argument, NULL, OPT_CONTROL },
	{ "scenario", required_argument, NULL, OPT_SCENARIO },
	{ "body", required_argument, NULL, OPT_BODY },
	{ "seed", required_argument, NULL, OPT_SEED },
	{ "trace", no_argument, NULL, OPT_TRACE },
	{ "quiet", no_argument, NULL, OPT_QUIET },
	{ "spin", no_argument, NULL, OPT_SPIN },
	{ "models", no_argument, NULL, OPT_MODELS },
	{ "help", no_argument, NULL, OPT_HELP },
	{ "version", no_argument, NULL, OPT_VERSION },
	{ 0 }
};

static int set_link(struct options *options, enum link_kind kind,
		    const char *path)
{
	if (options->link != LINK_NONE) {
		fprintf(stderr, "dxlsim: expected only one of --pty, --unix and --stdio\n");
		return -1;
	}
	options->link = kind;
	options->path = path;

	return 0;
}

static void list_models(void)
{
	const struct model *model;
	size_t i;

	for (i = 0; (model = model_by_index(i)); i++)
		printf("%s %u %d.0 %s\n", model->compatible, model->number,
		       model->protocol, model->name);
}

static int parse_number(const char *option, const char *text,
			unsigned long long max, unsigned long long *value)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, 0);
	if (isdigit((unsigned char)text[0]) && !*end && !errno && *value <= max)
		return 0;

	fprintf(stderr, "dxlsim: %s is \"%s\", expected a number up to %llu\n",
		option, text, max);

	return -1;
}

static int set_seed(struct options *options, const char *text)
{
	unsigned long long value;
	int ret = parse_number("--seed", text, UINT64_MAX, &value);

	options->seed = value;

	return ret;
}

static int set_turnaround(struct options *options, const char *text)
{
	unsigned long long value;
	int ret = parse_number("--turnaround", text, TURNAROUND_MAX, &value);

	options->turnaround = value;

	return ret;
}

static int set_option(struct options *options, int option)
{
	switch (option) {
	case OPT_OVERLAY:
		options->overlay = optarg;
		return 0;
	case OPT_PTY:
		return set_link(options, LINK_PTY, optarg);
	case OPT_UNIX:
		return set_link(options, LINK_UNIX, optarg);
	case OPT_STDIO:
		return set_link(options, LINK_STDIO, NULL);
	case OPT_WIRE_TIME:
		options->wire_time = true;
		return 0;
	case OPT_CONTROL:
		options->control = optarg;
		return 0;
	case OPT_SCENARIO:
		options->scenario = optarg;
		return 0;
	case OPT_BODY:
		options->body = optarg;
		return 0;
	case OPT_TURNAROUND:
		return set_turnaround(options, optarg);
	case OPT_SEED:
		return set_seed(options, optarg);
	case OPT_TRACE:
		options->trace = true;
		return 0;
	case OPT_QUIET:
		options->quiet = true;
		return 0;
	case OPT_SPIN:
		options->spin = true;
		return 0;
	}

	fprintf(stderr, "Try: dxlsim --help\n");

	return -1;
}

static int check(const struct options *options, int extra, char **argv)
{
	const char *missing = NULL;

	if (extra) {
		fprintf(stderr, "dxlsim: unexpected argument \"%s\"\n", argv[0]);
		return -1;
	}
	if (!options->overlay)
		missing = "--overlay FILE";
	else if (options->link == LINK_NONE)
		missing = "one of --pty LINK, --unix PATH and --stdio";
	if (!missing)
		return 0;
	fprintf(stderr, "dxlsim: expected %s; try: dxlsim --help\n", missing);

	return -1;
}

/* 1: go on; 0: all is done; -1: wrong, and the reason has been given. */
int options_parse(struct options *options, int argc, char **argv)
{
	int option;

	memset(options, 0, sizeof(*options));
	while ((option = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
		if (option == OPT_HELP) {
			fputs(usage, stdout);
			return 0;
		}
		if (option == OPT_MODELS) {
			list_models();
			return 0;
		}
		if (option == OPT_VERSION) {
			puts("dxlsim " DXLSIM_VERSION);
			return 0;
		}
		if (set_option(options, option))
			return -1;
	}

	return check(options, argc - optind, argv + optind) ? -1 : 1;
}
