// SPDX-License-Identifier: LGPL-2.1-or-later
#include "line.h"

#include <errno.h>
#include <monotonic.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define NOTHING	     (-1)
#define PIECE	     4096
#define TRY_AGAIN_MS 5

void lines_init(struct lines *lines)
{
	*lines = (struct lines){ .fd = NOTHING, .passed = NOTHING };
}

static void drop_passed(struct lines *lines)
{
	if (lines->passed != NOTHING)
		close(lines->passed);
	lines->passed = NOTHING;
}

void lines_close(struct lines *lines)
{
	drop_passed(lines);
	if (lines->fd != NOTHING)
		close(lines->fd);
	free(lines->in);
	lines_init(lines);
}

/* Return: 0 it can be tried again; -ETIMEDOUT. */
static int wait_for(const struct lines *lines, short events, int64_t deadline)
{
	struct pollfd poll_fd = { .fd = lines->fd, .events = events };
	int left = monotonic_ms_until(deadline);

	if (!left)
		return -ETIMEDOUT;
	return poll(&poll_fd, 1, left) < 0 && errno != EINTR ? -errno : 0;
}

/* ---- connect ---- */

/* As many as may wait to be let in are waiting: nothing tells when there are fewer. */
static int wait_at_door(int64_t deadline)
{
	if (monotonic_ns() >= deadline)
		return -ETIMEDOUT;
	(void)poll(NULL, 0, TRY_AGAIN_MS);
	return 0;
}

static int knock(const struct lines *lines, const struct sockaddr_un *address, int64_t deadline)
{
	while (connect(lines->fd, (const struct sockaddr *)address, sizeof(*address)) < 0) {
		int ret = -errno;

		if (ret == -EAGAIN || ret == -EINTR)
			ret = wait_at_door(deadline);
		if (ret < 0)
			return ret;
	}
	return 0;
}

int lines_connect(struct lines *lines, const char *path, int64_t deadline)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	size_t size = strlen(path) + 1;
	int ret;

	lines_close(lines);
	if (size > sizeof(address.sun_path))
		return -ENAMETOOLONG;
	memcpy(address.sun_path, path, size);
	lines->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (lines->fd < 0)
		return -errno;
	ret = knock(lines, &address, deadline);
	if (ret < 0)
		lines_close(lines);
	return ret;
}

bool lines_have_ended(const struct lines *lines)
{
	struct pollfd poll_fd = { .fd = lines->fd, .events = POLLRDHUP };

	/* A signal interrupts even this: it is no end. */
	return lines->fd == NOTHING || poll(&poll_fd, 1, 0) > 0;
}

/* ---- send ---- */

int lines_send(struct lines *lines, const char *line, size_t length, int64_t deadline)
{
	while (length) {
		ssize_t sent = send(lines->fd, line, length, MSG_NOSIGNAL);
		int ret = sent < 0 ? -errno : 0;

		if (ret == -EAGAIN || ret == -EINTR)
			ret = wait_for(lines, POLLOUT, deadline);
		if (ret < 0)
			return ret;
		if (sent < 0)
			continue;
		line += sent;
		length -= (size_t)sent;
	}
	return 0;
}

/* ---- receive ---- */

union control {
	struct cmsghdr header;
	char bytes[CMSG_SPACE(sizeof(int))];
};

static void take_passed(struct lines *lines, struct msghdr *message)
{
	struct cmsghdr *header = CMSG_FIRSTHDR(message);

	if (!header || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS ||
	    header->cmsg_len != CMSG_LEN(sizeof(int)))
		return;
	drop_passed(lines);
	memcpy(&lines->passed, CMSG_DATA(header), sizeof(lines->passed));
}

static int make_room(struct lines *lines)
{
	size_t room = lines->room ? 2 * lines->room : PIECE;
	char *in;

	if (lines->used < lines->room)
		return 0;
	if (room > LINE_MAX_SIZE)
		return -EMSGSIZE;
	in = realloc(lines->in, room);
	if (!in)
		return -ENOMEM;
	lines->in = in;
	lines->room = room;
	return 0;
}

static int read_some(struct lines *lines, int64_t deadline)
{
	struct iovec place = { lines->in + lines->used, lines->room - lines->used };
	union control control;
	struct msghdr message = { .msg_iov = &place,
				  .msg_iovlen = 1,
				  .msg_control = &control,
				  /* Of one alone, as what has no room is closed */
				  .msg_controllen = CMSG_LEN(sizeof(int)) };
	ssize_t size = recvmsg(lines->fd, &message, MSG_CMSG_CLOEXEC);

	if (size > 0) {
		lines->used += (size_t)size;
		take_passed(lines, &message);
		return 0;
	}
	if (size == 0)
		return -ECONNRESET;
	return errno == EAGAIN || errno == EINTR ? wait_for(lines, POLLIN, deadline) : -errno;
}

int lines_receive(struct lines *lines, const char **line, int64_t deadline)
{
	size_t seen = 0;

	lines->used -= lines->line;
	if (lines->line)
		memmove(lines->in, lines->in + lines->line, lines->used);
	lines->line = 0;
	for (;;) {
		const char *end = lines->used > seen ?
					  memchr(lines->in + seen, '\n', lines->used - seen) :
					  NULL;
		int ret;

		if (end) {
			*line = lines->in;
			lines->line = (size_t)(end - lines->in) + 1;
			return (int)lines->line - 1;
		}
		seen = lines->used;
		ret = make_room(lines);
		if (ret == 0)
			ret = read_some(lines, deadline);
		if (ret < 0)
			return ret;
	}
}

int lines_take_passed(struct lines *lines)
{
	int passed = lines->passed;

	lines->passed = NOTHING;
	return passed;
}
