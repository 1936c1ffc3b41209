// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "port.h"

/* Of every boot loader of the maker's controllers, 8N1 */
#define BAUD		B57600

/* A port that takes nothing for so long is not working. */
#define PATIENCE_MS	5000

static int say(const struct port *port, const char *what)
{
	fprintf(stderr, "dxlflash: %s: %s\n", port->path, what);

	return -1;
}

static int complain(const struct port *port)
{
	return say(port, errno == EBUSY ? "is in use by another program" : strerror(errno));
}

/* A bus of the kernel's has another line discipline: there are servos, and no jack. */
static int check_free(const struct port *port)
{
	int discipline;

	if (!isatty(port->fd))
		return say(port, "is not a serial port");
	if (flock(port->fd, LOCK_EX | LOCK_NB))
		return say(port, "is in use by another program");
	if (!ioctl(port->fd, TIOCGETD, &discipline) && discipline != N_TTY)
		return say(port, "is in use by the kernel, as a bus is: expected the board's PC jack");

	return 0;
}

static int set_line(struct port *port)
{
	struct termios line;

	if (tcgetattr(port->fd, &port->before))
		return complain(port);
	line = port->before;
	cfmakeraw(&line);
	line.c_cflag = CS8 | CREAD | CLOCAL;
	cfsetspeed(&line, BAUD);
	if (tcsetattr(port->fd, TCSANOW, &line))
		return complain(port);
	tcflush(port->fd, TCIOFLUSH);

	return 0;
}

int port_open(struct port *port, const char *path)
{
	port->path = path;
	port->fd = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (port->fd < 0)
		return complain(port);
	if (check_free(port) || set_line(port)) {
		close(port->fd);
		return -1;
	}
	ioctl(port->fd, TIOCEXCL);

	return 0;
}

void port_close(struct port *port)
{
	tcsetattr(port->fd, TCSANOW, &port->before);
	ioctl(port->fd, TIOCNXCL);
	close(port->fd);
}

/* Interrupted it is as if nothing had come: whoever waits looks for what interrupts him. */
static int wait_for(struct port *port, short events, int ms)
{
	struct pollfd wanted = { .fd = port->fd, .events = events };
	int ready = poll(&wanted, 1, ms);

	if (ready < 0)
		return errno == EINTR ? 0 : complain(port);
	if (ready && wanted.revents & (POLLHUP | POLLERR | POLLNVAL))
		return say(port, "has hung up");

	return ready;
}

int port_read(struct port *port, char *bytes, size_t size, int ms)
{
	int ready = wait_for(port, POLLIN, ms);
	ssize_t len;

	if (ready <= 0)
		return ready;
	len = read(port->fd, bytes, size);
	if (len < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : complain(port);

	return len;
}

/* tcdrain() would wait for ever where the other end takes nothing. */
static int wait_until_gone(struct port *port)
{
	int left, ms;

	for (ms = 0; ms < PATIENCE_MS; ms++) {
		if (ioctl(port->fd, TIOCOUTQ, &left))
			return complain(port);
		if (!left)
			return 0;
		poll(NULL, 0, 1);
	}

	return say(port, "takes no more");
}

int port_write(struct port *port, const void *bytes, size_t len)
{
	const char *next = bytes;
	ssize_t taken;
	int ready;

	while (len) {
		ready = wait_for(port, POLLOUT, PATIENCE_MS);
		if (ready < 0)
			return -1;
		taken = write(port->fd, next, len);
		if (taken < 0 && errno != EAGAIN && errno != EINTR)
			return complain(port);
		if (!ready && taken < 0)
			return say(port, "takes no more");
		if (taken > 0) {
			next += taken;
			len -= taken;
		}
	}

	return wait_until_gone(port);
}
