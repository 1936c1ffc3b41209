/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A page in memory, whichever form its file has. */
#ifndef NAOHW_PAGE_H
#define NAOHW_PAGE_H

#include <stdint.h>

#include <naohw.h>

struct motion_step {
	uint16_t position[NAOHW_PAGE_IDS]; /* by ID, counts or a flag */
	unsigned int pause;		   /* ticks, before speed is applied */
	unsigned int time;		   /* ticks (time base) or a speed */
};

struct naohw_page {
	unsigned int number;
	enum naohw_page_state state;
	char name[16];
	unsigned int repeat;
	unsigned int step_count;
	unsigned int next;
	unsigned int exit;
	unsigned int speed;
	unsigned int accel;
	int time_base;
	unsigned char softness[NAOHW_PAGE_IDS];
	char fault[160]; /* of a damaged one */
	struct motion_step step[NAOHW_PAGE_STEPS];
};

/* Copy a name of @size bytes, up to its NUL, and make it safe for a terminal. */
void page_set_name(struct naohw_page *page, const unsigned char *name, size_t size);

/* Mark as damaged; the first reason stays. */
void page_damaged(struct naohw_page *page, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
