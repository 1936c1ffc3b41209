/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Packets as the maker's protocol descriptions print them, with what they mean:
 * emanual.robotis.com/docs/en/dxl/protocol1/ and .../protocol2/. They are used
 * by the KUnit tests and by the tests on the host alike.
 */
#ifndef _NAOHW_PACKET_VECTORS_H
#define _NAOHW_PACKET_VECTORS_H

#include <linux/dxl/packet.h>

#define PACKET_VECTOR_MAX 32

struct packet_vector {
	const char *name;
	enum dxl_direction direction;
	struct dxl_packet packet;
	u16 size;
	u8 bytes[PACKET_VECTOR_MAX];
};

#define VECTOR_PARAMS(...)						\
	.params = (const u8[]){ __VA_ARGS__ },				\
	.len = sizeof((const u8[]){ __VA_ARGS__ })
#define VECTOR_BYTES(...)						\
	.bytes = { __VA_ARGS__ },					\
	.size = sizeof((const u8[]){ __VA_ARGS__ })

static const struct packet_vector packet_vectors[] = {
	{
		.name = "1.0 ping",
		.direction = DXL_INSTRUCTION,
		.packet = { .protocol = DXL_PROTOCOL_1, .id = 1,
			    .instruction = DXL_PING },
		VECTOR_BYTES(0xff, 0xff, 0x01, 0x02, 0x01, 0xfb),
	}, {
		.name = "1.0 status of ping",
		.direction = DXL_STATUS,
		.packet = { .protocol = DXL_PROTOCOL_1, .id = 1,
			    .instruction = DXL_STATUS_RETURN },
		VECTOR_BYTES(0xff, 0xff, 0x01, 0x02, 0x00, 0xfc),
	}, {
		.name = "1.0 status with overload and overheating errors",
		.direction = DXL_STATUS,
		.packet = { .protocol = DXL_PROTOCOL_1, .id = 1,
			    .instruction = DXL_STATUS_RETURN,
			    .error = DXL1_ERR_OVERLOAD | DXL1_ERR_OVERHEAT },
		VECTOR_BYTES(0xff, 0xff, 0x01, 0x02, 0x24, 0xd8),
	}, {
		.name = "1.0 read of the temperature",
		.direction = DXL_INSTRUCTION,
		.packet = { .protocol = DXL_PROTOCOL_1, .id = 1,
			    .instruction = DXL_READ,
			    VECTOR_PARAMS(0x2b, 0x01) },
		VECTOR_BYTES(0xff, 0xff, 0x01, 0x04, 0x02, 0x2b, 0x01, 0xcc),
	}, {
		.name = "1.0 status with the temperature",
		.direction = DXL_STATUS,
		.packet = { .protocol = DXL_PROTOCOL_1, .id = 1,
			    .instruction = DXL_STATUS_RETURN,
			    VECTOR_PARAMS(0x20) },
		VECTOR_BYTES(0xff, 0xff, 0x01, 0x03, 0x00, 0x20, 0xdb),
	}, {
		.name = "1.0 write of the voltage limits",
		.direction = DXL_INSTRUCTION,
		.packet = { .protocol = DXL_PROTOCOL_1, .id = 1,
			    .instruction = DXL_WRITE,
			    VECTOR_PARAMS(0x0c, 0x64, 0xaa) },
		VECTOR_BYTES(0xff, 0xff, 0x01, 0x05, 0x03, 0x0c, 0x64, 0xaa,
			     0xdc),
	}, {
		.name = "1.0 broadcast write of the ID",
		.direction = DXL_INSTRUCTION,
		.packet = { .protocol = DXL_PROTOCOL_1, .id = DXL_ID_BROADCAST,
			    .instruction = DXL_WRITE,
			    VECTOR_PARAMS(0x03, 0x01) },
		VECTOR_BYTES(0xff, 0xff, 0xfe, 0x04, 0x03, 0x03, 0x01, 0xf6),
	}, {
		.name = "1.0 reg write of the goal position",
		.direction = DXL_INSTRUCTION,
		.packet = { .protocol = DXL_PROTOCOL_1, .id = 1,
			    .instruction = DXL_REG_WRITE,
			    VECTOR_PARAMS(0x1e, 0xf4, 0x01) },
		VECTOR_BYTES(0xff, 0xff, 0x01, 0x05, 0x04, 0x1e, 0xf4, 0x01,
			     0xe2),
	}, {
		.name = "1.0 broadcast action",
		.direction = DXL_INSTRUCTION,
		.packet = { .protocol = DXL_PROTOCOL_1, .id = DXL_ID_BROADCAST,
			    .instruction = DXL_ACTION },
		VECTOR_BYTES(0xff, 0xff, 0xfe, 0x02, 0x05, 0xfa),
	}, {
		.name = "1.0 factory reset",
		.direction = DXL_INSTRUCTION,
		.packet = { .protocol = DXL_PROTOCOL_1, .id = 0,
			    .instruction = DXL_FACTORY_RESET },
		VECTOR_BYTES(0xff, 0xff, 0x00, 0x02, 0x06, 0xf7),
	}, {
		.name = "1.0 sync write of goal and speed",
		.direction = DXL_INSTRUCTION,
		.packet = { .protocol = DXL_PROTOCOL_1, .id = DXL_ID_BROADCAST,
			    .instruction = DXL_SYNC_WRITE,
			    VECTOR_PARAMS(0x1e, 0x04, 0x00, 0x10, 0x00, 0x50,
					  0x01, 0x01, 0x20, 0x02, 0x60, 0x03) },
		VECTOR_BYTES(0xff, 0xff, 0xfe, 0x0e, 0x83, 0x1e, 0x04, 0x00,
			     0x10, 0x00, 0x50, 0x01, 0x01, 0x20, 0x02, 0x60,
			     0x03, 0x67),
	}, {
		.name = "1.0 bulk read",
		.direction = DXL_INSTRUCTION,
		.packet = { .protocol = DXL_PROTOCOL_1, .id = DXL_ID_BROADCAST,
			    .instruction = DXL_BULK_READ,
			    VECTOR_PARAMS(0x00, 0x02, 0x01, 0x1e, 0x02, 0x02,
					  0x24) },
		VECTOR_BYTES(0xff, 0xff, 0xfe, 0x09, 0x92, 0x00, 0x02, 0x01,
			     0x1e, 0x02, 0x02, 0x24, 0x1d),
	}, {
		.name = "1.0 status of bulk read",
		.direction = DXL_STATUS,
		.packet = { .protocol = DXL_PROTOCOL_1, .id = 2,
			    .instruction = DXL_STATUS_RETURN,
			    VECTOR_PARAMS(0x00, 0x80) },
		VECTOR_BYTES(0xff, 0xff, 0x02, 0x04, 0x00, 0x00, 0x80, 0x79),
	}, {
		.name = "2.0 ping",
		.direction = DXL_INSTRUCTION,
		.packet = { .protocol = DXL_PROTOCOL_2, .id = 1,
			    .instruction = DXL_PING },
		VECTOR_BYTES(0xff, 0xff, 0xfd, 0x00, 0x01, 0x03, 0x00, 0x01,
			     0x19, 0x4e),
	}, {
		.name = "2.0 status of ping",
		.direction = DXL_STATUS,
		.packet = { .protocol = DXL_PROTOCOL_2, .id = 1,
			    .instruction = DXL_STATUS_RETURN,
			    VECTOR_PARAMS(0x06, 0x04, 0x26) },
		VECTOR_BYTES(0xff, 0xff, 0xfd, 0x00, 0x01, 0x07, 0x00, 0x55,
			     0x00, 0x06, 0x04, 0x26, 0x65, 0x5d),
	}, {
		.name = "2.0 status of ping from ID 2",
		.direction = DXL_STATUS,
		.packet = { .protocol = DXL_PROTOCOL_2, .id = 2,
			    .instruction = DXL_STATUS_RETURN,
			    VECTOR_PARAMS(0x06, 0x04, 0x26) },
		VECTOR_BYTES(0xff, 0xff, 0xfd, 0x00, 0x02, 0x07, 0x00, 0x55,
			     0x00, 0x06, 0x04, 0x26, 0x6f, 0x6d),
	}, {
		.name = "2.0 broadcast ping",
		.direction = DXL_INSTRUCTION,
		.packet = { .protocol = DXL_PROTOCOL_2, .id = DXL_ID_BROADCAST,
			    .instruction = DXL_PING },
		VECTOR_BYTES(0xff, 0xff, 0xfd, 0x00, 0xfe, 0x03, 0x00, 0x01,
			     0x31, 0x42),
	}, {
		.name = "2.0 read of the position",
		.direction = DXL_INSTRUCTION,
		.packet = { .protocol = DXL_PROTOCOL_2, .id = 1,
			    .instruction = DXL_READ,
			    VECTOR_PARAMS(0x84, 0x00, 0x04, 0x00) },
		VECTOR_BYTES(0xff, 0xff, 0xfd, 0x00, 0x01, 0x07, 0x00, 0x02,
			     0x84, 0x00, 0x04, 0x00, 0x1d, 0x15),
	}, {
		.name = "2.0 status with the position",
		.direction = DXL_STATUS,
		.packet = { .protocol = DXL_PROTOCOL_2, .id = 1,
			    .instruction = DXL_STATUS_RETURN,
			    VECTOR_PARAMS(0xa6, 0x00, 0x00, 0x00) },
		VECTOR_BYTES(0xff, 0xff, 0xfd, 0x00, 0x01, 0x08, 0x00, 0x55,
			     0x00, 0xa6, 0x00, 0x00, 0x00, 0x8c, 0xc0),
	}, {
		.name = "2.0 write of the goal position",
		.direction = DXL_INSTRUCTION,
		.packet = { .protocol = DXL_PROTOCOL_2, .id = 1,
			    .instruction = DXL_WRITE,
			    VECTOR_PARAMS(0x74, 0x00, 0x00, 0x02, 0x00, 0x00) },
		VECTOR_BYTES(0xff, 0xff, 0xfd, 0x00, 0x01, 0x09, 0x00, 0x03,
			     0x74, 0x00, 0x00, 0x02, 0x00, 0x00, 0xca, 0x89),
	},
};

#define PACKET_VECTOR_COUNT \
	(sizeof(packet_vectors) / sizeof(struct packet_vector))

#endif /* _NAOHW_PACKET_VECTORS_H */
