// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the packet codec
 */
#include <linux/prandom.h>
#include <linux/string.h>

#include <kunit/test.h>

#include <linux/dxl/packet.h>

#include "packet_vectors.h"

#define STREAM_MAX	2048

/* Longer than any packet that a damaged length could announce. */
#define BUFFER_SIZE	512

/**
 * struct fixture - a decoder with its memory, and a stream to feed it with
 * @dec: the decoder
 * @buf: its memory
 * @stream: bytes for it
 * @len: their number
 */
struct fixture {
	struct dxl_decoder dec;
	u8 buf[BUFFER_SIZE];
	u8 stream[STREAM_MAX];
	size_t len;
};

KUNIT_ARRAY_PARAM_DESC(vector, packet_vectors, name);

static int packet_test_init(struct kunit *test)
{
	test->priv = kunit_kzalloc(test, sizeof(struct fixture), GFP_KERNEL);

	return test->priv ? 0 : -ENOMEM;
}

static void put(struct fixture *f, const u8 *data, size_t len)
{
	memcpy(f->stream + f->len, data, len);
	f->len += len;
}

#define PUT(f, ...)							\
	put(f, (const u8[]){ __VA_ARGS__ }, sizeof((const u8[]){ __VA_ARGS__ }))

static void expect_packet(struct kunit *test, const struct dxl_packet *got,
			  const struct dxl_packet *want)
{
	KUNIT_EXPECT_EQ(test, got->protocol, want->protocol);
	KUNIT_EXPECT_EQ(test, got->id, want->id);
	KUNIT_EXPECT_EQ(test, got->instruction, want->instruction);
	KUNIT_EXPECT_EQ(test, got->error, want->error);
	KUNIT_ASSERT_EQ(test, got->len, want->len);
	if (want->len)
		KUNIT_EXPECT_MEMEQ(test, got->params, want->params, want->len);
}

/* Feed all of the stream; the bytes must fit. */
static void feed_stream(struct kunit *test, struct fixture *f)
{
	KUNIT_ASSERT_EQ(test, dxl_decoder_feed(&f->dec, f->stream, f->len),
			f->len);
}

static void start(struct fixture *f, enum dxl_direction direction, size_t size)
{
	dxl_decoder_init(&f->dec, direction, f->buf, size);
	f->len = 0;
}

/* --- one packet --- */

static void packet_encode(struct kunit *test)
{
	const struct packet_vector *v = test->param_value;
	u8 wire[PACKET_VECTOR_MAX];
	size_t size;

	KUNIT_ASSERT_EQ(test,
			dxl_packet_encode(&v->packet, wire, sizeof(wire)),
			v->size);
	KUNIT_EXPECT_MEMEQ(test, wire, v->bytes, v->size);
	KUNIT_EXPECT_EQ(test, dxl_packet_encode(&v->packet, wire, v->size),
			v->size);
	KUNIT_EXPECT_LE(test, v->size,
			dxl_packet_max_size(v->packet.protocol, v->packet.len));

	for (size = 0; size < v->size; size++)
		KUNIT_EXPECT_EQ(test,
				dxl_packet_encode(&v->packet, wire, size),
				-EMSGSIZE);
}

static void packet_decode(struct kunit *test)
{
	const struct packet_vector *v = test->param_value;
	struct fixture *f = test->priv;
	struct dxl_packet packet;

	start(f, v->direction, v->size);
	put(f, v->bytes, v->size);
	feed_stream(test, f);
	KUNIT_ASSERT_EQ(test, dxl_decoder_next(&f->dec, &packet), 0);
	expect_packet(test, &packet, &v->packet);
	KUNIT_EXPECT_EQ(test, dxl_decoder_next(&f->dec, &packet), -EAGAIN);
	KUNIT_EXPECT_EQ(test, f->dec.skipped, 0);
	KUNIT_EXPECT_EQ(test, dxl_decoder_reset(&f->dec), 0);
}

static void packet_decode_split(struct kunit *test)
{
	const struct packet_vector *v = test->param_value;
	struct fixture *f = test->priv;
	struct dxl_packet packet;
	size_t at;

	for (at = 1; at < v->size; at++) {
		start(f, v->direction, BUFFER_SIZE);
		dxl_decoder_feed(&f->dec, v->bytes, at);
		KUNIT_EXPECT_EQ(test, dxl_decoder_next(&f->dec, &packet),
				-EAGAIN);
		dxl_decoder_feed(&f->dec, v->bytes + at, v->size - at);
		KUNIT_ASSERT_EQ(test, dxl_decoder_next(&f->dec, &packet), 0);
		expect_packet(test, &packet, &v->packet);
		KUNIT_EXPECT_EQ(test, f->dec.skipped, 0);
	}
}

