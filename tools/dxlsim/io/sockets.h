/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Listening on a Unix socket. */
#ifndef DXLSIM_SOCKETS_H
#define DXLSIM_SOCKETS_H

int socket_listen(const char *path);
int socket_accept(int listener);

#endif
