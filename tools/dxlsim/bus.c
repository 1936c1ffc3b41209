// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The bus
 *
 * With wire time the line is one resource: a byte takes ten bits at the bus's
 * rate, an answer starts when its request has passed and the device's return
 * delay is over, and it is handed out when its last byte would have arrived.
 * Without, all of this takes no time.
 */
#include <errno.h>
#include <string.h>

#include "bus.h"
#include "instruction.h"

#define BITS_PER_BYTE	10	/* start, eight data, stop */

/* After such a gap a device gives up a packet and waits for a header. */
#define GAP		(100 * NSEC_PER_MSEC)
/* Without wire time the bytes' times mean little: be patient. */
#define GAP_UNTIMED	(1 * NSEC_PER_SEC)

/* A device hears the bus if their rates differ by no more than this. */
#define BAUD_TOLERANCE_PERCENT	3

void bus_init(struct bus *bus, unsigned int baud)
{
	memset(bus, 0, sizeof(*bus));
	bus->baud = baud;
	dxl_decoder_init(&bus->decoder, DXL_INSTRUCTION, bus->rx_buf,
			 sizeof(bus->rx_buf));
}

struct device *bus_add(struct bus *bus, const struct model *model, u8 id,
		       const char *label, nsec_t now)
{
	struct device *dev;

	if (bus->device_count == BUS_DEVICES_MAX)
		return NULL;

	dev = &bus->devices[bus->device_count++];
	device_init(dev, model, id, bus->baud, label, now);

	return dev;
}

static nsec_t line_time(const struct bus *bus, size_t bytes)
{
	if (!bus->wire_time)
		return 0;

	return bytes * BITS_PER_BYTE * NSEC_PER_SEC / bus->baud;
}

static void trace(const struct bus *bus, char mark, const u8 *bytes, size_t len,
		  nsec_t now)
{
	size_t i;

	if (!bus->trace)
		return;

	fprintf(bus->trace, "%llu.%06llu %c",
		(unsigned long long)(now / NSEC_PER_SEC),
		(unsigned long long)(now % NSEC_PER_SEC / NSEC_PER_USEC), mark);
	for (i = 0; i < len; i++)
		fprintf(bus->trace, " %02X", bytes[i]);
	fputc('\n', bus->trace);
}

/* --- answers --- */

/* False if the answer never made it onto the line. */
static bool answer_send(struct bus *bus, const struct answer *answer)
{
	const struct dxl_packet packet = {
		.protocol = DXL_PROTOCOL_1,
		.id = answer->id,
		.instruction = DXL_STATUS_RETURN,
		.error = answer->error,
		.len = answer->len,
		.params = answer->params,
	};
	u8 bytes[DXL1_PACKET_MAX];
	struct wire_answer wire = { .bytes = bytes };
	nsec_t start = bus->rx_end;
	int len = dxl_packet_encode(&packet, bytes, sizeof(bytes));

	if (len < 0)
		return false;

	wire.len = len;
	faults_apply(&bus->faults, &wire);
	if (!wire.len)
		return false;

	if (bus->tx_end > start)
		start = bus->tx_end;
	if (bus->wire_time)
		start += answer->delay;
	bus->tx_end = start + line_time(bus, wire.len);
	trace(bus, '<', wire.bytes, wire.len, bus->tx_end);

	if (!queue_put(&bus->answers, bus->tx_end, wire.bytes, wire.len)) {
		bus->stats.overflows++;
		return false;
	}
	bus->stats.tx_packets++;
	bus->stats.tx_bytes += wire.len;

	return true;
}

/* --- instructions --- */

static bool hears(const struct bus *bus, const struct device *dev)
{
	long rate = device_baud(dev);
	long off = rate - (long)bus->baud;

	if (off < 0)
		off = -off;

	return off * 100 <= (long)bus->baud * BAUD_TOLERANCE_PERCENT;
}

static bool addressed(const struct device *dev, u8 id)
{
	return id == DXL_ID_BROADCAST || id == dev->table[ADDR_ID];
}

/* A silenced device is as if unplugged: it neither hears nor answers. */
static bool listens(struct bus *bus, struct device *dev, u8 id)
{
	if (!addressed(dev, id) || !hears(bus, dev))
		return false;
	if (!dev->silenced)
		return true;
	if (id != DXL_ID_BROADCAST)
		bus->stats.silenced++;

	return false;
}

static struct device *find_device(struct bus *bus, u8 id)
{
	size_t i;

	for (i = 0; i < bus->device_count; i++)
		if (bus->devices[i].table[ADDR_ID] == id)
			return &bus->devices[i];

	return NULL;
}

/* Of an ID that is listed several times, the first place counts. */
static bool listed_before(const struct dxl_packet *packet, unsigned int at)
{
	unsigned int i;

	for (i = 1; i < at; i += 3)
		if (packet->params[i + 1] == packet->params[at + 1])
			return true;

	return false;
}

