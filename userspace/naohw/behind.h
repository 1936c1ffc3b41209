/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Joints that do not move, a line for each reason: what has happened to which, and what to do. */
#ifndef NAOHW_BEHIND_H
#define NAOHW_BEHIND_H

#include <stdio.h>

#include <naohw.h>

#include "guard_words.h"

/* Begins as { 0 }. */
struct behind {
	char *labels[GUARD_REASONS]; /* NULL: no joint */
};

void behind_add(struct behind *behind, const char *label, const struct naohw_reason *reason);
/* Then nothing has been added. */
void behind_tell(struct behind *behind, FILE *to);

#endif
