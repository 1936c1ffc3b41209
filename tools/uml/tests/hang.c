// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * hang SECONDS FILE... -- has the processor for itself for so long, then prints what is
 * in the files, each without its line's end, before anything else is run. What is in
 * them when it begins is printed first, and all in one line.
 */
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char text[1024];

static void add_file(const char *path)
{
	size_t len = strlen(text), room = sizeof(text) - len - 2;
	int fd = open(path, O_RDONLY);
	ssize_t n = fd < 0 ? -1 : read(fd, text + len, room);

	if (n <= 0) {
		perror(path);
		exit(1);
	}
	close(fd);
	text[len + n] = '\0';
	text[len + strcspn(text + len, "\n")] = '\0';
	strcat(text, " ");
}

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);

	return ts.tv_sec + ts.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	struct sched_param param = { .sched_priority = 1 };
	double end;
	int i, round;

	if (argc < 3 || sched_setscheduler(0, SCHED_FIFO, &param)) {
		perror("hang");
		return 1;
	}
	end = now() + atof(argv[1]);
	for (round = 0; round < 2; round++) {
		for (i = 2; i < argc; i++)
			add_file(argv[i]);
		while (now() < end)
			;
	}
	puts(text);

	return 0;
}
