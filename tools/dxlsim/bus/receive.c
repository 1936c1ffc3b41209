// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the controller says, and who hears it
 *
 * The controller's bytes go onto the line one behind the other from when they
 * come in. Each packet is carried out as soon as it has come in, at the time at
 * which its last byte passes on the line, which may lie ahead; what is answered
 * is put onto the line at its own time. Only a chain waits for that time to
 * come, since a new instruction may end it.
 */
#include <errno.h>
#include <string.h>

#include "send.h"

/*
 * After such a gap a device gives up a packet and waits for a header, as
 * "Byte to Byte Time" in the manual of each protocol has it.
 */
#define GAP_1		(100 * NSEC_PER_MSEC)
#define GAP_2		(1500 * NSEC_PER_USEC)
/* Without wire time the bytes' times mean little: be patient. */
#define GAP_UNTIMED	(1 * NSEC_PER_SEC)

/* A device hears the bus if their rates differ by no more than this. */
#define BAUD_TOLERANCE_PERCENT	3

/* A device that waits in a broken fast chain hears a header after so long. */
#define TURN_SILENCE	(1 * NSEC_PER_MSEC)

/* Each ID's slot in the answers to a broadcast PING, beside the bytes. */
#define PING_ANSWER	14
#define PING_SLOT	(508 * NSEC_PER_USEC)	/* the longest return delay */

/* --- who hears what --- */

static bool same_rate(const struct bus *bus, const struct device *dev)
{
	long rate = device_baud(dev);
	long off = rate - (long)bus->baud;

	if (off < 0)
		off = -off;

	return off * 100 <= (long)bus->baud * BAUD_TOLERANCE_PERCENT;
}

/* In a broken fast chain, until patience or a pause on the line ends it. */
static bool waits_for_turn(struct bus *bus, struct station *station)
{
	if (bus->hearing.start >= station->turn_until ||
	    bus->hearing.quiet >= TURN_SILENCE) {
		station->turn_until = 0;
		return false;
	}

	return true;
}

/* A device does not hear while it talks; before a late answer it does. */
static bool talks(const struct bus *bus, const struct station *station)
{
	return bus->hearing.start >= station->sending_from &&
	       bus->hearing.start < station->sending_until;
}

static void find_hearers(struct bus *bus)
{
	size_t at;

	for (at = 0; at < bus->device_count; at++) {
		struct station *station = &bus->stations[at];

		station->hears = same_rate(bus, &bus->devices[at]) &&
				 !talks(bus, station) &&
				 !waits_for_turn(bus, station);
	}
}

/* A silenced device is as if unplugged: it neither hears nor answers. */
bool bus_hears(const struct bus *bus, unsigned int at)
{
	const struct device *dev = &bus->devices[at];
	const struct station *station = &bus->stations[at];

	return !dev->silenced && !dev->starved && station->hears &&
	       bus->hearing.start >= dev->deaf_until &&
	       bus->hearing.start >= station->deaf_until;
}

/* Whether what was for the device alone has reached it. */
bool bus_reaches(struct bus *bus, unsigned int at)
{
	const struct device *dev = &bus->devices[at];
	enum count count = dev->silenced ? COUNT_SILENCED : COUNT_DEAF;
	bool hears = bus_hears(bus, at);

	bus->stats.id[device_id(dev)].of[hears ? COUNT_HEARD : count]++;

	return hears;
}

/* --- instructions --- */

static bool addressed(const struct bus *bus, unsigned int at, u8 id,
		      enum dxl_protocol protocol)
{
	return bus->devices[at].protocol == protocol &&
	       device_addressed(&bus->devices[at], id);
}

/* Each ID has a slot of its own, so that the answers come in their order. */
static nsec_t ping_slot(const struct bus *bus, u8 id)
{
	nsec_t slot = PING_ANSWER * send_byte_time(bus) + PING_SLOT;

	return bus->wire_time ? id * slot : 0;
}

static void ping_id(struct bus *bus, u8 id, const struct dxl_packet *packet,
		    nsec_t end)
{
	struct answer answer;
	size_t at;

	for (at = 0; at < bus->device_count; at++)
		if (device_id(&bus->devices[at]) == id &&
		    addressed(bus, at, packet->id, packet->protocol) &&
		    bus_hears(bus, at) &&
		    device_execute(&bus->devices[at], packet, end, &answer))
			send_answer(bus, at, &answer, end + ping_slot(bus, id));
}

static void broadcast_ping(struct bus *bus, const struct dxl_packet *packet,
			   nsec_t end)
{
	unsigned int id;

	for (id = 0; id <= DXL_ID_MAX; id++)
		ping_id(bus, id, packet, end);
}

static void execute(struct bus *bus, const struct dxl_packet *packet,
		    nsec_t end)
{
	bool broadcast = packet->id == DXL_ID_BROADCAST;
	struct answer answer;
	size_t at;

	for (at = 0; at < bus->device_count; at++) {
		if (!addressed(bus, at, packet->id, packet->protocol))
			continue;
		if (broadcast ? !bus_hears(bus, at) : !bus_reaches(bus, at))
			continue;
		if (device_execute(&bus->devices[at], packet, end, &answer))
			send_answer(bus, at, &answer, end);
	}
}

