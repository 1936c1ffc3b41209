// SPDX-License-Identifier: GPL-2.0-or-later
#include "stage.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frames.h"
#include "interrupt.h"

#define AX_MAX	   1023
/* With one pose for each frame, a longer queue would only make them late. */
#define QUEUE	   2
/*
 * For a frame that does not come. The kernel's watchdog has twice the patience, if nobody has set
 * it: one of less than this has the joints let go when the bus stands still, as it does when we do.
 */
#define TIMEOUT_MS 250

/* The two kinds of servo that motion files are written for; only a dry run needs to guess. */
static const struct naohw_axis ax12 = {
	.label = "AX-12",
	.max = AX_MAX,
	.servo_scale = NAOHW_COUNT_RAD,
	.servo_offset = -512,
	.speed_max = 1023,
	.speed_scale = 0.111 * 2 * M_PI / 60,
};

static const struct naohw_axis mx28 = {
	.label = "MX-28",
	.max = 4095,
	.servo_scale = 360.0 / 4096 * M_PI / 180,
	.servo_offset = -2048,
	.speed_max = 1023,
	.speed_scale = 0.114 * 2 * M_PI / 60,
};

static int open_robot_of(struct stage *stage, const struct cli *cli, struct naohw_error *err)
{
	memset(stage, 0, sizeof(*stage));
	return naohw_robot_open(cli->robot, cli->uri, &stage->robot, err);
}

/* A dry run takes nothing: the robot may be moving under another program. */
static int describe_pose(struct stage *stage, const struct cli *cli, struct naohw_error *err)
{
	int ret = open_robot_of(stage, cli, err);

	return ret < 0 ? ret : naohw_pose_describe(stage->robot, &stage->pose, err);
}

static int open_frames_of(struct stage *stage, unsigned int quantities, struct naohw_error *err)
{
	const struct frame_options options = {
		.quantities = quantities,
		.timeout_ms = TIMEOUT_MS,
		.newest = true,
	};

	return try_frames(stage->robot, &options, &stage->frame, err);
}

/* Positions are what a player needs; a bus that has no time for more has it for them. */
static void open_stage_frames(struct stage *stage, bool record, struct naohw_error *err)
{
	int ret = open_frames_of(stage, record ? 0 : 1u << NAOHW_QUANTITY_POSITION, err);

	if (ret == -ENOSPC && record)
		(void)open_frames_of(stage, 1u << NAOHW_QUANTITY_POSITION, err);
}

static void close_stage_frames(struct stage *stage)
{
	close_quietly(stage->frame, NULL);
	stage->frame = NULL;
}

/* Poses come first: frames may have the time of the bus that these leave. */
static int open_pose(struct stage *stage, bool record, struct naohw_error *no_frames,
		     struct naohw_error *err)
{
	int ret = try_pose(stage->robot, QUEUE, &stage->pose, err);

	if (ret == -ENOSPC && stage->frame && record) {
		close_stage_frames(stage);
		(void)open_frames_of(stage, 1u << NAOHW_QUANTITY_POSITION, no_frames);
		ret = try_pose(stage->robot, QUEUE, &stage->pose, err);
	}
	if (ret != -ENOSPC || !stage->frame)
		return ret;
	close_stage_frames(stage);
	ret = try_pose(stage->robot, QUEUE, &stage->pose, err);
	/* If only to hear that they do not fit. */
	if (ret == 0)
		(void)open_frames_of(stage, 1u << NAOHW_QUANTITY_POSITION, no_frames);
	return ret;
}

/*
 * The pose last, since from then on the kernel's watchdog waits for us: a frame's buffer takes
 * its time for each bus, and memory is locked when all of it has come from the disk.
 */
static int open_player(struct stage *stage, const struct cli *cli,
		       const struct naohw_motion *motion, bool record,
		       struct naohw_error *no_frames, struct naohw_error *err)
{
	int ret = open_robot_of(stage, cli, err);

	if (ret < 0 || is_interrupted())
		return ret;
	open_stage_frames(stage, record, no_frames);
	go_realtime(true);
	if (is_interrupted())
		return 0;
	ret = open_pose(stage, record, no_frames, err);
	return ret < 0 ? ret : naohw_player_new(motion, stage->pose, &stage->player, err);
}

