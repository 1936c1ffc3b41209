// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Each device waits until it has heard as many bytes as the answer of the one
 * before it has, be they right or wrong. So the first that is missing, or breaks
 * off, is the last of which anything is heard. A new instruction ends the
 * waiting; only in the fast reads a device is deaf to it for a while.
 */
#include <string.h>

#include "send.h"

/* So long at most a device waits in a fast chain that has broken. Our number. */
#define TURN_PATIENCE	(3 * NSEC_PER_MSEC)

/* Longest data of a device in a fast chain. */
#define PART_MAX	(FAULT_BYTES / 2)

static u16 le16(const u8 *p)
{
	return p[0] | p[1] << 8;
}

/* Of an ID that is listed several times, the first place counts. */
static void add(struct chain *chain, u8 id, unsigned int addr, unsigned int len)
{
	unsigned int i;

	for (i = 0; i < chain->count; i++)
		if (chain->link[i].id == id)
			return;
	if (chain->count < sizeof(chain->link) / sizeof(chain->link[0]))
		chain->link[chain->count++] = (struct chain_link){
			id, { addr, len }
		};
}

/* Parameters: 0, then length, ID and address of each. */
static void parse_bulk1(struct chain *chain, const struct dxl_packet *packet)
{
	const u8 *p = packet->params + 1;
	unsigned int i;

	if (!packet->len || (packet->len - 1) % 3)
		return;
	for (i = 1; i < packet->len; i += 3, p += 3)
		add(chain, p[1], p[2], p[0]);
}

/* Parameters: ID, address (2) and length (2) of each. */
static void parse_bulk2(struct chain *chain, const struct dxl_packet *packet)
{
	const u8 *p = packet->params;
	unsigned int i;

	if (packet->len % 5)
		return;
	for (i = 0; i < packet->len; i += 5, p += 5)
		add(chain, p[0], le16(p + 1), le16(p + 3));
}

/* Parameters: address (2), length (2), then the IDs. */
static void parse_sync(struct chain *chain, const struct dxl_packet *packet)
{
	unsigned int i;

	for (i = 4; i < packet->len; i++)
		add(chain, packet->params[i], le16(packet->params),
		    le16(packet->params + 2));
}

static bool is_fast(u8 instruction)
{
	return instruction == DXL_FAST_SYNC_READ ||
	       instruction == DXL_FAST_BULK_READ;
}

/* False if @packet is no group read at all; a malformed one has no links. */
bool chain_parse(struct chain *chain, const struct dxl_packet *packet)
{
	bool two = packet->protocol == DXL_PROTOCOL_2;

	if (packet->id != DXL_ID_BROADCAST)
		return false;

	chain->count = 0;
	chain->next = 0;
	chain->instruction = packet->instruction;
	chain->protocol = packet->protocol;
	if (packet->instruction == DXL_BULK_READ && !two)
		parse_bulk1(chain, packet);
	else if (two && (packet->instruction == DXL_BULK_READ ||
			 packet->instruction == DXL_FAST_BULK_READ))
		parse_bulk2(chain, packet);
	else if (two && (packet->instruction == DXL_SYNC_READ ||
			 packet->instruction == DXL_FAST_SYNC_READ))
		parse_sync(chain, packet);
	else
		return false;

	return true;
}

void chain_abandon(struct chain *chain)
{
	chain->next = chain->count;
}

/* When there is something to do, or NSEC_NEVER. */
nsec_t chain_due(const struct chain *chain)
{
	return chain->next < chain->count ? chain->turn : NSEC_NEVER;
}

/* Devices that have the link's ID, one after the other; -1 after the last. */
static int next_member(const struct bus *bus, u8 id, int at)
{
	for (at++; at < (int)bus->device_count; at++)
		if (device_id(&bus->devices[at]) == id)
			return at;

	return -1;
}

/* Prepare the device's part; false if it takes none. */
static bool take_part(struct bus *bus, int at, const struct chain_link *link,
		      struct answer *answer)
{
	struct device *dev = &bus->devices[at];

