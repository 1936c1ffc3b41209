// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

/* As in a device tree, see common/bus_tree.c. */
#define BAUD_MIN	1000
#define BAUD_MAX	10000000

static const char usage[] =
"Usage: dxlattach TTY [--baud N] [--overlay FILE.dtbo | --scan] [--background]\n"
"Makes a serial port a Dynamixel bus of the kernel, for as long as it runs.\n"
"\n"
"  --baud N         bits a second (that of the overlay, or else 1000000)\n"
"  --overlay FILE   add the devices that a device-tree overlay describes\n"
"  --scan           add the devices that answer, whatever their ID and protocol\n"
"  --background     go to the background once the bus is there\n"
"  --help           this text\n"
"  --version        the version\n"
"\n"
"Ends on SIGTERM or SIGINT with status 0, and with 3 when the port hangs up.\n";

enum {
	OPT_BAUD = 1, OPT_OVERLAY, OPT_SCAN, OPT_BACKGROUND, OPT_HELP,
	OPT_VERSION,
};

static const struct option long_options[] = {
	{ "baud", required_argument, NULL, OPT_BAUD },
	{ "overlay", required_argument, NULL, OPT_OVERLAY },
	{ "scan", no_argument, NULL, OPT_SCAN },
	{ "background", no_argument, NULL, OPT_BACKGROUND },
	{ "help", no_argument, NULL, OPT_HELP },
	{ "version", no_argument, NULL, OPT_VERSION },
	{ 0 }
};

static int set_baud(struct options *options, const char *text)
{
	unsigned long baud;
	char *end;

	errno = 0;
	baud = strtoul(text, &end, 0);
	if (!isdigit((unsigned char)text[0]) || *end || errno ||
	    baud < BAUD_MIN || baud > BAUD_MAX) {
		fprintf(stderr, "dxlattach: --baud is \"%s\", expected a number of %d to %d\n",
			text, BAUD_MIN, BAUD_MAX);
		return -1;
	}
	options->baud = baud;

	return 0;
}

static int set_option(struct options *options, int option)
{
	switch (option) {
	case OPT_BAUD:
		return set_baud(options, optarg);
	case OPT_OVERLAY:
		options->overlay = optarg;
		return 0;
	case OPT_SCAN:
		options->scan = true;
		return 0;
	case OPT_BACKGROUND:
		options->background = true;
		return 0;
	}

	fprintf(stderr, "Try: dxlattach --help\n");

	return -1;
}

static int check(struct options *options, int argc, char **argv)
{
	if (!argc) {
		fprintf(stderr, "dxlattach: expected a serial port; try: dxlattach --help\n");
		return -1;
	}
	if (argc > 1) {
		fprintf(stderr, "dxlattach: unexpected argument \"%s\"\n",
			argv[1]);
		return -1;
	}
	if (options->overlay && options->scan) {
		fprintf(stderr, "dxlattach: expected only one of --overlay and --scan\n");
		return -1;
	}
	options->tty = argv[0];

	return 0;
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
		if (option == OPT_VERSION) {
			puts("dxlattach " DXLATTACH_VERSION);
			return 0;
		}
		if (set_option(options, option))
			return -1;
	}

	return check(options, argc - optind, argv + optind) ? -1 : 1;
}
