// SPDX-License-Identifier: GPL-2.0-or-later
/* dxlflash: loads a firmware of ours into a controller of ROBOTIS'. */
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../common/ending.h"
#include "boot.h"
#include "image.h"
#include "port.h"

#define WAIT_S		120
#define WAIT_MAX_S	3600

enum { EXIT_USAGE = 2 };

enum { OPT_WAIT = 1, OPT_HELP, OPT_VERSION };

static const char usage[] =
"Usage: dxlflash TTY IMAGE [--wait SECONDS]\n"
"Loads a firmware into a CM-510, by the cable in its PC jack. TTY is that cable's serial\n"
"port, and IMAGE /usr/share/naohw/firmware/cm-510.bin, as the packages have it.\n"
"\n"
"  --wait SECONDS   how long it waits for the board to be started anew (120)\n"
"  --help           this text\n"
"  --version        the version\n"
"\n"
"Back to the maker's firmware: the firmware recovery of RoboPlus Manager, on Windows,\n"
"by the same cable. Save motions and task program before: what is erased is not published.\n";

static const struct option long_options[] = {
	{ "wait", required_argument, NULL, OPT_WAIT },
	{ "help", no_argument, NULL, OPT_HELP },
	{ "version", no_argument, NULL, OPT_VERSION },
	{ 0 }
};

static size_t whole;

/*
 * How long the boot loader waits for the next bytes of an image is not known: neither Ctrl-Z
 * nor a terminal that takes nothing, as after Ctrl-S, may have them wait.
 */
static void do_not_stop(void)
{
	signal(SIGTSTP, SIG_IGN);
	signal(SIGTTOU, SIG_IGN);
}

static bool terminal_takes(void)
{
	struct pollfd terminal = { .fd = STDERR_FILENO, .events = POLLOUT };

	return isatty(STDERR_FILENO) && poll(&terminal, 1, 0) > 0 && terminal.revents & POLLOUT;
}

static void show(size_t bytes)
{
	static int shown = -1;
	int percent = bytes * 100 / whole;

	if (percent == shown || !terminal_takes())
		return;
	shown = percent;
	fprintf(stderr, "\r%3d %%%s", percent, percent == 100 ? "\n" : "");
}

/* By all that is known the boot loader is not what it loads over. */
static int say_half_done(void)
{
	fprintf(stderr,
		"dxlflash: the board may have no whole program now: run this again\n");

	return EXIT_FAILURE;
}

static int say_not_begun(void)
{
	fprintf(stderr,
		"dxlflash: no byte of the image was sent; if the board does not start any more, run this again\n");

	return EXIT_FAILURE;
}

static int flash(struct boot *boot, const struct image *image, int wait)
{
	if (boot_listen(boot))
		return EXIT_FAILURE;
	fprintf(stderr, "Press the board's MODE button, or switch it off and on: %s waits for %d s\n",
		boot->port->path, wait);
	if (boot_call(boot, wait))
		return EXIT_FAILURE;
	if (!image_fits(image, boot->board)) {
		fprintf(stderr,
			"dxlflash: the board is a %s, and the image is for a %s; nothing was loaded\n",
			boot->board, image->board);
		return EXIT_FAILURE;
	}
	if (boot_ready(boot)) {
		fprintf(stderr, "dxlflash: broken off; nothing was loaded\n");
		return EXIT_FAILURE;
	}
	fprintf(stderr, "A %s with boot loader %s takes %zu bytes; do not switch it off\n",
		boot->board, boot->version, image->len);
	do_not_stop();
	if (boot_prepare(boot))
		return say_not_begun();
	whole = image->len;
	if (boot_load(boot, image, show))
		return say_half_done();
	if (boot_go(boot)) {
		fprintf(stderr, "dxlflash: it was loaded, but not started: press MODE\n");
		return EXIT_FAILURE;
	}
	fprintf(stderr,
		"Loaded, and told to start. Back to the maker's: RoboPlus Manager's firmware recovery, by this cable\n");

	return EXIT_SUCCESS;
}

static int run(const char *tty, const char *file, int wait)
{
	struct port port;
	struct boot boot = { .port = &port };
	struct image image;
	int ret = EXIT_FAILURE;

	if (image_read(&image, file))
		return EXIT_FAILURE;
	ending_catch();
	ending_catch_also(SIGHUP);
	if (!port_open(&port, tty)) {
		ret = flash(&boot, &image, wait);
		port_close(&port);
	}
	image_free(&image);

	return ret;
}

/* Seconds, or 0 after saying what is wrong */
static int parse_wait(const char *text)
{
	char *rest;
	long wait = strtol(text, &rest, 10);

	if (rest != text && !*rest && wait > 0 && wait <= WAIT_MAX_S)
		return wait;
	fprintf(stderr, "dxlflash: --wait is \"%s\", expected a number of 1 to %d\n", text,
		WAIT_MAX_S);

	return 0;
}

int main(int argc, char **argv)
{
	int wait = WAIT_S, option;

	while ((option = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
		switch (option) {
		case OPT_WAIT:
			wait = parse_wait(optarg);
			if (!wait)
				return EXIT_USAGE;
			break;
		case OPT_HELP:
			fputs(usage, stdout);
			return EXIT_SUCCESS;
		case OPT_VERSION:
			puts("dxlflash " DXLFLASH_VERSION);
			return EXIT_SUCCESS;
		default:
			fprintf(stderr, "Try: dxlflash --help\n");
			return EXIT_USAGE;
		}
	}
	if (argc - optind != 2) {
		fprintf(stderr,
			"dxlflash: expected a serial port and an image; try: dxlflash --help\n");
		return EXIT_USAGE;
	}

	return run(argv[optind], argv[optind + 1], wait);
}
