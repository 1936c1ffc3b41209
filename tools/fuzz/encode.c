// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fuzz target: any packet into the encoder. What it accepts must fit the
 * promised size and decode to the same packet; what it refuses it must refuse
 * for the reason there is.
 */
#include <errno.h>

#include "fuzz.h"
#include "stream.h"

#define PARAMS_MAX	0x10000

/* An encoding is never longer than Protocol 2.0's length field can say. */
#define ENCODED_MAX	(7 + 0xffff)

static u8 params[PARAMS_MAX];

/*
 * The longest packets take a thousand times the time of a short one. The fuzzer
 * must not find out how to make them, or it makes nothing else.
 */
static bool may_be_long(const struct input *in)
{
	u32 hash = 1;
	size_t i;

	for (i = 0; i < in->len; i++)
		hash = (hash ^ in->data[i]) * 0x01000193;

	return (hash >> 16) % 128 == 0;
}

/* Bytes repeat where the input ends. */
static u16 make_params(struct input *in)
{
	bool may = may_be_long(in);
	u16 len = input_u16(in);
	const u8 *bytes;
	size_t i, n;

	if (!may || len < 0xf000)
		len &= 0x1ff;
	n = input_bytes(in, &bytes, len);
	for (i = 0; i < len; i++)
		params[i] = n ? bytes[i % n] : 0;

	return len;
}

/* Where the packet's own bytes end and its framing takes over. */
static void check_stuffing(const u8 *buf, size_t len)
{
	size_t i;

	for (i = 7; i + 3 < len - 2; i++)
		CHECK(buf[i] != 0xff || buf[i + 1] != 0xff ||
		      buf[i + 2] != 0xfd || buf[i + 3] == 0xfd);
}

static void check_decodes(const struct dxl_packet *packet, const u8 *encoded,
			  size_t len)
{
	bool status = packet->instruction == DXL_STATUS_RETURN;
	struct dxl_decoder dec;
	struct dxl_packet back;
	u8 *buf = malloc(len);

	CHECK(buf);
	dxl_decoder_init(&dec, status ? DXL_STATUS : DXL_INSTRUCTION, buf, len);
	CHECK(dxl_decoder_feed(&dec, encoded, len - 1) == len - 1);
	CHECK(dxl_decoder_next(&dec, &back) == -EAGAIN);
	CHECK(dxl_decoder_feed(&dec, encoded + len - 1, 1) == 1);
	CHECK(!dxl_decoder_next(&dec, &back));
	packet_check_equal(&back, packet);
	CHECK(!dec.skipped && dec.head == dec.tail);
	free(buf);
}

static void check_accepted(const struct dxl_packet *packet, const u8 *encoded,
			   size_t len)
{
	u8 *exact = malloc(len);

	CHECK(exact);
	CHECK(len <= dxl_packet_max_size(packet->protocol, packet->len));
	CHECK(dxl_packet_encode(packet, exact, len) == (int)len);
	CHECK(!memcmp(exact, encoded, len));
	CHECK(dxl_packet_encode(packet, exact, len - 1) == -EMSGSIZE);
	if (packet->protocol == DXL_PROTOCOL_2)
		check_stuffing(exact, len);
	check_decodes(packet, exact, len);
	free(exact);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static u8 encoded[ENCODED_MAX];
	struct input in = { data, size };
	struct dxl_packet packet = {
		.protocol = input_u8(&in) % 4,
		.id = input_u8(&in),
		.instruction = input_u8(&in),
		.params = params,
	};
	bool possible = packet.id <= DXL_ID_BROADCAST &&
			(packet.protocol == DXL_PROTOCOL_1 ||
			 packet.protocol == DXL_PROTOCOL_2);
	int len;

	if (packet.instruction == DXL_STATUS_RETURN)
		packet.error = input_u8(&in);
	packet.len = make_params(&in);

	len = dxl_packet_encode(&packet, encoded, sizeof(encoded));
	if (len > 0) {
		CHECK(possible);
		check_accepted(&packet, encoded, len);
	} else if (!possible) {
		CHECK(len == -EINVAL);
	} else {
		CHECK(len == -EMSGSIZE);
		CHECK(dxl_packet_max_size(packet.protocol, packet.len) >
		      (packet.protocol == DXL_PROTOCOL_1 ?
		       DXL1_PACKET_MAX : ENCODED_MAX));
	}

	return 0;
}