/* Bytes of the beginning are gone after a reset, however many there were. */
static void packet_decode_after_reset(struct kunit *test)
{
	const struct packet_vector *v = test->param_value;
	struct fixture *f = test->priv;
	struct dxl_packet packet;
	size_t at;

	for (at = 1; at < v->size; at++) {
		start(f, v->direction, BUFFER_SIZE);
		dxl_decoder_feed(&f->dec, v->bytes, at);
		dxl_decoder_next(&f->dec, &packet);
		KUNIT_EXPECT_EQ(test, dxl_decoder_reset(&f->dec), at);
		dxl_decoder_feed(&f->dec, v->bytes, v->size);
		KUNIT_ASSERT_EQ(test, dxl_decoder_next(&f->dec, &packet), 0);
		expect_packet(test, &packet, &v->packet);
	}
}

/* --- many packets --- */

/* All vectors of a direction, both protocols, in one stream. */
static void put_vectors(struct fixture *f, enum dxl_direction direction)
{
	size_t i;

	for (i = 0; i < PACKET_VECTOR_COUNT; i++) {
		const struct packet_vector *v = &packet_vectors[i];

		if (v->direction == direction)
			put(f, v->bytes, v->size);
	}
}

static const struct packet_vector *next_vector(enum dxl_direction direction,
					       size_t *i)
{
	while (*i < PACKET_VECTOR_COUNT) {
		const struct packet_vector *v = &packet_vectors[(*i)++];

		if (v->direction == direction)
			return v;
	}

	return NULL;
}

static void decode_chunks(struct kunit *test, enum dxl_direction direction,
			  size_t chunk)
{
	struct fixture *f = test->priv;
	const struct packet_vector *v;
	struct dxl_packet packet;
	size_t at = 0, seen = 0;
	int ret;

	/* A buffer of one packet: the decoder must make room as it goes. */
	start(f, direction, PACKET_VECTOR_MAX);
	put_vectors(f, direction);

	while (at < f->len) {
		at += dxl_decoder_feed(&f->dec, f->stream + at,
				       min(chunk, f->len - at));
		while ((ret = dxl_decoder_next(&f->dec, &packet)) != -EAGAIN) {
			KUNIT_ASSERT_EQ(test, ret, 0);
			v = next_vector(direction, &seen);
			KUNIT_ASSERT_NOT_NULL(test, v);
			expect_packet(test, &packet, &v->packet);
		}
	}

	KUNIT_EXPECT_NULL(test, next_vector(direction, &seen));
	KUNIT_EXPECT_EQ(test, f->dec.skipped, 0);
}

static void packet_decode_merged(struct kunit *test)
{
	size_t chunk;

	for (chunk = 1; chunk <= 2 * PACKET_VECTOR_MAX; chunk++) {
		decode_chunks(test, DXL_INSTRUCTION, chunk);
		decode_chunks(test, DXL_STATUS, chunk);
	}
}

/* --- damage --- */

/* What a decoder made of a stream. */
struct outcome {
	unsigned int packets;
	unsigned int bad_checksums;
	unsigned int too_long;
	unsigned int malformed;
};

/*
 * Decode the rest of the stream; all packets in it must equal @want. Bounded,
 * as a decoder that does not advance must fail the test and not hang it.
 */
static struct outcome decode_all(struct kunit *test, struct fixture *f,
				 const struct dxl_packet *want)
{
	struct outcome out = {};
	struct dxl_packet packet;
	size_t tries, at = 0;

	for (tries = 0; tries < 4 * STREAM_MAX; tries++) {
		size_t fed = dxl_decoder_feed(&f->dec, f->stream + at,
					      f->len - at);
		at += fed;
		switch (dxl_decoder_next(&f->dec, &packet)) {
		case 0:
			expect_packet(test, &packet, want);
			out.packets++;
			break;
		case -EAGAIN:
			if (at == f->len)
				return out;
			break;
		case -EBADMSG:
			out.bad_checksums++;
			break;
		case -EMSGSIZE:
			out.too_long++;
			break;
		case -EPROTO:
			out.malformed++;
			break;
		default:
			KUNIT_FAIL_AND_ABORT(test, "unknown error");
		}
	}

	KUNIT_FAIL_AND_ABORT(test, "the decoder does not advance");

	return out;
}

/* The packet that must survive what is before it, in both directions. */
static const u8 survivor_bytes[] = {
	0xff, 0xff, 0x21, 0x04, 0x00, 0x12, 0x34, 0x94,
};

static const u8 survivor_params[] = { 0x12, 0x34 };

