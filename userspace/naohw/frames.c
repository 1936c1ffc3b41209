// SPDX-License-Identifier: GPL-2.0-or-later
#include "frames.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli.h"

/* Below the kernel's own threads for interrupts, which have 50. */
#define PRIORITY 40
/* For a cycle, which may come without a frame */
#define CYCLE_MS 1000
/* What a DCM takes stays free where locked memory has a limit. */
#define ROOM	 (8 * 1024 * 1024)

static int out_of_memory(int code, struct naohw_error *err)
{
	snprintf(err->message, sizeof(err->message), "out of memory");
	return code;
}

int try_frames(struct naohw_robot *robot, const struct frame_options *options,
	       struct naohw_frame **frame, struct naohw_error *err)
{
	struct naohw_frame_settings *settings;
	int ret = naohw_frame_settings_new(&settings);

	if (ret < 0)
		return out_of_memory(ret, err);
	if (options->depth)
		naohw_frame_settings_set_depth(settings, options->depth);
	naohw_frame_settings_set_newest(settings, options->newest);
	ret = naohw_frame_open(robot, settings, frame, err);
	naohw_frame_settings_free(settings);
	return ret;
}

int await_dcm(struct naohw_dcm *dcm, struct naohw_error *err)
{
	uint64_t cycle = 0;
	int ret = naohw_dcm_wait(dcm, &cycle, CYCLE_MS, err);

	return ret < 0 ? ret : naohw_dcm_wait(dcm, &cycle, CYCLE_MS, err);
}

int try_naohwd(struct naohw_robot *robot, struct naohw_dcm **dcm, struct naohw_error *err)
{
	struct naohw_dcm_settings *settings;
	int ret = naohw_dcm_settings_new(&settings);

	*dcm = NULL;
	if (ret < 0)
		return out_of_memory(ret, err);
	naohw_dcm_settings_set_host(settings, -1);
	ret = naohw_dcm_open(robot, settings, dcm, err);
	naohw_dcm_settings_free(settings);
	return ret == -ENOENT ? 0 : ret;
}

/* Both are tried, as one alone helps too. */
void go_realtime(bool quiet)
{
	struct naohw_error no_priority, no_lock;
	int locked = naohw_realtime_lock(&no_lock);
	int scheduled = naohw_realtime_schedule(PRIORITY, &no_priority);

	if (quiet)
		return;
	if (scheduled < 0)
		printf("Not in real time: %s.\n", no_priority.message);
	else if (locked < 0)
		printf("Not in real time: %s.\n", no_lock.message);
	else
		printf("Real time: priority %d, memory locked.\n", PRIORITY);
	fflush(stdout);
}

void prepare_for_dcm(bool quiet)
{
	void *room = malloc(ROOM);

	go_realtime(quiet);
	free(room);
}
