// SPDX-License-Identifier: GPL-2.0
/*
 * Packet codec for the Dynamixel protocols 1.0 and 2.0
 *
 * Protocol 1.0:
 *
 *   FF FF | id | length | instruction or error | params ... | checksum
 *
 *   length counts what follows it; the checksum is the inverted byte sum from
 *   the id on.
 *
 * Protocol 2.0:
 *
 *   FF FF FD 00 | id | length (2) | instruction | params ... | CRC (2)
 *
 *   length counts what follows it. Behind an instruction of 55 the first
 *   parameter is the error byte. Where FF FF FD would stand in the
 *   instruction or parameters, a stuffing byte FD follows it. The CRC covers
 *   all before it, stuffing included.
 *
 * The two can share a stream: the third byte tells them apart, as 1.0 has no
 * packet of length 0, which FF FF FD 00 would be.
 *
 * After a damaged packet decoding goes on behind its first byte and not
 * behind its claimed end, so that a wrong length costs that packet alone. Noise full
 * of headers that claim to be long could have CRCs computed over the same bytes again
 * and again. So each byte received allows for so many, and when they are used up what
 * claims to be a packet is taken for a damaged one.
 */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/string.h>

#include <linux/dxl/packet.h>

#define HEADER		0xff
#define HEADER2		0xfd
#define STUFFING	0xfd

/* In how many CRCs a byte may be, on average. */
#define CRC_CREDIT	32

#define DXL1_PREFIX	4	/* up to and including the length */
#define DXL2_PREFIX	7

/* What the prefix of a packet says of it. */
struct prefix {
	enum dxl_protocol protocol;
	size_t size;
};

/**
 * dxl_crc16() - update the CRC-16 of Protocol 2.0
 * @crc: CRC so far, 0 to begin with
 * @data: bytes to add
 * @len: their number
 *
 * Polynomial 0x8005, not reflected, which lib/crc16 does not offer.
 *
 * Return: the new CRC
 */
u16 dxl_crc16(u16 crc, const u8 *data, size_t len)
{
	static const u16 nibble[16] = {
		0x0000, 0x8005, 0x800f, 0x000a, 0x801b, 0x001e, 0x0014, 0x8011,
		0x8033, 0x0036, 0x003c, 0x8039, 0x0028, 0x802d, 0x8027, 0x0022,
	};

	while (len--) {
		crc = (u16)(crc << 4) ^ nibble[(crc >> 12) ^ (*data >> 4)];
		crc = (u16)(crc << 4) ^ nibble[(crc >> 12) ^ (*data++ & 0xf)];
	}

	return crc;
}
EXPORT_SYMBOL_NS_GPL(dxl_crc16, "DXL");

static u8 dxl1_checksum(const u8 *data, size_t len)
{
	u8 sum = 0;

	while (len--)
		sum += *data++;

	return ~sum;
}

static u16 get_le16(const u8 *p)
{
	return p[0] | p[1] << 8;
}

static void put_le16(u8 *p, u16 value)
{
	p[0] = value & 0xff;
	p[1] = value >> 8;
}

/* --- decoder --- */

/**
 * dxl_decoder_init() - prepare a decoder
 * @dec: the decoder
 * @direction: kind of packets to expect
 * @buf: memory for the bytes of the packet being assembled
 * @size: size of @buf; packets longer than this are refused
 */
void dxl_decoder_init(struct dxl_decoder *dec, enum dxl_direction direction,
		      u8 *buf, size_t size)
{
	*dec = (struct dxl_decoder){
		.direction = direction,
		.buf = buf,
		.size = size,
		.limit = size,
	};
}
EXPORT_SYMBOL_NS_GPL(dxl_decoder_init, "DXL");

/**
 * dxl_decoder_reset() - forget all bytes not yet consumed
 * @dec: the decoder
 *
 * Return: number of bytes forgotten
 */
size_t dxl_decoder_reset(struct dxl_decoder *dec)
{
	size_t left = dec->tail - dec->head;

	dec->head = 0;
	dec->tail = 0;

	return left;
}
EXPORT_SYMBOL_NS_GPL(dxl_decoder_reset, "DXL");