static struct dxl_packet survivor(enum dxl_direction direction)
{
	return (struct dxl_packet){
		.protocol = DXL_PROTOCOL_1,
		.id = 0x21,
		.instruction = direction == DXL_STATUS ? DXL_STATUS_RETURN : 0,
		.len = sizeof(survivor_params),
		.params = survivor_params,
	};
}

static void put_survivor(struct fixture *f)
{
	static const u8 silence[BUFFER_SIZE];

	put(f, survivor_bytes, sizeof(survivor_bytes));
	/* So that a packet whose length was damaged comes to its end. */
	put(f, silence, sizeof(silence));
}

static void packet_bit_flips(struct kunit *test)
{
	const struct packet_vector *v = test->param_value;
	struct dxl_packet want = survivor(v->direction);
	struct fixture *f = test->priv;
	struct outcome out;
	unsigned int bit;

	for (bit = 0; bit < 8 * v->size; bit++) {
		start(f, v->direction, BUFFER_SIZE);
		put(f, v->bytes, v->size);
		f->stream[bit / 8] ^= BIT(bit % 8);
		/*
		 * The sum of 1.0 does not see a length one too high where FF
		 * follows, as a header would.
		 */
		PUT(f, 0x00);
		put_survivor(f);

		out = decode_all(test, f, &want);
		KUNIT_EXPECT_EQ_MSG(test, out.packets, 1, "bit %u", bit);
	}
}

static void packet_lost_bytes(struct kunit *test)
{
	const struct packet_vector *v = test->param_value;
	struct dxl_packet want = survivor(v->direction);
	struct fixture *f = test->priv;
	struct outcome out;
	size_t lost;

	for (lost = 0; lost < v->size; lost++) {
		start(f, v->direction, BUFFER_SIZE);
		put(f, v->bytes, lost);
		put(f, v->bytes + lost + 1, v->size - lost - 1);
		put_survivor(f);

		out = decode_all(test, f, &want);
		KUNIT_EXPECT_EQ_MSG(test, out.packets, 1, "byte %zu", lost);
	}
}

static void packet_bad_checksum(struct kunit *test)
{
	const struct packet_vector *v = test->param_value;
	struct fixture *f = test->priv;
	struct dxl_packet packet;

	start(f, v->direction, BUFFER_SIZE);
	put(f, v->bytes, v->size);
	f->stream[v->size - 1] ^= 1;
	feed_stream(test, f);
	KUNIT_EXPECT_EQ(test, dxl_decoder_next(&f->dec, &packet), -EBADMSG);
	KUNIT_EXPECT_EQ(test, dxl_decoder_next(&f->dec, &packet), -EAGAIN);
}

static void packet_after_garbage(struct kunit *test)
{
	/* None of it is the beginning of a packet with what follows it. */
	static const struct {
		u8 bytes[8];
		size_t len;
	} garbage[] = {
		{ { 0x00 }, 1 },
		{ { 0xff }, 1 },
		{ { 0xff, 0xff }, 2 },
		{ { 0xff, 0xff, 0xff, 0xff }, 4 },
		{ { 0xff, 0x00, 0xff }, 3 },
		{ { 0xfd, 0x00, 0x01 }, 3 },
		{ { 0x55, 0xaa, 0xff, 0x01, 0x02 }, 5 },
	};
	const struct packet_vector *v = test->param_value;
	struct fixture *f = test->priv;
	struct outcome out;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(garbage); i++) {
		start(f, v->direction, BUFFER_SIZE);
		put(f, garbage[i].bytes, garbage[i].len);
		put(f, v->bytes, v->size);
		put(f, garbage[i].bytes, garbage[i].len);
		put(f, v->bytes, v->size);

		out = decode_all(test, f, &v->packet);
		KUNIT_EXPECT_EQ_MSG(test, out.packets, 2, "garbage %zu", i);
		KUNIT_EXPECT_EQ(test, out.bad_checksums, 0);
		KUNIT_EXPECT_EQ(test, f->dec.skipped, 2 * garbage[i].len);
	}
}

/* The claimed end lies within the next packet, which must not be lost. */
static void packet_wrong_length(struct kunit *test)
{
	struct dxl_packet want = survivor(DXL_STATUS);
	struct fixture *f = test->priv;
	struct outcome out;

	start(f, DXL_STATUS, BUFFER_SIZE);
	PUT(f, 0xff, 0xff, 0x01, 0x08, 0x00, 0x20, 0xdb);
	put_survivor(f);
	out = decode_all(test, f, &want);
	KUNIT_EXPECT_EQ(test, out.packets, 1);
	KUNIT_EXPECT_EQ(test, out.bad_checksums, 1);
	KUNIT_EXPECT_EQ(test, f->dec.skipped, 7 + BUFFER_SIZE);
}

