/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Carries lines of a command file out, on a robot whose cycle goes on meanwhile. */
#ifndef NAOHW_SENDER_H
#define NAOHW_SENDER_H

#include <stdbool.h>
#include <stdint.h>

#include <naohw.h>

#include "script.h"

/* An actuator that lines are for. */
struct driven {
	const char *name; /* as struct actors has it */
	bool is_given;	  /* it has been given commands */
	double seen;	  /* what it was sent when that was looked at last */
};

struct sender {
	struct naohw_robot *robot;
	struct naohw_dcm *dcm;
	const char *path; /* whose lines they are */
	int64_t zero;	  /* ms, by the DCM's time: the beginning */
	int64_t last;	  /* ms since then: when the last command is due */
	struct driven *driven;
	size_t count;
	/* What the cycle has not been asked about yet; 0: nothing */
	unsigned long first_line, last_line;
	bool has_tripped;
};

/* Begins with { .robot, .path } alone, and ends with sender_close(). */

/*
 * Those that return a status have complained unless it is STATUS_OK or STATUS_INTERRUPTED.
 *
 * Has the robot all to whom this line goes? To be asked before it is carried out.
 */
int sender_check(struct sender *sender, const struct step *step);

/* The robot's DCM is open afterwards, and a cycle of it is the beginning: time 0. */
int sender_open(struct sender *sender, bool quiet);

/* ms since the beginning. */
int64_t sender_now(const struct sender *sender);

/* Carry a line out; of a wait, wait. Each line once: its times become the DCM's. */
int sender_take(struct sender *sender, struct step *step);

/* Hear of lists that had no room, and wait until something can be read from @fd. */
int sender_wait_for(struct sender *sender, int fd);

/*
 * Wait until the last command is due, and joints are where they were sent; or, if it is over
 * (@status), have them hold where they are. Then close. Return: a status.
 */
int sender_close(struct sender *sender, int status, bool quiet);

#endif
