/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What has failed, so that a bus without power is one line and not one for each of its servos. */
#ifndef NAOHW_FAILURES_H
#define NAOHW_FAILURES_H

#include <stddef.h>

struct failure {
	char *who; /* all of them, with commas between */
	char *why;
};

/* Begins as { 0 }. */
struct failures {
	struct failure *at; /* in the order in which each has come first */
	size_t count;
};

void failures_add(struct failures *failures, const char *who, const char *why);

/* The same by a message, which is "WHO: WHY". */
void failures_take(struct failures *failures, const char *message);

/* Complain of them, a line for each reason, and forget them. */
void failures_tell(struct failures *failures);

void failures_forget(struct failures *failures);

#endif
