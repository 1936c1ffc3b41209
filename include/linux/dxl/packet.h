/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Packet codec for the Dynamixel protocols 1.0 and 2.0.
 *
 * The codec is pure: it does no I/O, allocates nothing and calls nothing that
 * userspace lacks, so that the bus core, the simulator, the fuzzers and the
 * tests are all built from this one implementation.
 *
 * Numbers in this file are those of the maker's protocol descriptions,
 * emanual.robotis.com/docs/en/dxl/protocol1/ and .../protocol2/.
 */
#ifndef _LINUX_DXL_PACKET_H
#define _LINUX_DXL_PACKET_H

#include <linux/bits.h>
#include <linux/types.h>

/* Highest ID a device can have; Protocol 2.0 also leaves out 253. */
#define DXL_ID_MAX		253
#define DXL_ID_BROADCAST	254

/* Where control tables have the firmware version, and those of Protocol 1.0 the ID. */
#define DXL1_ADDR_FIRMWARE	2
#define DXL2_ADDR_FIRMWARE	6
#define DXL1_ADDR_ID		3

/* Longest Protocol 1.0 packet: header, ID and length, then 255 bytes. */
#define DXL1_PACKET_MAX		(4 + 255)
#define DXL1_PARAMS_MAX		(DXL1_PACKET_MAX - DXL1_OVERHEAD)

/* Longest form of dxl_put_range(). */
#define DXL_RANGE_MAX		4

/* Bytes of a packet beside its parameters. */
#define DXL1_OVERHEAD		6
#define DXL2_OVERHEAD		10

enum dxl_protocol {
	DXL_PROTOCOL_1 = 1,
	DXL_PROTOCOL_2 = 2,
};

/**
 * enum dxl_direction - which kind of packet a decoder is to expect
 * @DXL_INSTRUCTION: packets from the controller
 * @DXL_STATUS: packets from devices
 *
 * Protocol 1.0 frames both kinds alike, so the decoder has to be told.
 */
enum dxl_direction {
	DXL_INSTRUCTION,
	DXL_STATUS,
};

enum dxl_instruction {
	DXL_PING		= 0x01,
	DXL_READ		= 0x02,
	DXL_WRITE		= 0x03,
	DXL_REG_WRITE		= 0x04,
	DXL_ACTION		= 0x05,
	DXL_FACTORY_RESET	= 0x06,
	DXL_REBOOT		= 0x08,
	DXL_CLEAR		= 0x10,
	DXL_BACKUP		= 0x20,
	DXL_STATUS_RETURN	= 0x55,	/* marks a status packet in 2.0 */
	DXL_SYNC_READ		= 0x82,
	DXL_SYNC_WRITE		= 0x83,
	DXL_FAST_SYNC_READ	= 0x8a,
	DXL_BULK_READ		= 0x92,
	DXL_BULK_WRITE		= 0x93,
	DXL_FAST_BULK_READ	= 0x9a,
};

/* Error bits of a Protocol 1.0 status packet. */
#define DXL1_ERR_VOLTAGE	BIT(0)
#define DXL1_ERR_ANGLE		BIT(1)
#define DXL1_ERR_OVERHEAT	BIT(2)
#define DXL1_ERR_RANGE		BIT(3)
#define DXL1_ERR_CHECKSUM	BIT(4)
#define DXL1_ERR_OVERLOAD	BIT(5)
#define DXL1_ERR_INSTRUCTION	BIT(6)

/*
 * Errors by which a 1.0 device refuses the instruction it was sent; the other
 * bits report its own condition and come with a valid answer.
 */
#define DXL1_ERR_REFUSED	(DXL1_ERR_RANGE | DXL1_ERR_CHECKSUM | \
				 DXL1_ERR_INSTRUCTION)

