/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The player's inside: what it moves and how it knows the time. */
#ifndef NAOHW_PLAYER_H
#define NAOHW_PLAYER_H

#include <stdatomic.h>
#include <stdbool.h>

#include <naohw.h>

#include "../io/io.h"

/* Where poses go. The tests have one of their own; sink_pose.c and sink_dry.c are real. */
struct player_sink {
	int64_t (*now)(void *data); /* ns */
	/* Sleep until @deadline or until a signal comes. */
	void (*sleep)(void *data, int64_t deadline);
	int (*present)(void *data, size_t axis, int *counts, struct naohw_error *err);
	int (*goal)(void *data, size_t axis);
	int (*speed)(void *data, size_t axis);
	int (*set)(void *data, size_t axis, int goal, int speed);
	int (*push)(void *data, struct naohw_error *err);
	/* Put the speed back that the axis had before all plays; the next push sends it. */
	void (*restore)(void *data, size_t axis);
	/* Take the time from frames; NULL: this one has a time of its own. */
	int (*set_frame)(void *data, struct naohw_frame *frame);
	void (*free)(void *data); /* may be NULL */
};

struct player_axis {
	struct naohw_axis info;
	bool moved; /* a page has given it a goal in this play */
	int goal;
	int speed;
	/* Of the present wait for arrival, or of a halt: */
	bool arrived; /* seen at its goal, or told to stay where it was seen */
	int distance; /* as last seen */
	int lost;     /* what the last look failed with, or 0 */
};

/*
 * How often a position is asked for where one lost packet should not matter. A servo that
 * is really gone costs as many time-outs.
 */
#define PLAYER_TRIES 3

enum player_request {
	PLAYER_GO,
	PLAYER_STOP,
	PLAYER_HALT,
	PLAYER_NEVER, /* of a wait that no request ends */
};

struct naohw_player {
	const struct naohw_motion *motion;
	const struct player_sink *sink;
	void *data;
	atomic_int request;
	bool ignore_checksum; /* of the file as a whole */
	size_t count;
	struct player_axis *axis;
	int by_id[NAOHW_PAGE_IDS]; /* index of the axis with this ID, -1: none */
	/* Of the present play: */
	const struct naohw_play_options *options;
	double tempo;
	int64_t began;
	int64_t deadline;
};

/* Make a player on @sink; @data is the player's from here on, also on failure. */
int player_create(const struct naohw_motion *motion, const struct naohw_axis *axes, size_t count,
		  const struct player_sink *sink, void *data, struct naohw_player **player,
		  struct naohw_error *err);

/* As naohw_player_check(), and tell which pages can be reached: MOTION_PAGES of them. */
int player_check(const struct naohw_player *player, unsigned int first, bool *reachable,
		 struct naohw_error *err);

/* A play or a settle is over: requests were for that one. */
void player_end(struct naohw_player *player);

/* Call @idle and sleep until @deadline, or until the request is at least @ends. */
void player_wait(struct naohw_player *player, int64_t deadline, enum player_request ends);

/*
 * A halt: every joint that is on its way stops where it is found. A moment later, those
 * that did get their speed back, as in player_restore().
 */
void player_hold(struct naohw_player *player);

/*
 * Put the speeds back of the joints that rest at their goal. The others keep the page's:
 * with a higher one they would snap to their goal once they can move.
 */
int player_restore(struct naohw_player *player, struct naohw_error *err);

enum player_request player_requested(struct naohw_player *player);

void player_note(const struct naohw_player *player, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Longest way of a step's joints from where their goals are now, in rad. */
double player_longest_travel(const struct naohw_player *player, const struct naohw_step *step);

#endif
