/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a play happens on: the robot, or nothing but nominal servos for a dry run. */
#ifndef NAOHW_STAGE_H
#define NAOHW_STAGE_H

#include "cli.h"
#include "hold.h"
#include "samples.h"

struct stage {
	struct naohw_robot *robot;
	struct naohw_dcm *dcm; /* NULL: it is a dry run, ... */
	struct naohw_pose *pose; /* ... for which this is described, if there is a robot */
	struct samples *samples; /* for a recording; NULL: there is to be none */
	struct naohw_player *player;
	/* What is held alone, see stage_hold() */
	struct hold hold;
	const char **labels;
};

/*
 * Return a status; complained unless it is STATUS_OK. From then on the robot has a cycle, a
 * naohwd's or our own; is_interrupted() ends that early.
 */
int stage_take(struct stage *stage, const struct cli *cli, const struct naohw_motion *motion,
	       bool record);

/* A player that moves nothing: with the robot's servos if there is one. */
int stage_take_dry(struct stage *stage, const struct cli *cli, const struct naohw_motion *motion,
		   unsigned int page, bool quiet);

/*
 * Where a naohwd has the robot: hold alone what @page moves. If we die it softens, as whoever is
 * beside the robot has nobody then who would stop it; stage_leave() has it stay as it is.
 */
int stage_hold(struct stage *stage, unsigned int page, struct naohw_error *err);

/* Joints that have been moved stay where they are. */
void stage_leave(struct stage *stage);

#endif