struct malformed {
	const char *name;
	enum dxl_direction direction;
	u8 bytes[16];
	size_t len;
	int error;
};

static const struct malformed malformed[] = {
	{
		.name = "1.0 length 0",
		.direction = DXL_STATUS,
		.bytes = { 0xff, 0xff, 0x01, 0x00, 0xfe },
		.len = 5,
		.error = -EPROTO,
	}, {
		.name = "1.0 length 1",
		.direction = DXL_STATUS,
		.bytes = { 0xff, 0xff, 0x01, 0x01, 0xfd },
		.len = 5,
		.error = -EPROTO,
	}, {
		.name = "2.0 length 0",
		.direction = DXL_INSTRUCTION,
		.bytes = { 0xff, 0xff, 0xfd, 0x00, 0x01, 0x00, 0x00 },
		.len = 7,
		.error = -EPROTO,
	}, {
		.name = "2.0 instruction of length 2",
		.direction = DXL_INSTRUCTION,
		.bytes = { 0xff, 0xff, 0xfd, 0x00, 0x01, 0x02, 0x00, 0x20,
			   0x14 },
		.len = 9,
		.error = -EPROTO,
	}, {
		.name = "2.0 status without error byte",
		.direction = DXL_STATUS,
		.bytes = { 0xff, 0xff, 0xfd, 0x00, 0x07, 0x03, 0x00, 0x55,
			   0xe2, 0xb7 },
		.len = 10,
		.error = -EPROTO,
	}, {
		.name = "2.0 status without error byte among instructions",
		.direction = DXL_INSTRUCTION,
		.bytes = { 0xff, 0xff, 0xfd, 0x00, 0x07, 0x03, 0x00, 0x55,
			   0xe2, 0xb7 },
		.len = 10,
		.error = -EPROTO,
	}, {
		.name = "2.0 ID 255",
		.direction = DXL_STATUS,
		.bytes = { 0xff, 0xff, 0xfd, 0x00, 0xff, 0x04, 0x00, 0x55,
			   0x00 },
		.len = 9,
		.error = -EPROTO,
	}, {
		.name = "2.0 without stuffing",
		.direction = DXL_STATUS,
		.bytes = { 0xff, 0xff, 0xfd, 0x00, 0x07, 0x08, 0x00, 0x55,
			   0x00, 0xff, 0xff, 0xfd, 0x01, 0xd2, 0x23 },
		.len = 15,
		.error = -EPROTO,
	}, {
		.name = "2.0 without stuffing at the end",
		.direction = DXL_STATUS,
		.bytes = { 0xff, 0xff, 0xfd, 0x00, 0x07, 0x07, 0x00, 0x55,
			   0x00, 0xff, 0xff, 0xfd, 0xd3, 0x29 },
		.len = 14,
		.error = -EPROTO,
	}, {
		.name = "2.0 longer than the buffer",
		.direction = DXL_STATUS,
		.bytes = { 0xff, 0xff, 0xfd, 0x00, 0x01, 0xff, 0xff, 0x55 },
		.len = 8,
		.error = -EMSGSIZE,
	},
};

KUNIT_ARRAY_PARAM_DESC(malformed, malformed, name);

static void packet_malformed(struct kunit *test)
{
	const struct malformed *m = test->param_value;
	struct dxl_packet want = survivor(m->direction);
	struct fixture *f = test->priv;
	struct dxl_packet packet;
	struct outcome out;

	start(f, m->direction, BUFFER_SIZE);
	dxl_decoder_feed(&f->dec, m->bytes, m->len);
	KUNIT_EXPECT_EQ(test, dxl_decoder_next(&f->dec, &packet), m->error);

	put_survivor(f);
	out = decode_all(test, f, &want);
	KUNIT_EXPECT_EQ(test, out.packets, 1);
}

/* The buffer is what bounds a packet, to the byte. */
static void packet_longer_than_buffer(struct kunit *test)
{
	static const u8 params[9];
	const struct dxl_packet long_one = {
		.protocol = DXL_PROTOCOL_1,
		.id = 1,
		.instruction = DXL_STATUS_RETURN,
		.len = sizeof(params),
		.params = params,
	};
	const size_t size = DXL1_OVERHEAD + sizeof(params);
	struct dxl_packet want = survivor(DXL_STATUS);
	struct fixture *f = test->priv;
	struct outcome out;
	u8 wire[DXL1_OVERHEAD + sizeof(params)];

	KUNIT_ASSERT_EQ(test, dxl_packet_encode(&long_one, wire, size), size);

	start(f, DXL_STATUS, size);
	put(f, wire, size);
	out = decode_all(test, f, &long_one);
	KUNIT_EXPECT_EQ(test, out.packets, 1);
	KUNIT_EXPECT_EQ(test, out.too_long, 0);

	start(f, DXL_STATUS, size - 1);
	put(f, wire, size);
	put(f, survivor_bytes, sizeof(survivor_bytes));
	out = decode_all(test, f, &want);
	KUNIT_EXPECT_EQ(test, out.packets, 1);
	KUNIT_EXPECT_EQ(test, out.too_long, 1);
	KUNIT_EXPECT_EQ(test, f->dec.skipped, size);
}

