/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Lights of the LED class. They are for a thread of their own: a write may wait in the kernel
 * for the driver, and for up to 100 ms for others that change the same light. A light may be
 * used by several threads; opening and closing it by one.
 */
#ifndef NAOHW_LIGHT_H
#define NAOHW_LIGHT_H

#include "touch.h"

/* Colours of a light */
#define LIGHT_PARTS_MAX 16

/* A light, or one colour of one that has several. */
struct light {
	int dir;	    /* its directory; -1: closed */
	unsigned int max;   /* its levels above 0 */
	unsigned int parts; /* its colours; 0: it has but one, and brightness is that */
	unsigned int part;  /* which of them this is */
	char trigger[TOUCH_TRIGGER_SIZE]; /* what can have it come on by touch, or "" */
};

/*
 * The light of @label that is named @function, "LABEL:whatever:FUNCTION" in the LED class; of one
 * of several colours that one which multi_index calls @color, of one with a single colour @color
 * is NULL. -ENODEV: there is none. -ENOTUNIQ: there are several. -ENOENT: it has not this colour,
 * or has several of which @color names none. -EPROTO: its files say what they cannot.
 */
int light_open(struct light *light, const char *label, const char *function, const char *color);
void light_close(struct light *light);

/*
 * Have it at the level nearest to @part, 0 to 1, of its highest. The other colours are to stay as
 * they look: where brightness was not at max_brightness it is brought there, and what it took
 * from each colour is in that colour's intensity then. That is done under a flock() of
 * multi_intensity, so of those who use this library none undoes what another has written; a
 * program that writes the files without that lock may.
 *
 * One that is near a touch sensor comes on by that after a 0, and after nothing else: not while it
 * is told to shine, nor after a part below 0, down to -1, which is dark, too.
 *
 * -ERANGE: not -1 to 1. -EBUSY: somebody has had the lock all the time, or the light itself
 * (a driver's, see the kernel's ABI of LEDs). -ENODEV: it is gone. -EACCES, -EROFS: as for files.
 */
int light_write(const struct light *light, double part);

/*
 * What the light has been told, 0 to 1, or -1 if it is dark and no touch will change that; one that
 * is touched tells 1. -ENODEV: it is gone.
 */
int light_read(const struct light *light, double *part);

#endif
