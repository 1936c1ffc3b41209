/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Motion pages that the daemon plays for a program: one at a time, as a robot has one body. What
 * moves is held alone meanwhile, in the name of the play, so that no other program moves it.
 *
 *	motions.c  the motions that are installed
 *	play.c     a play, from its beginning to its end
 */
#ifndef NAOHWD_PLAY_H
#define NAOHWD_PLAY_H

#include <stdbool.h>
#include <stddef.h>

#include <naohw.h>

#include "../base/base.h"
#include "../lease/lease.h"

struct plays;

struct play_wish {
	const char *motion; /* the name of one that is installed; or of what follows */
	const char *bytes;  /* a motion file's; NULL: it is installed */
	size_t size;
	const char *page; /* its number or its name */
	double speed;
	unsigned int repeat; /* 0: as often as the page says */
	bool head;	     /* is moved, too */
	bool stiff;	     /* what it moves gets torque, if it has none */
	bool stays;	     /* when the program for which it is has gone */
};

enum play_state { PLAY_NONE, PLAY_PLAYING, PLAY_DONE, PLAY_STOPPED, PLAY_HALTED, PLAY_FAILED };

/* The last play */
struct play_status {
	unsigned int id; /* from 1 on; 0: there has been none */
	enum play_state state;
	unsigned int page; /* of the step that was sent last; 0: none yet */
	unsigned int step;
	const char *const *limp; /* joints that it leaves out, as they have no torque; the robot's */
	size_t limp_count;
	struct naohw_error why; /* of PLAY_FAILED */
};

/*
 * Nothing plays. All motions of @directory are read, as serving waits for no disk; one that cannot
 * be read is told, and left out, as is a directory that is not there. The others outlive it.
 * Return: 0 or -ENOMEM.
 */
int plays_new(struct naohw_robot *robot, struct naohw_dcm *dcm, struct leases *leases,
	      const char *directory, struct plays **plays, struct naohw_error *err);
/* Joints that are on their way go on to the goal of their step. NULL is fine. */
void plays_free(struct plays *plays);

/*
 * Play something for @party. Return: 0; -EBUSY another play goes on, or another program holds what
 * this one moves, which is named; -ENOENT no such motion or page; or as naohw_player_check().
 */
int play_begin(struct plays *plays, const struct party *party, const struct play_wish *wish,
	       unsigned int *id, struct naohw_error *err);

/*
 * End it through the page's exit, or have the joints hold where they are at once. Return: 0; -ENOENT
 * nothing plays.
 */
int play_stop(struct plays *plays, bool at_once, struct naohw_error *err);

/* Is it by this lease that what plays has its joints? */
bool play_holds(const struct plays *plays, unsigned int lease);

/*
 * The program has gone: what was for it stops, if it was not to stay, and what it holds is let go
 * when that is over.
 */
void play_leave(struct plays *plays, struct party *party);

/* A cycle has ended. */
void plays_cycle(struct plays *plays);

const struct play_status *plays_status(const struct plays *plays);
/* How often that has changed. */
unsigned int plays_changes(const struct plays *plays);

#endif