/* The limit can be set anew, up to the size of the buffer. */
static void packet_limit(struct kunit *test)
{
	const size_t size = sizeof(survivor_bytes);
	struct dxl_packet want = survivor(DXL_STATUS);
	struct fixture *f = test->priv;
	struct dxl_packet packet;

	start(f, DXL_STATUS, BUFFER_SIZE);
	put(f, survivor_bytes, size);
	dxl_decoder_limit(&f->dec, size - 1);
	dxl_decoder_feed(&f->dec, survivor_bytes, 4);
	KUNIT_EXPECT_EQ(test, dxl_decoder_next(&f->dec, &packet), -EMSGSIZE);

	dxl_decoder_reset(&f->dec);
	dxl_decoder_limit(&f->dec, size);
	feed_stream(test, f);
	KUNIT_ASSERT_EQ(test, dxl_decoder_next(&f->dec, &packet), 0);
	expect_packet(test, &packet, &want);

	start(f, DXL_STATUS, size - 1);
	dxl_decoder_limit(&f->dec, BUFFER_SIZE);
	dxl_decoder_feed(&f->dec, survivor_bytes, size - 1);
	KUNIT_EXPECT_EQ(test, dxl_decoder_next(&f->dec, &packet), -EMSGSIZE);
}

/* --- byte stuffing --- */

struct stuffed {
	const char *name;
	u8 error;
	u8 params[8];
	u16 len;
	u8 bytes[24];
	size_t size;
};

static const struct stuffed stuffed[] = {
	{
		.name = "header in the parameters",
		.error = DXL2_ERR_ALERT,
		.params = { 0xff, 0xff, 0xfd },
		.len = 3,
		.bytes = { 0xff, 0xff, 0xfd, 0x00, 0x07, 0x08, 0x00, 0x55,
			   0x80, 0xff, 0xff, 0xfd, 0xfd, 0xd9, 0x9d },
		.size = 15,
	}, {
		.name = "header from the error byte on",
		.error = 0xff,
		.params = { 0xff, 0xfd },
		.len = 2,
		.bytes = { 0xff, 0xff, 0xfd, 0x00, 0x07, 0x07, 0x00, 0x55,
			   0xff, 0xff, 0xfd, 0xfd, 0xf8, 0xa9 },
		.size = 14,
	}, {
		.name = "header with one more FF before it",
		.params = { 0xff, 0xff, 0xff, 0xfd, 0x01 },
		.len = 5,
		.bytes = { 0xff, 0xff, 0xfd, 0x00, 0x07, 0x0a, 0x00, 0x55,
			   0x00, 0xff, 0xff, 0xff, 0xfd, 0xfd, 0x01, 0xfe, 0x22 },
		.size = 17,
	}, {
		.name = "no header, for all its FF",
		.params = { 0xff, 0xff, 0xff, 0x01, 0x02 },
		.len = 5,
		.bytes = { 0xff, 0xff, 0xfd, 0x00, 0x07, 0x09, 0x00, 0x55,
			   0x00, 0xff, 0xff, 0xff, 0x01, 0x02, 0x8e, 0xd4 },
		.size = 16,
	},
};

KUNIT_ARRAY_PARAM_DESC(stuffed, stuffed, name);

static void packet_stuffing(struct kunit *test)
{
	const struct stuffed *s = test->param_value;
	const struct dxl_packet status = {
		.protocol = DXL_PROTOCOL_2,
		.id = 7,
		.instruction = DXL_STATUS_RETURN,
		.error = s->error,
		.len = s->len,
		.params = s->params,
	};
	struct fixture *f = test->priv;
	struct dxl_packet packet;
	u8 wire[24];

	KUNIT_ASSERT_EQ(test, dxl_packet_encode(&status, wire, sizeof(wire)),
			s->size);
	KUNIT_EXPECT_MEMEQ(test, wire, s->bytes, s->size);
	KUNIT_EXPECT_LE(test, s->size,
			dxl_packet_max_size(DXL_PROTOCOL_2, s->len));

	start(f, DXL_STATUS, BUFFER_SIZE);
	put(f, s->bytes, s->size);
	feed_stream(test, f);
	KUNIT_ASSERT_EQ(test, dxl_decoder_next(&f->dec, &packet), 0);
	expect_packet(test, &packet, &status);
}

