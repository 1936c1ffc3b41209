/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a play happens on: the robot, or nothing but nominal servos for a dry run. */
#ifndef NAOHW_STAGE_H
#define NAOHW_STAGE_H

#include "cli.h"

struct stage {
	struct naohw_robot *robot;
	struct naohw_pose *pose;
	struct naohw_player *player;
};

/* Return a status; complained unless it is STATUS_OK. */
int stage_open(struct stage *stage, const struct cli *cli, const struct naohw_motion *motion);

/* A player that moves nothing: with the robot's servos if there is one. */
int stage_open_dry(struct stage *stage, const struct cli *cli, const struct naohw_motion *motion,
		   unsigned int page, bool quiet);

void stage_close(struct stage *stage);

#endif