/**
 * dxl_decoder_limit() - limit the length of packets
 * @dec: the decoder
 * @limit: longest packet to accept from now on, the size of the decoder's
 *	buffer at most
 *
 * The tighter the limit, the sooner noise that looks like the beginning of a
 * long packet is found not to be one.
 */
void dxl_decoder_limit(struct dxl_decoder *dec, size_t limit)
{
	dec->limit = limit < dec->size ? limit : dec->size;
}
EXPORT_SYMBOL_NS_GPL(dxl_decoder_limit, "DXL");

/**
 * dxl_decoder_feed() - add received bytes
 * @dec: the decoder
 * @data: the bytes
 * @len: their number
 *
 * Invalidates the parameters of a packet returned by dxl_decoder_next().
 * Bytes that do not fit can be fed again after dxl_decoder_next() has
 * returned -EAGAIN, which guarantees that there is room for at least one.
 *
 * Return: number of bytes taken
 */
size_t dxl_decoder_feed(struct dxl_decoder *dec, const u8 *data, size_t len)
{
	size_t room;

	if (dec->head) {
		memmove(dec->buf, dec->buf + dec->head, dec->tail - dec->head);
		dec->tail -= dec->head;
		dec->head = 0;
	}

	room = dec->size - dec->tail;
	if (len > room)
		len = room;

	memcpy(dec->buf + dec->tail, data, len);
	dec->tail += len;
	dec->credit += len * CRC_CREDIT;
	if (dec->credit > dec->size * CRC_CREDIT)
		dec->credit = dec->size * CRC_CREDIT;

	return len;
}
EXPORT_SYMBOL_NS_GPL(dxl_decoder_feed, "DXL");

static void skip(struct dxl_decoder *dec, size_t n)
{
	dec->head += n;
	dec->skipped += n;
}

/*
 * Length of the prefix of FF FF that a packet may begin with at @p: 2 for a
 * whole header, fewer where the bytes end within one, 0 where there is none.
 */
static size_t header_at(const u8 *p, size_t avail)
{
	if (p[0] != HEADER)
		return 0;
	if (avail < 2)
		return 1;
	if (p[1] != HEADER)
		return 0;
	/* Of three the first is noise: no device has the ID 255. */
	if (avail > 2 && p[2] == HEADER)
		return 0;

	return 2;
}

/* Drop what precedes the next header. */
static void find_header(struct dxl_decoder *dec)
{
	size_t n = 0;

	while (dec->head + n < dec->tail &&
	       !header_at(dec->buf + dec->head + n, dec->tail - dec->head - n))
		n++;

	skip(dec, n);
}

/*
 * Read the prefix of the packet at the head of the buffer.
 *
 * Return: 0, -EAGAIN while it is incomplete, -EPROTO where it cannot be one,
 * -EMSGSIZE where the packet would not fit.
 */
static int parse_prefix(const struct dxl_decoder *dec, struct prefix *prefix)
{
	const u8 *p = dec->buf + dec->head;
	size_t avail = dec->tail - dec->head;

	if (avail < DXL1_PREFIX)
		return -EAGAIN;

	if (p[2] != HEADER2 || p[3] != 0) {
		if (p[3] < 2)
			return -EPROTO;
		prefix->protocol = DXL_PROTOCOL_1;
		prefix->size = DXL1_PREFIX + p[3];
	} else {
		size_t min = dec->direction == DXL_STATUS ? 4 : 3;

		if (avail < DXL2_PREFIX)
			return -EAGAIN;
		if (p[4] == HEADER || get_le16(p + 5) < min)
			return -EPROTO;
		prefix->protocol = DXL_PROTOCOL_2;
		prefix->size = DXL2_PREFIX + get_le16(p + 5);
	}

	return prefix->size > dec->limit ? -EMSGSIZE : 0;
}

/* Where in the header FF FF FD the stuffing watches for @byte leads. */
static unsigned int match_header(unsigned int matched, u8 byte)
{
	if (byte == HEADER)
		return matched ? 2 : 1;

	return byte == HEADER2 && matched == 2 ? 3 : 0;
}