/*
 * What is not stuffed as it should be stays as it came, as the search for the
 * next packet goes on in it.
 */
static void packet_stuffing_half_missing(struct kunit *test)
{
	static const u8 bytes[] = {
		0xff, 0xff, 0xfd, 0x00, 0x07, 0x0d, 0x00, 0x55,
		0x00, 0xff, 0xff, 0xfd, 0xfd, 0x01, 0xff, 0xff,
		0xfd, 0x02, 0x85, 0xc8,
	};
	struct fixture *f = test->priv;
	struct dxl_packet packet;

	start(f, DXL_STATUS, BUFFER_SIZE);
	put(f, bytes, sizeof(bytes));
	feed_stream(test, f);
	KUNIT_EXPECT_EQ(test, dxl_decoder_next(&f->dec, &packet), -EPROTO);
	KUNIT_EXPECT_MEMEQ(test, f->buf, bytes, sizeof(bytes));
}

static void stuffing_round_trip(struct kunit *test,
				const struct dxl_packet *status)
{
	size_t max = dxl_packet_max_size(DXL_PROTOCOL_2, status->len);
	struct fixture *f = test->priv;
	struct dxl_packet packet;
	int size;

	size = dxl_packet_encode(status, f->stream, max);
	KUNIT_ASSERT_GT(test, size, 0);
	KUNIT_EXPECT_EQ(test, dxl_packet_encode(status, f->stream, size - 1),
			-EMSGSIZE);

	dxl_packet_encode(status, f->stream, max);
	f->len = size;
	feed_stream(test, f);
	KUNIT_ASSERT_EQ(test, dxl_decoder_next(&f->dec, &packet), 0);
	expect_packet(test, &packet, status);
}

/* Parameters that are nothing but headers, at each phase and length. */
static void packet_stuffing_worst_case(struct kunit *test)
{
	static const u8 pattern[] = { 0xff, 0xff, 0xfd };
	struct fixture *f = test->priv;
	struct dxl_packet status = {
		.protocol = DXL_PROTOCOL_2,
		.id = 7,
		.instruction = DXL_STATUS_RETURN,
	};
	u8 params[96];
	size_t phase, i;

	for (phase = 0; phase < sizeof(pattern); phase++) {
		for (i = 0; i < sizeof(params); i++)
			params[i] = pattern[(phase + i) % sizeof(pattern)];

		for (i = 0; i <= sizeof(params); i++) {
			status.params = params;
			status.len = i;
			/* The phase before a header begins with one. */
			status.error = phase == 1 ? 0xff : 0;
			start(f, DXL_STATUS, BUFFER_SIZE);
			stuffing_round_trip(test, &status);
		}
	}
}

/* --- what cannot be sent --- */

static void packet_encode_impossible(struct kunit *test)
{
	static u8 params[0x10000];
	struct dxl_packet packet = {
		.protocol = DXL_PROTOCOL_1,
		.id = 255,
		.instruction = DXL_PING,
		.params = params,
	};
	struct fixture *f = test->priv;
	u8 *wire = f->stream;

	KUNIT_EXPECT_EQ(test, dxl_packet_encode(&packet, wire, STREAM_MAX),
			-EINVAL);
	packet.protocol = DXL_PROTOCOL_2;
	KUNIT_EXPECT_EQ(test, dxl_packet_encode(&packet, wire, STREAM_MAX),
			-EINVAL);

	packet.id = 1;
	packet.protocol = 0;
	KUNIT_EXPECT_EQ(test, dxl_packet_encode(&packet, wire, STREAM_MAX),
			-EINVAL);

	/* The length byte of 1.0 counts two bytes beside the parameters. */
	packet.protocol = DXL_PROTOCOL_1;
	packet.len = 253;
	KUNIT_EXPECT_EQ(test, dxl_packet_encode(&packet, wire, STREAM_MAX),
			DXL1_PACKET_MAX);
	packet.len = 254;
	KUNIT_EXPECT_EQ(test, dxl_packet_encode(&packet, wire, STREAM_MAX),
			-EMSGSIZE);

	packet.protocol = DXL_PROTOCOL_2;
	packet.len = 0xffff;
	KUNIT_EXPECT_EQ(test, dxl_packet_encode(&packet, wire, STREAM_MAX),
			-EMSGSIZE);
}

