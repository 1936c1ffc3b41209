/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dxlctl picture: the simulator's robot as it stands, or moves, as an SVG file. */
#ifndef DXLCTL_PICTURE_H
#define DXLCTL_PICTURE_H

#include <stdbool.h>

/**
 * struct picture_options - what is drawn
 * @degrees: from where, to the left of where x points to
 * @length: s that are recorded; 0: only one picture
 * @every: s between two frames
 * @trim: without the time before anything moves and after it has moved
 * @file: that is written
 */
struct picture_options {
	double degrees;
	double length;
	double every;
	bool trim;
	const char *file;
};

extern const char picture_usage[];

/* 0, or -1 after saying what is wrong. */
int picture_parse(struct picture_options *options, int argc, char **argv);

/* An exit status. */
int picture(int fd, const struct picture_options *options);

#endif
