/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the bus and the host have in common: bytes that came and that are to go
 *
 * The rings are as large as an index of one byte reaches, which costs an interrupt nothing.
 * One holds 255 bytes. Each has one who puts and one who takes.
 */
#ifndef CM510_LINE_H
#define CM510_LINE_H

#include <stdbool.h>
#include <stdint.h>

struct ring {
	volatile uint8_t head;
	volatile uint8_t tail;
	volatile uint8_t bytes[256];
};

struct line {
	struct ring in;
	struct ring out;
	volatile uint16_t heard;	/* when the last byte had come */
	volatile uint8_t broken;	/* a byte had no stop bit, or was lost */
};

extern struct line bus_line, host_line;

#define RING_ROOM	255

/* A call would have an interrupt save all registers that a function may use. */
#define ALWAYS_INLINE	static inline __attribute__((always_inline))

ALWAYS_INLINE bool ring_empty(const struct ring *ring)
{
	return ring->head == ring->tail;
}

ALWAYS_INLINE void ring_put(struct ring *ring, uint8_t byte)
{
	uint8_t head = ring->head;

	ring->bytes[head] = byte;
	ring->head = head + 1;
}

ALWAYS_INLINE uint8_t ring_take(struct ring *ring)
{
	uint8_t tail = ring->tail;
	uint8_t byte = ring->bytes[tail];

	ring->tail = tail + 1;

	return byte;
}

/* Ticks since the last byte came; true only of the last 32 ms */
uint16_t line_silence(const struct line *line);

/* Forgets what has come if it is broken, and says so. */
bool line_mend(struct line *line);

#endif
