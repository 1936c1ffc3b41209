// SPDX-License-Identifier: GPL-2.0-or-later
#include "peer.h"

#include <sys/socket.h>
#include <unistd.h>

/* The kernel has 65536 at the most; who has so many is not looked for. */
#define GROUPS_MAX 1024

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
	struct ucred peer;
	socklen_t size = sizeof(peer);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0)
		return false;
	if (peer.uid == 0 || peer.uid == geteuid())
		return true;
	return group != (gid_t)-1 && (peer.gid == group || is_in(fd, group));
}
