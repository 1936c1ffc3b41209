// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fuzz target: the input is a script that builds a stream of packets, good ones
 * and ones that lie: right checksums around wrong lengths, wrong stuffing, and
 * pieces of packets. It is known which of them the decoder must find.
 */
#include "fuzz.h"
#include "stream.h"

#define STREAM_MAX	1200
#define PACKETS_MAX	32
#define PARAMS_MAX	300

enum op {
	OP_GOOD_1,
	OP_GOOD_2,
	OP_BYTES,
	OP_PIECE,
	OP_DAMAGED,
	OP_FORGED_1,
	OP_FORGED_2,
	OP_SILENCE,
	OPS
};

/*
 * @synchronous: what has been built so far leaves the decoder at the beginning
 * of a packet, so that it must find the next.
 */
struct script {
	struct input in;
	struct stream stream;
	u8 bytes[STREAM_MAX];
	struct dxl_packet expected[PACKETS_MAX];
	u8 params[PACKETS_MAX * PARAMS_MAX];
	size_t params_len;
	bool synchronous;
};

static size_t room(const struct script *s)
{
	return STREAM_MAX - s->stream.len;
}

static void put(struct script *s, const u8 *bytes, size_t len)
{
	memcpy(s->bytes + s->stream.len, bytes, len);
	s->stream.len += len;
}

/* Nothing can be told of what the decoder makes of this. */
static void put_noise(struct script *s, const u8 *bytes, size_t len)
{
	put(s, bytes, len);
	s->stream.exact = false;
	s->synchronous = false;
}

/* Parameters: bytes of the input, or the header over and over again. */
static size_t make_params(struct script *s, u8 *params, size_t max)
{
	static const u8 header[] = { 0xff, 0xff, 0xfd };
	u8 len = input_u8(&s->in);
	const u8 *bytes;
	size_t i, n;

	if (len < 0xf0) {
		n = input_bytes(&s->in, &bytes, len < max ? len : max);
		if (n)
			memcpy(params, bytes, n);
		return n;
	}

	n = input_u8(&s->in) % (len == 0xff ? max + 1 : 16);
	for (i = 0; i < n; i++)
		params[i] = header[(i + len) % 3];

	return n;
}

static u8 make_instruction(struct script *s, enum dxl_protocol protocol)
{
	u8 instruction = input_u8(&s->in);

	if (s->stream.direction == DXL_STATUS)
		return DXL_STATUS_RETURN;
	if (protocol == DXL_PROTOCOL_1 && instruction == DXL_STATUS_RETURN)
		return DXL_PING;

	return instruction;
}

static struct dxl_packet make_packet(struct script *s,
				     enum dxl_protocol protocol, u8 *params)
{
	struct dxl_packet packet = { .protocol = protocol, .params = params };

	packet.id = input_u8(&s->in) % (DXL_ID_BROADCAST + 1);
	packet.instruction = make_instruction(s, protocol);
	if (packet.instruction == DXL_STATUS_RETURN)
		packet.error = input_u8(&s->in);
	packet.len = make_params(s, params, protocol == DXL_PROTOCOL_1 ?
				 DXL1_PARAMS_MAX : PARAMS_MAX);

	return packet;
}

static void op_good(struct script *s, enum dxl_protocol protocol)
{
	u8 encoded[DECODER_MAX];
	struct dxl_packet packet;
	int len;

	packet = make_packet(s, protocol, s->params + s->params_len);
	len = dxl_packet_encode(&packet, encoded, sizeof(encoded));
	CHECK(len > 0);
	if ((size_t)len > room(s))
		return;
	if ((size_t)len > s->stream.limit) {
		put_noise(s, encoded, len);
		return;
	}

	put(s, encoded, len);
	if (!s->synchronous)
		return;
	s->params_len += packet.len;
	s->expected[s->stream.num_expected++] = packet;
}

/* A good packet for the worse: cut, or with bits that have flipped. */
static void op_bad(struct script *s, enum op op)
{
	u8 encoded[DECODER_MAX], params[PARAMS_MAX];
	struct dxl_packet packet;
	size_t at;
	int len;

	packet = make_packet(s, 1 + input_u8(&s->in) % 2, params);
	len = dxl_packet_encode(&packet, encoded, sizeof(encoded));
	CHECK(len > 0);
	if ((size_t)len > room(s))
		return;

	at = input_u16(&s->in) % len;
	if (op == OP_PIECE)
		len = at;
	else
		encoded[at] ^= input_u8(&s->in);
	put_noise(s, encoded, len);
}

