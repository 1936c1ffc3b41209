// SPDX-License-Identifier: GPL-2.0-or-later
#include <util/atomic.h>

#include "bridge.h"
#include "bus.h"
#include "flags.h"
#include "host.h"

/*
 * Bytes that run are in the ring of what has come as well, and taken out of it later, for what
 * the board itself is told. So when they run no more, there is something in that ring which has
 * gone on already: up to the byte where it has stopped. Behind it the line is whole, which is
 * to say that packets are passed on here.
 *
 * All here is the main loop's. A bit of FLAGS goes by one instruction; what depends on more of what
 * an interrupt changes is in an ATOMIC_BLOCK.
 */

static struct line *other(const struct line *line)
{
	return line == &host_line ? &bus_line : &host_line;
}

static bool runs(const struct line *line)
{
	return FLAGS & (line == &host_line ? HOST_RUNS : BUS_RUNS);
}

/* Who runs no more has stopped, be it that nothing was in the way of its bytes. */
static void follow(struct line *line)
{
	ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
		if (!runs(line) && !line->whole && !line->stops)
			line_stop(line, line->in.head);
	}
}

/* What has not begun to go is the beginning of a packet that has no end, or waits before it. */
static void give_up_host(void)
{
	ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
		if (!bus_talks())
			bus_line.out.tail = bus_line.out.head;
	}
}

enum mended bridge_mend(struct line *line)
{
	bool ran = !line->whole;

	if (!line_mend(line))
		return NOT_BROKEN;
	follow(line);
	if (line == &bus_line || !ran)
		return MENDED;
	give_up_host();

	return MENDED_WITH_LOSS;
}

/* One bit at a time, see flags.h */
static void stop(void)
{
	FLAGS &= ~HOST_RUNS;
	FLAGS &= ~BUS_RUNS;
	follow(&bus_line);
	follow(&host_line);
}

bool bridge_hold_bus(void)
{
	ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
		if (!(FLAGS & BUS_BUSY))
			FLAGS &= ~BUS_RUNS;
	}
	follow(&bus_line);

	return bus_line.whole;
}

bool bridge_hold_host(const struct receiver *of_host)
{
	ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
		if (of_host->state == AT_HEADER && ring_empty(&host_line.in))
			FLAGS &= ~HOST_RUNS;
	}
	follow(&host_line);

	return host_line.whole;
}

void bridge_step(const struct receiver *of_bus)
{
	if (!bus_line.whole || !(FLAGS & BRIDGE_OPEN) || UBRR0 != UBRR1 ||
	    of_bus->state != AT_HEADER)
		return;
	ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
		if (!(FLAGS & BUS_BUSY) && ring_empty(&host_line.out)) {
			FLAGS |= BUS_RUNS;
			bus_line.whole = false;
		}
	}
}

void bridge_shut(void)
{
	FLAGS &= ~BRIDGE_OPEN;
	stop();
}

void bridge_follow_rates(void)
{
	if (UBRR0 != UBRR1)
		stop();
}

static void rest(const struct line *line)
{
	if (line == &host_line)
		UCSR1B = HOST_RESTS;
	else
		UCSR0B = BUS_RESTS;
}

/* The packet that was cut off there goes as a whole, and its beginning not before that. */
static void arrive(struct line *line, const struct receiver *receiver)
{
	struct line *to = other(line);

	line->stops = 0;
	line->whole = true;
	ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
		ring_take_back(&to->out, receiver_partial(receiver));
		if (ring_empty(&to->out))
			rest(to);
	}
}

uint8_t bridge_stretch(struct line *line, const struct receiver *receiver, const uint8_t **bytes)
{
	uint8_t len = ring_stretch(&line->in, bytes), left;

	if (!line->stops)
		return len;
	left = line->stopped - line->in.tail;
	if (!left)
		arrive(line, receiver);

	return left && left < len ? left : len;
}

/* --- whole packets --- */

static bool pass(struct line *to, const struct receiver *receiver)
{
	const uint8_t head[] = { 0xff, 0xff, receiver->id, receiver->length };

	if (ring_room(&to->out) < receiver->length + sizeof(head))
		return false;
	ring_append(&to->out, head, sizeof(head));
	ring_append(&to->out, receiver->body, receiver->length);

	return true;
}

/* The host's next bytes run if they are the first of a packet. */
static void run_host(void)
{
	ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
		if (ring_empty(&host_line.in) && !host_line.broken) {
			FLAGS |= HOST_RUNS;
			host_line.whole = false;
		}
	}
}

bool bridge_packet(struct line *from, const struct receiver *receiver)
{
	bool passed;

	if (!from->whole)
		return true;
	if (from == &host_line) {
		passed = pass(&bus_line, receiver);
		FLAGS |= BRIDGE_OPEN;
		if (UBRR0 == UBRR1)
			run_host();
		return passed;
	}
	if (!(FLAGS & BRIDGE_OPEN))
		return true;
	passed = pass(&host_line, receiver);
	host_let_out();

	return passed;
}