/* Whether every header in the body is followed by its stuffing. */
static bool is_stuffed(const u8 *data, size_t len)
{
	unsigned int matched = 0;

	while (len--) {
		u8 byte = *data++;

		if (matched == 3 && byte != STUFFING)
			return false;
		matched = matched == 3 ? 0 : match_header(matched, byte);
	}

	return matched != 3;
}

/*
 * Remove the byte stuffing in place; -EPROTO, and nothing moved, where it is
 * missing: decoding then goes on within these bytes.
 */
static int unstuff(u8 *data, size_t len)
{
	unsigned int matched = 0;
	size_t in, out = 0;

	if (!is_stuffed(data, len))
		return -EPROTO;

	for (in = 0; in < len; in++) {
		if (matched == 3) {
			matched = 0;
			continue;
		}
		matched = match_header(matched, data[in]);
		data[out++] = data[in];
	}

	return out;
}

static int check_body1(enum dxl_direction direction, u8 *p, size_t size,
		       struct dxl_packet *packet)
{
	if (dxl1_checksum(p + 2, size - 3) != p[size - 1])
		return -EBADMSG;

	packet->id = p[2];
	packet->len = size - DXL1_OVERHEAD;
	packet->params = p + 5;

	if (direction == DXL_STATUS) {
		packet->instruction = DXL_STATUS_RETURN;
		packet->error = p[4];
	} else {
		packet->instruction = p[4];
		packet->error = 0;
	}

	return 0;
}

static int check_body2(struct dxl_decoder *dec, u8 *p, size_t size,
		       struct dxl_packet *packet)
{
	int len;

	if (size > dec->credit)
		return -EBADMSG;
	dec->credit -= size;

	if (dxl_crc16(0, p, size - 2) != get_le16(p + size - 2))
		return -EBADMSG;

	len = unstuff(p + DXL2_PREFIX, size - DXL2_PREFIX - 2);
	if (len < 0)
		return len;

	packet->id = p[4];
	packet->instruction = p[7];
	packet->error = 0;
	packet->len = len - 1;
	packet->params = p + 8;

	if (packet->instruction != DXL_STATUS_RETURN)
		return 0;
	if (!packet->len)
		return -EPROTO;

	packet->error = *packet->params++;
	packet->len--;

	return 0;
}

/**
 * dxl_decoder_next() - take the next packet from the received bytes
 * @dec: the decoder
 * @packet: filled on success; its parameters stay valid until the next call
 *	that takes @dec
 *
 * To be called until it returns -EAGAIN. After any other error the decoder has
 * dropped what cannot be the beginning of a packet and can go on.
 *
 * Return:
 * * %0		- @packet holds a valid packet
 * * %-EAGAIN	- no complete packet yet
 * * %-EBADMSG	- wrong checksum or CRC
 * * %-EMSGSIZE	- packet longer than the decoder accepts
 * * %-EPROTO	- impossible length, or byte stuffing missing
 */
int dxl_decoder_next(struct dxl_decoder *dec, struct dxl_packet *packet)
{
	struct prefix prefix;
	u8 *p;
	int ret;

	find_header(dec);
	ret = parse_prefix(dec, &prefix);
	if (ret == -EAGAIN)
		return ret;

	if (!ret) {
		if (dec->tail - dec->head < prefix.size)
			return -EAGAIN;

		p = dec->buf + dec->head;
		packet->protocol = prefix.protocol;
		if (prefix.protocol == DXL_PROTOCOL_1)
			ret = check_body1(dec->direction, p, prefix.size,
					  packet);
		else
			ret = check_body2(dec, p, prefix.size, packet);
	}

	if (ret)
		skip(dec, 1);
	else
		dec->head += prefix.size;

	return ret;
}
EXPORT_SYMBOL_NS_GPL(dxl_decoder_next, "DXL");