static void op_bytes(struct script *s)
{
	const u8 *bytes;
	size_t max = input_u8(&s->in);
	size_t len = input_bytes(&s->in, &bytes,
				 max < room(s) ? max : room(s));

	if (len)
		put_noise(s, bytes, len);
}

/* As long as it says, with the checksum of that, whatever is in it. */
static void op_forged_1(struct script *s)
{
	u8 forged[DXL1_PACKET_MAX] = { 0xff, 0xff };
	size_t len, i;
	u8 sum = 0;

	forged[2] = input_u8(&s->in);
	forged[3] = input_u8(&s->in);
	len = 4 + forged[3];
	make_params(s, forged + 4, sizeof(forged) - 4);
	for (i = 2; i < len - 1; i++)
		sum += forged[i];
	if (len > 4)
		forged[len - 1] = ~sum;
	if (len <= room(s))
		put_noise(s, forged, len);
}

/*
 * A body that begins with stuffing, may end without, and has a good packet in
 * between, for a decoder that has begun to remove what it should have left.
 */
static size_t make_nested(struct script *s, u8 *body)
{
	static const u8 header[] = { 0xff, 0xff, 0xfd, 0xfd };
	u8 shape = input_u8(&s->in);
	struct dxl_packet inner = {
		.protocol = 1 + (shape & 1),
		.id = input_u8(&s->in) % DXL_ID_BROADCAST,
		.instruction = DXL_STATUS_RETURN,
		.error = input_u8(&s->in),
	};
	size_t n = 0;

	memcpy(body, header, sizeof(header));
	n += sizeof(header);
	n += input_u8(&s->in) % 8;
	n += dxl_packet_encode(&inner, body + n, DECODER_MAX);
	memcpy(body + n, header, sizeof(header));
	n += sizeof(header);
	if (shape & 2)
		body[n - 1] = 0;

	return n;
}

static void op_forged_2(struct script *s)
{
	u8 forged[DECODER_MAX] = { 0xff, 0xff, 0xfd, 0x00 };
	u8 shape = input_u8(&s->in);
	size_t len, body;
	u16 crc, claimed;

	forged[4] = input_u8(&s->in);
	if (shape & 2)
		body = make_nested(s, forged + 7);
	else
		body = make_params(s, forged + 7, PARAMS_MAX);
	claimed = body + 2;
	/* Mostly the truth, as no CRC can be right around too long a lie. */
	if (shape & 1)
		claimed = input_u16(&s->in);
	forged[5] = claimed & 0xff;
	forged[6] = claimed >> 8;
	len = 7 + (claimed <= DECODER_MAX - 7 ? claimed : body + 2);
	if (len >= 9) {
		crc = dxl_crc16(0, forged, len - 2);
		forged[len - 2] = crc & 0xff;
		forged[len - 1] = crc >> 8;
	}
	if (len <= room(s))
		put_noise(s, forged, len);
}

/* As many zeros as the longest packet has bytes end whatever had begun. */
static void op_silence(struct script *s)
{
	if (s->stream.limit > room(s))
		return;
	memset(s->bytes + s->stream.len, 0, s->stream.limit);
	s->stream.len += s->stream.limit;
	s->synchronous = true;
}

static void run_op(struct script *s)
{
	enum op op = input_u8(&s->in) % OPS;

	switch (op) {
	case OP_GOOD_1:
	case OP_GOOD_2:
		op_good(s, op == OP_GOOD_1 ? DXL_PROTOCOL_1 : DXL_PROTOCOL_2);
		break;
	case OP_BYTES:
		op_bytes(s);
		break;
	case OP_PIECE:
	case OP_DAMAGED:
		op_bad(s, op);
		break;
	case OP_FORGED_1:
		op_forged_1(s);
		break;
	case OP_FORGED_2:
		op_forged_2(s);
		break;
	case OP_SILENCE:
	default:
		op_silence(s);
		break;
	}
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static struct script s;
	u8 setup;

	s.in = (struct input){ data, size };
	s.params_len = 0;
	s.synchronous = true;
	setup = input_u8(&s.in);
	s.stream = (struct stream){
		.direction = setup & 1 ? DXL_STATUS : DXL_INSTRUCTION,
		.size = (setup & 6) == 6 ? 400 : DECODER_MIN + (setup >> 2),
		.bytes = s.bytes,
		.expected = s.expected,
		.exact = true,
	};
	s.stream.limit = s.stream.size - input_u8(&s.in) % DECODER_MIN;

	while (s.in.len && s.stream.num_expected < PACKETS_MAX)
		run_op(&s);
	stream_check(&s.stream, 0x9e3779b9u * setup);

	return 0;
}
