// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "talk.h"

#define ANSWER_TIMEOUT_MS	5000

/* For how long a port is waited for that another program has, and how often it is tried */
#define PORT_TIMEOUT_MS		5000
#define PORT_RETRY_MS		10

/* What has come, up to @have; @taken of it are lines that have been looked at. */
struct input {
	int fd;
	size_t have, taken;
	char text[4096];
};

int complain(const char *what)
{
	fprintf(stderr, "dxlctl: %s: %s\n", what, strerror(errno));

	return -1;
}

static int no_answer(void)
{
	fprintf(stderr, "dxlctl: no answer from the simulator\n");

	return EXIT_NO_ANSWER;
}

/* Another piece; false without one. */
static bool receive(struct input *in)
{
	struct pollfd poll_fd = { .fd = in->fd, .events = POLLIN };
	ssize_t len;

	if (in->have == sizeof(in->text) || poll(&poll_fd, 1, ANSWER_TIMEOUT_MS) <= 0)
		return false;
	len = read(in->fd, in->text + in->have, sizeof(in->text) - in->have);
	if (len <= 0)
		return false;
	in->have += len;

	return true;
}

/* The next line without its end, which is good until the one after it; NULL without one. */
static const char *next_line(struct input *in)
{
	for (;;) {
		char *line = in->text + in->taken;
		char *newline = memchr(line, '\n', in->have - in->taken);

		if (newline) {
			*newline = '\0';
			in->taken = newline + 1 - in->text;
			return line;
		}
		in->have -= in->taken;
		memmove(in->text, line, in->have);
		in->taken = 0;
		if (!receive(in))
			return NULL;
	}
}

static bool begins_with(const char *line, const char *prefix)
{
	return !strncmp(line, prefix, strlen(prefix));
}

/* To a socket or a port; false after saying what is wrong. */
static bool send_line(int fd, const char *line)
{
	size_t len = strlen(line);
	ssize_t sent = send(fd, line, len, MSG_NOSIGNAL);

	if (sent < 0 && errno == ENOTSOCK)
		sent = write(fd, line, len);
	if (sent != (ssize_t)len)
		complain("send");

	return sent == (ssize_t)len;
}

/*
 * What a program before this one has asked and not read, as it was killed, may still come. The
 * answer to a word that no other program says is behind that.
 */
static int catch_up(int fd)
{
	struct input in = { .fd = fd };
	char word[40], answer[60];
	const char *line;

	snprintf(word, sizeof(word), "dxlctl-%d\n", (int)getpid());
	snprintf(answer, sizeof(answer), "error: \"dxlctl-%d\" ", (int)getpid());
	if (!send_line(fd, word))
		return -1;
	while ((line = next_line(&in)))
		if (begins_with(line, answer))
			return 0;
	no_answer();

	return -1;
}

/* A virtio port is one program's at a time (EBUSY); other ports are so by this lock. */
static int try_port(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY);

	if (fd < 0 || !flock(fd, LOCK_EX | LOCK_NB))
		return fd;
	close(fd);
	errno = EBUSY;

	return -1;
}

static int open_port(const char *path)
{
	int tries = PORT_TIMEOUT_MS / PORT_RETRY_MS;
	int fd;

	while ((fd = try_port(path)) < 0 && errno == EBUSY && tries-- > 0)
		poll(NULL, 0, PORT_RETRY_MS);
	if (fd < 0)
		return complain(path);
	if (catch_up(fd)) {
		close(fd);
		return -1;
	}

	return fd;
}

int talk_connect(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct stat file;
	int fd;

	if (!stat(path, &file) && S_ISCHR(file.st_mode))
		return open_port(path);
	if (strlen(path) >= sizeof(address.sun_path)) {
		errno = ENAMETOOLONG;
		return complain(path);
	}
	strcpy(address.sun_path, path);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return complain("socket");
	if (connect(fd, (struct sockaddr *)&address, sizeof(address))) {
		complain(path);
		close(fd);
		return -1;
	}

	return fd;
}

static int take_answer(int fd, FILE *out)
{
	struct input in = { .fd = fd };
	const char *line;

	while ((line = next_line(&in))) {
		fprintf(out, "%s\n", line);
		if (!strcmp(line, "ok"))
			return EXIT_SUCCESS;
		if (begins_with(line, "error: "))
			return EXIT_REFUSED;
	}

	return no_answer();
}

int talk(int fd, const char *line, FILE *out)
{
	if (!send_line(fd, line))
		return EXIT_NO_ANSWER;

	return take_answer(fd, out);
}
