// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * storm ROUNDS -- opens a pseudo terminal, makes it a bus, and then does at once
 * what should not be done together: scans, devices that come and go, ioctls,
 * another line discipline, a hang-up, and the close of either end. Prints what
 * should not have been possible; what the kernel thinks of it is in its log.
 */
#include <asm/termbits.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <uapi/linux/dxl.h>

#define REPEATS	20

struct line {
	int master;
	int slave;
	unsigned int bus;
	unsigned int round;
};

static void write_attribute(const struct line *line, const char *name,
			    const char *text)
{
	char path[96];
	int fd;

	snprintf(path, sizeof(path), "/sys/bus/dxl/devices/dxl%u/%s", line->bus,
		 name);
	fd = open(path, O_WRONLY);
	if (fd < 0)
		return;
	if (write(fd, text, strlen(text)) < 0)
		usleep(100);
	close(fd);
}

static int set_ldisc(int fd, int ldisc)
{
	return ioctl(fd, TIOCSETD, &ldisc);
}

/* --- what goes on at once --- */

static void scan(const struct line *line)
{
	write_attribute(line, "scan", "1-9");
}

static void add_and_delete(const struct line *line)
{
	write_attribute(line, "new_device", "robotis,ax-12 7 z");
	write_attribute(line, "delete_device", "7");
}

static void ask(const struct line *line)
{
	unsigned int bus;
	char byte;

	ioctl(line->slave, DXLIOC_BUS, &bus);
	ioctl(line->slave, TCFLSH, TCIOFLUSH);
	if (!read(line->slave, &byte, 1) || !write(line->slave, "x", 1))
		usleep(100);
}

/* Once, somewhere in between. */
static void end_bus(const struct line *line)
{
	usleep(line->round * 700 % 9000);
	switch (line->round % 3) {
	case 0:
		set_ldisc(line->slave, 0);
		usleep(1000);
		set_ldisc(line->slave, DXL_LDISC);
		break;
	case 1:
		ioctl(line->slave, DXLIOC_DETACH);
		break;
	case 2:
		ioctl(line->slave, TIOCVHANGUP);
		break;
	}
}

static const struct {
	void (*run)(const struct line *line);
	int repeats;
} actors[] = {
	{ scan, REPEATS },
	{ add_and_delete, REPEATS },
	{ ask, 10 * REPEATS },
	{ end_bus, 1 },
};

#define ACTORS	(sizeof(actors) / sizeof(actors[0]))

static void act(size_t actor, const struct line *line)
{
	int i;

	for (i = 0; i < actors[actor].repeats; i++)
		actors[actor].run(line);
	_exit(0);
}

/* --- rounds --- */

static bool open_line(struct line *line)
{
	line->master = posix_openpt(O_RDWR | O_NOCTTY);
	if (line->master < 0 || unlockpt(line->master))
		return false;
	line->slave = open(ptsname(line->master), O_RDWR | O_NOCTTY);

	return line->slave >= 0;
}

static int play_round(unsigned int round)
{
	struct line line = { .round = round };
	size_t i;

	if (!open_line(&line) || set_ldisc(line.slave, DXL_LDISC) ||
	    ioctl(line.slave, DXLIOC_BUS, &line.bus)) {
		perror("storm: no bus");
		return 1;
	}
	if (!set_ldisc(line.master, DXL_LDISC)) {
		fprintf(stderr, "storm: the other end became a bus\n");
		return 1;
	}

	for (i = 0; i < ACTORS; i++)
		if (!fork())
			act(i, &line);
	usleep(3000 + round * 1300 % 20000);
	close(round % 2 ? line.master : line.slave);
	close(round % 2 ? line.slave : line.master);
	while (wait(NULL) > 0)
		;

	return 0;
}

int main(int argc, char **argv)
{
	unsigned int rounds = argc == 2 ? atoi(argv[1]) : 0, i;

	for (i = 0; i < rounds; i++)
		if (play_round(i))
			return EXIT_FAILURE;

	return EXIT_SUCCESS;
}