/* Drop what is not the header of the answer to a fast group read. */
static bool take_fast_header(struct dxl_decoder *dec, struct dxl_fast *fast)
{
	const u16 length = fast->size + 1;
	const u8 header[DXL_FAST_HEADER] = {
		HEADER, HEADER, HEADER2, 0x00, DXL_ID_BROADCAST,
		length & 0xff, length >> 8, DXL_STATUS_RETURN,
	};

	while (dec->tail - dec->head >= sizeof(header)) {
		if (!memcmp(dec->buf + dec->head, header, sizeof(header))) {
			dec->head += sizeof(header);
			fast->crc = dxl_crc16(0, header, sizeof(header));
			fast->heard = fast->crc;
			fast->started = true;
			return true;
		}
		skip(dec, 1);
	}

	return false;
}

/*
 * The devices count into their CRC what they have heard of those before. What was
 * damaged on its way to us only they have heard well, and the last CRC tells
 * what; what was damaged for all they have heard as we have.
 */
static bool fast_slot_is_good(const struct dxl_fast *fast, const u8 *slot,
			      size_t covered)
{
	u16 crc = get_le16(slot + covered);

	return dxl_crc16(fast->crc, slot, covered) == crc ||
	       dxl_crc16(fast->heard, slot, covered) == crc;
}

static void take_fast_slot(struct dxl_decoder *dec, struct dxl_fast *fast,
			   size_t covered, bool good)
{
	const u8 *slot = dec->buf + dec->head;

	dec->head += covered + 2;
	fast->heard = dxl_crc16(fast->heard, slot, covered + 2);
	fast->crc = dxl_crc16(get_le16(slot + covered), slot + covered, 2);
	if (good)
		fast->heard = fast->crc;
}

/**
 * dxl_decoder_next_slot() - take a device's part of the answer to a fast read
 * @dec: the decoder
 * @fast: the answer, its @size set and the rest 0 before the first call
 * @id: device whose turn it is
 * @len: number of bytes that were asked of it
 * @packet: filled unless -EAGAIN is returned, as if it were an answer of its own
 *
 * The answer is one packet, to which each device adds its part behind that of
 * the one before; no bytes are stuffed. Each part ends in a CRC of all that was
 * sent so far, which includes the CRCs. So a part can be checked when it has
 * come, and a damaged one does not take the next with it.
 *
 * A part counts only where it belongs. Where neither ID nor CRC are right the others
 * may have been shifted, and what says @id further on may be another device that is
 * wrong about its own: nothing that follows is believed.
 *
 * Return:
 * * %0		- @packet holds a valid part, of that device
 * * %-EAGAIN	- it is not complete yet, or not to be known any more
 * * %-EBADMSG	- wrong CRC; the part was damaged if the ID in @packet is @id, else
 *		  what is there is no part of the answer
 * * %-EPROTO	- the part of another device
 */
int dxl_decoder_next_slot(struct dxl_decoder *dec, struct dxl_fast *fast,
			  u8 id, u16 len, struct dxl_packet *packet)
{
	const size_t covered = (size_t)len + 2;
	const u8 *slot;
	bool good, own;

	if (fast->lost)
		skip(dec, dec->tail - dec->head);
	else if (!fast->started && !take_fast_header(dec, fast))
		return -EAGAIN;

	if (dec->tail - dec->head < covered + 2)
		return -EAGAIN;

	slot = dec->buf + dec->head;
	good = fast_slot_is_good(fast, slot, covered);
	own = slot[1] == id;
	*packet = (struct dxl_packet){
		.protocol = DXL_PROTOCOL_2,
		.instruction = DXL_STATUS_RETURN,
		.error = slot[0],
		.id = slot[1],
		.len = len,
		.params = slot + 2,
	};

	fast->lost = !good && !own;
	if (fast->lost)
		skip(dec, covered + 2);
	else
		take_fast_slot(dec, fast, covered, good);

	if (!good)
		return -EBADMSG;

	return own ? 0 : -EPROTO;
}
EXPORT_SYMBOL_NS_GPL(dxl_decoder_next_slot, "DXL");

/* --- encoder --- */

static int encode1(const struct dxl_packet *packet, u8 *buf, size_t size)
{
	size_t total = DXL1_OVERHEAD + packet->len;

	if (total > DXL1_PACKET_MAX || total > size)
		return -EMSGSIZE;

	buf[0] = HEADER;
	buf[1] = HEADER;
	buf[2] = packet->id;
	buf[3] = packet->len + 2;
	buf[4] = packet->instruction == DXL_STATUS_RETURN ? packet->error :
							    packet->instruction;
	if (packet->len)
		memcpy(buf + 5, packet->params, packet->len);
	buf[total - 1] = dxl1_checksum(buf + 2, total - 3);

	return total;
}

