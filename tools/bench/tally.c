// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tally COMMAND... -- counts the instructions of a machine with one processor while the
 * command runs, and beside them those that its process executes outside of the kernel,
 * and how long that is:
 *
 *   kernel=N
 *   user=N
 *   process=N
 *   ns=N
 *
 * What the command prints comes before.
 */
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static __attribute__((noreturn)) void die(const char *what)
{
	perror(what);
	exit(EXIT_FAILURE);
}

/* One of a process begins when that becomes the command. */
static int open_counter(pid_t pid, int cpu, bool of_kernel)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.disabled = pid > 0,
		.enable_on_exec = pid > 0,
		.exclude_user = of_kernel,
		.exclude_kernel = !of_kernel,
	};
	int fd = syscall(SYS_perf_event_open, &attr, pid, cpu, -1, 0);

	if (fd < 0)
		die("tally: instructions cannot be counted");

	return fd;
}

static void report(const char *name, int fd)
{
	unsigned long long count;

	if (read(fd, &count, sizeof(count)) != sizeof(count))
		die("tally: read");
	printf("%s=%llu\n", name, count);
}

static unsigned long long now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);

	return time.tv_sec * 1000000000ULL + time.tv_nsec;
}

/* If it is never told to go, its parent has said why. */
static __attribute__((noreturn)) void become(char **command, const int *go)
{
	char word;

	close(go[1]);
	if (read(go[0], &word, 1) != 1)
		exit(EXIT_FAILURE);
	execvp(command[0], command);
	die(command[0]);
}

int main(int argc, char **argv)
{
	static const char * const names[] = { "kernel", "user", "process" };
	int fds[3], go[2], status, i;
	unsigned long long begin;
	pid_t pid;

	if (argc < 2) {
		fputs("usage: tally COMMAND...\n", stderr);
		return 2;
	}
	if (pipe(go))
		die("tally: pipe");
	pid = fork();
	if (!pid)
		become(argv + 1, go);
	fds[2] = open_counter(pid, -1, false);
	fds[0] = open_counter(-1, 0, true);
	fds[1] = open_counter(-1, 0, false);
	begin = now_ns();
	if (write(go[1], "", 1) != 1 || waitpid(pid, &status, 0) != pid)
		die("tally: no process");
	for (i = 0; i < 3; i++)
		ioctl(fds[i], PERF_EVENT_IOC_DISABLE, 0);
	begin = now_ns() - begin;
	for (i = 0; i < 3; i++)
		report(names[i], fds[i]);
	printf("ns=%llu\n", begin);

	return status ? EXIT_FAILURE : EXIT_SUCCESS;
}
