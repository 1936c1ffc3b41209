/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the bus client is attached: a pty, a Unix socket, or standard I/O. */
#ifndef DXLSIM_LINK_H
#define DXLSIM_LINK_H

#include <poll.h>

#include "../bus/bus.h"
#include "../io/io.h"

enum link_kind { LINK_NONE, LINK_PTY, LINK_UNIX, LINK_STDIO };

#define LINK_POLLS	4

struct link {
	enum link_kind kind;
	const char *path;	/* of the socket, or of the pty's symbolic link */
	unsigned int baud;	/* rate of a pty that is new */
	int listener;
	int in;			/* -1 while there is no client */
	int out;
	bool stamped;		/* @in tells when bytes were sent */
	int slave;		/* our own end, so that clients may come and go */
	int watch;		/* inotify, tells when a client closes the pty */
	bool broken;		/* there is no port any more, and it is said why */
	bool flush_told;	/* the user has been told what a flush does */
	bool unplugged;		/* the client's adapter is gone for now */
	int in_flags;		/* of standard I/O, as they were */
	int out_flags;
	struct outbuf pending;
};

int link_open(struct link *link, enum link_kind kind, const char *path,
	      unsigned int baud);
void link_close(struct link *link);
int link_plug(struct link *link, struct bus *bus, nsec_t now);
nsec_t link_due(const struct link *link, const struct bus *bus);
bool link_ended(const struct link *link, const struct bus *bus);
int link_prepare(struct link *link, struct pollfd *polls);
void link_serve(struct link *link, struct bus *bus,
		const struct pollfd *polls, int count, nsec_t now);
void link_send(struct link *link, struct bus *bus, nsec_t now);

#endif
