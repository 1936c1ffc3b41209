// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One client at a time; the next on a socket waits its turn. Nothing here
 * blocks: what the client does not take in time is lost, as on a real line,
 * and counted.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <termios.h>
#include <unistd.h>

#include "../io/io.h"
#include "link.h"
#include "pty.h"

static int complain(const char *path)
{
	fprintf(stderr, "dxlsim: %s: %s\n", path, strerror(errno));

	return -1;
}

/* The old flags: whoever started us may share the descriptor. */
static int set_nonblocking(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	if (flags >= 0)
		fcntl(fd, F_SETFL, flags | O_NONBLOCK);

	return flags;
}

/*
 * A serial port begins to send when it is written to, whenever we come to see
 * that. Only sockets with messages tell: of type SOCK_SEQPACKET or SOCK_DGRAM.
 */
static bool set_stamped(int fd)
{
	int on = 1;

	return !setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof(on));
}

/* A link that an earlier run left behind may be replaced, nothing else. */
static int make_symlink(const char *target, const char *path)
{
	struct stat st;

	if (!lstat(path, &st)) {
		if (!S_ISLNK(st.st_mode)) {
			fprintf(stderr, "dxlsim: %s: exists and is no symbolic link\n",
				path);
			return -1;
		}
		if (unlink(path))
			return complain(path);
	}

	return symlink(target, path) ? complain(path) : 0;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static int open_pty(struct link *link)
{
	char name[64];

	link->in = pty_open(&link->slave, name, sizeof(name));
	if (link->in < 0)
		return complain("pty");
	link->out = link->in;
	if (pty_set_raw(link->slave, link->baud) || pty_tell_events(link->in))
		return complain(name);

	/* A kernel may do without; then clients find answers for the one before. */
	link->watch = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (link->watch < 0 && errno != ENOSYS)
		return complain(name);
	if (link->watch >= 0 &&
	    inotify_add_watch(link->watch, name, IN_CLOSE) < 0)
		return complain(name);

	return make_symlink(name, link->path);
}

/* 0, or -1 after saying what is wrong. */
int link_open(struct link *link, enum link_kind kind, const char *path,
	      unsigned int baud)
{
	memset(link, 0, sizeof(*link));
	link->path = path;
	link->baud = baud;
	link->listener = -1;
	link->in = -1;
	link->out = -1;
	link->slave = -1;
	link->watch = -1;

	switch (kind) {
	case LINK_PTY:
		if (open_pty(link))
			return -1;
		break;
	case LINK_UNIX:
		link->listener = socket_listen(path);
		if (link->listener < 0)
			return -1;
		break;
	case LINK_STDIO:
		link->in = STDIN_FILENO;
		link->out = STDOUT_FILENO;
		link->in_flags = set_nonblocking(link->in);
		link->out_flags = set_nonblocking(link->out);
		link->stamped = set_stamped(link->in);
		break;
	case LINK_NONE:
		break;
	}
	link->kind = kind;

	return 0;
}

static void close_pty(struct link *link)
{
	unlink(link->path);
	close_fd(&link->slave);
	close_fd(&link->watch);
	close_fd(&link->in);
	link->out = -1;
}

void link_close(struct link *link)
{
	if (link->kind == LINK_PTY || link->kind == LINK_UNIX)
		unlink(link->path);
	if (link->kind == LINK_STDIO) {
		fcntl(STDOUT_FILENO, F_SETFL, link->out_flags);
		fcntl(STDIN_FILENO, F_SETFL, link->in_flags);
		return;
	}

	close_fd(&link->listener);
	close_fd(&link->slave);
	close_fd(&link->watch);
	close_fd(&link->in);
}

static void hang_up(struct link *link, struct bus *bus)
{
	bus_hang_up(bus);
	link->pending.len = 0;

	if (link->kind == LINK_UNIX) {
		close_fd(&link->in);
		link->out = -1;
	} else if (link->kind == LINK_STDIO) {
		link->in = -1;
		link->out = -1;
	}
}

/*
 * Follow what the bus says of the adapter. A pty that is gone hangs up on its
 * client, and comes back as another, as a USB adapter does. 0, or -1 after
 * saying why there is no port.
 */
int link_plug(struct link *link, struct bus *bus, nsec_t now)
{
	bool unplugged = bus_unplugged(bus, now);

	if (link->broken)
		return -1;
	if (unplugged == link->unplugged)
		return 0;

	link->unplugged = unplugged;
	if (unplugged && link->kind != LINK_STDIO)
		hang_up(link, bus);
	if (unplugged && link->kind == LINK_PTY)
		close_pty(link);
	if (unplugged)
		return 0;

	bus_plug(bus);

	return link->kind == LINK_PTY ? open_pty(link) : 0;
}

/* When the adapter comes back, or NSEC_NEVER. */
nsec_t link_due(const struct link *link, const struct bus *bus)
{
	return link->unplugged ? bus->unplugged_until : NSEC_NEVER;
}

/* What has been noted of clients that close the pty; false if nothing has. */
static bool forget_closes(const struct link *link)
{
	char events[sizeof(struct inotify_event) + NAME_MAX + 1];
	bool closed = false;

	while (read(link->watch, events, sizeof(events)) > 0)
		closed = true;

	return closed;
}

/*
 * Is no client there? The kernel tells the master so if we let go of our own end
 * as well, which the next client does not notice. Its own close is yet to be
 * noted if it comes after ours has been forgotten. A client that had the port for
 * itself alone leaves it so, and we could not come back.
 */
static bool is_deserted(struct link *link)
{
	bool exclusive = pty_exclusive(link->slave), deserted;

	if (exclusive)
		pty_set_exclusive(link->slave, false);
	close_fd(&link->slave);
	forget_closes(link);
	deserted = pty_deserted(link->in);
	link->slave = pty_open_slave(link->in);
	link->broken = link->slave < 0 && complain(link->path);
	if (exclusive && !deserted)
		pty_set_exclusive(link->slave, true);

	return deserted && !link->broken;
}

/*
 * A client has closed the pty. If it was the last, nobody waits for what it has
 * not read. All in there is from before, as a client that comes now has not been
 * answered yet. With a line discipline the client is the kernel.
 */
static void check_watch(struct link *link, struct bus *bus)
{
	if (!forget_closes(link) || pty_attached(link->slave) ||
	    !is_deserted(link))
		return;
	tcflush(link->slave, TCIFLUSH);
	hang_up(link, bus);
}

static void accept_client(struct link *link)
{
	int fd = socket_accept(link->listener);

	if (fd < 0)
		return;
	link->in = fd;
	link->out = fd;
}

/* The client of a pty sets its rate as on a serial port. */
static void follow_baud(const struct link *link, struct bus *bus)
{
	unsigned int baud = link->kind == LINK_PTY ? pty_baud(link->in) : 0;

	if (baud)
		bus->baud = baud;
}

/*
 * The client flushes its output. Of what it has written, the kernel throws away what it has
 * not handed to us yet, and does not say how much: that is gone, however fast we read.
 */
static void note_flush(struct link *link, struct bus *bus)
{
	bus->stats.output_flushes++;
	if (!link->flush_told)
		fprintf(stderr, "dxlsim: %s: the client flushes its output (TCOFLUSH): what it wrote just before may be lost on a pty, a U2D2 would send it\n",
			link->path);
	link->flush_told = true;
}

/* What the client has written; or -1 with EAGAIN after it has done something else. */
static ssize_t read_pty(struct link *link, struct bus *bus, u8 *bytes, size_t size)
{
	u8 event;
	struct iovec iov[] = { { &event, sizeof(event) }, { bytes, size } };
	ssize_t n = readv(link->in, iov, 2);

	if (n != sizeof(event))
		return n > 0 ? n - (ssize_t)sizeof(event) : n;
	if (event & TIOCPKT_FLUSHWRITE)
		note_flush(link, bus);
	errno = EAGAIN;

	return -1;
}

/* Read from a socket or a pipe, and when that was sent if it is known. */
static ssize_t read_stream(const struct link *link, u8 *bytes, size_t size,
			   nsec_t *sent)
{
	alignas(struct cmsghdr) char space[CMSG_SPACE(sizeof(struct timespec))];
	struct iovec iov = { .iov_base = bytes, .iov_len = size };
	struct msghdr message = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = space, .msg_controllen = sizeof(space),
	};
	struct cmsghdr *control;
	struct timespec stamp;
	ssize_t n;

	if (!link->stamped)
		return read(link->in, bytes, size);

	n = recvmsg(link->in, &message, 0);
	control = n > 0 ? CMSG_FIRSTHDR(&message) : NULL;
	if (control && control->cmsg_type == SCM_TIMESTAMPNS) {
		memcpy(&stamp, CMSG_DATA(control), sizeof(stamp));
		*sent = alarm_at(&stamp);
	}

	return n;
}

