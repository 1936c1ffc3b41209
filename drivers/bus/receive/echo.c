// SPDX-License-Identifier: GPL-2.0
/*
 * Our own packet, come back
 *
 * Wirings that give back what is sent are common. The first bytes after a request
 * are compared with it, and with a packet before it that was not answered.
 */
#include <linux/minmax.h>
#include <linux/string.h>

#include "echo.h"

/*
 * Make room for a packet. If the one before was not answered its echo may still be
 * on the way, unless that is @over, and is to be told from that of the next.
 */
void dxl_echo_prepare(struct dxl_echo *echo, bool over)
{
	if (over || !dxl_echo_pending(echo)) {
		echo->at = 0;
		echo->echoed = 0;
		echo->cut_before = false;
	} else if (echo->at < echo->len) {
		echo->cut_before = echo->cut;
		memmove(echo->buf, echo->buf + echo->at, echo->len - echo->at);
		echo->echoed -= min(echo->echoed, echo->at);
		echo->at = echo->len - echo->at;
	}
	echo->len = echo->at;
}

/* @len bytes at @at have been handed to the line. */
void dxl_echo_sent(struct dxl_echo *echo, size_t len)
{
	echo->len = echo->at + len;
	echo->known = false;
	echo->cut = false;
}

/*
 * What has come so far is no echo of the packet before the last one. It may be
 * one of the last, where the line gives back some packets and others not.
 */
static bool skip_first(struct dxl_echo *echo, u8 byte)
{
	size_t len = echo->echoed;

	if (len >= echo->at || len >= echo->len - echo->at)
		return false;
	if (memcmp(echo->buf, echo->buf + echo->at, len) ||
	    echo->buf[echo->at + len] != byte)
		return false;

	echo->echoed += echo->at;

	return true;
}

/* Nor is there more of one that was cut off. */
static bool skip_rest(struct dxl_echo *echo, u8 byte)
{
	if (!echo->cut_before || echo->echoed >= echo->at ||
	    byte != echo->buf[echo->at])
		return false;

	echo->echoed = echo->at;

	return true;
}

/* Hold a byte against the echo that is still to come; whether it is of that. */
bool dxl_echo_match(struct dxl_echo *echo, u8 byte)
{
	if (byte != echo->buf[echo->echoed] && !skip_first(echo, byte) &&
	    !skip_rest(echo, byte))
		return false;

	echo->echoed++;

	return true;
}

/* What has come of the packet whose echo comes next. */
static struct dxl_bytes begun(const struct dxl_echo *echo)
{
	size_t from = echo->echoed < echo->at ? 0 : echo->at;

	if (!dxl_echo_pending(echo))
		return (struct dxl_bytes){};

	return (struct dxl_bytes){ echo->buf + from, echo->echoed - from };
}

/* Whether the one that is to come next has in part. */
bool dxl_echo_has_begun(const struct dxl_echo *echo)
{
	return begun(echo).len;
}

/* No echo comes any more. What has come so far like one, which was none. */
struct dxl_bytes dxl_echo_drop(struct dxl_echo *echo)
{
	struct dxl_bytes dropped = begun(echo);

	echo->echoed = echo->len;

	return dropped;
}

/* What was sent has been cut off, if the line can do that: there may be no end to it. */
void dxl_echo_cut(struct dxl_echo *echo)
{
	/* A packet that could not be sent may have had its room made already. */
	if (echo->at < echo->len)
		echo->cut = true;
	else
		echo->cut_before = true;
}

/* The packet being sent. */
struct dxl_bytes dxl_echo_packet(const struct dxl_echo *echo)
{
	return (struct dxl_bytes){ echo->buf + echo->at, echo->len - echo->at };
}

/* What has been dropped at first may be our own packet, that has come damaged. */
size_t dxl_echo_lost(const struct dxl_echo *echo)
{
	if (echo->known || echo->unechoed >= DXL_UNECHOED_MANY)
		return 0;

	return echo->len - echo->at;
}
