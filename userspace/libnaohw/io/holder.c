// SPDX-License-Identifier: LGPL-2.1-or-later
#include "holder.h"

#include <program.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#define PROGRAM_SIZE 32

/* "1: FLOCK  ADVISORY  WRITE 4711 00:15:12345 0 EOF"; proc_locks(5). 0: it is another file's. */
static pid_t locker_in(const char *line, const struct stat *status)
{
	unsigned int number[2];
	unsigned long inode;
	int pid;

	if (sscanf(line, "%*s FLOCK %*s %*s %d %x:%x:%lu", &pid, &number[0], &number[1], &inode) !=
	    4)
		return 0;
	if (makedev(number[0], number[1]) != status->st_dev || inode != status->st_ino)
		return 0;
	return pid;
}

/* One of another container has no number here, and is 0, too. */
static pid_t find_locker(const struct stat *status)
{
	FILE *locks = fopen("/proc/locks", "re");
	char *line = NULL;
	size_t size = 0;
	pid_t pid = 0;

	if (!locks)
		return 0;
	while (pid <= 0 && getline(&line, &size, locks) > 0)
		pid = locker_in(line, status);
	free(line);
	fclose(locks);
	return pid > 0 ? pid : 0;
}

static bool tell(const struct stat *status, struct naohw_error *err)
{
	size_t used = strlen(err->message);
	pid_t pid = find_locker(status);
	char program[PROGRAM_SIZE];

	if (!pid)
		return false;
	program_of(pid, program, sizeof(program));
	snprintf(err->message + used, sizeof(err->message) - used, " (%s, process %ld)", program,
		 (long)pid);
	return true;
}

bool holder_tell_buffer(int dir, struct naohw_error *err)
{
	struct stat status;

	return dir >= 0 && fstatat(dir, "buffer/enable", &status, 0) == 0 && tell(&status, err);
}

bool holder_tell_lease(unsigned int bus, struct naohw_error *err)
{
	struct stat status;
	char path[32];

	snprintf(path, sizeof(path), "/dev/dxl%u", bus);
	return stat(path, &status) == 0 && tell(&status, err);
}
