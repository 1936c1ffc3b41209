/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The timed commands of one actuator, as numbers of its device. Knows no clock and no thread: one
 * cycle after the other it is told what came, and asked where the actuator is to be now.
 */
#ifndef NAOHW_DCM_QUEUE_H
#define NAOHW_DCM_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <naohw.h>

struct point {
	int64_t time; /* ms */
	double level;	/* NAN: where it is by then */
	bool is_step; /* of a motion: the way there may be as fast as the servo */
};

struct queue {
	struct point *point; /* room for NAOHW_COMMANDS_MAX, by time, no time twice */
	size_t first;	     /* of those that are still to come */
	size_t count;
	struct point from; /* where the line to the first one begins */
};

/* Would queue_update() return 0? */
bool queue_has_room(const struct queue *queue, enum naohw_update update, const struct point *points,
		    size_t count);

/*
 * New commands, of which @points are ordered by time, none twice; there may be none with
 * NAOHW_UPDATE_CLEAR_ALL alone. If that changes what comes next, the line to it begins at @from.
 * Return: 0; -ENOSPC with all as it was.
 */
int queue_update(struct queue *queue, enum naohw_update update, const struct point *points,
		 size_t count, const struct point *from);

/*
 * Where the line is now, and so much of a ms @beyond that. What has been reached is dropped. Times
 * never go back.
 */
double queue_follow(struct queue *queue, int64_t now, double beyond);

/* Where the commands have it at a time to come, be it NAN. */
struct point queue_at(const struct queue *queue, int64_t time);

struct queue_line {
	double slope; /* in levels a ms, without a sign; 0: it is on none */
	double way;   /* of all of it, in levels */
};

/* The line that it is on. */
struct queue_line queue_line(const struct queue *queue);

/* It is on the way to a step of a motion, or that was its last. */
bool queue_is_in_step(const struct queue *queue);

/* The last of the commands whose time has come, which are dropped; false: there is none. */
bool queue_fire(struct queue *queue, int64_t now, double *level);

/* The line to what comes next begins here. */
void queue_restart(struct queue *queue, const struct point *from);

#endif
