// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * by_hand BUS OPTION... -- holds a lease of a bus, gives all joints torque and writes their
 * goals one by one, to and fro, from a process of its own: that may die.
 *
 *   --for US         goes on for so long, and then
 *   --end kill       is killed (the default), or
 *   --end stop       is stopped, and killed after a second
 *
 * Prints when the end was (ns of the monotonic clock), when the last sign of life was given,
 * and how many goals have been:
 *
 *   end=NS
 *   last=NS
 *   goals=N
 */
#include <getopt.h>
#include <glob.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "iio.h"

/* What survives the process. */
struct trace {
	uint64_t last;
	uint64_t goals;
};

static struct trace *trace;
static glob_t joints;

static void sleep_us(uint64_t us)
{
	struct timespec time = { us / 1000000, us % 1000000 * 1000 };

	while (nanosleep(&time, &time) && errno == EINTR)
		;
}

static void find_joints(const char *bus)
{
	char pattern[80];

	snprintf(pattern, sizeof(pattern), "/sys/bus/dxl/devices/%s-*/iio:device*/out_angl0_raw",
		 bus + strlen("dxl"));
	if (glob(pattern, 0, NULL, &joints) || !joints.gl_pathc) {
		errno = ENODEV;
		die("%s", pattern);
	}
	for (size_t i = 0; i < joints.gl_pathc; i++)
		*strrchr(joints.gl_pathv[i], '/') = '\0';
}

static int lease_of(const char *bus)
{
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "/dev/%s", bus);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		die("%s", path);

	return fd;
}

static void live(int lease)
{
	if (write(lease, "1", 1) != 1)
		die("write to the lease");
	trace->last = now_ns();
}

static void run(const char *bus)
{
	int lease = lease_of(bus);
	size_t i;

	for (i = 0; i < joints.gl_pathc; i++) {
		live(lease);
		set(joints.gl_pathv[i], "out_angl0_en", "1");
	}
	for (unsigned int round = 0;; round++) {
		for (i = 0; i < joints.gl_pathc; i++) {
			live(lease);
			set_number(joints.gl_pathv[i], "out_angl0_raw", 500 + round % 20);
			trace->goals++;
		}
	}
}

static void end(pid_t child, bool stop)
{
	uint64_t when = now_ns();
	int status;

	kill(child, stop ? SIGSTOP : SIGKILL);
	if (stop) {
		sleep_us(1000000);
		kill(child, SIGKILL);
	}
	if (waitpid(child, &status, 0) < 0)
		die("wait");
	if (WIFEXITED(status)) {
		fprintf(stderr, "by_hand: ended by itself\n");
		exit(EXIT_FAILURE);
	}
	printf("end=%lu\nlast=%lu\ngoals=%lu\n", when, trace->last, trace->goals);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "for", required_argument, NULL, 'f' },
		{ "end", required_argument, NULL, 'e' },
		{ 0 }
	};
	uint64_t time_us = 1000000;
	bool stop = false;
	pid_t child;
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'f')
			time_us = atoll(optarg);
		else if (option == 'e')
			stop = !strcmp(optarg, "stop");
		else
			return 2;
	}
	if (argc - optind != 1)
		return 2;

	find_joints(argv[optind]);
	trace = mmap(NULL, sizeof(*trace), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		     -1, 0);
	if (trace == MAP_FAILED)
		die("mmap");
	child = fork();
	if (child < 0)
		die("fork");
	if (!child)
		run(argv[optind]);
	sleep_us(time_us);
	end(child, stop);

	return EXIT_SUCCESS;
}
