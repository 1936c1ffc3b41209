// SPDX-License-Identifier: GPL-2.0-or-later
/* dxlctl: commands for a simulator's control socket, each with its answer; and pictures. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "picture.h"
#include "talk.h"

static const char usage[] =
"Usage: DXLSIM_CONTROL=PATH dxlctl COMMAND...|-\n"
"Sends a command to dxlsim's control socket and prints the answer; \"help\" lists\n"
"the commands. With \"-\", each line of the standard input is one, sent when that\n"
"before it has been answered. Fails with 1 where an answer is an error, with 2\n"
"without an answer.\n"
"\n";

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

static int talk_words(int fd, char **words, int count)
{
	char line[4096];

	return join(words, count, line, sizeof(line)) ? talk(fd, line, stdout) :
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

static void print_usage(FILE *out)
{
	fputs(usage, out);
	fputs(picture_usage, out);
}

static int run(int fd, int argc, char **argv, const struct picture_options *options)
{
	if (options->file)
		return picture(fd, options);
	if (argc == 2 && !strcmp(argv[1], "-"))
		return talk_lines(fd, stdin);

	return talk_words(fd, argv + 1, argc - 1);
}

int main(int argc, char **argv)
{
	const char *path = getenv("DXLSIM_CONTROL");
	struct picture_options options = { 0 };
	int fd, ret;

	if (argc > 1 && !strcmp(argv[1], "--help")) {
		print_usage(stdout);
		return EXIT_SUCCESS;
	}
	if (argc < 2 || !path) {
		print_usage(stderr);
		return EXIT_NO_ANSWER;
	}
	if (!strcmp(argv[1], "picture") && picture_parse(&options, argc - 1, argv + 1))
		return EXIT_NO_ANSWER;

	fd = talk_connect(path);
	if (fd < 0)
		return EXIT_NO_ANSWER;
	ret = run(fd, argc, argv, &options);
	close(fd);

	return ret;
}
