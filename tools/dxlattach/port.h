/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The serial port: its settings and its line discipline. */
#ifndef DXLATTACH_PORT_H
#define DXLATTACH_PORT_H

struct port {
	const char *path;
	int fd;
};

int port_open(struct port *port, const char *path);
int port_set_up(const struct port *port, unsigned int baud);
void port_quicken(const struct port *port);
int port_attach(const struct port *port, unsigned int *bus);
void port_detach(const struct port *port);
void port_close(struct port *port);

#endif
