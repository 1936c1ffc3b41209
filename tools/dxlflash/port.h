/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The serial port with the board's PC jack at its other end. */
#ifndef DXLFLASH_PORT_H
#define DXLFLASH_PORT_H

#include <stddef.h>
#include <termios.h>

struct port {
	const char *path;
	int fd;
	struct termios before;
};

/* 0, or -1 after saying what is wrong, here and in what follows. */
int port_open(struct port *port, const char *path);
void port_close(struct port *port);

/* Takes what comes within so many ms: bytes, 0 without any, or -1. */
int port_read(struct port *port, char *bytes, size_t size, int ms);

/* All of it, and until it has gone */
int port_write(struct port *port, const void *bytes, size_t len);

#endif