	if (dev->protocol != bus->chain.protocol || !bus_reaches(bus, at))
		return false;

	return device_group_read(dev, bus->chain.instruction, link->span,
				 bus->chain.turn, answer);
}

static nsec_t earlier(nsec_t a, nsec_t b)
{
	return a < b ? a : b;
}

/* All devices of one ID answer, at the same time. */
static void run_link(struct bus *bus, const struct chain_link *link)
{
	nsec_t heard = NSEC_NEVER;
	struct answer answer;
	int at = -1;

	while ((at = next_member(bus, link->id, at)) >= 0)
		if (take_part(bus, at, link, &answer))
			heard = earlier(heard, send_answer(bus, at, &answer,
							   bus->chain.turn));
	bus->chain.turn = heard;
}

static void end_at_gap(struct bus *bus, u8 id)
{
	bus->stats.id[id].of[COUNT_GAPS_IN_CHAINS]++;
	chain_abandon(&bus->chain);
}

/* Let those whose turn has come by @until answer. */
void chain_run(struct bus *bus, nsec_t until)
{
	struct chain *chain = &bus->chain;

	while (chain_due(chain) <= until) {
		const struct chain_link *link;

		/* The last one may well not be heard to the end. */
		if (chain->turn == NSEC_NEVER) {
			chain_abandon(chain);
			return;
		}
		link = &chain->link[chain->next++];
		run_link(bus, link);
		if (chain->turn == NSEC_NEVER)
			end_at_gap(bus, link->id);
	}
}

/* --- fast reads --- */

static unsigned int fast_length(const struct chain *chain)
{
	unsigned int i, length = 1;

	for (i = 0; i < chain->count; i++) {
		if (chain->link[i].span.len > PART_MAX)
			return 0;
		length += chain->link[i].span.len + 4;
	}

	return length > 0xffff ? 0 : length;
}

static nsec_t run_part(struct bus *bus, const struct chain_link *link,
		       struct fast_part *part)
{
	nsec_t heard = NSEC_NEVER;
	struct answer answer;
	int at = -1;

	part->size = link->span.len;
	while ((at = next_member(bus, link->id, at)) >= 0)
		if (take_part(bus, at, link, &answer)) {
			bus->stations[at].turn_until = bus->chain.turn;
			heard = earlier(heard, send_part(bus, at, &answer, part,
							 bus->chain.turn));
		}
	part->crc = part->next_crc;
	part->length = 0;

	return heard;
}

/* Those behind the gap wait for their turn, and hear nothing else. */
static void keep_waiting(struct bus *bus, nsec_t since)
{
	struct chain *chain = &bus->chain;

	for (; chain->next < chain->count; chain->next++) {
		const struct chain_link *link = &chain->link[chain->next];
		int at = -1;

		while ((at = next_member(bus, link->id, at)) >= 0)
			if (bus_hears(bus, at) &&
			    device_supports(&bus->devices[at],
					    chain->instruction))
				bus->stations[at].turn_until =
					since + TURN_PATIENCE;
	}
}

/*
 * The parts of a fast read follow each other without a pause, so all of them
 * can be put onto the line at once.
 */
static void run_fast(struct bus *bus)
{
	struct chain *chain = &bus->chain;
	struct fast_part part = {
		.packet = bus->line.next_packet++,
		.length = fast_length(chain),
	};

	if (!part.length)
		chain_abandon(chain);

	while (chain->next < chain->count) {
		const struct chain_link *link = &chain->link[chain->next++];
		nsec_t heard = run_part(bus, link, &part);

		if (heard == NSEC_NEVER) {
			bus->stats.id[link->id].of[COUNT_GAPS_IN_CHAINS]++;
			keep_waiting(bus, chain->turn);
			return;
		}
		chain->turn = heard;
	}
}

/* The instruction has passed at @end. */
void chain_start(struct bus *bus, nsec_t end)
{
	bus->chain.turn = end;
	if (is_fast(bus->chain.instruction))
		run_fast(bus);
	else
		chain_run(bus, end);
}
