/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What other threads leave for the cycle, and what it gives back to them: neither waits for the
 * other, and the cycle frees nothing. A letter is the first part of whatever is left.
 *
 * However much is left, the cycle does not become longer by it: a letter says how much work it is,
 * and what is beyond that of a cycle waits for the next.
 */
#ifndef NAOHW_DCM_MAILBOX_H
#define NAOHW_DCM_MAILBOX_H

#include <stdatomic.h>
#include <stdint.h>

#define MAILBOX_MAX 4096
/*
 * For an actuator 8, as much as for 8 of its commands. A cycle's is less than 1 ms of one core of a
 * small machine; all is 64 times that, which is 8 MiB at the most.
 */
#define MAILBOX_WORK_OF_LIST 8
#define MAILBOX_WORK_CYCLE   4096
#define MAILBOX_WORK_MAX     (64 * MAILBOX_WORK_CYCLE)

struct letter {
	struct letter *next;
	unsigned int work;
};

struct mailbox {
	_Atomic(struct letter *) left; /* the newest first */
	_Atomic(struct letter *) spent;
	atomic_uint count; /* of those that were left and not read yet */
	atomic_uint work;  /* that these are */
	_Atomic(uint64_t) left_ever;
	_Atomic(uint64_t) read_ever;
	struct letter *first; /* the cycle's: taken, and not read yet, the oldest first */
};

/* Any thread; -EAGAIN: there are as many, or as much, as there may be. */
int mailbox_leave(struct mailbox *mailbox, struct letter *letter);

/*
 * The cycle's: the next one in the order in which they came, which is taken from what @work is left
 * for this cycle; NULL: there is none, or nothing is left.
 */
struct letter *mailbox_next(struct mailbox *mailbox, unsigned int *work);

/* The cycle's: it has been read. */
void mailbox_give_back(struct mailbox *mailbox, struct letter *letter);

/* Any thread: letters that were read, which are the caller's. */
struct letter *mailbox_clear(struct mailbox *mailbox);

/* Any thread: how many have ever been left, for mailbox_has_read(). */
uint64_t mailbox_left(const struct mailbox *mailbox);

/* Any thread: have so many of them been read? */
int mailbox_has_read(const struct mailbox *mailbox, uint64_t left);

#endif
