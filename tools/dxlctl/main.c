// SPDX-License-Identifier: GPL-2.0-or-later
/* dxlctl: commands for a simulator's control socket, each with its answer. */
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define ANSWER_TIMEOUT_MS	5000

enum {
	EXIT_REFUSED = 1,
	EXIT_NO_ANSWER = 2,
};

static const char usage[] =
"Usage: DXLSIM_CONTROL=SOCKET dxlctl COMMAND...|-\n"
"Sends a command to dxlsim's control socket and prints the answer; \"help\" lists\n"
"the commands. With \"-\", each line of the standard input is one, sent when that\n"
"before it has been answered. Fails with 1 where an answer is an error, with 2\n"
"without an answer.\n";

static int complain(const char *what)
{
	fprintf(stderr, "dxlctl: %s: %s\n", what, strerror(errno));

	return -1;
}

static int connect_to(const char *path)
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

/* The words as one line; false where they are more than any simulator takes. */
static bool join(char **words, int count, char *line, size_t size)
{
	size_t len = 0;
	int i;

	for (i = 0; i < count && len < size; i++)
		len += snprintf(line + len, size - len, "%s%s", words[i],
				i < count - 1 ? " " : "\n");
	if (len < size)
		return true;
	errno = E2BIG;
	complain("command");

	return false;
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

/* Print the answer, which ends in a line that begins with "ok" or "error". */
static int print_answer(int fd)
{
	char line[4096];
	size_t have = 0;

	while (have < sizeof(line) - 1 &&
	       receive(fd, line + have, sizeof(line) - have)) {
		char *start = line, *newline;

		while ((newline = strchr(start, '\n'))) {
			*newline = '\0';
			puts(start);
			if (!strncmp(start, "ok", 2))
				return EXIT_SUCCESS;
			if (!strncmp(start, "error", 5))
				return EXIT_REFUSED;
			start = newline + 1;
		}
		have = strlen(start);
		memmove(line, start, have + 1);
	}
	fprintf(stderr, "dxlctl: no answer from the simulator\n");

	return EXIT_NO_ANSWER;
}

static int talk(int fd, const char *line)
{
	size_t len = strlen(line);

	if (send(fd, line, len, MSG_NOSIGNAL) != (ssize_t)len) {
		complain("send");
		return EXIT_NO_ANSWER;
	}

	return print_answer(fd);
}

static int talk_words(int fd, char **words, int count)
{
	char line[4096];

	return join(words, count, line, sizeof(line)) ? talk(fd, line) :
							EXIT_NO_ANSWER;
}

/* All of them, however they are answered, but none after one that is not. */
static int talk_lines(int fd, FILE *in)
{
	int worst = EXIT_SUCCESS;
	char *line = NULL;
	size_t size = 0;
	ssize_t len;

	while (worst != EXIT_NO_ANSWER && (len = getline(&line, &size, in)) > 0) {
		int ret;

		if (line[len - 1] == '\n')
			line[len - 1] = '\0';
		ret = talk_words(fd, &line, 1);
		if (ret > worst)
			worst = ret;
		fflush(stdout);
	}
	free(line);

	return worst;
}

int main(int argc, char **argv)
{
	const char *path = getenv("DXLSIM_CONTROL");
	int fd, ret;

	if (argc > 1 && !strcmp(argv[1], "--help")) {
		fputs(usage, stdout);
		return EXIT_SUCCESS;
	}
	if (argc < 2 || !path) {
		fputs(usage, stderr);
		return EXIT_NO_ANSWER;
	}

	fd = connect_to(path);
	if (fd < 0)
		return EXIT_NO_ANSWER;
	ret = argc == 2 && !strcmp(argv[1], "-") ?
		      talk_lines(fd, stdin) : talk_words(fd, argv + 1, argc - 1);
	close(fd);

	return ret;
}
