/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A sink that only takes notes, for a player whose clock and joints are the test's. */
#ifndef NAOHW_TEST_PLAYER_STAGE_H
#define NAOHW_TEST_PLAYER_STAGE_H

#include "support.h"

#define AXES	3
#define MOVES	400
#define MS	((int64_t)1000000)
#define T(move) ((move)->time / MS)

struct move {
	int64_t time;
	int64_t took;
	int goal[AXES];
};

struct stage {
	struct move moves[MOVES];
	unsigned int count;
	int64_t time;
	int goal[AXES];
	int on_way[AXES]; /* where it was sent by now; 0: to its goal */
	int present[AXES];
	int present_error[AXES];
	unsigned int fail_reads; /* this many more, of any axis */
	int check_error;
	unsigned int push_error_at; /* fail this push, from 1; 0: never */
	struct naohw_player *player;
	unsigned int stop_at; /* ask for a stop at this move, from 1 */
	unsigned int halt_at;
	int64_t halt_after; /* ask for a halt in the first sleep that ends after this */
	int64_t stop_after;
	int64_t stall_at; /* a sleep to after this takes a second longer, once */
	unsigned int sleeps;
	unsigned int notes;
	char note[256];
	unsigned char *pages;
	struct naohw_motion *motion;
};

/*
 * A test's fixture, with pages that it may change before they are loaded.
 * Page 1: two steps of 100 ticks, ID 1 to 100 and 200, with 10 ticks pause; next 0, exit 4.
 * Pages 2 and 3 follow one another for ever, exit 4. Page 4: one step, ID 1 to 512.
 * Axes: IDs 1, 2, 3.
 */
int stage_setup(void **state);
int stage_teardown(void **state);

/* A page's bytes, to be changed before stage_ready(). */
unsigned char *stage_page(struct stage *stage, unsigned int number);

/* Seal and load the pages as they are now, and put a player on them. */
void stage_ready(struct stage *stage);

/* What a player notes; the data is the stage. */
void stage_note(void *data, const char *text);

/* The first axis was sent to these, in this order, and nowhere else. */
void stage_check_goals(const struct stage *stage, const int *goals, unsigned int count);

#endif
