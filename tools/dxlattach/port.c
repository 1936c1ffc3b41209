// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Any baud rate is possible through termios2, whose header does not get along
 * with termios.h; hence no tcsetattr() here.
 */
#include <asm/termbits.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/serial.h>
#include <linux/tty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <uapi/linux/dxl.h>

#include "port.h"

/* As in the kernel, drivers/bus/line/line.h */
#define BAUD_TOLERANCE_PERCENT	3

/* How long an FTDI chip waits for more before it sends what it has, in ms. */
#define LATENCY_TIMER	"1"

static int complain(const struct port *port, const char *what)
{
	fprintf(stderr, "dxlattach: %s: %s%s%s\n", port->path, what ?: "",
		what ? ": " : "", strerror(errno));

	return -1;
}

static int say(const struct port *port, const char *what)
{
	fprintf(stderr, "dxlattach: %s: %s\n", port->path, what);

	return -1;
}

/* --- the port --- */

/*
 * Others are kept out twice: TIOCEXCL works against everybody but root, and
 * flock() against those who ask.
 */
static int lock(const struct port *port)
{
	if (flock(port->fd, LOCK_EX | LOCK_NB))
		return errno == EWOULDBLOCK ?
		       say(port, "is in use by another program") :
		       complain(port, "cannot be locked");

	return ioctl(port->fd, TIOCEXCL) ? complain(port, "TIOCEXCL") : 0;
}

/* 0, or -1 after saying what is wrong, here and in what follows. */
int port_open(struct port *port, const char *path)
{
	struct stat st;

	port->path = path;
	/* A port without a carrier would keep us waiting otherwise. */
	port->fd = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
	if (port->fd < 0)
		return errno == EBUSY ?
		       say(port, "is in use by another program") :
		       complain(port, NULL);

	if (fstat(port->fd, &st) || !S_ISCHR(st.st_mode) || !isatty(port->fd)) {
		port_close(port);
		return say(port, "is not a serial port");
	}
	/* Not port_close(): whoever has the port keeps his TIOCEXCL. */
	if (lock(port)) {
		close(port->fd);
		port->fd = -1;
		return -1;
	}

	return 0;
}

/*
 * A discipline may have stayed on the port of a program that was killed: then
 * something else holds the port open. As nobody has it locked, it may go.
 */
static int free_port(const struct port *port)
{
	int ldisc;

	if (ioctl(port->fd, TIOCGETD, &ldisc))
		return complain(port, "TIOCGETD");
	if (ldisc == N_TTY)
		return 0;
	if (ldisc != DXL_LDISC) {
		fprintf(stderr, "dxlattach: %s: is in use by line discipline %d\n",
			port->path, ldisc);
		return -1;
	}

	port_detach(port);

	return 0;
}

static int set_line(const struct port *port, unsigned int baud)
{
	struct termios2 tio = {
		.c_cflag = CS8 | CREAD | CLOCAL | BOTHER,
		.c_ispeed = baud,
		.c_ospeed = baud,
	};

	tio.c_cc[VMIN] = 1;
	if (ioctl(port->fd, TCSETS2, &tio) || ioctl(port->fd, TCGETS2, &tio))
		return complain(port, "settings are refused");

	if (labs((long)tio.c_ospeed - (long)baud) >
	    (long)baud / 100 * BAUD_TOLERANCE_PERCENT) {
		fprintf(stderr, "dxlattach: %s: cannot do %u baud, nearest is %u\n",
			port->path, baud, tio.c_ospeed);
		return -1;
	}

	/* What came before, at whatever rate, is not for us. */
	ioctl(port->fd, TCFLSH, TCIOFLUSH);

	return 0;
}

int port_set_up(const struct port *port, unsigned int baud)
{
	return free_port(port) ?: set_line(port, baud);
}

/* --- adapters that wait before they pass on what they have received --- */

/* Drivers that know nothing of it refuse, and have nothing to be quickened. */
static void set_low_latency(const struct port *port)
{
	struct serial_struct serial;

	if (ioctl(port->fd, TIOCGSERIAL, &serial))
		return;
	if (serial.flags & ASYNC_LOW_LATENCY)
		return;

	serial.flags |= ASYNC_LOW_LATENCY;
	if (ioctl(port->fd, TIOCSSERIAL, &serial) && errno == EPERM)
		say(port, "low latency cannot be set: not permitted");
}

static void set_latency_timer(const struct port *port)
{
	char path[64];
	struct stat st;
	int fd;

	if (fstat(port->fd, &st))
		return;
	snprintf(path, sizeof(path), "/sys/dev/char/%u:%u/device/latency_timer",
		 major(st.st_rdev), minor(st.st_rdev));

	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT)
		return;
	if (fd < 0 || write(fd, LATENCY_TIMER, strlen(LATENCY_TIMER)) < 0)
		fprintf(stderr, "dxlattach: %s: cannot be set to %s ms, every answer will take longer: %s\n",
			path, LATENCY_TIMER, strerror(errno));
	if (fd >= 0)
		close(fd);
}

void port_quicken(const struct port *port)
{
	set_low_latency(port);
	set_latency_timer(port);
}

/* --- the line discipline --- */

static int set_ldisc(const struct port *port, int ldisc)
{
	return ioctl(port->fd, TIOCSETD, &ldisc);
}

static int explain_refusal(const struct port *port)
{
	switch (errno) {
	case EINVAL:
	case EAGAIN:
		return say(port, "the kernel has no line discipline for a Dynamixel bus; try: modprobe dxl_ldisc");
	case EPERM:
		return say(port, "only root (CAP_SYS_ADMIN) may make it a bus");
	default:
		return complain(port, "cannot be made a bus");
	}
}

int port_attach(const struct port *port, unsigned int *bus)
{
	if (set_ldisc(port, DXL_LDISC))
		return explain_refusal(port);

	if (ioctl(port->fd, DXLIOC_BUS, bus)) {
		complain(port, "line discipline of another kind");
		set_ldisc(port, N_TTY);
		return -1;
	}

	return 0;
}

/*
 * First the bus, while its devices can still be told to let go. After a hang-up
 * there is nothing left to be done, and each of these fails.
 */
void port_detach(const struct port *port)
{
	ioctl(port->fd, DXLIOC_DETACH);
	set_ldisc(port, N_TTY);
}

void port_close(struct port *port)
{
	if (port->fd < 0)
		return;
	ioctl(port->fd, TIOCNXCL);
	close(port->fd);
	port->fd = -1;
}
