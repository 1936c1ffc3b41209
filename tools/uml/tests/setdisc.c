// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * setdisc TTY NUMBER -- gives a tty another line discipline, as any program may that
 * has it open
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int fd, number;

	if (argc != 3) {
		fprintf(stderr, "usage: setdisc TTY NUMBER\n");
		return 2;
	}
	number = atoi(argv[2]);
	fd = open(argv[1], O_RDWR | O_NOCTTY | O_NONBLOCK);
	if (fd < 0 || ioctl(fd, TIOCSETD, &number)) {
		perror(argv[1]);
		return 1;
	}
	close(fd);

	return 0;
}
