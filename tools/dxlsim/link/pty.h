/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A pseudo terminal that is a serial port to its client. */
#ifndef DXLSIM_PTY_H
#define DXLSIM_PTY_H

#include <stdbool.h>
#include <stddef.h>

int pty_open(int *slave, char *name, size_t size);
int pty_open_slave(int master);
int pty_set_raw(int slave, unsigned int baud);
unsigned int pty_baud(int master);
bool pty_deserted(int master);
bool pty_exclusive(int slave);
void pty_set_exclusive(int slave, bool on);
int pty_tell_events(int master);
bool pty_attached(int slave);

#endif
