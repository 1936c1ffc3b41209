// SPDX-License-Identifier: GPL-2.0-or-later
#include "stage.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frames.h"
#include "interrupt.h"

/* For the bus to take on another period; a cycle may come without a frame */
#define PERIOD_MS 1000
/* The kernel has periods in us. */
#define NEAR_MS	  0.001

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

static int open_cycle(struct stage *stage, const struct cli *cli, struct naohw_error *err)
{
	int ret = open_robot_of(stage, cli, err);

	if (ret < 0 || is_interrupted())
		return ret;
	prepare_for_dcm(true);
	ret = naohw_dcm_open(stage->robot, NULL, &stage->dcm, err);
	if (ret < 0 || is_interrupted())
		return ret;
	return await_dcm(stage->dcm, err);
}

/*
 * It is in force before a recording begins. Where the bus does not take it on, or another program holds
 * it, the play goes on without.
 */
static void ask_period(const struct stage *stage)
{
	const struct naohw_command shortest = {
		.value = naohw_player_get_period(stage->player),
		.time = naohw_dcm_get_time(stage->dcm, 0),
	};
	uint64_t cycle = 0;

	if (!(shortest.value > 0 && shortest.value < naohw_dcm_get_period(stage->dcm)) ||
	    naohw_dcm_set(stage->dcm, "DCM/TargetCycleTime", NAOHW_UPDATE_CLEAR_ALL, &shortest, 1,
			  NULL) < 0)
		return;
	while (naohw_dcm_get_period(stage->dcm) > shortest.value + NEAR_MS && !is_interrupted() &&
	       naohw_dcm_get_time(stage->dcm, -PERIOD_MS) < shortest.time)
		(void)naohw_dcm_wait(stage->dcm, &cycle, PERIOD_MS, NULL);
}

static int open_player(struct stage *stage, const struct naohw_motion *motion, bool record,
		       struct naohw_error *err)
{
	int ret = naohw_player_new(motion, stage->robot, stage->dcm, &stage->player, err);

	if (ret == 0)
		ask_period(stage);
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
	size_t room = naohw_robot_joint_count(stage->robot), count;

	stage->labels = calloc(room + 1, sizeof(*stage->labels));
	if (!stage->labels) {
		snprintf(err->message, sizeof(err->message), "out of memory");
		return -ENOMEM;
	}
	count = naohw_player_moved(stage->player, page, stage->labels, room);
	return count ? hold_begin(&stage->hold, stage->dcm, stage->labels, count, err) : 0;
}

void stage_leave(struct stage *stage)
{
	hold_end(&stage->hold);
	free(stage->labels);
	naohw_player_free(stage->player);
	samples_free(stage->samples);
	naohw_dcm_close(stage->dcm);
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
