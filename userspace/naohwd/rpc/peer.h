/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who is at the other end of a socket, as the kernel says. */
#ifndef NAOHWD_RPC_PEER_H
#define NAOHWD_RPC_PEER_H

#include <stdbool.h>
#include <sys/types.h>

#include "../lease/lease.h"

/* Its process, whose name is "?" where it cannot be read; what is not known of it is -1. */
void peer_find(int fd, struct party *party);

/* Its process, or -1. */
pid_t peer_pid(int fd);

/* Is it root, naohwd's own user, or in this group? */
bool peer_is_trusted(int fd, gid_t group);

/*
 * A descriptor that can be read when a process has ended. Return: also -ESRCH it has; or another
 * negative errno: nobody knows.
 */
int peer_life(pid_t pid);

#endif
