/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the program of a process is called, for people: the process may have gone meanwhile, and
 * another one have its number.
 */
#ifndef NAOHW_PROGRAM_H
#define NAOHW_PROGRAM_H

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "plain.h"

/* "?" if nobody knows. */
static inline void program_of(pid_t pid, char *program, size_t size)
{
	char path[64];
	ssize_t length = 0;
	int fd;

	snprintf(path, sizeof(path), "/proc/%ld/comm", (long)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		length = read(fd, program, size - 1);
		close(fd);
	}
	program[length > 0 ? length : 0] = '\0';
	program[strcspn(program, "\n")] = '\0';
	text_make_plain(program);
	if (!*program)
		strcpy(program, "?");
}

#endif
