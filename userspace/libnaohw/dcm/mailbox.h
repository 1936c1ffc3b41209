/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What other threads leave for the cycle, and what it gives back to them: neither waits for the
 * other, and the cycle frees nothing. A letter is the first part of whatever is left.
 */
#ifndef NAOHW_DCM_MAILBOX_H
#define NAOHW_DCM_MAILBOX_H

#include <stdatomic.h>

#define MAILBOX_MAX 4096

struct letter {
	struct letter *next;
};

struct mailbox {
	_Atomic(struct letter *) left;	/* the newest first */
	_Atomic(struct letter *) spent;
	atomic_uint count; /* of those that were left and not taken yet */
};

/* Any thread; -EAGAIN: there are MAILBOX_MAX already. */
int mailbox_leave(struct mailbox *mailbox, struct letter *letter);

/* The cycle's: all that are there, in the order in which they came. */
struct letter *mailbox_take(struct mailbox *mailbox);

/* The cycle's: a list of letters that it has read. */
void mailbox_give_back(struct mailbox *mailbox, struct letter *letters);

/* Any thread: letters that were read, which are the caller's. */
struct letter *mailbox_clear(struct mailbox *mailbox);

#endif
