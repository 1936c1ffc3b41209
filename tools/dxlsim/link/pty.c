// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Rates like 1000000 or 2250000 baud go through termios2, whose header does
 * not get along with termios.h; hence this file.
 */
#include <asm/termbits.h>
#include <fcntl.h>
#include <linux/tty.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "pty.h"

#define OUR_FLAGS	(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)

/* Our own end, or -1 with errno set. */
int pty_open_slave(int master)
{
	return ioctl(master, TIOCGPTPEER, OUR_FLAGS);
}

/* The master's descriptor, or -1 with errno set. */
int pty_open(int *slave, char *name, size_t size)
{
	int master = posix_openpt(OUR_FLAGS);

	*slave = -1;
	if (master < 0)
		return -1;
	if (!grantpt(master) && !unlockpt(master) &&
	    !ptsname_r(master, name, size))
		*slave = pty_open_slave(master);
	if (*slave < 0) {
		close(master);
		return -1;
	}

	return master;
}

/*
 * Once, before anybody knows the name. A client may come at any time and make its
 * settings, and there is no way to change them only while nobody is there: between
 * the look and the change the next one has come. So they last from one client to
 * the next, as those of a port on a board do.
 */
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
 * It is that of now: at which rate bytes were written that have come, the kernel
 * does not say.
 */
unsigned int pty_baud(int master)
{
	struct termios2 tio;

	return ioctl(master, TCGETS2, &tio) ? 0 : tio.c_ospeed;
}

/* Whether nobody has the port open, we included. */
bool pty_deserted(int master)
{
	struct pollfd poll_fd = { .fd = master };

	return poll(&poll_fd, 1, 0) > 0 && poll_fd.revents & POLLHUP;
}

/* Whether a client has the port for itself: nobody else may open it, nor may we. */
bool pty_exclusive(int slave)
{
	int exclusive;

	return !ioctl(slave, TIOCGEXCL, &exclusive) && exclusive;
}

void pty_set_exclusive(int slave, bool on)
{
	ioctl(slave, on ? TIOCEXCL : TIOCNXCL);
}

/*
 * From now on a byte comes before what is read from the master: 0 before what the client
 * has written, or else, with nothing behind it, what the client has done to the port.
 */
int pty_tell_events(int master)
{
	int on = 1;

	return ioctl(master, TIOCPKT, &on);
}

/* Whether the kernel uses the port, be the program that said so gone or not. */
bool pty_attached(int slave)
{
	int discipline;

	return !ioctl(slave, TIOCGETD, &discipline) && discipline != N_TTY;
}
