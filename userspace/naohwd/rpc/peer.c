// SPDX-License-Identifier: GPL-2.0-or-later
#include "peer.h"

#include <errno.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <program.h>

/* The kernel has 65536 at the most; who has so many is not looked for. */
#define GROUPS_MAX 1024

/* Nobody, if the kernel does not know. */
static struct ucred peer_of(int fd)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0)
		return (struct ucred){ -1, (uid_t)-1, (gid_t)-1 };
	return peer;
}

pid_t peer_pid(int fd)
{
	return peer_of(fd).pid;
}

int peer_life(pid_t pid)
{
	int fd = pidfd_open(pid, 0);

	return fd < 0 ? -errno : fd;
}

void peer_find(int fd, struct party *party)
{
	struct ucred peer = peer_of(fd);

	party->pid = peer.pid;
	party->uid = peer.uid;
	program_of(peer.pid, party->program, sizeof(party->program));
}

static bool is_in(int fd, gid_t group)
{
	gid_t groups[GROUPS_MAX];
	socklen_t size = sizeof(groups);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, groups, &size) < 0)
		return false;
	for (size_t i = 0; i < size / sizeof(groups[0]); i++)
		if (groups[i] == group)
			return true;
	return false;
}

bool peer_is_trusted(int fd, gid_t group)
{
	struct ucred peer = peer_of(fd);

	if (peer.pid == -1)
		return false;
	if (peer.uid == 0 || peer.uid == geteuid())
		return true;
	return peer.gid == group || is_in(fd, group);
}