static void packet_put_range(struct kunit *test)
{
	static const u8 range1[] = { 0x24, 0x08 };
	static const u8 range2[] = { 0x84, 0x01, 0x04, 0x02 };
	u8 p[DXL_RANGE_MAX];

	KUNIT_ASSERT_EQ(test, dxl_put_range(DXL_PROTOCOL_1, p, 0x24, 8), 2);
	KUNIT_EXPECT_MEMEQ(test, p, range1, sizeof(range1));
	KUNIT_ASSERT_EQ(test, dxl_put_range(DXL_PROTOCOL_2, p, 0x184, 0x204),
			4);
	KUNIT_EXPECT_MEMEQ(test, p, range2, sizeof(range2));
}

/* The check value that catalogues of CRCs give for these parameters. */
static void packet_crc(struct kunit *test)
{
	static const u8 digits[] = "123456789";

	KUNIT_EXPECT_EQ(test, dxl_crc16(0, digits, 9), 0xfee8);
	KUNIT_EXPECT_EQ(test, dxl_crc16(dxl_crc16(0, digits, 4), digits + 4, 5),
			0xfee8);
	KUNIT_EXPECT_EQ(test, dxl_crc16(0x1234, digits, 0), 0x1234);
}

/* --- noise --- */

/* Bytes of which packets are made, so that noise comes near to being some. */
static u8 noise_byte(struct rnd_state *rnd)
{
	static const u8 likely[] = { 0xff, 0xff, 0xff, 0xfd, 0x00, 0x01, 0x02,
				     0x03, 0x04, 0x55, 0xfc };
	u32 r = prandom_u32_state(rnd);

	return r & 0x80000000 ? likely[r % ARRAY_SIZE(likely)] : r;
}

/* Noise, with a packet in it now and then. */
static void put_noise(struct fixture *f, struct rnd_state *rnd)
{
	const struct packet_vector *v;

	f->len = 0;
	while (f->len < STREAM_MAX - PACKET_VECTOR_MAX) {
		f->stream[f->len++] = noise_byte(rnd);
		if (prandom_u32_state(rnd) % 64)
			continue;
		v = &packet_vectors[prandom_u32_state(rnd) %
				    PACKET_VECTOR_COUNT];
		put(f, v->bytes, v->size);
	}
}

/*
 * Take packets until there are no more.
 *
 * Return: number of bytes that they had on the wire
 */
static size_t drain(struct kunit *test, struct dxl_decoder *dec)
{
	size_t head = dec->head, skipped = dec->skipped, rounds = 0;
	struct dxl_packet packet;
	int ret;

	while ((ret = dxl_decoder_next(dec, &packet)) != -EAGAIN) {
		KUNIT_ASSERT_LE(test, ++rounds, dec->size);
		if (!ret)
			KUNIT_ASSERT_NE(test, packet.id, 255);
	}
	KUNIT_ASSERT_LE(test, head, dec->head);
	KUNIT_ASSERT_LE(test, dec->head, dec->tail);
	KUNIT_ASSERT_LE(test, dec->tail, dec->size);

	return dec->head - head - (dec->skipped - skipped);
}

/*
 * Whatever comes in, each byte leaves as part of a packet or is skipped, and
 * after -EAGAIN there is room for one more.
 */
static void noise(struct kunit *test, enum dxl_direction direction, size_t size)
{
	struct fixture *f = test->priv;
	size_t i, round, fed = 0, taken = 0;
	struct rnd_state rnd;

	prandom_seed_state(&rnd, 20230 + size);
	start(f, direction, size);

	for (round = 0; round < 10; round++) {
		put_noise(f, &rnd);
		for (i = 0; i < f->len; i++) {
			KUNIT_ASSERT_EQ(test,
					dxl_decoder_feed(&f->dec, f->stream + i,
							 1), 1);
			taken += drain(test, &f->dec);
		}
		fed += f->len;
	}

	KUNIT_EXPECT_GT(test, taken, 0);
	KUNIT_EXPECT_EQ(test, fed, taken + f->dec.skipped +
			dxl_decoder_reset(&f->dec));
}

static void packet_noise(struct kunit *test)
{
	static const size_t sizes[] = { 12, 16, 64, BUFFER_SIZE };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		noise(test, DXL_INSTRUCTION, sizes[i]);
		noise(test, DXL_STATUS, sizes[i]);
	}
}

/* What noise of headers claims to be is this long, and twice as much comes of it. */
#define CLAIM		2000