static void receive(struct link *link, struct bus *bus, nsec_t now)
{
	u8 bytes[4096];
	ssize_t n = link->kind == LINK_PTY ?
		    read_pty(link, bus, bytes, sizeof(bytes)) :
		    read_stream(link, bytes, sizeof(bytes), &now);

	/* If they are a new client's, the old one's close has been noted. */
	if (link->watch >= 0)
		check_watch(link, bus);
	follow_baud(link, bus);
	if (n > 0)
		bus_receive(bus, bytes, n, now);
	else if (!n && link->kind == LINK_STDIO)
		link->in = -1;
	else if (!n || (errno != EAGAIN && errno != EINTR))
		hang_up(link, bus);
}

/*
 * Nobody can come any more, and nothing is under way: standard input ends before
 * the answers to what it held have left.
 */
bool link_ended(const struct link *link, const struct bus *bus)
{
	return link->kind == LINK_STDIO && link->in < 0 &&
	       !link->pending.len && bus_due(bus) == NSEC_NEVER;
}

static int add_poll(struct pollfd *polls, int count, int fd, short events)
{
	polls[count] = (struct pollfd){ .fd = fd, .events = events };

	return count + 1;
}

/* Fill in what to wait for, at most LINK_POLLS entries; returns their number. */
int link_prepare(struct link *link, struct pollfd *polls)
{
	int n = 0;

	if (link->watch >= 0)
		n = add_poll(polls, n, link->watch, POLLIN);
	if (link->in >= 0)
		n = add_poll(polls, n, link->in, POLLIN);
	else if (link->listener >= 0 && !link->unplugged)
		n = add_poll(polls, n, link->listener, POLLIN);
	if (link->out >= 0 && link->pending.len)
		n = add_poll(polls, n, link->out, POLLOUT);

	return n;
}

void link_serve(struct link *link, struct bus *bus,
		const struct pollfd *polls, int count, nsec_t now)
{
	int i;

	for (i = 0; i < count; i++) {
		if (!polls[i].revents)
			continue;
		if (polls[i].fd == link->watch)
			check_watch(link, bus);
		else if (polls[i].fd == link->listener)
			accept_client(link);
		else if (polls[i].fd == link->in && polls[i].events == POLLIN)
			receive(link, bus, now);
	}
}

/* Hand the answers that are due to the client. */
void link_send(struct link *link, struct bus *bus, nsec_t now)
{
	u8 bytes[LINE_BYTES];
	size_t len;

	while ((len = bus_send(bus, bytes, now)))
		if (link->out < 0 || !outbuf_add(&link->pending, bytes, len))
			bus->stats.overflows++;

	if (link->out >= 0 && !outbuf_flush(&link->pending, link->out))
		hang_up(link, bus);
}
