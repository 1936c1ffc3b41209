// SPDX-License-Identifier: GPL-2.0-or-later
#include "clock.h"
#include "line.h"

/* What is in memory is there before the index says so. */
#define BARRIER()	__asm__ volatile("" ::: "memory")

void ring_append(struct ring *ring, const uint8_t *bytes, uint8_t len)
{
	uint8_t head = ring->head;

	while (len--)
		ring->bytes[head++] = *bytes++;
	BARRIER();
	ring->head = head;
}

uint8_t ring_stretch(const struct ring *ring, const uint8_t **bytes)
{
	uint8_t head = ring->head, tail = ring->tail;

	BARRIER();
	*bytes = ring->bytes + tail;

	return head >= tail ? head - tail : (uint8_t)-tail;
}

void ring_drop(struct ring *ring, uint8_t len)
{
	BARRIER();
	ring->tail += len;
}

void ring_take_back(struct ring *ring, uint16_t len)
{
	if (len <= (uint8_t)(ring->head - ring->tail))
		ring->head -= len;
}

void line_listen(struct line *line)
{
	uint8_t head = line->in.head;

	if (head == line->seen)
		return;
	line->seen = head;
	line->heard = clock_now();
}

uint16_t line_silence(const struct line *line)
{
	if (line->in.head != line->seen || !ring_empty(&line->in))
		return 0;

	return clock_now() - line->heard;
}

bool line_mend(struct line *line)
{
	if (!line->broken)
		return false;
	ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
		line->in.tail = line->in.head;
		line->broken = 0;
		line->stops = 0;
	}

	return true;
}
