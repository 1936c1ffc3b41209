/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Our own packet, come back. Of the receiving side alone.
 */
#ifndef _DXL_ECHO_H
#define _DXL_ECHO_H

#include "receive.h"

/* A line that has not echoed for so many answers is none that does so always. */
#define DXL_UNECHOED_MANY	16

void dxl_echo_prepare(struct dxl_echo *echo, bool over);
void dxl_echo_sent(struct dxl_echo *echo, size_t len);
bool dxl_echo_match(struct dxl_echo *echo, u8 byte);
struct dxl_bytes dxl_echo_drop(struct dxl_echo *echo);
bool dxl_echo_has_begun(const struct dxl_echo *echo);
void dxl_echo_cut(struct dxl_echo *echo);
struct dxl_bytes dxl_echo_packet(const struct dxl_echo *echo);
size_t dxl_echo_lost(const struct dxl_echo *echo);

/* An echo is still to come. */
static inline bool dxl_echo_pending(const struct dxl_echo *echo)
{
	return echo->echoed < echo->len;
}

/* One has just come to its end. */
static inline bool dxl_echo_is_whole(const struct dxl_echo *echo)
{
	return echo->echoed == echo->at || echo->echoed == echo->len;
}

#endif /* _DXL_ECHO_H */
