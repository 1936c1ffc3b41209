// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cputime [PROGRAM]... -- prints the CPU time, in ns, that all tasks that there
 * are have used, kernel threads included and those of PROGRAM left out.
 *
 * The difference of two of them is what the bus costs, wherever it runs: the
 * kernel's bus in its workers, a loop over a tty in a process and in workers.
 */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int is_left_out(const char *pid, char **names)
{
	char path[300], name[64] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%s/comm", pid);
	file = fopen(path, "r");
	if (!file)
		return 1;
	if (fgets(name, sizeof(name), file))
		name[strcspn(name, "\n")] = 0;
	fclose(file);
	for (; *names; names++) {
		if (!strcmp(*names, name))
			return 1;
	}

	return 0;
}

static unsigned long long cpu_ns(const char *pid)
{
	struct timespec ts;
	clockid_t clock;

	/* One that has just ended has used what it will use. */
	if (clock_getcpuclockid(atoi(pid), &clock) || clock_gettime(clock, &ts))
		return 0;

	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

int main(int argc, char **argv)
{
	DIR *proc = opendir("/proc");
	unsigned long long sum = 0;
	struct dirent *entry;

	(void)argc;
	if (!proc) {
		perror("cputime: /proc");
		return EXIT_FAILURE;
	}
	while ((entry = readdir(proc))) {
		if (isdigit((unsigned char)entry->d_name[0]) &&
		    !is_left_out(entry->d_name, argv + 1))
			sum += cpu_ns(entry->d_name);
	}
	closedir(proc);
	printf("%llu\n", sum);

	return EXIT_SUCCESS;
}
