/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes frames to a file, and beside them the goals of what is being played. */
#ifndef NAOHW_TAPE_H
#define NAOHW_TAPE_H

#include <stdbool.h>

#include <naohw.h>

struct tape;

struct tape_options {
	const char *path;	     /* ends in ".csv", or it is binary */
	const char *avoid;	     /* a file that must not be overwritten, or NULL */
	const struct naohw_frame *frame;
	struct naohw_player *player; /* whose goals are to be written too, or NULL */
	char **labels;		     /* of the joints, or NULL: all */
	size_t label_count;
};

/* NULL: complained. */
struct tape *tape_open(const struct tape_options *options);

/* Write the present frame, unless it has been written already. -1: the file cannot be written. */
int tape_add(struct tape *tape);

unsigned long long tape_frames(const struct tape *tape);

/* From the first frame to the last, in seconds. */
double tape_seconds(const struct tape *tape);

/* Returns -1 after a complaint when not all could be written. NULL is fine. */
int tape_close(struct tape *tape);

#endif