/* Error byte of a Protocol 2.0 status packet: a number and the alert bit. */
#define DXL2_ERR_MASK		0x7f
#define DXL2_ERR_RESULT		1
#define DXL2_ERR_INSTRUCTION	2
#define DXL2_ERR_CRC		3
#define DXL2_ERR_RANGE		4
#define DXL2_ERR_LENGTH		5
#define DXL2_ERR_LIMIT		6
#define DXL2_ERR_ACCESS		7
#define DXL2_ERR_ALERT		BIT(7)

/* The bits by which a device says in an answer that it is not well, 0 if it is. */
static inline u8 dxl_alert_bits(enum dxl_protocol protocol, u8 error)
{
	return error & (protocol == DXL_PROTOCOL_1 ? (u8)~DXL1_ERR_REFUSED : DXL2_ERR_ALERT);
}

/* Those of them that may mean that it has shut itself down. */
static inline u8 dxl_shutdown_bits(enum dxl_protocol protocol, u8 error)
{
	return error & (protocol == DXL_PROTOCOL_1 ? DXL1_ERR_OVERHEAT | DXL1_ERR_OVERLOAD :
						     DXL2_ERR_ALERT);
}

/**
 * struct dxl_packet - one packet, without its framing
 * @protocol: protocol that frames it
 * @id: device it is for or from, or %DXL_ID_BROADCAST
 * @instruction: instruction; %DXL_STATUS_RETURN for a status packet of
 *	either protocol
 * @error: error byte, in status packets only
 * @len: number of parameters
 * @params: the parameters, byte stuffing removed
 */
struct dxl_packet {
	enum dxl_protocol protocol;
	u8 id;
	u8 instruction;
	u8 error;
	u16 len;
	const u8 *params;
};

/**
 * struct dxl_decoder - reassembles packets from a byte stream
 * @direction: kind of packets in the stream
 * @buf: bytes received and not yet consumed
 * @size: size of @buf
 * @limit: longest packet accepted, @size at most
 * @head: first unconsumed byte
 * @tail: end of the received bytes
 * @skipped: bytes thrown away so far because they belonged to no packet
 * @credit: bytes over which CRCs may still be computed, see packet.c
 */
struct dxl_decoder {
	enum dxl_direction direction;
	u8 *buf;
	size_t size;
	size_t limit;
	size_t head;
	size_t tail;
	size_t skipped;
	size_t credit;
};

/**
 * struct dxl_fast - the one status packet that answers a fast group read
 * @size: number of parameters and error bytes that it must have
 * @started: its header has been taken
 * @lost: something foreign is within it, and no part where it belongs
 * @heard: CRC of all that was received of it
 * @crc: CRC of all before the next part, as the one before it says
 */
struct dxl_fast {
	u16 size;
	bool started;
	bool lost;
	u16 heard;
	u16 crc;
};

/* Bytes of a device's slot in it beside its data: error, ID and CRC. */
#define DXL_FAST_OVERHEAD	4
/* What comes before the first slot. */
#define DXL_FAST_HEADER		8

void dxl_decoder_init(struct dxl_decoder *dec, enum dxl_direction direction,
		      u8 *buf, size_t size);
size_t dxl_decoder_reset(struct dxl_decoder *dec);
void dxl_decoder_limit(struct dxl_decoder *dec, size_t limit);
size_t dxl_decoder_feed(struct dxl_decoder *dec, const u8 *data, size_t len);
int dxl_decoder_next(struct dxl_decoder *dec, struct dxl_packet *packet);
int dxl_decoder_next_slot(struct dxl_decoder *dec, struct dxl_fast *fast,
			  u8 id, u16 len, struct dxl_packet *packet);

int dxl_packet_encode(const struct dxl_packet *packet, u8 *buf, size_t size);
size_t dxl_packet_max_size(enum dxl_protocol protocol, size_t params);
size_t dxl_put_range(enum dxl_protocol protocol, u8 *p, u16 addr, u16 len);

u16 dxl_crc16(u16 crc, const u8 *data, size_t len);

#endif /* _LINUX_DXL_PACKET_H */