/* Where the encoder has got to, and the header bytes that end there. */
struct stuffer {
	u8 *buf;
	size_t size;
	size_t len;
	unsigned int matched;
};

static void put_stuffed(struct stuffer *s, u8 byte)
{
	if (s->len < s->size)
		s->buf[s->len] = byte;
	s->len++;

	if (byte == HEADER) {
		s->matched = s->matched ? 2 : 1;
		return;
	}
	if (byte == HEADER2 && s->matched == 2) {
		if (s->len < s->size)
			s->buf[s->len] = STUFFING;
		s->len++;
	}
	s->matched = 0;
}

static int encode2(const struct dxl_packet *packet, u8 *buf, size_t size)
{
	struct stuffer s = { .buf = buf, .size = size, .len = DXL2_PREFIX };
	size_t total, i;

	put_stuffed(&s, packet->instruction);
	if (packet->instruction == DXL_STATUS_RETURN)
		put_stuffed(&s, packet->error);
	for (i = 0; i < packet->len; i++)
		put_stuffed(&s, packet->params[i]);

	total = s.len + 2;
	if (total > size || total - DXL2_PREFIX > 0xffff)
		return -EMSGSIZE;

	buf[0] = HEADER;
	buf[1] = HEADER;
	buf[2] = HEADER2;
	buf[3] = 0;
	buf[4] = packet->id;
	put_le16(buf + 5, total - DXL2_PREFIX);
	put_le16(buf + total - 2, dxl_crc16(0, buf, total - 2));

	return total;
}

/**
 * dxl_packet_encode() - put a packet into the form that goes over the wire
 * @packet: the packet; one whose instruction is %DXL_STATUS_RETURN is encoded
 *	as a status packet with its error byte
 * @buf: where to put it
 * @size: size of @buf; dxl_packet_max_size() is always enough
 *
 * Return: number of bytes in @buf, -EINVAL for an ID or protocol that does not
 * exist, -EMSGSIZE where @buf or the protocol is too small for the packet
 */
int dxl_packet_encode(const struct dxl_packet *packet, u8 *buf, size_t size)
{
	if (packet->id > DXL_ID_BROADCAST)
		return -EINVAL;

	switch (packet->protocol) {
	case DXL_PROTOCOL_1:
		return encode1(packet, buf, size);
	case DXL_PROTOCOL_2:
		return encode2(packet, buf, size);
	}

	return -EINVAL;
}
EXPORT_SYMBOL_NS_GPL(dxl_packet_encode, "DXL");

/**
 * dxl_packet_max_size() - longest encoding of a packet
 * @protocol: its protocol
 * @params: number of its parameters, the error byte not counted
 *
 * Return: number of bytes, byte stuffing at its worst included
 */
size_t dxl_packet_max_size(enum dxl_protocol protocol, size_t params)
{
	if (protocol == DXL_PROTOCOL_1)
		return DXL1_OVERHEAD + params;

	/* One stuffing byte at most for three bytes, instruction and error in. */
	return DXL2_OVERHEAD + 1 + params + (params + 2) / 3;
}
EXPORT_SYMBOL_NS_GPL(dxl_packet_max_size, "DXL");

/**
 * dxl_put_range() - put an address range as READ and SYNC WRITE take it
 * @protocol: protocol of the packet
 * @p: where in the parameters to put it
 * @addr: first address
 * @len: number of bytes from there
 *
 * Return: number of parameters put, %DXL_RANGE_MAX at most
 */
size_t dxl_put_range(enum dxl_protocol protocol, u8 *p, u16 addr, u16 len)
{
	if (protocol == DXL_PROTOCOL_1) {
		p[0] = addr;
		p[1] = len;
		return 2;
	}

	put_le16(p, addr);
	put_le16(p + 2, len);

	return 4;
}
EXPORT_SYMBOL_NS_GPL(dxl_put_range, "DXL");
