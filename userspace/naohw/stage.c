// SPDX-License-Identifier: GPL-2.0-or-later
#include "stage.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frames.h"
#include "interrupt.h"

/* ms; for the first cycle, which may come without a frame */
#define FIRST_CYCLE 1000
/* What the cycle takes stays free where locked memory has a limit. */
#define ROOM	    (8 * 1024 * 1024)
/* In which time joints soften if we die beside a naohwd */
#define SOFTEN_S    3

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

/* Before the kernel's watchdog waits for poses, as it takes its time where the disk is slow. */
static void lock_memory(void)
{
	void *room = malloc(ROOM);

	go_realtime(true);
	free(room);
}

/* After the first cycle it is known where the joints are. */
static int open_cycle(struct stage *stage, const struct cli *cli, struct naohw_error *err)
{
	uint64_t cycle = 0;
	int ret = open_robot_of(stage, cli, err);

	if (ret < 0 || is_interrupted())
		return ret;
	lock_memory();
	ret = try_dcm(stage->robot, &stage->dcm, err);
	if (ret < 0 || is_interrupted())
		return ret;
	return naohw_dcm_wait(stage->dcm, &cycle, FIRST_CYCLE, err);
}

static int open_player(struct stage *stage, const struct naohw_motion *motion, bool record,
		       struct naohw_error *err)
{
	int ret = naohw_player_new(motion, stage->robot, stage->dcm, &stage->player, err);

	if (ret == 0 && record)
		ret = samples_of_dcm(stage->robot, stage->dcm, &stage->samples, err);
	return ret;
}

int stage_take(struct stage *stage, const struct cli *cli, const struct naohw_motion *motion,
	       bool record)
{
	struct naohw_error err;
	int ret = open_cycle(stage, cli, &err);

	if (ret == 0 && !is_interrupted())
		ret = open_player(stage, motion, record, &err);
	if (ret == 0 && !is_interrupted())
		return STATUS_OK;
	stage_leave(stage);
	return is_interrupted() ? STATUS_INTERRUPTED : complain("%s", err.message);
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
	/* A cycle of our own is nobody else's. */
	return ret == -ENOTSUP ? 0 : ret;
}

/* What is in two leases ends as the newer one says, which is the one that is left. */
static void let_go_of_what_is_held(struct stage *stage)
{
	unsigned int hold;

	if (naohw_dcm_lease(stage->dcm, stage->labels, stage->label_count, NAOHW_LEASE_HOLD, 0,
			    &hold, NULL) == 0)
		(void)naohw_dcm_release(stage->dcm, stage->lease, NULL);
}

void stage_leave(struct stage *stage)
{
	/* Whoever lets go drops what is to come, as the end of the last step in the next cycle. */
	if (stage->player && stage->dcm)
		(void)naohw_dcm_flush(stage->dcm, NULL);
	if (stage->is_held)
		let_go_of_what_is_held(stage);
	free(stage->labels);
	naohw_player_free(stage->player);
	samples_free(stage->samples);
	close_dcm(stage->dcm);
	naohw_pose_close(stage->pose);
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
