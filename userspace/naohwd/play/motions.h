/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The motions that are installed, by their files' names. */
#ifndef NAOHWD_PLAY_MOTIONS_H
#define NAOHWD_PLAY_MOTIONS_H

#include <naohw.h>

struct motions;

/* Return: NULL: out of memory. */
struct motions *motions_read(const char *directory);
/* NULL is fine. */
void motions_free(struct motions *motions);

/* NULL: there is none. */
const struct naohw_motion *motions_find(const struct motions *motions, const char *name);

#endif
