// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mailbox.h"

#include <errno.h>
#include <stddef.h>

/* Lists are taken as a whole alone, so none that is met again is another one than it was. */
static void put(_Atomic(struct letter *) *list, struct letter *letter)
{
	struct letter *head = atomic_load_explicit(list, memory_order_relaxed);

	do
		letter->next = head;
	while (!atomic_compare_exchange_weak_explicit(list, &head, letter, memory_order_release,
						      memory_order_relaxed));
}

static struct letter *take(_Atomic(struct letter *) *list)
{
	/* Most often there is nothing, and looking for that needs no bus of the processors. */
	if (!atomic_load_explicit(list, memory_order_relaxed))
		return NULL;
	return atomic_exchange_explicit(list, NULL, memory_order_acquire);
}

int mailbox_leave(struct mailbox *mailbox, struct letter *letter)
{
	unsigned int work = atomic_fetch_add(&mailbox->work, letter->work);

	if (atomic_fetch_add(&mailbox->count, 1) >= MAILBOX_MAX ||
	    (work && work + letter->work > MAILBOX_WORK_MAX)) {
		atomic_fetch_sub(&mailbox->count, 1);
		atomic_fetch_sub(&mailbox->work, letter->work);
		return -EAGAIN;
	}
	/* Counted before it can be read, or another's flush would take it for its own. */
	atomic_fetch_add(&mailbox->left_ever, 1);
	put(&mailbox->left, letter);
	return 0;
}

static void collect(struct mailbox *mailbox)
{
	struct letter *newest = take(&mailbox->left);

	while (newest) {
		struct letter *older = newest->next;

		newest->next = mailbox->first;
		mailbox->first = newest;
		newest = older;
	}
}

struct letter *mailbox_next(struct mailbox *mailbox, unsigned int *work)
{
	struct letter *letter;

	if (!*work)
		return NULL;
	if (!mailbox->first)
		collect(mailbox);
	letter = mailbox->first;
	if (!letter)
		return NULL;
	mailbox->first = letter->next;
	/* One that is more than a cycle's is done all the same. */
	*work -= letter->work < *work ? letter->work : *work;
	return letter;
}

void mailbox_give_back(struct mailbox *mailbox, struct letter *letter)
{
	unsigned int work = letter->work;

	put(&mailbox->spent, letter);
	atomic_fetch_sub(&mailbox->work, work);
	atomic_fetch_sub(&mailbox->count, 1);
	atomic_fetch_add(&mailbox->read_ever, 1);
}

struct letter *mailbox_clear(struct mailbox *mailbox)
{
	return take(&mailbox->spent);
}

uint64_t mailbox_left(const struct mailbox *mailbox)
{
	return atomic_load(&mailbox->left_ever);
}

int mailbox_has_read(const struct mailbox *mailbox, uint64_t left)
{
	return atomic_load(&mailbox->read_ever) >= left;
}
