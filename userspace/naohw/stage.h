/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a play happens on: the robot, or nothing but nominal servos for a dry run. */
#ifndef NAOHW_STAGE_H
#define NAOHW_STAGE_H

#include "cli.h"
#include "samples.h"

struct stage {
	struct naohw_robot *robot;
	struct naohw_dcm *dcm; /* the naohwd's that has the robot; NULL: it is ours, by ... */
	struct naohw_pose *pose;
	struct naohw_frame *frame; /* NULL: none is to be had */
	struct samples *samples;   /* for a recording; NULL: there is to be none */
	struct naohw_player *player;
	/* What is held alone, see stage_hold() */
	const char **labels;
	size_t label_count;
	unsigned int lease;
	bool is_held;
};

/*
 * Return a status; complained unless it is STATUS_OK. Where no frames are to be had, the player
 * goes without, which is said unless @quiet; if they are to have all values (@record), it is a
 * failure. The robot's stream of poses is open from then on; is_interrupted() ends that early.
 */
int stage_take(struct stage *stage, const struct cli *cli, const struct naohw_motion *motion,
	       bool record, bool quiet);

/* A player that moves nothing: with the robot's servos if there is one. */
int stage_take_dry(struct stage *stage, const struct cli *cli, const struct naohw_motion *motion,
		   unsigned int page, bool quiet);

/*
 * Where a naohwd has the robot: hold alone what @page moves. If we die it softens, as whoever is
 * beside the robot has nobody then who would stop it; stage_leave() has it stay as it is.
 */
int stage_hold(struct stage *stage, unsigned int page, struct naohw_error *err);

/*
 * Wait for what comes next, with the robot as it is. It may be the same still. Return: 0, or a
 * negative errno: nothing comes any more.
 */
int stage_wait(struct stage *stage, struct naohw_error *err);

void stage_leave(struct stage *stage);

#endif