/* A packet has come with a wrong checksum. */
static void refuse(struct bus *bus, enum dxl_protocol protocol, u8 id,
		   u8 instruction, nsec_t end)
{
	struct answer answer;
	size_t at;

	bus->stats.checksum_errors++;
	if (id == DXL_ID_BROADCAST)
		return;

	for (at = 0; at < bus->device_count; at++) {
		struct device *dev = &bus->devices[at];

		if (!addressed(bus, at, id, protocol) || !bus_hears(bus, at) ||
		    !device_refuse_crc(dev, instruction, end, &answer))
			continue;
		bus->stats.id[device_id(dev)].of[COUNT_REFUSED]++;
		send_answer(bus, at, &answer, end);
	}
}

static void take_request(struct bus *bus, const struct dxl_packet *packet,
			 nsec_t end)
{
	bus->stats.rx_packets++;
	bus->stats.rx_kind[packet->instruction]++;
	bus->stats.rx_protocol2 += packet->protocol == DXL_PROTOCOL_2;

	find_hearers(bus);
	chain_run(bus, bus->hearing.start);
	chain_abandon(&bus->chain);
	if (chain_parse(&bus->chain, packet))
		chain_start(bus, end);
	else if (packet->protocol == DXL_PROTOCOL_2 &&
		 packet->id == DXL_ID_BROADCAST &&
		 packet->instruction == DXL_PING)
		broadcast_ping(bus, packet, end);
	else
		execute(bus, packet, end);
	bus_feed(bus, end);
}

static void received_packet(struct bus *bus, const struct dxl_packet *packet,
			    nsec_t end)
{
	struct mishap mishap = { .protocol = packet->protocol,
				 .id = packet->id };

	bus->hearing.open = false;
	faults_apply(&bus->faults, FAULT_REQUEST, &mishap);
	if (mishap.echo)
		line_show(&bus->line, bus->hearing.talk);
	if (mishap.unplug) {
		bus_unplug(bus, end + mishap.unplug);
		return;
	}
	if (mishap.lost)
		return;
	if (mishap.spoiled) {
		find_hearers(bus);
		refuse(bus, packet->protocol, packet->id, packet->instruction,
		       end);
		return;
	}
	take_request(bus, packet, end);
}

static void received_damage(struct bus *bus, int error, nsec_t end)
{
	/* The decoder has gone on by one byte, from the damaged packet's first. */
	const u8 *bytes = bus->decoder.buf + bus->decoder.head - 1;

	if (error != -EBADMSG) {
		bus->stats.framing_errors++;
		return;
	}

	find_hearers(bus);
	if (bytes[2] == 0xfd && !bytes[3])
		refuse(bus, DXL_PROTOCOL_2, bytes[4], bytes[7], end);
	else
		refuse(bus, DXL_PROTOCOL_1, bytes[2], bytes[4], end);
}

static void decode(struct bus *bus, nsec_t end)
{
	struct dxl_packet packet;
	int ret;

	while ((ret = dxl_decoder_next(&bus->decoder, &packet)) != -EAGAIN) {
		if (ret)
			received_damage(bus, ret, end);
		else
			received_packet(bus, &packet, end);
	}
}

static bool idle(const struct bus *bus)
{
	return bus->decoder.tail == bus->decoder.head;
}

static nsec_t longest_gap(const struct bus *bus)
{
	const u8 *bytes = bus->decoder.buf + bus->decoder.head;

	if (!bus->wire_time)
		return GAP_UNTIMED;

	return bus->decoder.tail - bus->decoder.head > 2 && bytes[2] == 0xfd ?
	       GAP_2 : GAP_1;
}

static void check_gap(struct bus *bus, nsec_t start)
{
	if (idle(bus) || start - bus->rx_end <= longest_gap(bus))
		return;
	dxl_decoder_reset(&bus->decoder);
	bus->stats.gaps++;
}

/*
 * The controller's bytes are one talk until a packet is complete or they pause.
 */
static void begin_talk(struct bus *bus, nsec_t start)
{
	bus->hearing = (struct hearing){
		.open = true,
		.start = start,
		.quiet = line_quiet(&bus->line, start),
		.talk = line_talk(&bus->line, TALKER_HOST, BUS_NO_ID),
		.packet = bus->line.next_packet++,
	};
}

static void receive_byte(struct bus *bus, u8 value, nsec_t now)
{
	struct line_byte byte = {
		.start = bus->rx_end < now ? now : bus->rx_end,
		.value = value,
		.hidden = !faults_always(&bus->faults, "echo"),
	};

	check_gap(bus, byte.start);
	if (idle(bus) && (!bus->hearing.open || byte.start > bus->rx_end))
		begin_talk(bus, byte.start);
	byte.end = byte.start + send_byte_time(bus);
	byte.talk = bus->hearing.talk;
	byte.packet = bus->hearing.packet;
	bus->rx_end = byte.end;
	if (line_room(&bus->line, 1))
		value = bus_put(bus, &byte);
	dxl_decoder_feed(&bus->decoder, &value, 1);
	decode(bus, byte.end);
}

/*
 * Bytes have come from the controller. They are decoded one by one, so that
 * each packet's end on the line is known.
 */
void bus_receive(struct bus *bus, const u8 *bytes, size_t len, nsec_t now)
{
	size_t i;

	line_prune(&bus->line, now);
	chain_run(bus, now);
	send_trace(bus, '>', bytes, len, now);
	bus->stats.rx_bytes += len;

	for (i = 0; i < len; i++) {
		if (bus_unplugged(bus, now)) {
			bus->stats.unplugged_bytes += len - i;
			return;
		}
		receive_byte(bus, bytes[i], now);
	}
}