/*
 * Each device waits for the answer of the one before it in the list, so the
 * first that is missing is the last that anything is heard of.
 */
static void bulk_read(struct bus *bus, const struct dxl_packet *packet,
		      nsec_t now)
{
	struct answer answer;
	unsigned int i;

	if (packet->len < 4 || (packet->len - 1) % 3)
		return;

	for (i = 1; i < packet->len; i += 3) {
		struct span span = { packet->params[i + 2], packet->params[i] };
		u8 id = packet->params[i + 1];
		struct device *dev = find_device(bus, id);

		if (listed_before(packet, i))
			continue;
		if (!dev || !dev->model->bulk_read || !listens(bus, dev, id))
			return;
		if (!device_bulk_read(dev, span, now, &answer))
			return;
		if (!answer_send(bus, &answer))
			return;
	}
}

static void execute(struct bus *bus, const struct dxl_packet *packet,
		    nsec_t now)
{
	struct answer answer;
	size_t i;

	if (packet->instruction == DXL_BULK_READ &&
	    packet->id == DXL_ID_BROADCAST) {
		bulk_read(bus, packet, now);
		return;
	}

	for (i = 0; i < bus->device_count; i++) {
		struct device *dev = &bus->devices[i];

		if (listens(bus, dev, packet->id) &&
		    device_execute(dev, packet, now, &answer))
			answer_send(bus, &answer);
	}
}

/* @bytes is the beginning of a packet whose checksum was wrong. */
static void refuse(struct bus *bus, const u8 *bytes, nsec_t now)
{
	struct answer answer;
	size_t i;

	if (bytes[2] == DXL_ID_BROADCAST)
		return;

	for (i = 0; i < bus->device_count; i++) {
		struct device *dev = &bus->devices[i];

		if (listens(bus, dev, bytes[2]) &&
		    device_refuse_checksum(dev, bytes[4], now, &answer))
			answer_send(bus, &answer);
	}
}

static void received_packet(struct bus *bus, const struct dxl_packet *packet,
			    nsec_t now)
{
	bus->stats.rx_packets++;
	bus->stats.rx_kind[packet->instruction]++;
	if (packet->protocol == DXL_PROTOCOL_1)
		execute(bus, packet, now);
	else
		bus->stats.rx_protocol2++;
}

static void received_damage(struct bus *bus, int error, nsec_t now)
{
	/* The decoder has gone on by one byte, from the damaged packet's first. */
	const u8 *bytes = bus->decoder.buf + bus->decoder.head - 1;

	if (error != -EBADMSG) {
		bus->stats.framing_errors++;
		return;
	}

	bus->stats.checksum_errors++;
	if (bytes[2] != 0xfd || bytes[3])
		refuse(bus, bytes, now);
}

static void decode(struct bus *bus, nsec_t now)
{
	struct dxl_packet packet;
	int ret;

	while ((ret = dxl_decoder_next(&bus->decoder, &packet)) != -EAGAIN) {
		if (ret)
			received_damage(bus, ret, now);
		else
			received_packet(bus, &packet, now);
	}
}

static void check_gap(struct bus *bus, nsec_t now)
{
	nsec_t gap = bus->wire_time ? GAP : GAP_UNTIMED;

	if (bus->decoder.tail > bus->decoder.head && now - bus->rx_last > gap) {
		dxl_decoder_reset(&bus->decoder);
		bus->stats.gaps++;
	}
	bus->rx_last = now;
}

/*
 * Bytes have come from the controller. They are decoded one by one, so that
 * each packet's end on the line is known.
 */
void bus_receive(struct bus *bus, const u8 *bytes, size_t len, nsec_t now)
{
	size_t i;

	if (!len)
		return;

	check_gap(bus, now);
	trace(bus, '>', bytes, len, now);
	bus->stats.rx_bytes += len;
	if (bus->rx_end < now)
		bus->rx_end = now;

	for (i = 0; i < len; i++) {
		bus->rx_end += line_time(bus, 1);
		dxl_decoder_feed(&bus->decoder, bytes + i, 1);
		decode(bus, bus->rx_end);
	}
}

/* Take an answer that is due into @bytes (DXL1_PACKET_MAX); 0 if there is none. */
size_t bus_send(struct bus *bus, u8 *bytes, nsec_t now)
{
	return queue_take(&bus->answers, now, bytes);
}

nsec_t bus_due(const struct bus *bus)
{
	return queue_due(&bus->answers);
}

/* The controller has gone: what was under way concerns nobody any more. */
void bus_hang_up(struct bus *bus)
{
	dxl_decoder_reset(&bus->decoder);
	queue_clear(&bus->answers);
}

void bus_clear_stats(struct bus *bus)
{
	memset(&bus->stats, 0, sizeof(bus->stats));
	memset(bus->faults.count, 0, sizeof(bus->faults.count));
}
