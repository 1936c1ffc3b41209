/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the bus and the host have in common: bytes that came and that are to go
 *
 * The rings are as large as an index of one byte reaches, which costs an interrupt nothing.
 * One holds 255 bytes, and takes no more. Each has one who puts and one who takes.
 */
#ifndef CM510_LINE_H
#define CM510_LINE_H

#include <stdbool.h>
#include <stdint.h>

struct ring {
	volatile uint8_t head;
	volatile uint8_t tail;
	uint8_t bytes[256];
};

struct line {
	struct ring in;
	struct ring out;
	volatile uint8_t broken;	/* a byte had no stop bit, or was lost */
	volatile uint8_t stops;		/* bytes go on no more as they come, */
	volatile uint8_t stopped;	/* from this one of in on */
	bool whole;			/* from there on packets go on, as a whole */
	uint8_t seen;			/* in's head when it was looked at last */
	uint16_t heard;			/* and when it had moved */
};

extern struct line bus_line, host_line;

#define RING_ROOM	255

/* A call would have an interrupt save all registers that a function may use. */
#define ALWAYS_INLINE	static inline __attribute__((always_inline))

ALWAYS_INLINE bool ring_empty(const struct ring *ring)
{
	return ring->head == ring->tail;
}

ALWAYS_INLINE uint8_t ring_room(const struct ring *ring)
{
	return RING_ROOM - (uint8_t)(ring->head - ring->tail);
}

/* false: there is no room. */
ALWAYS_INLINE bool ring_put(struct ring *ring, uint8_t byte)
{
	uint8_t head = ring->head, next = head + 1;

	if (next == ring->tail)
		return false;
	*(volatile uint8_t *)&ring->bytes[head] = byte;
	ring->head = next;

	return true;
}

ALWAYS_INLINE uint8_t ring_take(struct ring *ring)
{
	uint8_t tail = ring->tail;
	uint8_t byte = *(volatile uint8_t *)&ring->bytes[tail];

	ring->tail = tail + 1;

	return byte;
}

/* With that byte of in */
ALWAYS_INLINE void line_stop(struct line *line, uint8_t at)
{
	line->stopped = at;
	line->stops = 1;
}

/* To who alone puts; there is room for them. */
void ring_append(struct ring *ring, const uint8_t *bytes, uint8_t len);

/* Those that are to be taken next and follow each other in memory; how many they are */
uint8_t ring_stretch(const struct ring *ring, const uint8_t **bytes);
void ring_drop(struct ring *ring, uint8_t len);

/* Takes back what was put last, where nothing interrupts, unless it has begun to go. */
void ring_take_back(struct ring *ring, uint16_t len);

/* Notices what has come; to be called more often than it can come around. */
void line_listen(struct line *line);

/*
 * Ticks since the last byte was noticed, which is never before it came: 0 while there is one
 * that was not. True only of the last 32 ms.
 */
uint16_t line_silence(const struct line *line);

/* Forgets what has come if it is broken, and says so. */
bool line_mend(struct line *line);

#endif
