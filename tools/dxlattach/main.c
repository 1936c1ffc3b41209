// SPDX-License-Identifier: GPL-2.0-or-later
/* dxlattach: makes a serial port a Dynamixel bus of the kernel. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../common/ending.h"
#include "devices.h"
#include "options.h"
#include "port.h"

/* What the maker's servos of Protocol 1.0 have from the factory. */
#define BAUD_DEFAULT	1000000

enum {
	EXIT_USAGE = 2,
	EXIT_HANGUP = 3,
};

/* The overlay, its memory never freed; NULL after saying what is wrong. */
static const struct bus_tree *load_tree(const char *file)
{
	static struct bus_tree tree;
	size_t size;
	void *blob = bus_tree_slurp(file, &size, stderr);

	if (!blob || bus_tree_parse(&tree, blob, size, file, stderr))
		return NULL;

	return &tree;
}

static unsigned int choose_baud(const struct options *options,
				const struct bus_tree *tree)
{
	if (options->baud)
		return options->baud;

	return tree ? tree->baud : BAUD_DEFAULT;
}

static const char *baud_source(const struct options *options,
			       const struct bus_tree *tree)
{
	if (options->baud)
		return "";

	return tree ? ", as the overlay says" : ", the default";
}

static int fill_bus(const struct options *options, unsigned int bus,
		    const struct bus_tree *tree)
{
	if (options->scan)
		return devices_scan(bus);
	if (!tree)
		return 0;

	return devices_add(bus, tree) || ending ? 0 : -1;
}

static int say_hung_up(const struct port *port)
{
	fprintf(stderr, "dxlattach: %s: has hung up\n", port->path);

	return EXIT_HANGUP;
}

/* The reason has been given, but that may have been the cause of it. */
static int failure(const struct port *port)
{
	struct pollfd poll_fd = { .fd = port->fd };

	if (poll(&poll_fd, 1, 0) > 0 && poll_fd.revents & POLLHUP)
		return say_hung_up(port);

	return EXIT_FAILURE;
}

/* Until a signal comes or the port has gone. */
static int wait_for_end(const struct port *port)
{
	struct pollfd poll_fd = { .fd = port->fd };
	sigset_t while_waiting;

	ending_wait_only(&while_waiting);
	while (!ending) {
		if (ppoll(&poll_fd, 1, NULL, &while_waiting) > 0)
			return say_hung_up(port);
		if (errno != EINTR) {
			perror("dxlattach: poll");
			return EXIT_FAILURE;
		}
	}

	return EXIT_SUCCESS;
}

/* What is to be said has been said: whoever started us may go on. */
static int go_to_background(void)
{
	if (daemon(0, 0)) {
		perror("dxlattach: background");
		return -1;
	}

	return 0;
}

static int serve(const struct options *options, const struct port *port,
		 const struct bus_tree *tree)
{
	unsigned int baud = choose_baud(options, tree);
	unsigned int bus;
	int ret;

	if (port_set_up(port, baud))
		return failure(port);
	port_quicken(port);
	if (port_attach(port, &bus))
		return failure(port);

	printf("dxl%u: on %s at %u baud%s\n", bus, port->path, baud,
	       baud_source(options, tree));
	if (fill_bus(options, bus, tree) || fflush(stdout) ||
	    (options->background && go_to_background()))
		ret = failure(port);
	else
		ret = wait_for_end(port);
	port_detach(port);

	return ret;
}

int main(int argc, char **argv)
{
	const struct bus_tree *tree = NULL;
	struct options options;
	struct port port;
	int ret = options_parse(&options, argc, argv);

	if (ret <= 0)
		return ret ? EXIT_USAGE : EXIT_SUCCESS;

	if (options.overlay) {
		tree = load_tree(options.overlay);
		if (!tree)
			return EXIT_FAILURE;
	}
	/* A scan is interrupted, too. */
	ending_catch();
	if (port_open(&port, options.tty))
		return EXIT_FAILURE;
	ret = serve(&options, &port, tree);
	port_close(&port);

	return ret;
}
