// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A receiver takes a byte from its start bit on. Another that begins before it
 * has ended is not heard for itself; it only pulls bits of the first one low, as
 * on an open line the dominant level wins. Without wire time bytes take no time
 * and so never meet.
 *
 * The controller gets the bytes of a packet when the last of them has passed, or
 * the next does not follow at once, or a FIFO would have to be served.
 */
#include <string.h>

#include "line.h"

static unsigned int slot(const struct line *line, unsigned int at)
{
	return (line->head + at) % LINE_BYTES;
}

/* A new talk; the oldest of LINE_TALKS is long over and forgotten. */
u16 line_talk(struct line *line, u16 talker, u8 id)
{
	u16 talk = line->next_talk;

	line->next_talk = (talk + 1) % LINE_TALKS;
	line->talk[talk] = (struct talk){ .talker = talker, .id = id };

	return talk;
}

bool line_room(const struct line *line, size_t bytes)
{
	return bytes <= LINE_BYTES - line->count;
}

static bool meet(const struct line_byte *a, const struct line_byte *b)
{
	return a->start < b->end && b->start < a->end;
}

/* How many of the bytes begin before @byte, or, without wire time, with it. */
static unsigned int place_of(const struct line *line,
			     const struct line_byte *byte)
{
	unsigned int at = line->count;

	while (at && line->byte[slot(line, at - 1)].start > byte->start)
		at--;

	return at;
}

static void collide(struct line *line, unsigned int at,
		    const struct line_byte *byte, struct clash *clash)
{
	struct line_byte *first = &line->byte[slot(line, at)];
	u8 value = first->value & byte->value;

	if (clash->count < 2)
		clash->talk[clash->count++] = first->talk;
	clash->value &= first->value;
	line->talk[first->talk].damaged |= value != first->value;
	line->talk[byte->talk].damaged = true;
	first->value = value;
}

static void insert(struct line *line, unsigned int at,
		   const struct line_byte *byte)
{
	unsigned int i;

	for (i = line->count; i > at; i--)
		line->byte[slot(line, i)] = line->byte[slot(line, i - 1)];
	line->byte[slot(line, at)] = *byte;
	line->count++;
}

/* To be called only if there is room. */
struct clash line_put(struct line *line, const struct line_byte *byte)
{
	struct clash clash = { .value = byte->value };
	unsigned int at = place_of(line, byte);

	if (at && meet(&line->byte[slot(line, at - 1)], byte))
		collide(line, at - 1, byte, &clash);
	if (at < line->count && meet(&line->byte[slot(line, at)], byte))
		collide(line, at, byte, &clash);
	if (!clash.count)
		insert(line, at, byte);

	return clash;
}

static bool follows(const struct line_byte *a, const struct line_byte *b)
{
	return a->packet == b->packet && b->start <= a->end && !b->hidden;
}

/* The receiver's FIFO is full, or has had to wait for long enough. */
static bool to_be_served(const struct line_byte *first,
			 const struct line_byte *last, unsigned int len)
{
	bool timed = last->end > last->start;

	return timed && (len >= LINE_FIFO ||
			 last->end - first->start >= LINE_HOLD);
}

/* Find what is handed out next: bytes @from up to, not including, the result. */
static unsigned int next_run(const struct line *line, unsigned int *from)
{
	const struct line_byte *first, *last;
	unsigned int at = 0, len = 1;

	while (at < line->count && line->byte[slot(line, at)].hidden)
		at++;
	*from = at;
	if (at == line->count)
		return at;

	first = &line->byte[slot(line, at++)];
	last = first;
	while (at < line->count && !to_be_served(first, last, len) &&
	       follows(last, &line->byte[slot(line, at)])) {
		last = &line->byte[slot(line, at++)];
		len++;
	}

	return at;
}

/* When there is something to take, or NSEC_NEVER. */
nsec_t line_due(const struct line *line)
{
	unsigned int from, to = next_run(line, &from);

	return to == from ? NSEC_NEVER : line->byte[slot(line, to - 1)].end;
}

static void drop(struct line *line, unsigned int count)
{
	if (count)
		line->past_end = line->byte[slot(line, count - 1)].end;
	line->head = slot(line, count);
	line->count -= count;
}

/* Forget what has passed and is for nobody's ears. */
void line_prune(struct line *line, nsec_t now)
{
	while (line->count && line->byte[line->head].hidden &&
	       line->byte[line->head].end <= now)
		drop(line, 1);
}

/* Take what is due into @bytes (LINE_BYTES); 0 if nothing is. */
size_t line_take(struct line *line, nsec_t now, u8 *bytes)
{
	unsigned int from, to, at;

	line_prune(line, now);
	to = next_run(line, &from);
	if (to == from || line->byte[slot(line, to - 1)].end > now)
		return 0;

	for (at = from; at < to; at++)
		bytes[at - from] = line->byte[slot(line, at)].value;
	drop(line, to);

	return to - from;
}

/* For how long nothing has been said before @at. */
nsec_t line_quiet(const struct line *line, nsec_t at)
{
	nsec_t end = line->past_end;
	unsigned int i;

	for (i = line->count; i; i--) {
		const struct line_byte *byte = &line->byte[slot(line, i - 1)];

		if (byte->start < at) {
			end = byte->end;
			break;
		}
	}

	return end < at ? at - end : 0;
}

/* Let the controller hear a talk after all. */
void line_show(struct line *line, u16 talk)
{
	unsigned int at;

	for (at = 0; at < line->count; at++)
		if (line->byte[slot(line, at)].talk == talk)
			line->byte[slot(line, at)].hidden = false;
}

/* A talker falls silent: what it would have said from then on is not heard. */
size_t line_cut(struct line *line, u16 talker, nsec_t from)
{
	unsigned int at;
	size_t cut = 0;

	for (at = 0; at < line->count; at++) {
		struct line_byte *byte = &line->byte[slot(line, at)];
		struct talk *talk = &line->talk[byte->talk];

		if (talk->talker != talker || byte->start < from)
			continue;
		byte->hidden = true;
		talk->damaged = true;
		cut++;
	}

	return cut;
}

/* Nobody is there to hear what is still on the line. */
void line_clear(struct line *line)
{
	unsigned int at;

	for (at = 0; at < line->count; at++)
		line->talk[line->byte[slot(line, at)].talk].damaged = true;
	line->head = 0;
	line->count = 0;
}
