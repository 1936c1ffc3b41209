/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The line: one pair of wires that everybody hears. What is said on it is kept
 * byte by byte, each with its time, until the controller has taken it.
 */
#ifndef DXLSIM_LINE_H
#define DXLSIM_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

#include "../base/base.h"

#define LINE_BYTES	32768
#define LINE_TALKS	8192
/* Bytes of one packet are handed out after so many of them or so long. */
#define LINE_FIFO	64
#define LINE_HOLD	(640 * NSEC_PER_USEC)

#define TALKER_HOST	0xffff
#define TALKER_NOBODY	0xfffe

/* One transmission: what a talker says without stopping for another. */
struct talk {
	u16 talker;		/* a device's place on the bus, or as above */
	u8 id;			/* that an answer was sent for */
	bool collided;
	bool damaged;
	bool good;		/* counted as undamaged so far */
};

struct line_byte {
	nsec_t start;
	nsec_t end;
	u16 talk;
	u16 packet;		/* bytes of one packet are handed out together */
	u8 value;
	bool hidden;		/* on the line, but not for the controller's ears */
};

struct line {
	struct line_byte byte[LINE_BYTES];	/* a ring, in order of time */
	unsigned int head;
	unsigned int count;
	struct talk talk[LINE_TALKS];
	u16 next_talk;
	u16 next_packet;
	nsec_t past_end;	/* of the last byte that is no longer here */
};

/* What came of a byte: the talks that it met, and what is heard of it. */
struct clash {
	unsigned int count;
	u16 talk[2];
	u8 value;
};

u16 line_talk(struct line *line, u16 talker, u8 id);
bool line_room(const struct line *line, size_t bytes);
struct clash line_put(struct line *line, const struct line_byte *byte);
nsec_t line_due(const struct line *line);
size_t line_take(struct line *line, nsec_t now, u8 *bytes);
nsec_t line_quiet(const struct line *line, nsec_t at);
void line_prune(struct line *line, nsec_t now);
void line_show(struct line *line, u16 talk);
size_t line_cut(struct line *line, u16 talker, nsec_t from);
void line_clear(struct line *line);

#endif
