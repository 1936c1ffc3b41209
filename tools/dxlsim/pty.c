// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Rates like 1000000 or 2250000 baud go through termios2, whose header does
 * not get along with termios.h; hence this file.
 */
#include <asm/termbits.h>
#include <fcntl.h>
#include <linux/tty.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "pty.h"

/* The master's descriptor, or -1 with errno set. */
int pty_open(int *slave, char *name, size_t size)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);

	*slave = -1;
	if (master < 0)
		return -1;
	if (!grantpt(master) && !unlockpt(master) &&
	    !ptsname_r(master, name, size))
		*slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
	if (*slave < 0) {
		close(master);
		return -1;
	}

	return master;
}

int pty_set_raw(int slave, unsigned int baud)
{
	struct termios2 tio = {
		.c_cflag = CS8 | CREAD | CLOCAL | BOTHER,
		.c_ispeed = baud,
		.c_ospeed = baud,
	};

	tio.c_cc[VMIN] = 1;

	return ioctl(slave, TCSETS2, &tio);
}

/*
 * The rate that the client has set, 0 if that cannot be told. Our own end is
 * asked, which knows it even where a line discipline at the other does not say.
 */
unsigned int pty_baud(int master)
{
	struct termios2 tio;

	return ioctl(master, TCGETS2, &tio) ? 0 : tio.c_ospeed;
}

/* Whether the kernel uses the port, be the program that said so gone or not. */
bool pty_attached(int slave)
{
	int discipline;

	return !ioctl(slave, TIOCGETD, &discipline) && discipline != N_TTY;
}
