/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Motion files in memory: one form for both file formats. */
#ifndef NAOHW_MOTION_H
#define NAOHW_MOTION_H

#include <stdbool.h>

#include <naohw.h>

#define MOTION_PAGES	   256u
#define MOTION_PAGE_SIZE   512u
#define MOTION_TEXT_LIMIT  (1024u * 1024u)
#define MOTION_SPEED_UNIT  32u

struct motion_page {
	struct naohw_page head;
	struct naohw_step step[NAOHW_PAGE_STEPS];
};

struct naohw_motion {
	char *path;
	bool text;
	char checksum_fault[80]; /* of a text file as a whole; empty: none */
	unsigned int count;
	struct motion_page page[MOTION_PAGES];
};

/* Fill @motion from a whole file in memory. */
int page_binary_load(struct naohw_motion *motion, const unsigned char *data, size_t size,
		     struct naohw_error *err);
int page_text_load(struct naohw_motion *motion, const unsigned char *data, size_t size,
		   struct naohw_error *err);

/* Does it begin as a text motion file? */
bool page_text_probe(const unsigned char *data, size_t size);

/* Copy a name of @size bytes, up to its NUL, and make it safe for a terminal. */
void page_set_name(struct naohw_page *page, const unsigned char *name, size_t size);

/* Mark as damaged; the first reason stays. */
void page_damaged(struct naohw_page *page, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* -ENOENT, and which numbers there are. */
int motion_no_page(const struct naohw_motion *motion, const char *number, struct naohw_error *err);

/* The playable page of this number, or NULL. */
const struct motion_page *motion_playable(const struct naohw_motion *motion, unsigned int number);

#endif
