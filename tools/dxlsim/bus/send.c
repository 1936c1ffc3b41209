// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * With wire time an answer starts when its request, or in a chain the answer
 * before it, has passed and the return delay is over, and a byte takes ten bits
 * at the bus's rate. All times follow from when the request came in, so that a
 * delay of this program does not add up. Without wire time nothing takes time
 * but what a fault delays.
 */
#include <string.h>

#include "send.h"

#define BITS_PER_BYTE	10	/* start, eight data, stop */

/* An answer that is being put onto the line. */
struct sending {
	struct bus *bus;
	unsigned int at;	/* the device's place */
	u8 id;			/* whose answer it is, whatever stands in it */
	nsec_t start;
	size_t expected;	/* length of the undamaged answer */
	u16 packet;
};

nsec_t send_byte_time(const struct bus *bus)
{
	return bus->wire_time ? BITS_PER_BYTE * NSEC_PER_SEC / bus->baud : 0;
}

void send_trace(const struct bus *bus, char mark, const u8 *bytes, size_t len,
		nsec_t now)
{
	size_t i;

	if (!bus->trace || !len)
		return;

	fprintf(bus->trace, "%llu.%06llu %c",
		(unsigned long long)(now / NSEC_PER_SEC),
		(unsigned long long)(now % NSEC_PER_SEC / NSEC_PER_USEC), mark);
	for (i = 0; i < len; i++)
		fprintf(bus->trace, " %02X", bytes[i]);
	fputc('\n', bus->trace);
}

static bool overrun(const struct mishap *mishap, size_t at)
{
	return at >= mishap->overrun_at &&
	       at < mishap->overrun_at + mishap->overrun;
}

/* When the next in a chain has heard all of it, or NSEC_NEVER. */
static nsec_t put_bytes(struct sending *sending, const struct mishap *mishap)
{
	struct bus *bus = sending->bus;
	struct line_byte byte = {
		.talk = line_talk(&bus->line, sending->at, sending->id),
		.packet = sending->packet,
		.end = sending->start + mishap->late,
	};
	struct station *station = &bus->stations[sending->at];
	nsec_t heard = NSEC_NEVER;
	size_t i;

	station->sending_from = byte.end;
	for (i = 0; i < mishap->len; i++) {
		byte.start = byte.end;
		if (i && i == mishap->stall_at)
			byte.start += mishap->stall;
		byte.end = byte.start + send_byte_time(bus);
		byte.value = mishap->bytes[i];
		byte.hidden = overrun(mishap, i);
		bus_put(bus, &byte);
		if (i + 1 == sending->expected)
			heard = byte.end;
	}

	bus_sent(bus, byte.talk, mishap->len, mishap->damaged);
	station->sending_until = byte.end;
	send_trace(bus, '<', mishap->bytes, mishap->len, byte.end);

	return heard;
}

/* What the device suffers in consequence. */
static void suffer(struct sending *sending, const struct mishap *mishap)
{
	struct bus *bus = sending->bus;
	struct device *dev = &bus->devices[sending->at];
	nsec_t end = bus->stations[sending->at].sending_until;

	if (end < sending->start)
		end = sending->start;
	if (mishap->reset)
		bus_reset_device(bus, dev, end);
	if (mishap->deaf)
		bus_deafen(bus, dev, end + mishap->deaf);
}

/* One answer after the other; a late one is overtaken by what fits before it. */
static void wait_for_own(struct sending *sending, const struct mishap *mishap)
{
	const struct station *station = &sending->bus->stations[sending->at];
	nsec_t start = sending->start + mishap->late;
	nsec_t end = start + mishap->len * send_byte_time(sending->bus);

	if (start < station->sending_until && end > station->sending_from)
		sending->start = station->sending_until;
}

static nsec_t put(struct sending *sending, struct mishap *mishap)
{
	struct bus *bus = sending->bus;
	nsec_t heard = NSEC_NEVER;

	wait_for_own(sending, mishap);
	if (!mishap->len)
		bus->stats.id[sending->id].of[COUNT_LOST]++;
	else if (line_room(&bus->line, mishap->len))
		heard = put_bytes(sending, mishap);
	else
		bus->stats.overflows++;
	suffer(sending, mishap);

	return heard;
}

static nsec_t delay_of(const struct bus *bus, const struct answer *answer)
{
	return bus->wire_time ? answer->delay + bus->turnaround : 0;
}

/* What of an answer reaches the controller. */
static size_t heard_bytes(const struct mishap *mishap, u8 *bytes)
{
	size_t i, len = 0;

	for (i = 0; i < mishap->len; i++)
		if (!overrun(mishap, i))
			bytes[len++] = mishap->bytes[i];

	return len;
}

/* Whether what starts with @bytes is a valid packet with @sent's ID that says something else. */
static bool forges(const struct dxl_packet *sent, const u8 *bytes, size_t len)
{
	struct dxl_decoder decoder;
	struct dxl_packet packet;
	u8 buf[FAULT_BYTES];

	dxl_decoder_init(&decoder, DXL_STATUS, buf, sizeof(buf));
	dxl_decoder_feed(&decoder, bytes, len);
	if (dxl_decoder_next(&decoder, &packet) || packet.id != sent->id)
		return false;

	return packet.error != sent->error || packet.len != sent->len ||
	       memcmp(packet.params, sent->params, packet.len);
}

