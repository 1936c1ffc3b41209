/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Motion files in memory: one form for both file formats. */
#ifndef NAOHW_MOTION_H
#define NAOHW_MOTION_H

#include <stdbool.h>

#include <naohw.h>

#include "page.h"
#include "timing.h"

#define MOTION_PAGES	   256u
#define MOTION_PAGE_SIZE   512u
#define MOTION_TEXT_LIMIT  (1024u * 1024u)
#define MOTION_SPEED_UNIT  32u
/* A text file has positions of the IDs below this one. */
#define MOTION_TEXT_IDS	   26u

struct naohw_motion {
	char *path;
	bool text;
	char checksum_fault[80]; /* of a text file as a whole; empty: none */
	/* Of a text file: the line that says what its servos count to, 0: none says it; and what it says */
	unsigned int motor_line;
	bool has_motor_type;
	unsigned int motor[MOTION_TEXT_IDS]; /* 0: 10-bit servos; anything else: 12-bit */
	unsigned int count;
	struct naohw_page page[MOTION_PAGES];
};

/* Fill @motion from a whole file in memory. */
int page_binary_load(struct naohw_motion *motion, const unsigned char *data, size_t size,
		     struct naohw_error *err);
int page_text_load(struct naohw_motion *motion, const unsigned char *data, size_t size,
		   struct naohw_error *err);

/* 0, or -EINVAL and what it is, for a file that others call a motion file. */
int motion_check_kind(const char *path, const unsigned char *data, size_t size,
		      struct naohw_error *err);

/* Does it begin as a text motion file? */
bool page_text_probe(const unsigned char *data, size_t size);

/* -ENOENT, and which numbers there are. */
int motion_no_page(const struct naohw_motion *motion, const char *number, struct naohw_error *err);

/* The playable page of this number, or NULL. */
const struct naohw_page *motion_playable(const struct naohw_motion *motion, unsigned int number);

/*
 * The kind of servo that the file was written for, as far as its positions tell: an axis without
 * an ID, whose label is the kind's name.
 */
const struct servo_axis *motion_nominal_axis(const struct naohw_motion *motion);

#endif