/* Noise buys only so many CRCs, and what follows it is found all the same. */
static void packet_costly_noise(struct kunit *test)
{
	static const u8 header[] = {
		0xff, 0xff, 0xfd, 0x00, 0x01, (CLAIM - 7) & 0xff, (CLAIM - 7) >> 8,
	};
	struct dxl_packet want = survivor(DXL_STATUS), packet;
	struct fixture *f = test->priv;
	u8 *buf = kunit_kzalloc(test, 2 * CLAIM, GFP_KERNEL);
	unsigned int i, survivors = 0;

	KUNIT_ASSERT_NOT_NULL(test, buf);
	dxl_decoder_init(&f->dec, DXL_STATUS, buf, 2 * CLAIM);
	for (i = 0; i < 2 * CLAIM / sizeof(header); i++)
		dxl_decoder_feed(&f->dec, header, sizeof(header));
	drain(test, &f->dec);
	KUNIT_EXPECT_LT(test, f->dec.credit, CLAIM);

	for (i = 0; i < CLAIM; i += sizeof(survivor_bytes)) {
		dxl_decoder_feed(&f->dec, survivor_bytes,
				 sizeof(survivor_bytes));
		while (dxl_decoder_next(&f->dec, &packet) != -EAGAIN)
			continue;
	}
	/* All that is left of it has gone by: every one is found at once. */
	for (i = 0; i < 10; i++) {
		dxl_decoder_feed(&f->dec, survivor_bytes,
				 sizeof(survivor_bytes));
		if (!dxl_decoder_next(&f->dec, &packet))
			survivors++;
	}
	KUNIT_EXPECT_EQ(test, survivors, 10);
	expect_packet(test, &packet, &want);
}

/* A decoder whose buffer is full takes what fits, and says how much. */
static void packet_feed_full(struct kunit *test)
{
	struct dxl_packet want = survivor(DXL_STATUS);
	struct fixture *f = test->priv;
	struct dxl_packet packet;
	size_t taken;

	start(f, DXL_STATUS, sizeof(survivor_bytes));
	put(f, survivor_bytes, sizeof(survivor_bytes));
	put(f, survivor_bytes, sizeof(survivor_bytes));

	taken = dxl_decoder_feed(&f->dec, f->stream, f->len);
	KUNIT_EXPECT_EQ(test, taken, sizeof(survivor_bytes));
	KUNIT_EXPECT_EQ(test, dxl_decoder_feed(&f->dec, f->stream, 1), 0);
	KUNIT_ASSERT_EQ(test, dxl_decoder_next(&f->dec, &packet), 0);
	KUNIT_EXPECT_EQ(test, dxl_decoder_next(&f->dec, &packet), -EAGAIN);
	KUNIT_EXPECT_EQ(test, dxl_decoder_feed(&f->dec, f->stream + taken,
					       f->len - taken),
			sizeof(survivor_bytes));
	KUNIT_ASSERT_EQ(test, dxl_decoder_next(&f->dec, &packet), 0);
	expect_packet(test, &packet, &want);
}

static struct kunit_case packet_cases[] = {
	KUNIT_CASE_PARAM(packet_encode, vector_gen_params),
	KUNIT_CASE_PARAM(packet_decode, vector_gen_params),
	KUNIT_CASE_PARAM(packet_decode_split, vector_gen_params),
	KUNIT_CASE_PARAM(packet_decode_after_reset, vector_gen_params),
	KUNIT_CASE(packet_decode_merged),
	KUNIT_CASE_PARAM(packet_bit_flips, vector_gen_params),
	KUNIT_CASE_PARAM(packet_lost_bytes, vector_gen_params),
	KUNIT_CASE_PARAM(packet_bad_checksum, vector_gen_params),
	KUNIT_CASE_PARAM(packet_after_garbage, vector_gen_params),
	KUNIT_CASE(packet_wrong_length),
	KUNIT_CASE_PARAM(packet_malformed, malformed_gen_params),
	KUNIT_CASE(packet_longer_than_buffer),
	KUNIT_CASE(packet_costly_noise),
	KUNIT_CASE(packet_limit),
	KUNIT_CASE_PARAM(packet_stuffing, stuffed_gen_params),
	KUNIT_CASE(packet_stuffing_half_missing),
	KUNIT_CASE(packet_stuffing_worst_case),
	KUNIT_CASE(packet_encode_impossible),
	KUNIT_CASE(packet_put_range),
	KUNIT_CASE(packet_crc),
	KUNIT_CASE(packet_noise),
	KUNIT_CASE(packet_feed_full),
	{}
};

static struct kunit_suite packet_suite = {
	.name = "dxl_packet",
	.init = packet_test_init,
	.test_cases = packet_cases,
};

kunit_test_suite(packet_suite);

MODULE_DESCRIPTION("KUnit tests of the Dynamixel drivers");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS("DXL");
/* Matched by device tree, so that no symbol of it is used. */
MODULE_SOFTDEP("pre: dxl_servo dxl_board");
