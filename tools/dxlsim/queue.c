// SPDX-License-Identifier: GPL-2.0-or-later
/* A ring: answers are due in the order in which they were put in. */
#include <string.h>

#include "queue.h"

/* False if there is no room left, and the answer is lost. */
bool queue_put(struct queue *queue, nsec_t due, const u8 *bytes, size_t len)
{
	unsigned int slot = (queue->head + queue->count) % QUEUE_SLOTS;

	if (queue->count == QUEUE_SLOTS || len > DXL1_PACKET_MAX)
		return false;

	queue->slot[slot].due = due;
	queue->slot[slot].len = len;
	memcpy(queue->slot[slot].bytes, bytes, len);
	queue->count++;

	return true;
}

/* When the next answer leaves, or NSEC_NEVER. */
nsec_t queue_due(const struct queue *queue)
{
	return queue->count ? queue->slot[queue->head].due : NSEC_NEVER;
}

/* Take an answer that is due into @bytes (DXL1_PACKET_MAX); 0 if there is none. */
size_t queue_take(struct queue *queue, nsec_t now, u8 *bytes)
{
	size_t len;

	if (queue_due(queue) > now)
		return 0;

	len = queue->slot[queue->head].len;
	memcpy(bytes, queue->slot[queue->head].bytes, len);
	queue->head = (queue->head + 1) % QUEUE_SLOTS;
	queue->count--;

	return len;
}

void queue_clear(struct queue *queue)
{
	queue->head = 0;
	queue->count = 0;
}
