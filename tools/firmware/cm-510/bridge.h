/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The way between host and bus
 *
 * At one rate, bytes go on as they come, in the interrupts of the lines. What has no place
 * there, and all at different rates, goes as whole packets, and what has no room as such is
 * lost as such.
 */
#ifndef CM510_BRIDGE_H
#define CM510_BRIDGE_H

#include <stdbool.h>

#include "line.h"
#include "receiver.h"

enum mended {
	NOT_BROKEN,
	MENDED,
	MENDED_WITH_LOSS,	/* of a packet that was on its way */
};

/* As line_mend() */
enum mended bridge_mend(struct line *line);

/* As ring_stretch() of what the line has, and no more than goes on in the same way */
uint8_t bridge_stretch(struct line *line, const struct receiver *receiver, const uint8_t **bytes);

/* A good packet for others has been taken from the line: false if it is lost. */
bool bridge_packet(struct line *from, const struct receiver *receiver);

/* Has the bus' packets go to the host as a whole: false if that is not so yet. */
bool bridge_hold_bus(void);

/* And the host's to the bus, until the next one that is a whole */
bool bridge_hold_host(const struct receiver *of_host);

/* Has the bus' bytes run again, once all that was said to the host is on its way, and no packet is. */
void bridge_step(const struct receiver *of_bus);

/* Until the host's next good packet for somebody on the bus */
void bridge_shut(void);

/* A rate is another one. */
void bridge_follow_rates(void);

#endif