static bool use_frames(struct stage *stage, struct naohw_error *err)
{
	if (!stage->frame)
		return false;
	if (naohw_player_set_frame(stage->player, stage->frame) < 0) {
		snprintf(err->message, sizeof(err->message), "the frames come too seldom");
		close_stage_frames(stage);
		return false;
	}
	return true;
}

int stage_open(struct stage *stage, const struct cli *cli, const struct naohw_motion *motion,
	       bool record, bool quiet)
{
	struct naohw_error err, no_frames;
	int ret = open_player(stage, cli, motion, record, &no_frames, &err);

	if (is_interrupted()) {
		stage_close(stage);
		return STATUS_INTERRUPTED;
	}
	if (ret < 0) {
		stage_close(stage);
		return complain("%s", err.message);
	}
	if (use_frames(stage, &no_frames))
		return STATUS_OK;
	if (record) {
		stage_close(stage);
		return complain("no frames to record: %s", no_frames.message);
	}
	if (!quiet)
		printf("Note: no frames to go by, but the clock: %s.\n", no_frames.message);
	return STATUS_OK;
}

void stage_close(struct stage *stage)
{
	naohw_player_free(stage->player);
	close_quietly(stage->frame, stage->pose);
	naohw_robot_close(stage->robot);
	memset(stage, 0, sizeof(*stage));
}

/* A position above 1023 cannot be meant for an AX-12. Flags and garbage tell nothing. */
static bool is_for_mx(const struct naohw_motion *motion)
{
	struct naohw_page page;
	struct naohw_step step;

	for (unsigned int i = 0; naohw_motion_get_page(motion, i, &page) == 0; i++) {
		if (page.state != NAOHW_PAGE_GOOD)
			continue;
		for (unsigned int k = 0; k < page.steps; k++) {
			naohw_motion_get_step(motion, i, k, &step);
			for (unsigned int id = 0; id < NAOHW_PAGE_IDS; id++)
				if (step.position[id] > AX_MAX && step.position[id] <= mx28.max)
					return true;
		}
	}
	return false;
}

/* A servo for each ID that the page's first step moves. */
static size_t nominal_axes(const struct naohw_motion *motion, unsigned int number, bool quiet,
			   struct naohw_axis *axes)
{
	const struct naohw_axis *model = is_for_mx(motion) ? &mx28 : &ax12;
	struct naohw_step step;
	size_t count = 0;

	if (naohw_motion_get_step(motion, number, 0, &step) < 0)
		return 0;
	for (unsigned int id = 0; id < NAOHW_PAGE_IDS; id++) {
		if (step.position[id] > model->max)
			continue;
		axes[count] = *model;
		axes[count++].id = id;
	}
	if (!quiet)
		printf("No robot here: reckoned with %zu servos of type %s.\n", count,
		       model->label);
	return count;
}

static int dry_from_pose(struct stage *stage, const struct naohw_motion *motion,
			 struct naohw_error *err)
{
	size_t count = naohw_pose_axis_count(stage->pose);
	struct naohw_axis *axes = calloc(count + 1, sizeof(*axes));
	int ret;

	if (!axes)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		naohw_pose_get_axis(stage->pose, i, &axes[i]);
	ret = naohw_player_new_dry(motion, axes, count, &stage->player, err);
	free(axes);
	return ret;
}

int stage_open_dry(struct stage *stage, const struct cli *cli, const struct naohw_motion *motion,
		   unsigned int page, bool quiet)
{
	struct naohw_axis axes[NAOHW_PAGE_IDS];
	struct naohw_error err = { "out of memory" };
	int ret;

	if (describe_pose(stage, cli, &err) == 0)
		ret = dry_from_pose(stage, motion, &err);
	else
		ret = naohw_player_new_dry(motion, axes, nominal_axes(motion, page, quiet, axes),
					   &stage->player, &err);
	if (ret == 0)
		return STATUS_OK;
	stage_close(stage);
	return complain("%s", err.message);
}
