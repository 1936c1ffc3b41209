// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "talk.h"

#define ANSWER_TIMEOUT_MS	5000

int complain(const char *what)
{
	fprintf(stderr, "dxlctl: %s: %s\n", what, strerror(errno));

	return -1;
}

int talk_connect(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd;

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

/* The next piece, ended by a null; false without one. */
static bool receive(int fd, char *text, size_t size)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
	ssize_t len;

	if (poll(&poll_fd, 1, ANSWER_TIMEOUT_MS) <= 0)
		return false;
	len = read(fd, text, size - 1);
	if (len <= 0)
		return false;
	text[len] = '\0';

	return true;
}

static int take_answer(int fd, FILE *out)
{
	char line[4096];
	size_t have = 0;

	while (have < sizeof(line) - 1 &&
	       receive(fd, line + have, sizeof(line) - have)) {
		char *start = line, *newline;

		while ((newline = strchr(start, '\n'))) {
			*newline = '\0';
			fprintf(out, "%s\n", start);
			if (!strcmp(start, "ok"))
				return EXIT_SUCCESS;
			if (!strncmp(start, "error: ", 7))
				return EXIT_REFUSED;
			start = newline + 1;
		}
		have = strlen(start);
		memmove(line, start, have + 1);
	}
	fprintf(stderr, "dxlctl: no answer from the simulator\n");

	return EXIT_NO_ANSWER;
}

int talk(int fd, const char *line, FILE *out)
{
	size_t len = strlen(line);

	if (send(fd, line, len, MSG_NOSIGNAL) != (ssize_t)len) {
		complain("send");
		return EXIT_NO_ANSWER;
	}

	return take_answer(fd, out);
}
