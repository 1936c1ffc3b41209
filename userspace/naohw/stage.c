// SPDX-License-Identifier: GPL-2.0-or-later
#include "stage.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frames.h"
#include "interrupt.h"

/* With one pose for each frame, a longer queue would only make them late. */
#define QUEUE	   2
/*
 * For a frame that does not come. The kernel's watchdog has twice the patience, if nobody has set
 * it: one of less than this has the joints let go when the bus stands still, as it does when we do.
 */
#define TIMEOUT_MS 250
/* In which time joints soften if we die */
#define SOFTEN_S   3

static int open_robot_of(struct stage *stage, const struct cli *cli, struct naohw_error *err)
{
	memset(stage, 0, sizeof(*stage));
	return try_robot(cli, &stage->robot, err);
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
	ret = try_naohwd(stage->robot, &stage->dcm, err);
	if (ret < 0)
		return ret;
	/* It has the frames and the poses, and takes commands. */
	if (stage->dcm)
		return naohw_player_new_on_dcm(motion, stage->robot, stage->dcm, &stage->player,
					       err);
	open_stage_frames(stage, record, no_frames);
	go_realtime(true);
	if (is_interrupted())
		return 0;
	ret = open_pose(stage, record, no_frames, err);
	return ret < 0 ? ret : naohw_player_new(motion, stage->pose, &stage->player, err);
}

static void use_frames(struct stage *stage, struct naohw_error *err)
{
	if (stage->frame && naohw_player_set_frame(stage->player, stage->frame, err) < 0)
		close_stage_frames(stage);
}

static int take_samples(struct stage *stage, struct naohw_error *err)
{
	if (stage->dcm)
		return samples_of_naohwd(stage->robot, stage->dcm, &stage->samples, err);
	return samples_of_frame(stage->robot, stage->frame, stage->pose, &stage->samples, err);
}

/* With what there is now; a recording needs more than a player. */
static int furnish(struct stage *stage, bool record, bool quiet, const struct naohw_error *no_frames)
{
	struct naohw_error err;

	if (!record && !stage->dcm && !stage->frame && !quiet)
		printf("Note: no frames to go by, but the clock: %s.\n", no_frames->message);
	if (!record)
		return STATUS_OK;
	if (!stage->dcm && !stage->frame)
		return complain("no frames to record: %s", no_frames->message);
	return take_samples(stage, &err) < 0 ? complain("%s", err.message) : STATUS_OK;
}

int stage_take(struct stage *stage, const struct cli *cli, const struct naohw_motion *motion,
	       bool record, bool quiet)
{
	struct naohw_error err, no_frames;
	int ret = open_player(stage, cli, motion, record, &no_frames, &err), status;

	if (is_interrupted()) {
		stage_leave(stage);
		return STATUS_INTERRUPTED;
	}
	if (ret < 0) {
		stage_leave(stage);
		return complain("%s", err.message);
	}
	if (!stage->dcm)
		use_frames(stage, &no_frames);
	status = furnish(stage, record, quiet, &no_frames);
	if (status != STATUS_OK)
		stage_leave(stage);
	return status;
}

/* One pose for each frame here too, or the kernel would think that we are dead. */
int stage_wait(struct stage *stage, struct naohw_error *err)
{
	int ret;

	if (stage->dcm)
		return samples_wait(stage->samples, err);
	ret = naohw_pose_push(stage->pose, err);
	return ret < 0 ? ret : await_frame(stage->frame, stage->pose, err);
}

int stage_hold(struct stage *stage, unsigned int page, struct naohw_error *err)
{
	size_t room = naohw_robot_joint_count(stage->robot);
	const char **labels = calloc(room + 1, sizeof(*labels));
	int ret;

	if (!labels)
		return -ENOMEM;
	stage->labels = labels;
	stage->label_count = naohw_player_moved(stage->player, page, labels, room);
	if (!stage->label_count)
		return 0;
	ret = naohw_dcm_lease(stage->dcm, labels, stage->label_count, NAOHW_LEASE_SOFTEN, SOFTEN_S,
			      &stage->lease, err);
	stage->is_held = ret == 0;
	return ret;
}

/* What is in two leases ends as the newer one says, which is the one that is left. */
static void let_go_of_what_is_held(struct stage *stage)
{
	unsigned int hold;

	/* Whoever lets go drops what is to come, as the end of the last step in the next cycle. */
	(void)naohw_dcm_flush(stage->dcm, NULL);
	if (naohw_dcm_lease(stage->dcm, stage->labels, stage->label_count, NAOHW_LEASE_HOLD, 0,
			    &hold, NULL) == 0)
		(void)naohw_dcm_release(stage->dcm, stage->lease, NULL);
}

void stage_leave(struct stage *stage)
{
	if (stage->is_held)
		let_go_of_what_is_held(stage);
	free(stage->labels);
	naohw_player_free(stage->player);
	samples_free(stage->samples);
	close_dcm(stage->dcm);
	close_quietly(stage->frame, stage->pose);
	naohw_robot_close(stage->robot);
	memset(stage, 0, sizeof(*stage));
}

static void tell_assumption(const struct naohw_player *player, const struct naohw_page *page)
{
	const char *servo = naohw_player_assumed_servo(player);

	if (servo && naohw_page_step_count(page))
		printf("No robot here: reckoned with %u servos of type %s.\n",
		       naohw_player_joint_count(player, naohw_page_number(page)), servo);
}

int stage_take_dry(struct stage *stage, const struct cli *cli, const struct naohw_motion *motion,
		   unsigned int page, bool quiet)
{
	struct naohw_error err;
	int ret;

	/* Without a robot there is no pose, and the player reckons with other servos. */
	(void)describe_pose(stage, cli, &err);
	ret = naohw_player_new_dry(motion, stage->pose, &stage->player, &err);
	if (ret < 0) {
		stage_leave(stage);
		return complain("%s", err.message);
	}
	if (!quiet)
		tell_assumption(stage->player, naohw_motion_page(motion, page));
	return STATUS_OK;
}
