// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mailbox.h"

#include <errno.h>
#include <stddef.h>

/* Lists are taken as a whole alone, so none that is met again is another one than it was. */
static void put(_Atomic(struct letter *) *list, struct letter *first, struct letter *last)
{
	struct letter *head = atomic_load_explicit(list, memory_order_relaxed);

	do
		last->next = head;
	while (!atomic_compare_exchange_weak_explicit(list, &head, first, memory_order_release,
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
	if (atomic_fetch_add(&mailbox->count, 1) >= MAILBOX_MAX) {
		atomic_fetch_sub(&mailbox->count, 1);
		return -EAGAIN;
	}
	put(&mailbox->left, letter, letter);
	return 0;
}

struct letter *mailbox_take(struct mailbox *mailbox)
{
	struct letter *newest = take(&mailbox->left), *first = NULL;
	unsigned int count = 0;

	while (newest) {
		struct letter *older = newest->next;

		newest->next = first;
		first = newest;
		newest = older;
		count++;
	}
	if (count)
		atomic_fetch_sub(&mailbox->count, count);
	return first;
}

void mailbox_give_back(struct mailbox *mailbox, struct letter *letters)
{
	struct letter *last = letters;

	if (!letters)
		return;
	while (last->next)
		last = last->next;
	put(&mailbox->spent, letters, last);
}

struct letter *mailbox_clear(struct mailbox *mailbox)
{
	return take(&mailbox->spent);
}
