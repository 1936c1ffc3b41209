/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows on their way from a thread that must not wait to one that may, as it writes them to a
 * disk. All memory is there from the beginning. One thread puts, and the same opens and closes.
 */
#ifndef NAOHW_SPOOL_H
#define NAOHW_SPOOL_H

#include <stddef.h>

struct spool;

struct spool_options {
	size_t row_size; /* bytes, of a multiple of eight */
	size_t room;	 /* bytes, of all rows that may be on their way; at least for one */
	void (*write)(void *data, const void *row);
	void *data;
};

/* Returns -errno. */
int spool_open(const struct spool_options *options, struct spool **spool);

/* Where the next row is to be put, before spool_put(); NULL: there is no room now. */
void *spool_next(struct spool *spool);
void spool_put(struct spool *spool);

/* Waits until all rows have been written. NULL is fine. */
void spool_close(struct spool *spool);

#endif
