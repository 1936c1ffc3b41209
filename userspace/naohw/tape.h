/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes samples to a file, most often those of frames. The file is opened and given its name where
 * that may take its time; what is between never waits for a disk.
 */
#ifndef NAOHW_TAPE_H
#define NAOHW_TAPE_H

#include <stdbool.h>

#include "samples.h"

struct tape;

/* For frames that a disk is late with: a minute of 25 joints at 100 Hz, eight values each. */
#define TAPE_ROOM (10 * 1024 * 1024)

struct tape_options {
	struct samples *samples; /* of this */
	char **labels; /* of the joints, or NULL: all */
	size_t label_count;
	size_t room; /* bytes of frames that a slow disk may be late with; 0: TAPE_ROOM */
};

/*
 * Open the file, whose name ends in ".csv", or it is binary. @avoid is one that must not be
 * overwritten, or NULL. NULL: complained.
 */
struct tape *tape_open(const char *path, const char *avoid);

/* What is in a row. -1: complained. */
int tape_begin(struct tape *tape, const struct tape_options *options);

/*
 * Take the newest sample, unless that has been done already; a thread of the tape's writes it.
 * -1: the file cannot be written.
 */
int tape_add(struct tape *tape);

/* Taken, and lost: on the bus, or since the disk was too slow. */
unsigned long long tape_frames(const struct tape *tape);
unsigned long long tape_lost(const struct tape *tape);

/* From the first frame to the last, in seconds. */
double tape_seconds(const struct tape *tape);

/*
 * Write what is still to be written and give the file its name, unless the tape never began: then
 * there is none. Frames and pose are not needed any more. Returns -1 after a complaint when
 * not all could be written. NULL is fine.
 */
int tape_close(struct tape *tape);

#endif
