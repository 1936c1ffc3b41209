/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes goals and positions of all joints over time, in the gaps that a play leaves. */
#ifndef NAOHW_RECORD_H
#define NAOHW_RECORD_H

#include <naohw.h>

struct record;

/*
 * Rows go to @path.new, which becomes @path at the end: what was there stays until the new
 * one is whole. @motion is the file being played, which must not be overwritten. NULL:
 * complained.
 */
struct record *record_open(const char *path, const char *motion, struct naohw_player *player);

/* Spend at most @free_ms on it. */
void record_some(struct record *record, long free_ms);

/* Record for a while with nothing else to do. */
void record_for(struct record *record, long milliseconds);

/* Returns -1 after a complaint when not all could be written. NULL is fine. */
int record_close(struct record *record);

#endif