/*
 * A checksum is right by chance in one of 256 damaged answers, a CRC in one of
 * 65536. Nobody could tell such an answer from a good one, so it breaks off before
 * it is complete: whoever takes something wrong from here has been careless.
 */
static void betray(struct mishap *mishap, const struct dxl_packet *sent)
{
	u8 bytes[FAULT_BYTES];
	size_t at, len = heard_bytes(mishap, bytes);

	for (at = 0; at < len; at++)
		while (at < len && forges(sent, bytes + at, len - at)) {
			mishap->len--;
			len = heard_bytes(mishap, bytes);
		}
}

/*
 * Send an answer to what ended at @from. When the next in a chain has heard it,
 * or NSEC_NEVER.
 */
nsec_t send_answer(struct bus *bus, unsigned int at,
		   const struct answer *answer, nsec_t from)
{
	struct dxl_packet packet = {
		.protocol = bus->devices[at].protocol,
		.instruction = DXL_STATUS_RETURN,
		.error = answer->error,
		.len = answer->len,
		.params = answer->params,
	};
	u8 bytes[FAULT_BYTES];
	struct mishap mishap = {
		.protocol = packet.protocol, .id = answer->id, .bytes = bytes,
	};
	struct sending sending = {
		.bus = bus, .at = at, .id = answer->id,
		.start = from + delay_of(bus, answer),
		.packet = bus->line.next_packet++,
	};
	int len;

	bus->stats.id[answer->id].of[COUNT_ANSWERS]++;
	faults_apply(&bus->faults, FAULT_FRAMING, &mishap);
	packet.id = mishap.id;
	len = dxl_packet_encode(&packet, bytes, sizeof(bytes));
	if (len < 0)
		return NSEC_NEVER;

	mishap.id = answer->id;
	mishap.len = len;
	sending.expected = len;
	faults_apply(&bus->faults, FAULT_ANSWER, &mishap);
	if (mishap.damaged)
		betray(&mishap, &packet);

	return put(&sending, &mishap);
}

/* Noise: bytes that nobody is known to have sent. False if there is no room. */
bool bus_say(struct bus *bus, const u8 *bytes, size_t len, nsec_t now)
{
	struct line_byte byte = {
		.talk = line_talk(&bus->line, TALKER_NOBODY, BUS_NO_ID),
		.packet = bus->line.next_packet++,
		.end = now,
	};
	size_t i;

	if (!line_room(&bus->line, len))
		return false;

	for (i = 0; i < len; i++) {
		byte.start = byte.end;
		byte.end += send_byte_time(bus);
		byte.value = bytes[i];
		bus_put(bus, &byte);
	}
	send_trace(bus, '!', bytes, len, byte.end);

	return true;
}

static size_t put_header(u8 *bytes, u16 length)
{
	const u8 header[] = { 0xff, 0xff, 0xfd, 0x00, DXL_ID_BROADCAST,
			      length & 0xff, length >> 8, DXL_STATUS_RETURN };

	memcpy(bytes, header, sizeof(header));

	return sizeof(header);
}

static size_t put_crc(u8 *bytes, size_t len, u16 crc)
{
	crc = dxl_crc16(crc, bytes, len);
	bytes[len] = crc & 0xff;
	bytes[len + 1] = crc >> 8;

	return len + 2;
}

/*
 * Send a device's part of the one packet that answers a fast group read. The
 * CRC goes on from what was heard of the parts before it, damaged or not.
 */
nsec_t send_part(struct bus *bus, unsigned int at, const struct answer *answer,
		 struct fast_part *part, nsec_t from)
{
	u8 bytes[FAULT_BYTES] = { 0 };
	struct mishap mishap = {
		.protocol = DXL_PROTOCOL_2, .id = answer->id, .bytes = bytes,
	};
	struct sending sending = {
		.bus = bus, .at = at, .id = answer->id, .start = from,
		.packet = part->packet,
	};
	size_t len = 0;
	nsec_t heard;

	if (part->length) {
		len = put_header(bytes, part->length);
		sending.start += delay_of(bus, answer);
	}
	bus->stats.id[answer->id].of[COUNT_ANSWERS]++;
	faults_apply(&bus->faults, FAULT_FRAMING, &mishap);
	bytes[len++] = answer->error;
	bytes[len++] = mishap.id;
	memcpy(bytes + len, answer->params, answer->len);
	len = put_crc(bytes, len + part->size, part->crc);

	mishap.id = answer->id;
	mishap.len = len;
	sending.expected = len;
	faults_apply(&bus->faults, FAULT_ANSWER, &mishap);
	heard = put(&sending, &mishap);
	if (heard != NSEC_NEVER)
		part->next_crc = dxl_crc16(part->crc, bytes, len);

	return heard;
}
