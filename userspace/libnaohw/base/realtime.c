// SPDX-License-Identifier: LGPL-2.1-or-later
/* Real time for a loop, as far as it is allowed. */
#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base.h"

/*
 * What is that large of a file, a program's own and only read, is a table, as the 30 MiB that libxml2
 * brings along of ICU: no loop looks into it, and to have it all there takes seconds where the disk
 * is an SD card.
 */
#define TABLE_SIZE (4UL * 1024 * 1024)

/* What a loop may need of its stack, so that none of it is met for the first time there. */
#define STACK_SIZE (64 * 1024)

static void touch_stack(void)
{
	unsigned char stack[STACK_SIZE];

	explicit_bzero(stack, sizeof(stack));
}

int naohw_realtime_schedule(int priority, struct naohw_error *err)
{
	const struct sched_param param = { .sched_priority = priority };
	int ret;

	if (priority < sched_get_priority_min(SCHED_FIFO) ||
	    priority > sched_get_priority_max(SCHED_FIFO))
		return fail(err, -EINVAL, "real-time priority %d, expected %d to %d", priority,
			    sched_get_priority_min(SCHED_FIFO), sched_get_priority_max(SCHED_FIFO));
	if (sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &param) == 0)
		return 0;
	ret = -errno;
	return fail(err, ret, "no real-time priority %d: %s", priority, error_text(ret));
}

/* A line of /proc/self/maps; what nobody may use has no pages to be there. */
static void lock_mapping(const char *line)
{
	unsigned long start, end, inode;
	char access[5];
	bool is_table;

	if (sscanf(line, "%lx-%lx %4s %*x %*s %lu", &start, &end, access, &inode) != 4)
		return;
	is_table = inode && strcmp(access, "r--p") == 0 && end - start >= TABLE_SIZE;
	if (!is_table && strncmp(access, "---", 3) != 0)
		(void)mlock((const void *)start, end - start);
}

static int lock(int flags)
{
	return mlockall(flags) < 0 ? -errno : 0;
}

/* Tables are locked as far as they are looked into; without /proc there is no telling them. */
static int lock_all(void)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	char line[512];
	int ret;

	if (!maps)
		return lock(MCL_CURRENT | MCL_FUTURE);
	ret = lock(MCL_CURRENT | MCL_ONFAULT);
	/* What comes later is there at once, which the first call does not say, and would undo. */
	if (ret == 0)
		ret = lock(MCL_FUTURE);
	while (ret == 0 && fgets(line, sizeof(line), maps))
		lock_mapping(line);
	fclose(maps);
	return ret;
}

int naohw_realtime_lock(struct naohw_error *err)
{
	int ret = lock_all();

	if (ret < 0)
		return fail(err, ret, "memory cannot be locked: %s", error_text(ret));
	touch_stack();
	return 0;
}
